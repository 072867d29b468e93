import type { WeatherLineage } from '../../weather/index.ts';

/** What the headers of an answer say, for the documentation. */
export const lineageDocs = {
  'x-weather-source': 'The provider and its data set, such as grid:era5.',
  'x-weather-run': 'When the model run began, or the newest analysis was made; absent if it is not known.',
  'x-weather-age': 'Seconds since then.',
  'x-weather-method': 'How values were taken: mean of cells, interpolated, or nearest station.',
  'x-weather-day': 'The clock of the days, such as UTC+02:00; absent of hours and normals.',
  'x-weather-elevation': 'Metres; present if temperatures were corrected to this height.',
} as const;

/** Where an answer comes from, for its headers. */
export interface AnswerOrigin {
  readonly lineage: WeatherLineage;
  /** Hours that the midnights of its days are ahead of UTC; null without days. */
  readonly utcOffsetHours: number | null;
  readonly nowMs: number;
}

/** Adds the origin of an answer to its headers. */
export function addLineage(headers: Headers, { lineage, utcOffsetHours, nowMs }: AnswerOrigin): void {
  const { source, runMs, method, correctedToM } = lineage;
  // Names of data sets may come from elsewhere: a character that is not allowed in a header would end the answer.
  headers.set('x-weather-source', source.replace(/[^\x20-\x7e]/g, '?'));
  headers.set('x-weather-method', method);
  if (runMs !== null) {
    headers.set('x-weather-run', new Date(runMs).toISOString().replace('.000Z', 'Z'));
    headers.set('x-weather-age', String(Math.max(0, Math.round((nowMs - runMs) / 1000))));
  }
  if (utcOffsetHours !== null) headers.set('x-weather-day', toClock(utcOffsetHours));
  if (correctedToM !== null) headers.set('x-weather-elevation', String(Math.round(correctedToM)));
}

/** Such as UTC+05:30. */
function toClock(offsetHours: number): string {
  const minutes = Math.round(Math.abs(offsetHours) * 60);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `UTC${offsetHours < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
