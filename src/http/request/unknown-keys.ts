import { z } from 'zod';

/** Tells of a key that a body has and its schema does not. */
type Tell = (key: string, known: Iterable<string>) => void;

type Shape = Readonly<Record<string, unknown>>;

/**
 * Tells the keys of a body that its documented schema does not know, and those of the objects in it that have a schema
 * of their own. A schema that takes any key is left alone.
 */
export function tellUnknownKeys(body: unknown, schema: z.ZodType, tell: Tell): void {
  if (!isObject(body)) return;
  const shapes = listShapes(schema, body);
  if (shapes.length === 0) return;
  const known = new Set(shapes.flatMap((shape) => Object.keys(shape)));
  for (const key of Object.keys(body)) {
    if (!known.has(key)) tell(key, known);
    else if (shapes.length === 1) {
      const inner = shapes[0]?.[key];
      if (inner instanceof z.ZodObject) tellUnknownKeys(body[key], inner, tell);
    }
  }
}

/** The objects that a schema may mean for this body; none when it takes any key. */
function listShapes(schema: unknown, body: Shape): readonly Shape[] {
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => listShapes(option, body));
  }
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return [];
  const { shape } = schema;
  const isOther = Object.entries(shape).some(
    ([key, value]) => value instanceof z.ZodLiteral && !value.values.has(body[key] as never),
  );
  return isOther ? [] : [shape];
}

const isObject = (value: unknown): value is Shape =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
