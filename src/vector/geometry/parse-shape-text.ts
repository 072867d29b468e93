import { RowFault } from './clean-geometry.ts';
import { closeRing } from './rings.ts';
import type { RawGeometry } from './wkb.ts';
import { parseWkb } from './wkb.ts';
import { parseWkt } from './wkt.ts';

/** True for a text that is surely a shape: well-known text, GeoJSON or well-known binary in hexadecimal digits. */
export const isShapeText = (text: string): boolean =>
  /^\s*(?:SRID=\d+;\s*)?(?:MULTI)?(?:POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION)\b/i.test(text) ||
  /^\s*\{\s*"(?:type|coordinates)"/.test(text) ||
  /^\s*0[01][0-9a-fA-F]{40,}\s*$/.test(text);

/**
 * Reads a shape in a cell of a table: well-known text, GeoJSON, well-known binary in hexadecimal digits, or the corners of
 * a polygon as pairs of longitude and latitude (`11 48, 12 48, 12 49` or `11,48;12,48;12,49`). Anything else throws
 * `RowFault`.
 */
export function parseShapeText(cell: string): RawGeometry {
  const text = cell.trim();
  if (text.startsWith('{') || text.startsWith('[')) return parseJsonShape(text);
  if (/^0[01][0-9a-fA-F]*$/.test(text) && text.length > 8 && text.length % 2 === 0)
    return parseWkb(Buffer.from(text, 'hex'));
  if (/^[A-Za-z]/.test(text)) return parseWkt(text);
  return { geometry: { type: 'Polygon', coordinates: [parseCorners(text)] }, srid: null };
}

/** A GeoJSON geometry, or the list of corners of a polygon. */
function parseJsonShape(text: string): RawGeometry {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RowFault('The shape is not valid JSON.');
  }
  if (!Array.isArray(value)) return { geometry: value, srid: null };
  const isRing = Array.isArray(value[0]) && typeof value[0][0] === 'number';
  const ring = isRing ? closeRing(value as number[][]) : null;
  return { geometry: { type: 'Polygon', coordinates: ring === null ? value : [ring] }, srid: null };
}

function parseCorners(text: string): readonly number[][] {
  const positions = splitPositions(text).map((position) =>
    position
      .trim()
      .split(/[\s,]+/)
      .map(Number),
  );
  const isPair = ({ length }: number[]): boolean => length === 2 || length === 3;
  if (
    positions.length < 3 ||
    !positions.every((position) => isPair(position) && position.every(Number.isFinite))
  )
    throw new RowFault('The shape is neither well-known text nor a list of longitudes and latitudes.');
  return closeRing(positions);
}

/** `11 48, 12 48`, `11,48;12,48` or, as in KML, `11,48 12,48`. */
function splitPositions(text: string): string[] {
  if (text.includes(';')) return text.split(';').filter((part) => part.trim() !== '');
  const byComma = text.split(',');
  if (byComma.every((part) => /\S\s+\S/.test(part.trim()))) return byComma;
  return text.split(/\s+/);
}
