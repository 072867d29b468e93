/**
 * Parameters of a path or query. One declaration is the reader of a parameter, its schema in the OpenAPI document, its
 * sentence of refusal, and by its name the hint for a misspelt one.
 */
import { badInput } from '../../errors.ts';
import type { JsonSchema } from './json-schema.ts';
import { json } from './json-schema.ts';
import type { Query } from './query.ts';
import { parseDecimal, parseSwitchName, parseWhole, SWITCH_NAMES, toBadCode } from './texts.ts';

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
export type NamedParameters<Declared extends DeclaredParameters> = {
  readonly [Name in keyof Declared]: NamedParameter<ReturnType<Declared[Name]['parse']>>;
};

/** A parameter that knows its name. */
export interface NamedParameter<Value> extends ParameterDoc {
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
  readonly refuse?: typeof badInput;
}

/** A reader of texts, null for those that it does not accept, and what it accepts in words. */
interface Grammar<Value> {
  readonly schema: JsonSchema;
  readonly rule: string;
  readonly toValue: (text: string, name: string) => Value | null;
}

function toParameter<Value, Fallback>(
  { description, example, fallback, rule, code, refuse = badInput }: Options<Fallback>,
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
      throw refuse(code ?? toBadCode(name), `${name} ${sentence}`);
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
