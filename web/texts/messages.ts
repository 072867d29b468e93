/**
 * Messages with placeholders and plurals become texts. The form is the part of ICU MessageFormat that translators know:
 * `{name}` is replaced by an argument, and `{count, plural, one {# scene} other {# scenes}}` by the form of the
 * number, where `#` is the number as the language writes it. Apostrophes are plain characters.
 */

/** A message as its parts: literal strings, and places for arguments. */
type Part = string | { readonly name: string; readonly forms: ReadonlyMap<string, readonly Part[]> | null };

/** The number of the plural form that encloses it. */
const NUMBER_SIGN = '#';

/** The parts of a message; throws on one whose braces do not match or that has no form `other`. */
export const parseMessage = (message: string): readonly Part[] => {
  let position = 0;
  const fail = (reason: string): never => {
    throw new Error(`The message "${message}" ${reason}.`);
  };
  const readForms = (): ReadonlyMap<string, readonly Part[]> => {
    const forms = new Map<string, readonly Part[]>();
    for (;;) {
      const [matched, category = ''] = /^\s*(\w+|=\d+)\s*\{/.exec(message.slice(position)) ?? [];
      if (matched === undefined) break;
      position += matched.length;
      forms.set(category, readParts(true));
      position++;
    }
    if (!forms.has('other')) fail('has a plural without the form "other"');
    return forms;
  };
  const readPlace = (): Part => {
    const [matched, name = '', plural] =
      /^\{\s*(\w+)\s*(, plural,)?/.exec(message.slice(position)) ?? fail('has a brace without a name');
    position += matched.length;
    const forms = plural === undefined ? null : readForms();
    const [end] = /^\s*\}/.exec(message.slice(position)) ?? fail(`does not close the brace of "${name}"`);
    position += end.length;
    return { name, forms };
  };
  const readParts = (isForm: boolean): Part[] => {
    const parts: Part[] = [];
    while (position < message.length && message[position] !== '}') {
      if (message[position] === '{') parts.push(readPlace());
      else {
        const [literal] = (isForm ? /^(?:#|[^{}#]+)/ : /^[^{}]+/).exec(message.slice(position)) ?? [''];
        position += literal.length;
        parts.push(literal);
      }
    }
    if (isForm !== (message[position] === '}')) fail('has braces that do not match');
    return parts;
  };
  return readParts(false);
};

/** Names of the arguments, in the order of their first place. */
export const namesOf = (parts: readonly Part[]): readonly string[] => [
  ...new Set(
    parts.flatMap((part): readonly string[] =>
      typeof part === 'string'
        ? []
        : [part.name, ...[...(part.forms?.values() ?? [])].flatMap((form) => namesOf(form))],
    ),
  ),
];

type Argument = string | number;

const makeWriter = (locale: string) => {
  const numbers = new Intl.NumberFormat(locale);
  const plurals = new Intl.PluralRules(locale);
  const show = (argument: Argument): string =>
    typeof argument === 'number' ? numbers.format(argument) : argument;
  const write = (
    parts: readonly Part[],
    values: ReadonlyMap<string, Argument>,
    enclosing: string | null,
  ): string =>
    parts
      .map((part) => {
        if (typeof part === 'string') return part === NUMBER_SIGN && enclosing !== null ? enclosing : part;
        const value = values.get(part.name) ?? '';
        if (part.forms === null) return show(value);
        const count = Number(value);
        const form =
          part.forms.get(`=${count}`) ?? part.forms.get(plurals.select(count)) ?? part.forms.get('other')!;
        return write(form, values, show(value));
      })
      .join('');
  return write;
};

type Names<Message extends string> = Message extends `${string}{${infer Rest}`
  ? Rest extends `${infer Name}, plural,${string}}}${infer After}`
    ? Name extends `${string}}${string}`
      ? PlainNames<Rest>
      : [[Name, number], ...Names<After>]
    : PlainNames<Rest>
  : [];
type PlainNames<Rest extends string> = Rest extends `${infer Name}}${infer After}`
  ? [[Name, Argument], ...Names<After>]
  : [];
type Arguments<Found, Seen = never> = Found extends [[infer Name, infer Value], ...infer Others]
  ? Name extends Seen
    ? Arguments<Others, Seen>
    : [Value, ...Arguments<Others, Seen | Name>]
  : [];

/** What a message becomes: a string, or a function of its arguments in the order of the English message. */
type Text<Message extends string> = string extends Message
  ? string
  : Names<Message> extends []
    ? string
    : (...args: Arguments<Names<Message>>) => string;

/** Texts by the names of the English messages. */
export type TextsOf<Source> = {
  readonly [Key in keyof Source]: Source[Key] extends string ? Text<Source[Key]> : TextsOf<Source[Key]>;
};

/** A translation that has every message of `Source`. */
export type CompleteMessages<Source> = {
  readonly [Key in keyof Source]: Source[Key] extends string ? string : CompleteMessages<Source[Key]>;
};

/** Messages by name, in groups. */
export interface Messages {
  readonly [name: string]: string | Messages;
}

const isGroup = (value: string | Messages | undefined): value is Messages => typeof value === 'object';

/**
 * The texts of a translation. A message that it does not have is the English one, with the plural rules of English.
 * Arguments have the order of the English message, whatever the order in the translation.
 */
export const toTexts = <const Source extends object>(
  source: Source,
  translation: object,
): TextsOf<Source> => {
  const english = source as Messages;
  const writers = {
    english: makeWriter(String(english.locale)),
    translated: makeWriter(String((translation as Messages).locale)),
  };
  const toText = (original: string, translated: string | null): unknown => {
    const parts = parseMessage(translated ?? original);
    const names = namesOf(translated === null ? parts : parseMessage(original));
    if (names.length === 0) return translated ?? original;
    const write = translated === null ? writers.english : writers.translated;
    return (...args: readonly Argument[]): string =>
      write(parts, new Map(names.map((name, i) => [name, args[i] ?? ''])), null);
  };
  const toGroup = (original: Messages, translated: Messages): object =>
    Object.fromEntries(
      [...new Set([...Object.keys(original), ...Object.keys(translated)])].map((name) => {
        const message = original[name];
        const ours = translated[name];
        if (isGroup(message) || (message === undefined && isGroup(ours)))
          return [name, toGroup(isGroup(message) ? message : {}, isGroup(ours) ? ours : {})];
        const text = typeof ours === 'string' ? ours : null;
        return [name, toText(message ?? text ?? '', text)];
      }),
    );
  return toGroup(english, translation as Messages) as TextsOf<Source>;
};
