/** The two ends of a range of days, while one of them is typed. */

/** Days `YYYY-MM-DD`; empty for no limit. */
export interface Dates {
  readonly from: string;
  readonly to: string;
}

/** Browsers tell of a year digit by digit: 0002, 0020, 0202, 2026. No satellite image is older than this day. */
const EARLIEST = '1900-01-01';

/**
 * The range once an end is `typed`; `null` while its year is not whole. A range that runs backwards finds nothing: the other
 * end follows. It is the one `before` the typing, so that it comes back when what was typed on the way is gone.
 */
export const planDates = (before: Dates, end: keyof Dates, typed: string): Dates | null => {
  if (typed !== '' && typed < EARLIEST) return null;
  const other = end === 'from' ? before.to : before.from;
  const isBackwards = typed !== '' && other !== '' && (end === 'from' ? typed > other : typed < other);
  return isBackwards ? { from: typed, to: typed } : { ...before, [end]: typed };
};
