/** The day as `YYYY-MM-DD`, from text of digits; null if the calendar has no such day. */
export function toDay(year: string, month: string, day: string): string | null {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // A Date turns 30 February into 2 March, and no longer matches the input.
  const same = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return same ? date.toISOString().slice(0, 10) : null;
}

/** The day written as `YYYYMMDD`. */
export const toDayFromDigits = (digits: string): string | null =>
  /^\d{8}$/.test(digits) ? toDay(digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)) : null;

/** The day written as `YYYYDDD`, counted from 001 for the first of January. */
export function toDayFromOrdinal(digits: string): string | null {
  const year = Number(digits.slice(0, 4));
  const ordinal = Number(digits.slice(4));
  if (!/^\d{7}$/.test(digits) || ordinal < 1) return null;
  const date = new Date(Date.UTC(year, 0, ordinal));
  return date.getUTCFullYear() === year ? date.toISOString().slice(0, 10) : null;
}

/** Whether the text is a time of day written as `HHMMSS`. */
export const isClock = (digits: string): boolean => /^(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$/.test(digits);
