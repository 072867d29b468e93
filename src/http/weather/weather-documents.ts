import { hash } from 'node:crypto';
import type { Weather, WeatherLineage, WeatherLocation } from '../../weather/index.ts';
import { toCsv } from '../kit/csv.ts';
import type { DayField, HourNames, Row } from './weather-rows.ts';
import {
  CLOCK_HOURS,
  DAY_COLUMNS,
  NORMAL_COLUMNS,
  toDayRow,
  toDerived,
  toForecastDay,
  toHourRows,
  toNormalRow,
} from './weather-rows.ts';

/** What is asked about the weather, as plain data: another thread may answer it. */
export type WeatherQuestion = {
  /** A GeoJSON geometry as text: an area may have many positions. */
  readonly where: string;
  /** JSON, or a table. */
  readonly form: 'json' | 'csv';
} & (
  | {
      readonly kind: 'days';
      readonly from: string;
      readonly to: string;
      readonly fields: readonly DayField[];
      readonly baseTemperature: number;
    }
  | { readonly kind: 'hours'; readonly from: string; readonly to: string }
  | { readonly kind: 'normals' }
  | { readonly kind: 'coming-days'; readonly days: number; readonly fields: readonly DayField[] }
  | { readonly kind: 'forecast'; readonly hours: number; readonly names: HourNames }
);

/** An answer as it is sent. */
export interface WeatherDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A hash of the bytes. */
  readonly digest: string;
  readonly lineage: WeatherLineage;
  /** Hours that the midnights of its days are ahead of UTC; null without days. */
  readonly utcOffsetHours: number | null;
}

/** Answers a question; null where no source has anything. */
export type ReadWeatherDocument = (
  question: WeatherQuestion,
  signal?: AbortSignal,
) => Promise<WeatherDocument | null>;

/** Rows with the same fields. */
interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** The JSON; the list of rows without. */
  readonly json?: object;
}

interface Described extends Pick<WeatherDocument, 'lineage' | 'utcOffsetHours'> {
  readonly table: Table;
}

/** Builds the answering. Ten years of days take a tenth of a second to compute and write: not on a thread that serves others. */
export const makeReadWeatherDocument =
  (weather: Weather): ReadWeatherDocument =>
  async (question, signal) => {
    const described = await describe(question, weather, signal === undefined ? {} : { signal });
    if (described === null) return null;
    const { table, lineage, utcOffsetHours } = described;
    const bytes = new TextEncoder().encode(question.form === 'csv' ? toTableText(table) : toJson(table));
    return { bytes, digest: hash('sha256', bytes, 'base64url'), lineage, utcOffsetHours };
  };

const toJson = ({ json, rows }: Table): string => JSON.stringify(json ?? rows);

const toTableText = ({ columns, rows }: Table): string =>
  toCsv([columns, ...rows.map((row) => columns.map((name) => row[name] ?? null))]);

async function describe(
  question: WeatherQuestion,
  weather: Weather,
  signal: { readonly signal?: AbortSignal },
): Promise<Described | null> {
  const where = JSON.parse(question.where) as WeatherLocation;
  switch (question.kind) {
    case 'days': {
      const { from, to, fields, baseTemperature } = question;
      const derived = toDerived(fields);
      const found = await weather.readDays({ where, from, to, derived, baseTemperature, ...signal });
      return found && { ...found, table: toDayTable(found, fields) };
    }
    case 'coming-days': {
      const { days, fields } = question;
      const found = await weather.readComingDays({ where, days, ...signal });
      return found && { ...found, table: toDayTable(found, fields) };
    }
    case 'hours': {
      const { from, to } = question;
      const found = await weather.readHours({ where, from, to, ...signal });
      return found && { ...found, utcOffsetHours: null, table: toHourRows(found) };
    }
    case 'normals': {
      const found = await weather.readNormals({ where, ...signal });
      if (found === null) return null;
      const rows = found.days.map(toNormalRow);
      const json = { first_year: found.firstYear, last_year: found.lastYear, days: rows };
      return { ...found, utcOffsetHours: null, table: { columns: NORMAL_COLUMNS, rows, json } };
    }
    case 'forecast': {
      const { hours, names } = question;
      const found = await weather.readForecast({ where, hours, ...signal });
      if (found === null) return null;
      const json = found.days.map((day) => toForecastDay(day, names));
      return { ...found, utcOffsetHours: CLOCK_HOURS, table: { columns: [], rows: [], json } };
    }
  }
}

const toDayTable = (
  { days }: NonNullable<Awaited<ReturnType<Weather['readDays']>>>,
  fields: readonly DayField[],
): Table => ({ columns: [...DAY_COLUMNS, ...fields], rows: days.map((day) => toDayRow(day, fields)) });
