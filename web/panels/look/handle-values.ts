/** Values of two handles on a track, and the other way round. */
import type { Contrast } from '../../scenes/picture.ts';

/** Positions of a handle; finer steps than a pixel of the slider change nothing. */
export const HANDLE_STEPS = 400;

/** What a handle can tell apart; addresses stay short. */
const DIGITS = 4;

/** How far along the track a value lies, 0 to 1; values beyond its ends lie at them. */
export const partOf = (value: number, { min, max }: Contrast): number =>
  Math.max(0, Math.min(1, (value - min) / (max - min || 1)));

/** The values at two positions; `null` where they are the same. */
export const toContrast = ({ min, max }: Contrast, low: number, high: number): Contrast | null => {
  const [from, to] = [low, high].map((position) =>
    Number((min + ((max - min) * position) / HANDLE_STEPS).toPrecision(DIGITS)),
  ) as [number, number];
  return from < to ? { min: from, max: to } : null;
};
