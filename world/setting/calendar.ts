/** Days are counted from 1970-01-01 in UTC, as in `Date`. */
export const DAY_MS = 86_400_000;

/** The day a date such as 2026-06-21 names. */
export const toDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

/** The two years that time series, weather and soil moisture of the demo cover. */
export const worldYears = { first: '2024-10-01', last: '2026-09-30' } as const;

/** The date of a day, such as 2026-06-21. */
export const toDate = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
