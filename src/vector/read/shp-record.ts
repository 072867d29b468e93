import { RowFault } from '../geometry/clean-geometry.ts';
import type { Ring } from '../geometry/rings.ts';
import { toPolygons } from '../geometry/rings.ts';

/** Types of shapes (ESRI Shapefile Technical Description, 1998) without heights and measures, which add 10 and 20. */
const TYPE = { none: 0, point: 1, line: 3, polygon: 5, points: 8 } as const;

const truncated = (): RowFault => new RowFault('The shape is truncated: its record ends too early.');

/** The geometry of a record; heights and measures are dropped. Malformed bytes throw `RowFault`. */
export function parseShpRecord(record: Buffer): unknown {
  if (record.length < 4) throw truncated();
  const code = record.readInt32LE(0);
  const type = code > 20 && code < 30 ? code - 20 : code > 10 ? code - 10 : code;
  switch (type) {
    case TYPE.none:
      return null;
    case TYPE.point:
      return { type: 'Point', coordinates: readPositions(record, 4, 1)[0] };
    case TYPE.points:
      if (record.length < 40) throw truncated();
      return { type: 'MultiPoint', coordinates: readPositions(record, 40, record.readUInt32LE(36)) };
    case TYPE.line:
      return toMulti('LineString', readParts(record));
    case TYPE.polygon:
      return toMulti('Polygon', toPolygons(readParts(record)));
    default:
      throw new RowFault(`Shapes of type ${code} of a Shapefile are not read.`);
  }
}

const toMulti = (type: 'LineString' | 'Polygon', parts: readonly unknown[]): unknown =>
  parts.length === 1 ? { type, coordinates: parts[0] } : { type: `Multi${type}`, coordinates: parts };

function readParts(record: Buffer): Ring[] {
  if (record.length < 44) throw truncated();
  const [parts, points] = [record.readUInt32LE(36), record.readUInt32LE(40)];
  if (44 + 4 * parts + 16 * points > record.length) throw truncated();
  const starts = Array.from({ length: parts }, (_, i) => record.readUInt32LE(44 + 4 * i));
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? points;
    if (start > end || end > points) throw new RowFault('The parts of the shape are out of order.');
    return readPositions(record, 44 + 4 * parts + 16 * start, end - start);
  });
}

function readPositions(record: Buffer, start: number, count: number): [number, number][] {
  if (start + 16 * count > record.length) throw truncated();
  const positions: [number, number][] = [];
  for (let i = 0, at = start; i < count; i++, at += 16)
    positions.push([record.readDoubleLE(at), record.readDoubleLE(at + 8)]);
  return positions;
}
