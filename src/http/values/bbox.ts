import { badInput } from '../../errors.ts';
import type { LonLat, LonLatBounds } from '../../geo/index.ts';
import { toOutline } from '../../geo/index.ts';
import type { BoundsArea } from '../../render/index.ts';
import { json } from '../kit/json-schema.ts';
import { custom } from '../kit/parameters.ts';
import { DECIMAL, parseDecimal } from '../kit/texts.ts';

/** `BBOX=w,s,e,n` in degrees; a west beyond the east is a rectangle across the antimeridian. */
export const bboxParameter = custom({
  description: 'Only data inside "west,south,east,north", in degrees.',
  example: '-122.42,48.21,-122.39,48.23',
  schema: json.string({ pattern: `^${DECIMAL}(?:,${DECIMAL}){3}$` }),
  fallback: null,
  rule: 'must be four numbers "west,south,east,north" in degrees.',
  read(text, name): BoundsArea | null {
    const [west, south, east, north, ...more] = text.split(',').map(parseDecimal);
    const isBox = west != null && south != null && east != null && north != null && more.length === 0;
    return isBox ? toBboxArea({ name, west, south, east, north }) : null;
  },
});

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
