/**
 * Parameters of a path or query. One declaration is the reader of a parameter, its schema in the OpenAPI document, its
 * sentence of refusal, and by its name the hint for a misspelt one.
 */

import { suggestName } from '../../bandmath/index.ts';
import { SwathError } from '../../errors.ts';
import { badInput } from '../errors.ts';
import type { JsonSchema } from './json-schema.ts';
import { json } from './json-schema.ts';

/** What the documentation says of a parameter. */
export interface ParameterDoc {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly required?: boolean;
  readonly example?: string | undefined;
}

/** A parameter: its documentation and its reader. */
export interface Parameter<Value> extends ParameterDoc {
  /** Reads its text, undefined if it is left out; throws a refusal that names it. */
  readonly parse: (text: string | undefined, name: string) => Value;
}

/** Parameters by name. */
type DeclaredParameters = Readonly<Record<string, Parameter<unknown>>>;

/** Parameters that know their names. */
type NamedParameters<Declared extends DeclaredParameters> = {
  readonly [Name in keyof Declared]: NamedParameter<ReturnType<Declared[Name]['parse']>>;
};

/** A parameter that knows its name. */
interface NamedParameter<Value> extends ParameterDoc {
  /** Reads its text, as a segment of a path. */
  readonly parse: (text: string | undefined) => Value;
  /** Reads it from a query. */
  readonly read: (query: Query) => Value;
}

/** Gives parameters their names, so that each can be read from a query. */
export const defineParameters = <const Declared extends DeclaredParameters>(
  declared: Declared,
): NamedParameters<Declared> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, parameter]) => [
      name,
      {
        ...parameter,
        parse: (text: string | undefined) => parameter.parse(text, name),
        read: (query: Query) => parameter.parse(query.get(name), name),
      },
    ]),
  ) as NamedParameters<Declared>;

interface Options<Fallback> {
  readonly description: string;
  readonly example?: string;
  /** The value of a parameter that is left out; without one it is required. */
  readonly fallback?: Fallback;
  /** What a refusal says behind the name. */
  readonly rule?: string;
  /** The code of a refusal; `bad-` and the name by default. */
  readonly code?: string;
  /** The kind of a refusal. */
  readonly refuse?: 'bad-input' | 'unsupported';
}

/** A reader of texts, which returns null for texts it does not accept, and the sentence that says what it accepts. */
interface Grammar<Value> {
  readonly schema: JsonSchema;
  readonly rule: string;
  readonly toValue: (text: string, name: string) => Value | null;
}

function toParameter<Value, Fallback>(
  { description, example, fallback, rule, code, refuse = 'bad-input' }: Options<Fallback>,
  grammar: Grammar<Value>,
): Parameter<Value | Fallback> {
  const { schema, toValue } = grammar;
  const sentence = rule ?? grammar.rule;
  return {
    description,
    schema,
    example,
    required: fallback === undefined,
    parse(text, name) {
      if (text === undefined && fallback !== undefined) return fallback;
      const value = text === undefined ? null : toValue(text, name);
      if (value !== null) return value;
      throw new SwathError(refuse, code ?? toBadCode(name), `${name} ${sentence}`);
    },
  };
}

/** A fallback is shown as the default of the schema; null stands for nothing. */
const withDefault = (schema: JsonSchema, fallback: unknown): JsonSchema =>
  fallback === undefined || fallback === null ? schema : { ...schema, default: fallback };

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Shown in place of the bounds and the default, where they do not say it all. */
  readonly schema?: JsonSchema;
}

/** A whole number in plain digits. */
export const whole = <Fallback extends number | null = never>(
  options: Options<Fallback> & Bounds,
): Parameter<number | NoInfer<Fallback>> => {
  const { min, max } = options;
  return toParameter<number, Fallback>(options, {
    schema: options.schema ?? withDefault(json.integer({ min, max }), options.fallback),
    rule: `must be a whole number from ${min} to ${max}.`,
    toValue(text) {
      const value = parseWhole(text);
      return value !== null && value >= min && value <= max ? value : null;
    },
  });
};

/** A decimal number. */
export const decimal = <Fallback extends number | null = never>(
  options: Options<Fallback> & Bounds,
): Parameter<number | NoInfer<Fallback>> => {
  const { min, max } = options;
  return toParameter<number, Fallback>(options, {
    schema: options.schema ?? withDefault(json.number({ min, max }), options.fallback),
    rule: `must be a number from ${min} to ${max}.`,
    toValue(text) {
      const value = parseDecimal(text);
      return value !== null && value >= min && value <= max ? value : null;
    },
  });
};

/** `true`, `1`, `false` or `0`, in any case. */
export const flag = <Fallback extends boolean | null>(
  options: Options<Fallback> & { readonly fallback: Fallback },
): Parameter<boolean | NoInfer<Fallback>> =>
  toParameter<boolean, Fallback>(options, {
    schema: json.choice(SWITCH_NAMES),
    rule: 'must be true, 1, false or 0.',
    toValue: parseSwitchName,
  });

interface Choices<Name extends string> {
  readonly names: readonly Name[];
  /** Names are read in any case. */
  readonly ignoresCase?: boolean;
}

/** One of several names. */
export const choice = <const Name extends string, const Fallback extends string | null = never>(
  options: Options<Fallback> & Choices<Name>,
): Parameter<Name | NoInfer<Fallback>> => {
  const { names, ignoresCase = false } = options;
  const known = new Map(names.map((name) => [ignoresCase ? name.toLowerCase() : name, name]));
  return toParameter<Name, Fallback>(options, {
    schema: withDefault(json.choice(names), options.fallback),
    rule: toChoiceRule(names),
    toValue: (text) => known.get((ignoresCase ? text.toLowerCase() : text) as Name) ?? null,
  });
};

/** One of several names, each of which stands for a value. */
export const mapped = <Value extends string, Fallback>(
  options: Options<Fallback> & { readonly values: Readonly<Record<string, Value>> },
): Parameter<Value | NoInfer<Fallback>> => {
  const known = new Map(Object.entries(options.values));
  const names = [...known.keys()];
  return toParameter<Value, Fallback>(options, {
    schema: json.choice(names),
    rule: toChoiceRule(names),
    toValue: (text) => known.get(text) ?? null,
  });
};

const toChoiceRule = (names: readonly string[]): string =>
  names.length <= 2 ? `must be ${names.join(' or ')}.` : `must be one of ${names.join(', ')}.`;

/** Any text; `pattern` documents what the room that parses it accepts. */
export const text = <Fallback extends string | null = never>(
  options: Pick<Options<Fallback>, 'description' | 'example' | 'fallback'> & {
    readonly pattern?: RegExp | string;
  },
): Parameter<string | NoInfer<Fallback>> =>
  toParameter<string, Fallback>(options, {
    schema: json.string({ pattern: options.pattern }),
    rule: 'is required.',
    toValue: (given) => given,
  });

/** A custom grammar: `read` throws its own refusals, or returns null for texts that break `rule`. */
export const custom = <Value, Fallback = never>(
  options: Options<Fallback> & {
    readonly schema: JsonSchema;
    readonly read: (text: string, name: string) => Value | null;
  },
): Parameter<Value | NoInfer<Fallback>> => {
  const { schema, rule = 'is not valid.', read } = options;
  return toParameter<Value, Fallback>(options, { schema, rule, toValue: read });
};

/** Parameters of a query string, each at most once. Names are case-sensitive. */
export type Query = ReadonlyMap<string, string>;

/** Parses a raw query string; a repeated or badly encoded parameter is an error, never a silent choice. */
export function parseQuery(raw: string): Query {
  const query = new Map<string, string>();
  for (const part of raw.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : decode(part.slice(equals + 1));
    if (query.has(name)) {
      throw badInput(
        'repeated-parameter',
        `The query parameter ${name.slice(0, 40)} is given more than once.`,
      );
    }
    query.set(name, value);
  }
  return query;
}

/** `name[]=…` is how some clients send lists; here it would be another parameter, ignored without a word. */
export function refuseLists(query: Query, isKnown: (name: string) => boolean): void {
  for (const written of query.keys()) {
    const bracket = written.indexOf('[');
    if (bracket < 1 || !isKnown(written.slice(0, bracket))) continue;
    const name = written.slice(0, bracket);
    throw badInput('list-parameter', `Pass ${name} once, as ${name}=…, not ${name}[]=….`);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    throw badInput('bad-encoding', 'The query string is not valid percent-encoded UTF-8.', { cause: error });
  }
}

/** Case and underscores do not count: programs send `colormap` and `slopeRange`. */
const foldName = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** Names of parameters as the documentation writes them. */
export interface KnownNames {
  readonly all: readonly string[];
  /** The documented name of a written one; undefined when there is none. */
  find(written: string): string | undefined;
}

/** Makes the table of some names. */
export function makeKnownNames(all: readonly string[]): KnownNames {
  const exact = new Set(all);
  const folded = new Map(all.map((name) => [foldName(name), name]));
  return { all, find: (written) => (exact.has(written) ? written : folded.get(foldName(written))) };
}

/** The query with documented names; calls `onUnknown` for other names, which stay in the query. */
export function toKnownNames(query: Query, known: KnownNames, onUnknown: (name: string) => void): Query {
  const named = new Map<string, string>();
  for (const [written, value] of query) {
    const name = known.find(written);
    if (name === undefined) onUnknown(written);
    const chosen = name ?? written;
    if (named.has(chosen)) {
      throw badInput(
        'repeated-parameter',
        `The query parameter ${chosen.slice(0, 40)} is given more than once.`,
      );
    }
    named.set(chosen, value);
  }
  return named;
}

/** The header that lists the unknown names of a request. */
export const IGNORED_HEADER = 'x-ignored-parameters';

/**
 * The pattern of a decimal number. Digits are as many as JSON writes, 21 before the point and 6 zeros with 17 more behind
 * it, so that the numbers of one answer (a contrast range, say) can be handed to the next request as they are.
 */
export const DECIMAL = '[+-]?(?:\\d{1,21}(?:\\.\\d{0,23})?|\\.\\d{1,23})(?:[eE][+-]?\\d{1,3})?';

const WHOLE_DECIMAL = new RegExp(`^${DECIMAL}$`);

/** A decimal number and nothing else: no hex, no spaces, no Infinity. Null when the text is not one. */
export function parseDecimal(text: string): number | null {
  if (!WHOLE_DECIMAL.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** A whole number in plain digits, or null. */
export const parseWhole = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

/** How a switch, or what can be switched on by a name, is switched off. */
export const OFF_NAMES = ['false', '0'] as const;

const ON_NAMES = ['true', '1'] as const;

/** What a switch may say. */
const SWITCH_NAMES = [...ON_NAMES, ...OFF_NAMES] as const;

const ON: ReadonlySet<string> = new Set(ON_NAMES);
const OFF: ReadonlySet<string> = new Set(OFF_NAMES);

/** Whether a text, in any case, switches something off. */
export const isOff = (text: string): boolean => OFF.has(text.toLowerCase());

/** What a text switches, in any case; null for one that is not a switch. */
function parseSwitchName(text: string): boolean | null {
  const name = text.toLowerCase();
  if (ON.has(name)) return true;
  return OFF.has(name) ? false : null;
}

/** The code of an error about a parameter's value. */
export const toBadCode = (name: string): string => `bad-${name.toLowerCase().replaceAll('_', '-')}`;

/** A day as 2026-06-21, also from a text with a time behind it: programs send the first instant of a day. Null for others. */
export function parseDay(value: unknown): string | null {
  const day =
    typeof value === 'string' ? /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]*Z?)?$/.exec(value.trim())?.[1] : undefined;
  if (day === undefined) return null;
  const time = Date.parse(`${day}T00:00:00Z`);
  // February has no 30th day.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : null;
}

/** The parameter of every operation that can be explained (`explain/explainable.ts`). */
export const explainParameters = defineParameters({
  explain: choice({
    description:
      '1 answers with the plan as JSON, without reading pixels: scenes, files, windows, blocks, steps, cost and caches; drawn also does the work and says where the time went. 0 by default.',
    names: ['0', '1', 'drawn'],
    ignoresCase: true,
    fallback: '0',
  }),
});

/** What is explained: the plan, or the plan and its execution. */
export type ExplainMode = 'plan' | 'drawn';

/** The explanation that a request asks for; null for a plain answer. */
export function readExplainMode(query: Query): ExplainMode | null {
  const mode = explainParameters.explain.read(query);
  if (mode === '0') return null;
  return mode === '1' ? 'plan' : 'drawn';
}

/** Collects the unknown names of one request. */
interface IgnoredNames {
  /** Adds a name; `known` are the names that could be meant. */
  add(name: string, known: Iterable<string>): void;
  /** The value of the header; null when every name is known. */
  toHeader(): string | null;
}

/** Enough to see a mistake; a hostile query may hold thousands. */
const MAX_TOLD = 8;
/** Longer than any documented name. */
const MAX_CHARS = 40;

/** Begins the collection. What a header could not hold is written as `?`. */
export function makeIgnoredNames(): IgnoredNames {
  const told: string[] = [];
  let more = 0;
  return {
    add(name, known) {
      if (told.length >= MAX_TOLD) {
        more += 1;
        return;
      }
      const shown = name.slice(0, MAX_CHARS).replaceAll(/[^\w.[\]-]/g, '?');
      const meant = suggestName(name, known);
      told.push(meant === null ? shown : `${shown} (did you mean ${meant}?)`);
    },
    toHeader() {
      if (told.length === 0) return null;
      return [...told, ...(more === 0 ? [] : [`and ${more} more`])].join(', ');
    },
  };
}
