/**
 * Builders of JSON Schemas (2020-12, as OpenAPI 3.1 has them), in keywords that client generators support: no
 * tuples, no boolean schemas. Inputs build theirs from their own rules; answers are described with these directly.
 */

/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The key under which a named schema holds its definition: a symbol, which JSON leaves out. */
export const DEFINITION = Symbol('definition');

/** A schema that may have a name. */
export interface MaybeNamed {
  readonly [DEFINITION]?: { readonly name: string; readonly schema: JsonSchema };
}

interface Described {
  readonly description?: string | undefined;
}

interface StringRules extends Described {
  readonly max?: number | undefined;
  readonly pattern?: RegExp | string | undefined;
  readonly format?: 'date' | 'uuid';
}

/** Bounds of a number: `min` and `max` are included, `above` and `below` are not. */
export interface NumberRules {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly above?: number | undefined;
  readonly below?: number | undefined;
}

interface ListRules extends Described {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Drops undefined keywords, so that schemas can be compared. */
const known = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));

const toNumber = (
  type: 'number' | 'integer',
  { min, max, above, below, description }: NumberRules & Described,
): JsonSchema =>
  known({
    type,
    minimum: min,
    maximum: max,
    exclusiveMinimum: above,
    exclusiveMaximum: below,
    description,
  });

/** The builders. Every one takes a `description`. */
export const json = {
  any: ({ description }: Described = {}): JsonSchema => known({ description }),
  null: (): JsonSchema => ({ type: 'null' }),
  boolean: ({ description }: Described = {}): JsonSchema => known({ type: 'boolean', description }),
  number: (rules: NumberRules & Described = {}): JsonSchema => toNumber('number', rules),
  integer: (rules: NumberRules & Described = {}): JsonSchema => toNumber('integer', rules),
  string: ({ max, pattern, format, description }: StringRules = {}): JsonSchema =>
    known({
      type: 'string',
      maxLength: max,
      pattern: pattern instanceof RegExp ? pattern.source : pattern,
      format,
      description,
    }),
  /** Exactly this value. */
  literal: (value: string | number | boolean, { description }: Described = {}): JsonSchema =>
    known({ type: typeof value, const: value, description }),
  /** One of these strings. */
  choice: (names: readonly string[], { description }: Described = {}): JsonSchema =>
    known({ type: 'string', enum: [...names], description }),
  list: (items: JsonSchema, { min, max, description }: ListRules = {}): JsonSchema =>
    known({ type: 'array', items, minItems: min, maxItems: max, description }),
  /** An object with these properties; one whose name ends in `?` may be missing. */
  object: (
    properties: Readonly<Record<string, JsonSchema>>,
    { isOpen = false, description }: Described & { readonly isOpen?: boolean } = {},
  ): JsonSchema => {
    const entries = Object.entries(properties);
    const required = entries.map(([name]) => name).filter((name) => !name.endsWith('?'));
    return known({
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
      required: required.length === 0 ? undefined : required,
      additionalProperties: isOpen ? {} : undefined,
      description,
    });
  },
  /** An object with any names. */
  map: (values: JsonSchema, { description }: Described = {}): JsonSchema =>
    known({ type: 'object', additionalProperties: values, description }),
  union: (options: readonly JsonSchema[], { description }: Described = {}): JsonSchema =>
    known({ anyOf: options, description }),
  /** One of several objects, which a literal property tells apart. */
  oneOf: (options: readonly JsonSchema[], { description }: Described = {}): JsonSchema =>
    known({ oneOf: options, description }),
  nullable: (schema: JsonSchema, { description }: Described = {}): JsonSchema =>
    known({ anyOf: [schema, { type: 'null' }], description }),
  /** A part that has a name: a component of the document, which others refer to. */
  named: (name: string, schema: JsonSchema): JsonSchema =>
    Object.assign({ $ref: `#/components/schemas/${name}` }, { [DEFINITION]: { name, schema } }),
} as const;

/** Schemas with a name, which the others refer to. */
export type NamedSchemas = Record<string, JsonSchema>;

/** Collects the named parts of a schema, and those that they refer to. */
export function collectNamed(value: unknown, named: NamedSchemas): void {
  if (typeof value !== 'object' || value === null) return;
  const own = (value as MaybeNamed)[DEFINITION];
  if (own !== undefined && named[own.name] === undefined) {
    named[own.name] = own.schema;
    collectNamed(own.schema, named);
  }
  for (const part of Object.values(value)) collectNamed(part, named);
}
