/** Days as texts, YYYY-MM-DD in UTC. */

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** The day some days after another, or before it. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

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
