import { exp } from '../../numbers/steady-math.ts';
import type { BandScale } from './band-scale.ts';

/** Stored numbers begin at 1, because 0 means that nothing was measured. */
const MIN_STORED = 1;

/** Temperatures between which radiances are tabulated, in steps so fine that straight lines between them do. */
const COLDEST_K = 180;
const HOTTEST_K = 400;
const STEP_K = 0.05;

/** Numbers before they are rounded: stored = value * slope + start, or for kelvin by a table. */
type ToStored = (value: number) => number;

/** The inverse of a band's calibration: from reflectance or kelvin to numbers that are not rounded yet. */
export function makeToStored(
  { reflectance, radiance, thermal }: BandScale,
  sunElevationSine: number,
): ToStored {
  if (reflectance !== null) {
    const slope = sunElevationSine / reflectance.mult;
    const start = -reflectance.add / reflectance.mult;
    return (value) => value * slope + start;
  }
  const { k1, k2 } = thermal!;
  const count = Math.round((HOTTEST_K - COLDEST_K) / STEP_K) + 2;
  const table = Float64Array.from({ length: count }, (_, i) => {
    const spectral = k1 / (exp(k2 / (COLDEST_K + i * STEP_K)) - 1);
    return (spectral - radiance.add) / radiance.mult;
  });
  return (kelvin) => {
    const position = (Math.min(Math.max(kelvin, COLDEST_K), HOTTEST_K) - COLDEST_K) / STEP_K;
    const below = Math.floor(position);
    return table[below]! + (position - below) * (table[below + 1]! - table[below]!);
  };
}

/** Values of a box of pixels, and where they go in rows of the whole width. */
interface StoreRequest {
  readonly values: Float32Array;
  readonly boxWidth: number;
  /** First column of the box. */
  readonly column: number;
  readonly toStored: ToStored;
  readonly maxStored: number;
  /** By pixel of the whole rows: 0 leaves the number 0. */
  readonly seen: Uint8Array;
  readonly into: Uint8Array | Uint16Array;
  readonly rowWidth: number;
  /** Gets this bit where the number is as large as it can be; null when it is not wanted. */
  readonly saturated: { readonly flags: Uint16Array; readonly bit: number } | null;
}

/** Rounds to stored numbers what was seen; true when some of them are too bright for the instrument. */
export function storeNumbers(request: StoreRequest): boolean {
  const { values, boxWidth, column, toStored, maxStored, seen, into, rowWidth, saturated } = request;
  let isAnySaturated = false;
  for (let from = 0, line = column; from < values.length; from += boxWidth, line += rowWidth) {
    for (let i = 0; i < boxWidth; i++) {
      const at = line + i;
      if (seen[at] === 0) continue;
      const stored = Math.floor(toStored(values[from + i]!) + 0.5);
      if (stored >= maxStored) {
        into[at] = maxStored;
        isAnySaturated = true;
        if (saturated !== null) saturated.flags[at]! |= saturated.bit;
      } else into[at] = stored < MIN_STORED ? MIN_STORED : stored;
    }
  }
  return isAnySaturated;
}
