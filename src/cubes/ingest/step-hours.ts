import type { StepHours } from '../store/cube.ts';

/** Fields nearer than this are by hour; daily ones may be some hours off. */
const SAME_DAY_MS = 20 * 3_600_000;

/** Whether a time between fields, or the period of one, is that of days. */
export const isDaily = (ms: number): boolean => ms >= SAME_DAY_MS;

/** The smallest time between fields; null for a single one. */
export function toSpacingMs(timesMs: readonly number[]): number | null {
  const sorted = [...new Set(timesMs)].toSorted((one, other) => one - other);
  let spacing: number | null = null;
  for (let i = 1; i < sorted.length; i++)
    spacing = Math.min(spacing ?? Number.POSITIVE_INFINITY, sorted[i]! - sorted[i - 1]!);
  return spacing;
}

/** The steps of times; null for a single one, which tells nothing. */
export function toStepHours(timesMs: readonly number[]): StepHours | null {
  const spacing = toSpacingMs(timesMs);
  if (spacing === null) return null;
  return isDaily(spacing) ? 24 : 1;
}
