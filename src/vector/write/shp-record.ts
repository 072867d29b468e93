import { badInput } from '../errors.ts';
import type { Box } from '../geometry/bounds.ts';
import { boxOf } from '../geometry/bounds.ts';
import type { Ring } from '../geometry/rings.ts';
import { closeRing, signedArea } from '../geometry/rings.ts';
import type { ShapeGeometry } from '../shapes.ts';

/** Types of shapes; a file has one. */
export const SHP_TYPE = { none: 0, point: 1, line: 3, polygon: 5, points: 8 } as const;

type Shape = Exclude<ShapeGeometry, { readonly type: 'GeometryCollection' }>;

const TYPES: Readonly<Record<Shape['type'], number>> = {
  Point: SHP_TYPE.point,
  MultiPoint: SHP_TYPE.points,
  LineString: SHP_TYPE.line,
  MultiLineString: SHP_TYPE.line,
  Polygon: SHP_TYPE.polygon,
  MultiPolygon: SHP_TYPE.polygon,
};

/** A shape as a Shapefile has it. */
export interface ShpRecord {
  readonly type: number;
  readonly box: Box | null;
  /** Without the header of the record. */
  readonly bytes: Buffer;
}

/** The content of a record; empty geometries are null shapes. Geometry collections throw `bad-column`. */
export function toShpRecord(geometry: ShapeGeometry | null): ShpRecord {
  const box = geometry && boxOf(geometry);
  if (geometry === null || box === null) return { type: SHP_TYPE.none, box: null, bytes: Buffer.alloc(4) };
  if (geometry.type === 'GeometryCollection')
    throw badInput('bad-column', 'A Shapefile cannot hold a GeometryCollection.');
  const type = TYPES[geometry.type];
  return { type, box, bytes: toBytes(type, box, geometry) };
}

function toBytes(type: number, box: Box, geometry: Shape): Buffer {
  switch (geometry.type) {
    case 'Point':
      return fill(type, null, null, [geometry.coordinates as Ring[number]]);
    case 'MultiPoint':
      return fill(type, box, null, geometry.coordinates);
    case 'LineString':
      return fillParts(type, box, [geometry.coordinates]);
    case 'MultiLineString':
      return fillParts(type, box, geometry.coordinates);
    case 'Polygon':
      return fillParts(type, box, turnRings(geometry.coordinates));
    case 'MultiPolygon':
      return fillParts(type, box, geometry.coordinates.flatMap(turnRings));
  }
}

/** Outlines run clockwise and holes the other way, and both are closed. */
const turnRings = (rings: readonly Ring[]): readonly Ring[] =>
  rings
    .filter(({ length }) => length > 0)
    .map((ring, i) => {
      const closed = closeRing(ring);
      return signedArea(closed) > 0 === (i === 0) ? closed.toReversed() : closed;
    });

function fillParts(type: number, box: Box, parts: readonly Ring[]): Buffer {
  const starts: number[] = [];
  let count = 0;
  for (const { length } of parts) {
    starts.push(count);
    count += length;
  }
  return fill(type, box, starts, parts.flat());
}

function fill(type: number, box: Box | null, starts: readonly number[] | null, positions: Ring): Buffer {
  const bytes = Buffer.alloc(
    4 + (box === null ? 0 : 36) + (starts === null ? 0 : 4 + 4 * starts.length) + 16 * positions.length,
  );
  let at = bytes.writeInt32LE(type, 0);
  if (box !== null) {
    for (const side of [box.xmin, box.ymin, box.xmax, box.ymax]) at = bytes.writeDoubleLE(side, at);
    if (starts !== null) at = bytes.writeInt32LE(starts.length, at);
    at = bytes.writeInt32LE(positions.length, at);
  }
  for (const start of starts ?? []) at = bytes.writeInt32LE(start, at);
  for (const [x, y] of positions) at = bytes.writeDoubleLE(y, bytes.writeDoubleLE(x, at));
  return bytes;
}

/** The header of a .shp or .shx file, which is written when its length and box are known. */
export function toShpHeader(type: number, box: Box | null, fileBytes: number): Buffer {
  const header = Buffer.alloc(100);
  header.writeInt32BE(9994, 0);
  header.writeInt32BE(fileBytes / 2, 24);
  header.writeInt32LE(1000, 28);
  header.writeInt32LE(type, 32);
  const { xmin, ymin, xmax, ymax } = box ?? { xmin: 0, ymin: 0, xmax: 0, ymax: 0 };
  [xmin, ymin, xmax, ymax].forEach((side, i) => {
    header.writeDoubleLE(side, 36 + 8 * i);
  });
  return header;
}
