/** What a command is: one table gives its parsing, its `--help` and its documentation. */

import { parseArgs } from 'node:util';
import { suggestName } from '../bandmath/index.ts';
import { badInput } from './errors.ts';

/** An option of a command: what a user writes, what it means, and the value that it becomes. */
export interface Option<Value> {
  /** As help shows it: `--json`, `--limit N`, `-l, --label TEXT`. */
  readonly flags: string;
  readonly about: string;
  readonly isRequired?: boolean;
  /** Gets the texts that were given, none if the option was left out; a switch is given as empty texts. */
  readonly read: (given: readonly string[]) => Value;
}

/** A word of a command that is not an option. */
interface Argument<Value> {
  /** As help shows it: `<id>`, `<view id> …`. */
  readonly shown: string;
  /** What the refusal asks if the word is missing. */
  readonly question: string;
  readonly isMany: boolean;
  /** Whether a word such as -5 is this argument and not an option; only the last argument may say so. */
  readonly isNumber: boolean;
  readonly read: (words: readonly string[]) => Value;
}

/** One command: all that parsing, `--help` and the documentation need to know. */
export interface CommandSpec<Parsed = unknown> {
  /** Its one or two words: `serve`, `keys create`. */
  readonly name: string;
  readonly about: string;
  readonly arguments: readonly Argument<unknown>[];
  readonly options: readonly Option<unknown>[];
  /** Turns the words after the name into a command; null if they ask for help. */
  readonly parse: (words: readonly string[]) => Parsed | null;
}

/** Commands that one text of `--help` and one section of the documentation explain together. */
export interface Topic<Specs extends readonly CommandSpec[] = readonly CommandSpec[]> {
  /** The word that begins most of its commands. */
  readonly name: string;
  /** One line for the list of all commands. */
  readonly summary: string;
  /** Paragraphs before the commands. */
  readonly about: readonly string[];
  readonly commands: Specs;
  /** Commands that begin with the same word and that other topics explain, by the name of the topic. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** When the exit status is 1. */
  readonly fails?: string;
}

/** A topic; the type of its commands is kept. */
export const topic = <const Specs extends readonly CommandSpec[]>(spec: Topic<Specs>): Topic<Specs> => spec;

/** What a command of a table is when it is parsed. */
export type CommandOf<Spec> = Spec extends CommandSpec<infer Parsed> ? Parsed : never;

type Parse<Value> = (text: string, option: string) => Value;

/** A switch: true if it was given. */
export const flag = (flags: string, about: string): Option<boolean> => ({
  flags,
  about,
  read: (given) => given.length > 0,
});

/** An option with a value; null if it was left out. */
export function option(flags: string, about: string): Option<string | null>;
export function option<Value>(flags: string, about: string, parse: Parse<Value>): Option<Value | null>;
export function option(
  flags: string,
  about: string,
  parse: Parse<unknown> = (text) => text,
): Option<unknown> {
  const long = `--${readFlags(flags).long}`;
  return {
    flags,
    about,
    read: (given) => {
      const text = given.at(-1);
      return text === undefined ? null : parse(text, long);
    },
  };
}

/** The option with a value for those who leave it out. */
export const withDefault = <Value, Default>(
  { read, ...shown }: Option<Value | null>,
  fallback: Default,
): Option<Value | Default> => ({
  ...shown,
  read: (given) => (given.length === 0 ? fallback : (read(given) as Value)),
});

/** The option for which there is no default; `example` shows how to give it. */
export const required = <Value>(
  { flags, about, read }: Option<Value | null>,
  example: string,
): Option<Value> => {
  const { long } = readFlags(flags);
  return {
    flags,
    about,
    isRequired: true,
    read: (given) => {
      const value = read(given);
      if (value === null) throw badInput('usage', `--${long} is required, such as --${long} ${example}.`);
      return value;
    },
  };
};

/** An option that may be given several times. */
export const repeatable = (flags: string, about: string): Option<readonly string[]> => ({
  flags,
  about,
  read: (given) => given,
});

/** One word that must be given. */
export function argument(shown: string, question: string): Argument<string>;
export function argument<Value>(
  shown: string,
  question: string,
  parse: (text: string) => Value,
  kind?: 'number',
): Argument<Value>;
export function argument(
  shown: string,
  question: string,
  parse: (text: string) => unknown = (text) => text,
  kind?: 'number',
): Argument<unknown> {
  return { shown, question, isMany: false, isNumber: kind === 'number', read: ([word = '']) => parse(word) };
}

/** One word or more. */
export const severalArguments = (shown: string, question: string): Argument<readonly string[]> => ({
  shown: `${shown} …`,
  question,
  isMany: true,
  isNumber: false,
  read: (words) => words,
});

type ValuesOf<Rows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends {
    readonly read: (given: readonly string[]) => infer Value;
  }
    ? Value
    : never;
};

/** A command of a table. Its fields are named by the keys of its arguments and options. */
export function command<
  const Name extends string,
  // biome-ignore lint/complexity/noBannedTypes: a command without arguments has no fields of them
  Arguments extends Readonly<Record<string, Argument<unknown>>> = {},
  // biome-ignore lint/complexity/noBannedTypes: and one without options none of those
  Options extends Readonly<Record<string, Option<unknown>>> = {},
>(
  name: Name,
  table: {
    readonly about: string;
    readonly arguments?: Arguments;
    readonly options?: Options;
    /** Where users find what the arguments take: `"swath keys list" shows the ids`. */
    readonly hint?: string;
  },
): CommandSpec<{ readonly name: Name } & ValuesOf<Arguments> & ValuesOf<Options>> {
  const words: Readonly<Record<string, Argument<unknown>>> = table.arguments ?? {};
  const options: Readonly<Record<string, Option<unknown>>> = table.options ?? {};
  const spec = {
    name,
    about: table.about,
    arguments: Object.values(words),
    options: Object.values(options),
  };
  const parse = (given: readonly string[]) => {
    const read = readWords(spec, given);
    if (read === null) return null;
    const fields: Record<string, unknown> = { name };
    let used = 0;
    for (const [field, row] of Object.entries(words)) {
      const own = read.words.slice(used, row.isMany ? undefined : used + 1);
      if (own.length === 0) throw refuseMissing(spec, row, table.hint);
      fields[field] = row.read(own);
      used += own.length;
    }
    for (const [field, row] of Object.entries(options)) {
      fields[field] = row.read(read.given.get(readFlags(row.flags).long) ?? []);
    }
    // The loops above have filled in each field of the tables by its own reader.
    return fields as { readonly name: Name } & ValuesOf<Arguments> & ValuesOf<Options>;
  };
  return { ...spec, parse };
}

/** The command with its fields in another form. */
export const reshape = <From, To>(
  { parse, ...shown }: CommandSpec<From>,
  toCommand: (parsed: From) => To,
): CommandSpec<To> => ({
  ...shown,
  parse: (words) => {
    const parsed = parse(words);
    return parsed === null ? null : toCommand(parsed);
  },
});

/** The parts of `-l, --label TEXT`; the placeholder of a switch is null. */
export function readFlags(flags: string) {
  const [, short = null, long = '', placeholder = null] =
    /^(?:-(\w), )?--([\w-]+)(?: (.+))?$/.exec(flags) ?? [];
  return { short, long, placeholder };
}

type Shown = Omit<CommandSpec, 'parse'>;

/** How a command is used, without `swath`: `keys revoke <id>`. */
export const toUsage = ({ name, arguments: words }: Pick<Shown, 'name' | 'arguments'>): string =>
  [name, ...words.map(({ shown }) => shown)].join(' ');

function refuseMissing(spec: Shown, { question }: Argument<unknown>, hint: string | undefined) {
  return badInput('usage', `${question} "swath ${toUsage(spec)}"${hint === undefined ? '' : `; ${hint}`}.`);
}

/** More words than this are a mistake of a script. */
const MAX_WORDS = 10_000;

/** Splits words into arguments and options by their names; null if help is asked for. */
function readWords(spec: Shown, words: readonly string[]) {
  const { arguments: expected } = spec;
  const last = words.at(-1) ?? '';
  if (expected.at(-1)?.isNumber !== true || !/^-\d/.test(last)) return parseStrictly(spec, words);
  const read = parseStrictly({ ...spec, arguments: expected.slice(0, -1) }, words.slice(0, -1));
  // With a word missing before it, the number is not the last argument.
  if (read === null || read.words.length < expected.length - 1) return read;
  return { ...read, words: [...read.words, last] };
}

function parseStrictly(spec: Shown, words: readonly string[]) {
  const known = ['-h, --help', ...spec.options.map(({ flags }) => flags)].map(readFlags);
  const options = Object.fromEntries(
    known.map(({ short, long, placeholder }) => [
      long,
      {
        type: placeholder === null ? ('boolean' as const) : ('string' as const),
        multiple: true,
        ...(short === null ? {} : { short }),
      },
    ]),
  );
  const max = spec.arguments.some(({ isMany }) => isMany) ? MAX_WORDS : spec.arguments.length;
  try {
    const { values, positionals } = parseArgs({
      args: joinNegative(words),
      options,
      allowPositionals: true,
      strict: true,
    });
    if (positionals.length > max) throw new Error(`Unexpected argument "${positionals[max]}".`);
    const given = Object.entries(values).map(
      ([long, texts]) => [long, (Array.isArray(texts) ? texts : []).map(toText)] as const,
    );
    const read = { given: new Map<string, readonly string[]>(given), words: positionals };
    return read.given.has('help') ? null : read;
  } catch (error) {
    const names = known.map(({ long }) => `--${long}`);
    throw badInput(
      'usage',
      `${describeMistake(error as Error, names)} "swath ${spec.name} --help" shows what is possible.`,
    );
  }
}

const toText = (value: string | boolean): string => (typeof value === 'string' ? value : '');

/** The first sentence of what Node says, and the option that may be meant. */
function describeMistake({ message }: Error, names: readonly string[]): string {
  const sentence = message.split(/\.?\s+To specify/)[0]?.replace(/\.?$/, '.') ?? '';
  const [, unknown] = /^Unknown option '(--[\w-]+)'/.exec(message) ?? [];
  const similar = unknown === undefined ? null : suggestName(unknown, names);
  return similar === null ? sentence : `${sentence} Did you mean ${similar}?`;
}

/** `--bbox -74,40,-73,41`: a word that begins like a negative number belongs to the option before it. */
function joinNegative(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const isValue = /^-\.?\d/.test(word) && last !== undefined && /^--[a-z-]+$/.test(last);
    if (isValue) joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}
