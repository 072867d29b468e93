import { z } from 'zod';

/** A JSON Schema, as far as we look into it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Schemas with a name, which the others refer to. */
export type NamedSchemas = Record<string, JsonSchema>;

/** Bounds as wide as this only say that a number is exact, or finite: zod writes them where a schema has none. */
const isNoBound = (name: string, value: unknown): boolean =>
  (name === 'minimum' || name === 'maximum') &&
  typeof value === 'number' &&
  Math.abs(value) >= Number.MAX_SAFE_INTEGER;

/**
 * Converts a schema to the JSON Schema 2020-12 of OpenAPI 3.1, in the words that generators of clients understand. Parts
 * that have a name (`.meta({ id })`) go into `named`, once for the whole document.
 */
export function toJsonSchema(schema: z.ZodType, named: NamedSchemas): JsonSchema {
  const { $schema: _, $defs = {}, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  for (const [name, definition] of Object.entries($defs)) named[name] = toPlain(definition) as JsonSchema;
  return toPlain(rest) as JsonSchema;
}

function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (value === null || typeof value !== 'object') return value;
  // A name that is an object is a property that happens to be called so.
  const isName = (name: string, part: unknown): boolean => name === 'id' && typeof part === 'string';
  const entries = Object.entries(value).filter(
    ([name, part]) => !isNoBound(name, part) && !isName(name, part),
  );
  const plain = Object.fromEntries(entries.map(([name, part]) => [name, toPlain(part)]));
  if (typeof plain.$ref === 'string')
    return { ...plain, $ref: plain.$ref.replace('#/$defs/', '#/components/schemas/') };
  return Array.isArray(plain.prefixItems) ? toListOfAny(plain, plain.prefixItems) : plain;
}

/** Few generators know tuples: a list of a fixed length says the same but for the order. */
function toListOfAny(
  { prefixItems: _, items: __, ...rest }: Record<string, unknown>,
  parts: readonly unknown[],
): JsonSchema {
  return { ...rest, minItems: parts.length, maxItems: parts.length, items: { anyOf: parts } };
}
