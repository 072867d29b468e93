import { z } from 'zod';
import type { Stretch } from '../../color/index.ts';
import { badInput, unsupported } from '../../errors.ts';
import { DECIMAL, parseDecimal } from '../request/strict-number.ts';

/** Data are float32, and there is nothing beyond; nor could the span of such a range be told. */
const isReachable = (value: number): boolean => Number.isFinite(Math.fround(value));

/** MIN_MAX, for the documentation. */
export const minMaxSchema = z
  .string()
  .regex(new RegExp(`^${DECIMAL},${DECIMAL}$`))
  .refine((text) => text.split(',').map(Number).every(isReachable));

/** MIN_MAX of a picture, for the documentation: also one range for each of red, green and blue. */
export const pictureMinMaxSchema = z
  .string()
  .regex(new RegExp(`^${DECIMAL},${DECIMAL}(?:(?:,${DECIMAL}){4})?$`))
  .refine((text) => text.split(',').map(Number).every(isReachable));

/** `MIN_MAX=min,max`: one contrast range for all channels; null when it is not given. */
export function parseMinMax(text: string | undefined): Stretch | null {
  if (text === undefined) return null;
  const [min, max, ...more] = text.split(',').map(parseDecimal);
  if (min == null || max == null || more.length > 0) {
    throw badInput('bad-min-max', 'MIN_MAX must be two numbers "min,max"; of three channels also six.');
  }
  if (!isReachable(min) || !isReachable(max)) {
    throw badInput('bad-min-max', 'MIN_MAX must be between -3.4e38 and 3.4e38.');
  }
  if (min >= max) throw flatMinMax();
  return { min, max };
}

/** MIN_MAX of a legend or colorbar: what is one number as float32, as data are, leaves no room for colours. */
export function parseColorRange(text: string | undefined): Stretch | null {
  const range = parseMinMax(text);
  if (range !== null && Math.fround(range.min) >= Math.fround(range.max)) throw flatMinMax();
  return range;
}

/**
 * MIN_MAX of a picture: one range for all channels, or `min,max,min,max,min,max` for red, green and blue. `range` is the
 * first, and `ranges` are there if there is one for each channel.
 */
export function parsePictureRange(text: string | undefined): {
  readonly range: Stretch | null;
  readonly ranges?: readonly Stretch[];
} {
  const parts = text?.split(',') ?? [];
  if (parts.length !== 6) return { range: parseMinMax(text) };
  const ranges = [0, 2, 4].map((i) => parseMinMax(`${parts[i]},${parts[i + 1]}`) as Stretch);
  return { range: ranges[0] as Stretch, ranges };
}

const flatMinMax = (): Error =>
  unsupported('flat-min-max', 'MIN_MAX leaves no contrast: min must be below max.');
