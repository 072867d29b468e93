/** Numbers and days as people of a language write them. */

/** `2026-06-21` → `21 Jun 2026`; anything but a day is returned unchanged. */
export const formatDate = (date: string, locale: string): string => {
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(date) ? new Date(`${date}T00:00:00Z`) : null;
  if (parsed === null || Number.isNaN(parsed.getTime())) return date;
  // UTC, because the day is the satellite's.
  return parsed.toLocaleDateString(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
};

/** `3` → `3 %` (a narrow space where the language has one). */
export const formatPercent = (percent: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(percent / 100);

/** Three digits are enough to read a value by; whole ones are never cut off. */
export const formatNumber = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, {
    useGrouping: false,
    ...(Math.abs(value) >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 }),
  })
    .format(value)
    .replace('-', '−');

/** A foot in metres, by international agreement of 1959. */
const FOOT_M = 0.3048;

/** `1234 m` or `4049 ft`: a model of the ground is not true to less than a metre. */
export const formatHeight = (heightM: number, units: 'metric' | 'imperial', locale: string): string => {
  const [value, unit] = units === 'metric' ? [heightM, 'm'] : [heightM / FOOT_M, 'ft'];
  const whole = Math.round(value);
  return `${new Intl.NumberFormat(locale, { useGrouping: false }).format(whole === 0 ? 0 : whole)} ${unit}`.replace(
    '-',
    '−',
  );
};

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** `12.3 MB`, in steps of a thousand. */
export const formatBytes = (bytes: number, locale: string): string => {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  }).format(bytes / 1000 ** power);
};

/** `16 Nov, 15:52`, by the clock of this device; anything but a time is returned unchanged. */
export const formatTime = (time: string, locale: string): string => {
  const parsed = new Date(time);
  if (Number.isNaN(parsed.getTime())) return time;
  return parsed.toLocaleString(locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
};
