import type { LonLatBounds } from '../../geo/index.ts';

/** Longitudes from west to east. */
export interface LonSpan {
  readonly west: number;
  readonly east: number;
}

/** Spans the longitudes of every box. */
const ALL_AROUND: LonSpan = { west: -180, east: 540 };

/**
 * The longitudes of a query in every way that stored boxes may write theirs, from −180 to 540: beginning between −180
 * and 180, then shifted by 360° to the east, and to the west if it crosses the antimeridian. At most three spans.
 */
export function toSpans({ west, east }: LonLatBounds): readonly LonSpan[] {
  if (east - west >= 360) return [ALL_AROUND];
  const turn = 360 * Math.floor((west + 180) / 360);
  const turned = (degrees: number): LonSpan => ({ west: west - degrees, east: east - degrees });
  const [first, further] = [turned(turn), turned(turn - 360)];
  return first.east < 180 ? [first, further] : [first, further, turned(turn + 360)];
}
