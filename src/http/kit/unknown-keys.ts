import type { Params } from './fields.ts';
import { isObject } from './fields.ts';
import type { JsonSchema } from './json-schema.ts';
import { resolveNamed } from './json-schema.ts';

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
    else if (shapes.length === 1) {
      const inner = shapes[0]?.[key];
      if (inner?.type === 'object') findUnknownKeys(body[key], inner, onUnknown);
    }
  }
}

/** The properties of the objects that a schema may mean for this body; none when it takes any key. */
function listShapes(schema: JsonSchema, body: Params): readonly Properties[] {
  const { anyOf, oneOf, type, properties, additionalProperties } = resolveNamed(schema);
  const options = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (options !== undefined) return options.flatMap((option) => listShapes(option, body));
  if (type !== 'object' || properties === undefined || additionalProperties !== undefined) return [];
  const shape = properties as Properties;
  const isOther = Object.entries(shape).some(([key, inner]) => 'const' in inner && inner.const !== body[key]);
  return isOther ? [] : [shape];
}
