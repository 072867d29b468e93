import { z } from 'zod';
import { badInput, isSwathError } from '../../errors.ts';
import type { LonLat, LonLatBounds } from '../../geo/index.ts';
import { toOutline } from '../../geo/index.ts';
import type { BoundsArea } from '../../render/index.ts';
import { DECIMAL, parseDecimal } from '../request/strict-number.ts';

/** `BBOX=w,s,e,n` in degrees; a west beyond the east is a rectangle across the antimeridian. */
export function parseBbox(text: string | undefined): BoundsArea | null {
  if (text === undefined) return null;
  const [west, south, east, north, ...more] = text.split(',').map(parseDecimal);
  if (west == null || south == null || east == null || north == null || more.length > 0) {
    throw badInput('bad-bbox', 'BBOX must be four numbers "west,south,east,north" in degrees.');
  }
  return toBboxArea({ name: 'BBOX', west, south, east, north });
}

/** The rectangle of four numbers in degrees; `name` is how the parameter is called. */
export function toBboxArea({
  name,
  west,
  south,
  east,
  north,
}: LonLatBounds & { readonly name: string }): BoundsArea {
  const isOnEarth = Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90;
  if (!isOnEarth || south >= north || west === east) {
    throw badInput(
      'bad-bbox',
      `${name} must have longitudes from -180 to 180 and latitudes from -90 to 90, with south below north and some width.`,
    );
  }
  return toBoundsArea({ west, south, east: east < west ? east + 360 : east, north });
}

/** BBOX, for the documentation: the pattern says how it is written, the parser which rectangles there are. */
export const bboxSchema = z
  .string()
  .regex(new RegExp(`^${DECIMAL}(?:,${DECIMAL}){3}$`))
  .refine(isBbox);

function isBbox(text: string): boolean {
  try {
    return parseBbox(text) !== null;
  } catch (error) {
    if (isSwathError(error)) return false;
    throw error;
  }
}

function toBoundsArea(bounds: LonLatBounds): BoundsArea {
  const { west, south, east, north } = bounds;
  const boxes =
    east <= 180
      ? [[west, east]]
      : [
          [west, 180],
          [-180, east - 360],
        ];
  const rings = boxes.map(([left, right]) => toRing(left as number, right as number, { south, north }));
  return { bounds, outline: toOutline({ type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) }) };
}

const toRing = (
  west: number,
  east: number,
  { south, north }: Pick<LonLatBounds, 'south' | 'north'>,
): LonLat[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
