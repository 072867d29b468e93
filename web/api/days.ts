/** Days as texts, YYYY-MM-DD in UTC. */

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** The day some days after another, or before it. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

/** The first and the last day of a day's month. */
export const monthOf = (day: string): readonly [first: string, last: string] => {
  const first = `${day.slice(0, 7)}-01`;
  // The first day of the next month is at most 31 days away.
  return [first, addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1)];
};

/** Days from one day to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);

/** The one of some days that is nearest to another; of two the later one. */
export const findNearestDay = (days: readonly string[], to: string): string | null =>
  days.reduce<string | null>((best, day) => {
    if (best === null) return day;
    const [own, known] = [Math.abs(daysBetween(day, to)), Math.abs(daysBetween(best, to))];
    return own < known || (own === known && day > best) ? day : best;
  }, null);
