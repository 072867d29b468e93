import { DAY_MS } from '../setting/calendar.ts';

/**
 * Hours that the clock of the world is ahead of UTC: the middle of the world lies at 122.26° west, 8.15 hours from
 * Greenwich. A day of the climate is one of this clock, as AgERA5 counts days, so that all its sunshine is one day's.
 */
export const UTC_OFFSET_HOURS = -8;

/** Milliseconds of an hour. */
export const HOUR_MS = 3_600_000;

/** When a day of the world begins. */
export const dayStartMs = (day: number): number => day * DAY_MS - UTC_OFFSET_HOURS * HOUR_MS;

/** The day of the world that a moment lies in. */
export const dayOfMs = (atMs: number): number => Math.floor((atMs + UTC_OFFSET_HOURS * HOUR_MS) / DAY_MS);
