import type { ShapeGeometry } from '../shapes.ts';
import { RowFault } from './clean-geometry.ts';

/** Types of well-known binary (OGC 06-103r4) by number. */
const TYPES = [
  ...['', 'Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon'],
  'GeometryCollection',
] as const;

/** Geometries inside geometries: a collection of multi-polygons has three levels. */
const MAX_DEPTH = 6;

/** PostGIS marks the third and fourth coordinate and the reference system in the type (EWKB). */
const FLAG = { z: 0x8000_0000, m: 0x4000_0000, srid: 0x2000_0000 } as const;

/** A geometry that is not checked further: `cleanGeometry` does. */
export interface RawGeometry {
  readonly geometry: unknown;
  /** The EPSG code that the geometry itself states; null for most. */
  readonly srid: number | null;
}

/**
 * Reads well-known binary, of ISO and of PostGIS; heights and measures are dropped. Lengths are checked before anything
 * is allocated. Malformed bytes throw `RowFault`.
 */
export function parseWkb(bytes: Uint8Array): RawGeometry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cursor: Cursor = { view, at: 0, srid: null };
  const geometry = readGeometry(cursor, 0);
  return { geometry, srid: cursor.srid };
}

interface Cursor {
  readonly view: DataView;
  at: number;
  srid: number | null;
}

const truncated = (): RowFault => new RowFault('The geometry is truncated: its bytes end too early.');

function readGeometry(cursor: Cursor, depth: number): unknown {
  const { view } = cursor;
  if (depth > MAX_DEPTH) throw new RowFault('The geometry is nested too deeply.');
  if (cursor.at + 5 > view.byteLength) throw truncated();
  const order = view.getUint8(cursor.at);
  if (order > 1) throw new RowFault('The geometry is not well-known binary.');
  const isLittle = order === 1;
  const word = view.getUint32(cursor.at + 1, isLittle);
  cursor.at += 5;
  const code = word & 0x1fff_ffff;
  const dimension = Math.floor(code / 1000);
  const type = TYPES[code % 1000];
  if (!type || dimension > 3) throw new RowFault(`Geometry type ${code} of well-known binary is not read.`);
  const extra =
    Number((word & FLAG.z) !== 0 || dimension === 1 || dimension === 3) +
    Number((word & FLAG.m) !== 0 || dimension === 2 || dimension === 3);
  if ((word & FLAG.srid) !== 0) cursor.srid = readCount(cursor, isLittle, 0);
  const layout = { isLittle, stride: 8 * (2 + extra) };
  switch (type) {
    case 'Point': {
      const [position] = readPositions(cursor, 1, layout);
      // An empty point is written as two NaN.
      return { type, coordinates: position?.every(Number.isNaN) ? [] : position };
    }
    case 'LineString':
      return { type, coordinates: readRing(cursor, layout) };
    case 'Polygon':
      return { type, coordinates: readList(cursor, isLittle, 4, () => readRing(cursor, layout)) };
    case 'GeometryCollection':
      return { type, geometries: readList(cursor, isLittle, 5, () => readGeometry(cursor, depth + 1)) };
    default: {
      const part = type.slice('Multi'.length);
      const coordinates = readList(cursor, isLittle, 5, () => {
        const inner = readGeometry(cursor, depth + 1) as { type: string; coordinates: unknown };
        if (inner.type !== part) throw new RowFault(`A ${type} has a part that is not a ${part}.`);
        return inner.coordinates;
      });
      return { type, coordinates };
    }
  }
}

interface Layout {
  readonly isLittle: boolean;
  /** Bytes of a position. */
  readonly stride: number;
}

/** A number of things of at least `size` bytes each, which must be there. */
function readCount(cursor: Cursor, isLittle: boolean, size: number): number {
  if (cursor.at + 4 > cursor.view.byteLength) throw truncated();
  const count = cursor.view.getUint32(cursor.at, isLittle);
  cursor.at += 4;
  if (count * size > cursor.view.byteLength - cursor.at) throw truncated();
  return count;
}

function readList<T>(cursor: Cursor, isLittle: boolean, size: number, readOne: () => T): T[] {
  const count = readCount(cursor, isLittle, size);
  const list: T[] = [];
  for (let i = 0; i < count; i++) list.push(readOne());
  return list;
}

const readRing = (cursor: Cursor, layout: Layout): [number, number][] =>
  readPositions(cursor, readCount(cursor, layout.isLittle, layout.stride), layout);

function readPositions(cursor: Cursor, count: number, { isLittle, stride }: Layout): [number, number][] {
  const { view } = cursor;
  if (count * stride > view.byteLength - cursor.at) throw truncated();
  const positions = new Array<[number, number]>(count);
  for (let i = 0; i < count; i++, cursor.at += stride)
    positions[i] = [view.getFloat64(cursor.at, isLittle), view.getFloat64(cursor.at + 8, isLittle)];
  return positions;
}

/** Writes a geometry as ISO well-known binary, little endian, two coordinates a position. */
export function toWkb(geometry: ShapeGeometry): Uint8Array {
  const bytes = new Uint8Array(sizeOf(geometry));
  writeGeometry(new DataView(bytes.buffer), 0, geometry);
  return bytes;
}

const sizeOfRings = (rings: readonly (readonly unknown[])[]): number =>
  rings.reduce((sum, ring) => sum + 4 + 16 * ring.length, 0);

function sizeOf(geometry: ShapeGeometry): number {
  switch (geometry.type) {
    case 'Point':
      return 21;
    case 'MultiPoint':
      return 9 + 21 * geometry.coordinates.length;
    case 'LineString':
      return 9 + 16 * geometry.coordinates.length;
    case 'Polygon':
      return 9 + sizeOfRings(geometry.coordinates);
    case 'MultiLineString':
      return 9 + 5 * geometry.coordinates.length + sizeOfRings(geometry.coordinates);
    case 'MultiPolygon':
      return geometry.coordinates.reduce((sum, rings) => sum + 9 + sizeOfRings(rings), 9);
    case 'GeometryCollection':
      return geometry.geometries.reduce((sum, part) => sum + sizeOf(part), 9);
  }
}

/** Writes at an offset and returns the offset after it. */
function writeGeometry(view: DataView, start: number, geometry: ShapeGeometry): number {
  view.setUint8(start, 1);
  view.setUint32(start + 1, TYPES.indexOf(geometry.type), true);
  const at = start + 5;
  switch (geometry.type) {
    case 'Point':
      return writePosition(view, at, geometry.coordinates);
    case 'LineString':
      return writeRing(view, at, geometry.coordinates);
    case 'Polygon':
      return writeParts(view, at, geometry.coordinates, writeRing);
    case 'GeometryCollection':
      return writeParts(view, at, geometry.geometries, writeGeometry);
    case 'MultiPoint':
      return writeParts(view, at, geometry.coordinates, (to, from, coordinates) =>
        writeGeometry(to, from, { type: 'Point', coordinates }),
      );
    case 'MultiLineString':
      return writeParts(view, at, geometry.coordinates, (to, from, coordinates) =>
        writeGeometry(to, from, { type: 'LineString', coordinates }),
      );
    case 'MultiPolygon':
      return writeParts(view, at, geometry.coordinates, (to, from, coordinates) =>
        writeGeometry(to, from, { type: 'Polygon', coordinates }),
      );
  }
}

type WritePart<T> = (view: DataView, at: number, part: T) => number;

function writeParts<T>(view: DataView, start: number, parts: readonly T[], writePart: WritePart<T>): number {
  view.setUint32(start, parts.length, true);
  let at = start + 4;
  for (const part of parts) at = writePart(view, at, part);
  return at;
}

const writeRing = (view: DataView, start: number, ring: readonly (readonly number[])[]): number =>
  writeParts(view, start, ring, writePosition);

/** An empty position is two NaN. */
function writePosition(
  view: DataView,
  at: number,
  [x = Number.NaN, y = Number.NaN]: readonly number[],
): number {
  view.setFloat64(at, x, true);
  view.setFloat64(at + 8, y, true);
  return at + 16;
}
