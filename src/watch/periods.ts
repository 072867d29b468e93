import { DAY_MS } from '../units.ts';
import type { Days } from './judge.ts';
import { addDays } from './judge.ts';
import type { Every } from './subscription.ts';

/** The days of one mosaic. */
export interface WatchedPeriod extends Days {
  /** As addresses of mosaics have it: `2026-W30`, `2026-07` or `2026-07-01..2026-07-10`. */
  readonly name: string;
}

/** A period with what was taken in it. */
export interface FilledPeriod<Scene> extends WatchedPeriod {
  /** At least one. */
  readonly scenes: readonly Scene[];
}

/** The longest time that a period lasts, in days. */
export const toLongestDays = (every: Every): number =>
  every.kind === 'week' ? 7 : every.kind === 'month' ? 31 : every.days;

/** Whether a period is judged: it is over, and scenes that come in late have had their time. */
export const isOver = ({ to }: WatchedPeriod, every: Every, graceDays: number, today: string): boolean =>
  every.kind === 'days' || addDays(to, 1 + graceDays) <= today;

/** The periods that end within some days and have scenes, in the order in which they end. */
export function listPeriods<Scene extends { readonly acquiredAt: string }>(
  every: Every,
  { from, to }: Days,
  scenes: readonly Scene[],
): readonly FilledPeriod<Scene>[] {
  const byDay = Map.groupBy(scenes, ({ acquiredAt }) => acquiredAt.slice(0, 10));
  const periods = new Map<string, WatchedPeriod>();
  for (const day of byDay.keys()) {
    const period = toPeriod(every, day);
    if (from <= period.to && period.to <= to) periods.set(period.name, period);
  }
  return [...periods.values()]
    .toSorted((a, b) => (a.to < b.to ? -1 : 1))
    .map((period) => ({
      ...period,
      scenes: [...byDay].flatMap(([day, taken]) => (period.from <= day && day <= period.to ? taken : [])),
    }));
}

/** The period of a day; of the last days the one that ends with it. */
function toPeriod(every: Every, day: string): WatchedPeriod {
  if (every.kind === 'days') {
    const from = addDays(day, 1 - every.days);
    return { from, to: day, name: `${from}..${day}` };
  }
  if (every.kind === 'month') {
    const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
    const to = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
    return { from: `${day.slice(0, 7)}-01`, to, name: day.slice(0, 7) };
  }
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  const from = addDays(day, -weekday);
  // A week belongs to the year of its Thursday.
  const thursday = addDays(from, 3);
  const year = thursday.slice(0, 4);
  const week = 1 + Math.floor((Date.parse(thursday) - Date.parse(`${year}-01-01`)) / (7 * DAY_MS));
  return { from, to: addDays(from, 6), name: `${year}-W${String(week).padStart(2, '0')}` };
}
