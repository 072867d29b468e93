/** A value of a property. */
type VectorValue = string | number | boolean;

/** Lines that share their properties. */
export interface VectorLineFeature {
  readonly properties: Readonly<Record<string, VectorValue>>;
  /** x, y, x, y, … of each line in units of the layer, from the upper left corner of the tile; a buffer exceeds it. */
  readonly lines: readonly Int32Array[];
}

/** One layer of a vector tile. */
export interface VectorLayer {
  readonly name: string;
  /** Units a side of the tile. */
  readonly extent: number;
  readonly features: readonly VectorLineFeature[];
}

/** Fields of the messages, and the values of enumerations (Mapbox Vector Tile specification 2.1, vector_tile.proto). */
const TILE = { layers: 3 } as const;
const LAYER = { name: 1, features: 2, keys: 3, values: 4, extent: 5, version: 15 } as const;
const FEATURE = { tags: 2, type: 3, geometry: 4 } as const;
const LINE_STRING = 2;
const VERSION = 2;

/**
 * Encodes layers of lines as a Mapbox Vector Tile 2.1. Features without a line of two points are left out, and layers
 * without features; a tile without layers has no bytes.
 */
export function encodeVectorTile(layers: readonly VectorLayer[]): Uint8Array<ArrayBuffer> {
  const tile = makeProtobufWriter();
  for (const layer of layers) {
    const bytes = writeLayer(layer);
    if (bytes !== null) tile.bytes(TILE.layers, bytes);
  }
  return tile.toBytes();
}

function writeLayer({ name, extent, features }: VectorLayer): Uint8Array | null {
  const keys = makeValueTable<string>();
  const values = makeValueTable<VectorValue>();
  const written = features
    .map((feature) => writeFeature(feature, keys, values))
    .filter((bytes) => bytes !== null);
  if (written.length === 0) return null;
  const layer = makeProtobufWriter().uint(LAYER.version, VERSION).text(LAYER.name, name);
  for (const bytes of written) layer.bytes(LAYER.features, bytes);
  for (const key of keys.values()) layer.text(LAYER.keys, key);
  for (const value of values.values())
    layer.bytes(LAYER.values, writeValue(makeProtobufWriter(), value).toBytes());
  return layer.uint(LAYER.extent, extent).toBytes();
}

function writeFeature(
  { properties, lines }: VectorLineFeature,
  keys: ValueTable<string>,
  values: ValueTable<VectorValue>,
): Uint8Array | null {
  const geometry = writeLineCommands(lines);
  if (geometry === null) return null;
  const tags = makeProtobufWriter();
  for (const [key, value] of Object.entries(properties))
    tags.varint(keys.indexOf(key)).varint(values.indexOf(value));
  return makeProtobufWriter()
    .bytes(FEATURE.tags, tags.toBytes())
    .uint(FEATURE.type, LINE_STRING)
    .bytes(FEATURE.geometry, geometry)
    .toBytes();
}

/** Commands of a geometry (Mapbox Vector Tile specification 2.1, section 4.3.1). */
const [MOVE_TO, LINE_TO] = [1, 2];

const toCommand = (id: number, count: number): number => id + 8 * count;

/**
 * Writes lines as commands that move a cursor; null if no line is left. A line may not repeat a point, and lines of a
 * single point are left out.
 */
function writeLineCommands(lines: readonly Int32Array[]): Uint8Array | null {
  const commands = makeProtobufWriter();
  let [cursorX, cursorY] = [0, 0];
  let isEmpty = true;
  for (const line of lines) {
    const moves = countMoves(line);
    if (moves === 0) continue;
    isEmpty = false;
    for (let i = 0; i < line.length; i += 2) {
      const [dx, dy] = [line[i]! - cursorX, line[i + 1]! - cursorY];
      if (i > 0 && dx === 0 && dy === 0) continue;
      if (i === 0) commands.varint(toCommand(MOVE_TO, 1));
      commands.varint(toZigzag(dx)).varint(toZigzag(dy));
      if (i === 0) commands.varint(toCommand(LINE_TO, moves));
      cursorX += dx;
      cursorY += dy;
    }
  }
  return isEmpty ? null : commands.toBytes();
}

/** How often the point changes along a line. */
function countMoves(line: Int32Array): number {
  let moves = 0;
  for (let i = 2; i < line.length; i += 2)
    if (line[i] !== line[i - 2] || line[i + 1] !== line[i - 1]) moves++;
  return moves;
}

/** Numbers the distinct values of a layer, in the order of their first use. */
interface ValueTable<Value> {
  /** The number of a value; a new one gets the next. */
  indexOf(value: Value): number;
  /** All values by their numbers. */
  values(): Iterable<Value>;
}

/** Makes an empty table. */
function makeValueTable<Value>(): ValueTable<Value> {
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
function writeValue(writer: ProtobufWriter, value: VectorValue): ProtobufWriter {
  if (typeof value === 'string') return writer.text(FIELD.text, value);
  if (typeof value === 'boolean') return writer.uint(FIELD.boolean, value ? 1 : 0);
  if (!Number.isInteger(value) || Math.abs(value) > MAX_INTEGER) return writer.double(FIELD.double, value);
  return value < 0 ? writer.sint(FIELD.sint, value) : writer.uint(FIELD.uint, value);
}

/** Writes the fields of a protocol buffer message, in the order of the calls. */
interface ProtobufWriter {
  /** A varint field. */
  uint(field: number, value: number): ProtobufWriter;
  /** A varint field in zigzag encoding, for numbers below zero. */
  sint(field: number, value: number): ProtobufWriter;
  /** A 64-bit field. */
  double(field: number, value: number): ProtobufWriter;
  /** A length-delimited field: a nested message, or packed numbers. */
  bytes(field: number, value: Uint8Array): ProtobufWriter;
  /** A length-delimited field of text in UTF-8. */
  text(field: number, value: string): ProtobufWriter;
  /** A varint without a field number: one of packed numbers. */
  varint(value: number): ProtobufWriter;
  /** What was written so far. */
  toBytes(): Uint8Array<ArrayBuffer>;
}

/** How a field is stored (Protocol Buffers encoding, wire types). */
const WIRE = { varint: 0, fixed64: 1, lengthDelimited: 2 } as const;

/** Numbers are exact up to 2^53; this many groups of seven bits hold them. */
const MAX_VARINT_BYTES = 8;

const FIRST_BYTES = 256;

/** Interleaves numbers below zero with the others, so that small ones of both signs are short. */
const toZigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

/** Makes a writer of one message. */
function makeProtobufWriter(): ProtobufWriter {
  let buffer = new Uint8Array(FIRST_BYTES);
  let length = 0;
  const reserve = (count: number): void => {
    if (length + count <= buffer.length) return;
    const larger = new Uint8Array(Math.max(2 * buffer.length, length + count));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  };
  const varint = (value: number): void => {
    reserve(MAX_VARINT_BYTES);
    let rest = value;
    // Division instead of shifts, which end at 32 bits.
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) buffer[length++] = (rest % 0x80) | 0x80;
    buffer[length++] = rest;
  };
  const tag = (field: number, wire: number): void => varint(field * 8 + wire);
  const writer: ProtobufWriter = {
    uint: (field, value) => {
      tag(field, WIRE.varint);
      varint(value);
      return writer;
    },
    sint: (field, value) => writer.uint(field, toZigzag(value)),
    double: (field, value) => {
      tag(field, WIRE.fixed64);
      reserve(8);
      new DataView(buffer.buffer).setFloat64(length, value, true);
      length += 8;
      return writer;
    },
    bytes: (field, value) => {
      tag(field, WIRE.lengthDelimited);
      varint(value.length);
      reserve(value.length);
      buffer.set(value, length);
      length += value.length;
      return writer;
    },
    text: (field, value) => writer.bytes(field, new TextEncoder().encode(value)),
    varint: (value) => {
      varint(value);
      return writer;
    },
    toBytes: () => buffer.slice(0, length),
  };
  return writer;
}
