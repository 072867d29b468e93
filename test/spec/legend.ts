import { TRANSPARENT } from './pixels.ts';

/** What a legend answers. */
export interface Legend {
  readonly colors: readonly string[];
  readonly thresholds: readonly number[];
  readonly labels?: readonly string[];
}

/** The colour after all thresholds that are not above a value, as eight digits; null where rounding decides. */
export function toColor(value: number, { colors, thresholds }: Legend): string | null {
  if (Number.isNaN(value)) return TRANSPARENT;
  let below = 0;
  for (const one of thresholds) {
    // The service computes in 32 bits; a value that is exactly on a threshold is still certain.
    if (one !== value && Math.abs(one - value) < 1e-6 * Math.abs(one)) return null;
    if (one <= value) below += 1;
  }
  return `${colors[below]!.replace('#', '')}ff`;
}
