/** The words and numbers along the axes of a chart. */

const DAY_S = 86_400;
/** Steps finer than this are not drawn. */
const MAX_DIGITS = 4;

/** Labels of days, months or years, whichever the steps are; the first one of a year says it, unless it is any year. */
export const toTimeLabels = (
  seconds: readonly number[],
  stepS: number,
  locale: string,
  hasYears = true,
): string[] => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  if (stepS >= 360 * DAY_S) {
    const years = format({ year: 'numeric' });
    return seconds.map((second) => years.format(second * 1000));
  }
  const parts: Intl.DateTimeFormatOptions =
    stepS >= 27 * DAY_S ? { month: 'short' } : { day: 'numeric', month: 'short' };
  const [short, long] = [format(parts), format({ ...parts, year: 'numeric' })];
  const yearOf = (second: number | undefined): number | null =>
    second === undefined ? null : new Date(second * 1000).getUTCFullYear();
  return seconds.map((second, i) => {
    const isFirst = yearOf(second) !== yearOf(seconds[i - 1]);
    return (isFirst && hasYears ? long : short).format(second * 1000);
  });
};

/** Numbers with as many digits as their step needs, and no more. */
export const toNumberLabels = (values: readonly number[], step: number, locale: string): string[] => {
  const isWhole = (digits: number): boolean => {
    const scaled = step * 10 ** digits;
    return Math.abs(scaled - Math.round(scaled)) < 1e-6;
  };
  let digits = 0;
  while (digits < MAX_DIGITS && !isWhole(digits)) digits++;
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'negative',
  });
  return values.map((value) => format.format(value).replace('-', '−'));
};
