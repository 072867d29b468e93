import { writeLineCommands } from './line-commands.ts';
import { makeProtobufWriter } from './protobuf-writer.ts';
import type { ValueTable, VectorValue } from './value-table.ts';
import { makeValueTable, writeValue } from './value-table.ts';

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
