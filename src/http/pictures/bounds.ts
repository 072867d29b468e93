import { badInput } from '../../errors.ts';
import type { Bounds } from '../../geo/index.ts';
import { parseDecimal, parseWhole } from '../request/strict-number.ts';

/** A rectangle of ground and the code of the reference system that it is in. */
interface PictureBounds {
  readonly epsg: number;
  readonly bounds: Bounds;
}

/** Whether two segments of a path are bounds and not a tile's numbers. */
export const areBounds = (xText: string, yText: string): boolean => `${xText}${yText}`.includes(';');

/**
 * Reads `left;right;code` and `upper;lower;code`. Upper and lower come in either order; a left beyond
 * the right is a rectangle across the antimeridian, in degrees, and a mistake elsewhere.
 */
export function parseBounds(xText: string, yText: string): PictureBounds {
  const [left, right, xCode] = parseAxis('x_bounds', xText, 'left;right;projection_code');
  const [upper, lower, yCode] = parseAxis('y_bounds', yText, 'upper;lower;projection_code');
  if (xCode !== yCode) {
    throw badInput('bad-bounds', `Both bounds need one projection code; these have ${xCode} and ${yCode}.`);
  }
  const isDegrees = xCode === 4326;
  const maxX = isDegrees && right < left ? right + 360 : right;
  const [minY, maxY] = [Math.min(upper, lower), Math.max(upper, lower)];
  if (maxX <= left) throw badInput('bad-bounds', 'x_bounds enclose nothing: left must be below right.');
  if (maxY <= minY) throw badInput('bad-bounds', 'y_bounds enclose nothing: upper and lower are the same.');
  const [minSpan, unit] = isDegrees ? [MIN_SPAN_DEG, 'degrees'] : [MIN_SPAN_M, 'metres'];
  for (const [name, span] of [['x_bounds', maxX - left] as const, ['y_bounds', maxY - minY] as const]) {
    if (span < minSpan) {
      throw badInput(
        'bad-bounds',
        `${name} are too close to each other: they must be ${minSpan} ${unit} apart.`,
      );
    }
  }
  if (isDegrees && (left < -360 || maxX > 540 || maxX - left > 360 || minY < -90 || maxY > 90)) {
    throw badInput(
      'bad-bounds',
      'Bounds in degrees are longitudes of at most one turn, and latitudes from -90 to 90.',
    );
  }
  return { epsg: xCode, bounds: { minX: left, minY, maxX, maxY } };
}

/**
 * A tenth of a millimetre. Its 2,048th part is still ten steps of the numbers that coordinates are: with less,
 * pixels would fall onto each other.
 */
const MIN_SPAN_M = 1e-4;
const MIN_SPAN_DEG = 1e-9;

/** Metres and degrees alike: nothing on Earth lies beyond. */
const MAX_COORDINATE = 1e9;

function parseAxis(name: string, text: string, form: string): [number, number, number] {
  const parts = text.split(';');
  const [from, to] = [parseDecimal(parts[0] ?? ''), parseDecimal(parts[1] ?? '')];
  const code = parseWhole(parts[2] ?? '');
  if (parts.length !== 3 || from === null || to === null || code === null) {
    throw badInput('bad-bounds', `${name} are written as ${form}, such as 2.5;2.6;4326.`);
  }
  if (Math.abs(from) > MAX_COORDINATE || Math.abs(to) > MAX_COORDINATE) {
    throw badInput('bad-bounds', `${name} are numbers of at most 1e9.`);
  }
  return [from, to, code];
}
