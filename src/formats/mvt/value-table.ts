import type { ProtobufWriter } from './protobuf-writer.ts';

/** A value of a property. */
export type VectorValue = string | number | boolean;

/** Numbers the distinct values of a layer, in the order of their first use. */
export interface ValueTable<Value> {
  /** The number of a value; a new one gets the next. */
  indexOf(value: Value): number;
  /** All values by their numbers. */
  values(): Iterable<Value>;
}

/** Makes an empty table. */
export function makeValueTable<Value>(): ValueTable<Value> {
  const indexes = new Map<Value, number>();
  return {
    indexOf: (value) => {
      const known = indexes.get(value);
      if (known !== undefined) return known;
      indexes.set(value, indexes.size);
      return indexes.size - 1;
    },
    values: () => indexes.keys(),
  };
}

/** Fields of a value, one of which is set (Mapbox Vector Tile specification 2.1, section 4.4). */
const FIELD = { text: 1, double: 3, uint: 5, sint: 6, boolean: 7 } as const;

/** Zigzag doubles a number, which must stay exact. */
const MAX_INTEGER = 2 ** 52;

/** Writes a value in the shortest type that holds it: whole numbers are integers. */
export function writeValue(writer: ProtobufWriter, value: VectorValue): ProtobufWriter {
  if (typeof value === 'string') return writer.text(FIELD.text, value);
  if (typeof value === 'boolean') return writer.uint(FIELD.boolean, value ? 1 : 0);
  if (!Number.isInteger(value) || Math.abs(value) > MAX_INTEGER) return writer.double(FIELD.double, value);
  return value < 0 ? writer.sint(FIELD.sint, value) : writer.uint(FIELD.uint, value);
}
