/**
 * Fields of a JSON body. As with parameters of a query, one declaration is the reader of a field, its schema and its
 * sentence of refusal, and the names of all fields are what a misspelt one is compared with.
 *
 * Programs send numbers and switches as strings too, null for what they do not set, and often an empty string.
 */

import { SwathError } from '../../errors.ts';
import type { PointGeometry } from '../../geo/index.ts';
import { isObject } from '../../json.ts';
import type { JsonSchema, MaybeNamed } from './json-schema.ts';
import { DEFINITION, json } from './json-schema.ts';
import { parseDecimal, toBadCode } from './parameters.ts';

/** The fields of a JSON object as they came: a body, or the `params` of a task. */
export type Params = Readonly<Record<string, unknown>>;

/** A field: its schema and its reader. */
export interface Field<Value> {
  readonly schema: JsonSchema;
  readonly isRequired?: boolean;
  /** Reads a value as it came, undefined if it is left out; throws a refusal that names the field. */
  readonly parse: (value: unknown, name: string) => Value;
}

/** Fields by name. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** Fields that know their names. */
export type NamedFields<Declared extends Fields> = {
  readonly [Name in keyof Declared]: Declared[Name] & {
    /** Reads it from an object. */
    readonly read: (params: Params) => ReturnType<Declared[Name]['parse']>;
  };
};

/** Gives fields their names, so that each can be read from an object. */
export const defineFields = <const Declared extends Fields>(declared: Declared): NamedFields<Declared> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, field]) => [
      name,
      { ...field, read: (params: Params) => field.parse(params[name], name) },
    ]),
  ) as NamedFields<Declared>;

/** The schema of an object with these fields. */
export const toObjectSchema = (fields: Fields): JsonSchema =>
  json.object(
    Object.fromEntries(
      Object.entries(fields).map(([name, { schema, isRequired = false }]) => [
        isRequired ? name : `${name}?`,
        schema,
      ]),
    ),
  );

interface Described {
  readonly description?: string;
}

/** Longest string that a field takes if it does not say otherwise: names and expressions are shorter. */
export const MAX_TEXT = 2_048;

/** A refusal of a value, as a sentence that begins with the name of its field. */
export const refuseField = (name: string, rule: string): Error =>
  new SwathError('bad-input', toBadCode(name), `${name} ${rule}`);

/** A string; null when it is left out. */
export const text = ({
  max = MAX_TEXT,
  description,
}: Described & { readonly max?: number } = {}): Field<string | null> => ({
  schema: json.nullable(json.string({ max }), { description }),
  parse(value, name) {
    if (value == null) return null;
    if (typeof value === 'string' && value.length <= max) return value;
    throw refuseField(name, `must be a text of up to ${max} characters.`);
  },
});

/** A string that must be there, and not be blank. */
export const requiredText = ({ description }: Described = {}): Field<string> => {
  const { parse } = text();
  return {
    schema: json.string({ max: MAX_TEXT, pattern: /\S/, description }),
    isRequired: true,
    parse(value, name) {
      const given = parse(value, name);
      if (given === null || given.trim() === '') throw refuseField(name, 'is required, and must be a text.');
      return given;
    },
  };
};

/** Longest name that people give to something. */
export const MAX_TITLE = 200;

/** Letters of any language; nothing that breaks a line or cannot be stored. */
const TITLE = /^(?=.*\S)[^\p{Cc}\p{Cs}]+$/u;

/** What people call something. */
export const titleField: Field<string> = {
  isRequired: true,
  schema: json.string({ max: MAX_TITLE, pattern: /\S/, description: 'What people call it.' }),
  parse(value, name) {
    if (typeof value === 'string' && value.length <= MAX_TITLE && TITLE.test(value)) return value.trim();
    throw refuseField(name, `must be a text of 1 to ${MAX_TITLE} characters, without line breaks.`);
  },
};

/** A list of strings, or one string with commas between them; null when it is left out. Numbers count as strings. */
export const texts = ({
  max,
  description,
}: Described & { readonly max: number }): Field<readonly string[] | null> => ({
  schema: json.nullable(textsSchema(max), { description }),
  parse(value, name) {
    if (value == null) return null;
    const items = typeof value === 'string' ? value.split(',') : value;
    const isList =
      Array.isArray(items) && items.every((item) => typeof item === 'string' || typeof item === 'number');
    if (!isList) throw refuseField(name, 'must be a list of texts.');
    if (items.length > max)
      throw refuseField(name, `must have at most ${max} items; it has ${items.length}.`);
    return items.map((item) => {
      const trimmed = String(item).trim();
      if (trimmed.length > MAX_TEXT)
        throw refuseField(name, `must have items of up to ${MAX_TEXT} characters.`);
      return trimmed;
    });
  },
});

/** The schema of such a list. */
export const textsSchema = (max: number): JsonSchema =>
  json.union([json.string(), json.list(json.union([json.string(), json.number()]), { max })]);

const switchSchema = json.union([
  json.boolean(),
  json.literal(0),
  json.literal(1),
  json.string({ pattern: /^([Tt]rue|TRUE|[Ff]alse|FALSE|[01])?$/ }),
]);

/** A switch: true or false, 1 or 0, as a number, a string or what it is. */
export const flag = <Fallback extends boolean | null>({
  fallback,
  description,
}: Described & { readonly fallback: Fallback }): Field<boolean | Fallback> => ({
  schema: json.nullable(switchSchema, { description }),
  parse(value, name) {
    if (value == null || value === '') return fallback;
    // A list of one would be written like what is in it.
    const written = typeof value === 'object' ? '' : String(value).toLowerCase();
    if (written === 'true' || written === '1') return true;
    if (written === 'false' || written === '0') return false;
    throw refuseField(name, 'must be true, 1, false or 0.');
  },
});

interface NumberOptions<Fallback> extends Described {
  /** Bounds, both included; there are none unless given. */
  readonly min?: number;
  readonly max?: number;
  readonly isWhole?: boolean;
  readonly fallback: Fallback;
  /** What a refusal says of a number that is out of bounds. */
  readonly rule?: string;
}

/** Numbers as strings; an empty one is a number that is left out. */
const NUMBER_TEXT = /^([+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?)?$/;

/** A number, also as a string. */
export const number = <Fallback extends number | null>({
  min,
  max,
  isWhole = false,
  fallback,
  description,
  rule = isWhole ? `must be a whole number from ${min} to ${max}.` : `must be from ${min} to ${max}.`,
}: NumberOptions<Fallback>): Field<number | Fallback> => ({
  schema: json.nullable(
    json.union([
      isWhole ? json.integer({ min, max }) : json.number({ min, max }),
      json.string({ max: 30, pattern: NUMBER_TEXT }),
    ]),
    { description },
  ),
  parse(value, name) {
    const given = readNumber(value, name);
    if (given === null) return fallback;
    const isInside = given >= (min ?? given) && given <= (max ?? given);
    if (isInside && (!isWhole || Number.isInteger(given))) return given;
    throw refuseField(name, rule);
  },
});

/** Any number, also as a string; null when it is left out or empty. */
export function readNumber(value: unknown, name: string): number | null {
  if (value == null || value === '') return null;
  const given = typeof value === 'number' ? value : typeof value === 'string' ? parseDecimal(value) : null;
  if (given === null || !Number.isFinite(given)) throw refuseField(name, 'must be a number.');
  return given;
}

/** One of several names, in any case; the fallback when it is left out or empty. */
export const choice = <const Name extends string, Fallback>({
  names,
  fallback,
  description,
}: Described & { readonly names: readonly Name[]; readonly fallback: Fallback }): Field<Name | Fallback> => ({
  schema: json.nullable(json.choice([...names, '']), { description }),
  parse(value, name) {
    if (value == null || value === '') return fallback;
    const word = typeof value === 'string' ? value.toLowerCase() : null;
    const found = names.find((one) => one === word);
    if (found === undefined) throw refuseField(name, `must be one of ${names.join(', ')}.`);
    return found;
  },
});

/** A field with another description, where an address treats it otherwise. */
export const describe = <Value>(field: Field<Value>, description: string): Field<Value> => ({
  ...field,
  schema: { ...field.schema, description },
});

/** A value that another room parses, such as a geometry; null if it is left out. */
export const unread = (schema: JsonSchema, { description }: Described = {}): Field<unknown> => ({
  schema: json.nullable(schema, { description }),
  parse: (value) => value ?? null,
});

/** A GeoJSON Point, or a Feature of one, with or without a height; null for anything else, `malformed` for a wrong one. */
export function toPoint(geometry: unknown): PointGeometry | 'malformed' | null {
  const given = (geometry ?? {}) as {
    readonly type?: unknown;
    readonly coordinates?: unknown;
    geometry?: unknown;
  };
  if (given.type === 'Feature') return toPoint(given.geometry);
  if (given.type !== 'Point') return null;
  const [lon, lat] = Array.isArray(given.coordinates) ? (given.coordinates as unknown[]) : [];
  const isPosition =
    typeof lon === 'number' && typeof lat === 'number' && Math.abs(lon) <= 180 && Math.abs(lat) <= 90;
  return isPosition ? { type: 'Point', coordinates: [lon, lat] } : 'malformed';
}

/** Called with a key that a body has and its schema does not. */
type OnUnknown = (key: string, known: Iterable<string>) => void;

type Properties = Readonly<Record<string, JsonSchema>>;

/**
 * Finds the keys of a body that its schema does not have, also in the objects inside of it that have a schema of their
 * own. A schema that takes any key is left alone.
 */
export function findUnknownKeys(body: unknown, schema: JsonSchema, onUnknown: OnUnknown): void {
  if (!isObject(body)) return;
  const shapes = listShapes(schema, body);
  if (shapes.length === 0) return;
  const known = new Set(shapes.flatMap((shape) => Object.keys(shape)));
  for (const key of Object.keys(body)) {
    if (!known.has(key)) onUnknown(key, known);
    else {
      const inner = shapes.map((shape) => shape[key]).filter((schema) => schema !== undefined);
      if (inner.every(({ type }) => type === 'object'))
        findUnknownKeys(body[key], { anyOf: inner }, onUnknown);
    }
  }
}

/** The properties of the objects that a schema may mean for this body; none when it takes any key. */
function listShapes(schema: JsonSchema, body: Params): readonly Properties[] {
  const whole = (schema as MaybeNamed)[DEFINITION]?.schema ?? schema;
  const { anyOf, oneOf, type, properties, additionalProperties } = whole;
  const options = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (options !== undefined) return options.flatMap((option) => listShapes(option, body));
  if (type !== 'object' || properties === undefined || additionalProperties !== undefined) return [];
  const shape = properties as Properties;
  const isOther = Object.entries(shape).some(([key, inner]) => 'const' in inner && inner.const !== body[key]);
  return isOther ? [] : [shape];
}
