/** Polygons and lines of a `.shp` file (ESRI Shapefile Technical Description, 1998). */
import type { Position } from '../shapes/shape.ts';
import { MAX_FILE_POSITIONS, Refusal } from './refusal.ts';

/** The parts of one record: rings or lines, in the coordinates of the file. */
export interface ShpRecord {
  readonly kind: 'area' | 'line' | 'other';
  readonly parts: readonly (readonly Position[])[];
}

/** What a `.shp` begins with. */
export const SHP_CODE = 9994;
const HEADER_BYTES = 100;
/** With and without heights and measures. */
const LINES = [3, 13, 23];
const POLYGONS = [5, 15, 25];
const OTHER: ShpRecord = { kind: 'other', parts: [] };

const readRecord = (view: DataView): ShpRecord => {
  const type = view.getInt32(0, true);
  const kind = POLYGONS.includes(type) ? 'area' : LINES.includes(type) ? 'line' : 'other';
  if (kind === 'other') return OTHER;
  const [partCount, pointCount] = [view.getInt32(36, true), view.getInt32(40, true)];
  const points = 44 + partCount * 4;
  // Before anything of this size is made.
  if (partCount < 0 || pointCount < 0 || points + pointCount * 16 > view.byteLength) throw new RangeError();
  const starts = Array.from({ length: partCount }, (_, i) => view.getInt32(44 + i * 4, true));
  const parts = starts.map((start, i) => {
    const end = starts[i + 1] ?? pointCount;
    if (start < 0 || end < start || end > pointCount) throw new RangeError();
    return Array.from({ length: end - start }, (__, j): Position => {
      const at = points + (start + j) * 16;
      return [view.getFloat64(at, true), view.getFloat64(at + 8, true)];
    });
  });
  return { kind, parts };
};

/** How many positions a record says that it has; 0 for what is passed over. */
const countPositions = (view: DataView, at: number, contentBytes: number): number => {
  const isRead = [...LINES, ...POLYGONS].includes(view.getInt32(at, true));
  return isRead && contentBytes >= 44 ? view.getInt32(at + 40, true) : 0;
};

/** Reads all records, in their order; throws a `Refusal` for a file that is broken, cut off or too long. */
export const parseShp = (bytes: Uint8Array): readonly ShpRecord[] => {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (view.getInt32(0) !== SHP_CODE) throw new RangeError();
    // The length that the file says it has, in words of 16 bits.
    if (view.getInt32(24) * 2 > bytes.length) throw new RangeError();
    const records: ShpRecord[] = [];
    let positions = 0;
    for (let at = HEADER_BYTES; at + 12 <= bytes.length; ) {
      const contentBytes = view.getInt32(at + 4) * 2;
      if (contentBytes < 4) throw new RangeError();
      if (at + 8 + contentBytes > bytes.length) throw new RangeError();
      positions += countPositions(view, at + 8, contentBytes);
      if (positions > MAX_FILE_POSITIONS && positions * 16 <= bytes.length)
        throw new Refusal('too-many-positions');
      records.push(readRecord(new DataView(bytes.buffer, bytes.byteOffset + at + 8, contentBytes)));
      at += 8 + contentBytes;
    }
    return records;
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal('bad-shapefile');
    throw error;
  }
};

/** Twice the area to the left of a ring: negative for a ring that runs clockwise. */
const signedArea = (ring: readonly Position[]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [x, y];
    return sum + (x * nextY - nextX * y);
  }, 0);

const contains = (ring: readonly Position[], [x, y]: Position): boolean => {
  let isInside = false;
  ring.forEach(([ax, ay], i) => {
    const [bx, by] = ring[(i + 1) % ring.length] ?? [ax, ay];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
  });
  return isInside;
};

/** Rings as polygons: outer rings run clockwise, and a hole belongs to the outer ring around it. */
export const groupRings = (
  rings: readonly (readonly Position[])[],
): readonly (readonly (readonly Position[])[])[] => {
  const outers = rings.filter((ring) => signedArea(ring) < 0);
  // A writer that did not know the rule: then every ring is an area of its own.
  if (outers.length === 0) return rings.map((ring) => [ring]);
  const holes = rings.filter((ring) => signedArea(ring) > 0);
  const ownerOf = (hole: readonly Position[]): number => {
    const [first] = hole;
    return first === undefined ? -1 : outers.findIndex((outer) => contains(outer, first));
  };
  const owners = holes.map(ownerOf);
  return outers.map((outer, i) => [outer, ...holes.filter((_, j) => owners[j] === i)]);
};
