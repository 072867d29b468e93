/** The day that it is. */

/** `YYYY-MM-DD` in UTC, as days of scenes are. */
export const readToday = (): string => new Date().toISOString().slice(0, 10);
