import type { LonLatBounds } from '../../geo/index.ts';

/** Bounds in the spatial index of files: longitudes, and latitudes moved to the strip of a layer. */
export interface DemBox {
  readonly west: number;
  readonly east: number;
  readonly low: number;
  readonly high: number;
}

/** Longitudes from west to east. */
export interface LonSpan {
  readonly west: number;
  readonly east: number;
}

/**
 * The spatial index has two dimensions, and a question is about one layer: each layer has its latitudes in a strip of its
 * own, as high as this. A power of two, so that the 32-bit numbers of SQLite's index lose as little as possible.
 */
export const STRIP_DEG = 256;

/** Latitudes in a strip. Some models exceed the poles by half a pixel; what lies further out must not reach the next strip. */
const MAX_LAT = 100;

/** The latitudes of bounds within a strip. */
export const toStripLats = ({
  south,
  north,
}: LonLatBounds): { readonly low: number; readonly high: number } => ({
  low: Math.max(-MAX_LAT, Math.min(south, MAX_LAT)),
  high: Math.max(-MAX_LAT, Math.min(north, MAX_LAT)),
});

/**
 * The box of a file in the index. Adding the same number to two latitudes never reverses their order, so that boxes of
 * bounds that meet do meet; the reverse is checked with the bounds themselves.
 */
export function toDemBox(layer: number, bounds: LonLatBounds): DemBox {
  const { low, high } = toStripLats(bounds);
  return {
    west: bounds.west,
    east: bounds.east,
    low: layer * STRIP_DEG + low,
    high: layer * STRIP_DEG + high,
  };
}

/** Contains the longitudes of every file. */
const ALL_AROUND: LonSpan = { west: -180, east: 540 };

/**
 * The longitudes of a question as files may have theirs written, from −180 to 540: beginning between −180 and 180, then a
 * turn further east, and further west if it crosses the antimeridian. At most three.
 */
export function toSpans({ west, east }: LonLatBounds): readonly LonSpan[] {
  if (east - west >= 360) return [ALL_AROUND];
  const turn = 360 * Math.floor((west + 180) / 360);
  const turned = (degrees: number): LonSpan => ({ west: west - degrees, east: east - degrees });
  const [first, further] = [turned(turn), turned(turn - 360)];
  return first.east < 180 ? [first, further] : [first, further, turned(turn + 360)];
}
