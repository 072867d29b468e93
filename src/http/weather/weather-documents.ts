/** Answers about weather, by the names of the wire, as another thread writes them: JSON or a table. */
import { hash } from 'node:crypto';
import type {
  DerivedField,
  ForecastDay,
  ForecastDetails,
  HourlyWeather,
  NormalDay,
  Weather,
  WeatherDay,
  WeatherLineage,
  WeatherLocation,
  WeatherVariable,
} from '../../weather/index.ts';
import { FORECAST_HOURS } from '../../weather/index.ts';
import { toCsv } from '../kit/answer-bodies.ts';
import { json } from '../kit/json-schema.ts';

/** Values by the names of the wire. */
type Row = Readonly<Record<string, string | number | null>>;

/** Four digits behind the point: more than any model knows, and fewer than its float32 numbers would be written with. */
const DIGITS = 4;

/** A number as it is answered. */
const round = (value: number): number => Number(value.toFixed(DIGITS));

/** A number that may be unknown, as it is answered. */
const roundKnown = (value: number | null): number | null => (value === null ? null : round(value));

/** Derived fields that a history adds on request, by their wire names. */
const DERIVED = {
  growing_degree_days: 'growingDegreeDays',
  growing_degree_sum: 'growingDegreeSum',
  reference_evapotranspiration: 'referenceEvapotranspiration',
  water_balance: 'waterBalance',
  water_balance_sum: 'waterBalanceSum',
} as const satisfies Record<string, DerivedField>;

/** Measured fields that a history adds on request. */
const MEASURED = { humidity: 'humidity', cloudiness: 'cloudCover' } as const;

type DerivedName = keyof typeof DERIVED;
type MeasuredName = keyof typeof MEASURED;

/** Name of a further field. */
export type DayField = DerivedName | MeasuredName;

/** All further fields. */
export const DAY_FIELDS = [
  ...(Object.keys(DERIVED) as DerivedName[]),
  ...(Object.keys(MEASURED) as MeasuredName[]),
] as const;

const isDerived = (name: DayField): name is DerivedName => Object.hasOwn(DERIVED, name);

/** Those of the fields that are computed. */
const toDerived = (fields: readonly DayField[]): readonly DerivedField[] =>
  fields.filter(isDerived).map((name) => DERIVED[name]);

/** The fields that every day has, in the order of columns. `show_depth` is how the interface spells the depth of snow. */
const DAY_COLUMNS = [
  ...['date', 'temperature_min', 'temperature_max', 'vapour_pressure', 'wind_speed', 'rainfall'],
  ...['show_depth', 'hardening_index', 'temp_critical'],
] as const;

const value = (description: string) => json.nullable(json.number(), { description });

/** Documentation of these fields. */
export const dayProperties = {
  date: json.string(),
  temperature_min: json.number({ description: '°C.' }),
  temperature_max: json.number({ description: '°C.' }),
  vapour_pressure: value('hPa.'),
  wind_speed: value('m/s at 2 m.'),
  rainfall: value('mm.'),
  show_depth: value('Depth of snow, cm.'),
  hardening_index: value('0 to 2, after CERES-Wheat.'),
  temp_critical: value('Temperature that winter wheat survives, °C.'),
};

/** A day as it is answered. */
function toDayRow(day: WeatherDay, fields: readonly DayField[]): Row {
  const row: Record<string, string | number | null> = {
    date: day.date,
    temperature_min: round(day.temperatureMin),
    temperature_max: round(day.temperatureMax),
    vapour_pressure: roundKnown(day.vapourPressure),
    wind_speed: roundKnown(day.windSpeed),
    rainfall: roundKnown(day.rainfall),
    show_depth: roundKnown(day.snowDepth),
    hardening_index: roundKnown(day.hardeningIndex),
    temp_critical: roundKnown(day.criticalTemperature),
  };
  for (const name of fields) {
    row[name] = roundKnown(isDerived(name) ? (day.derived[DERIVED[name]] ?? null) : day[MEASURED[name]]);
  }
  return row;
}

/** The values of an hour, by the names of the wire. Wind is named by its height: that of days is at 2 m. */
const VARIABLES = {
  temperature: 'temperature',
  temperature_min: 'temperatureMin',
  temperature_max: 'temperatureMax',
  dew_point: 'dewPoint',
  vapour_pressure: 'vapourPressure',
  humidity: 'relativeHumidity',
  wind_speed_10m: 'windSpeed',
  rainfall: 'precipitation',
  snow_depth: 'snowDepth',
  soil_temperature: 'soilTemperature',
  cloudiness: 'cloudCover',
  radiation: 'radiation',
} as const satisfies Record<string, WeatherVariable>;

type HourName = keyof typeof VARIABLES;

/** The values that an hour may have, in the order of columns. */
export const HOUR_FIELDS = Object.keys(VARIABLES) as readonly HourName[];

/** Hours as they are answered, with the values that the source has at all. */
function toHourRows({ hours }: HourlyWeather): {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
} {
  const known = HOUR_FIELDS.filter((name) => hours.some((hour) => (hour[VARIABLES[name]] ?? null) !== null));
  const rows = hours.map((hour) => {
    const row: Record<string, string | number | null> = { time: hour.time };
    for (const name of known) row[name] = roundKnown(hour[VARIABLES[name]] ?? null);
    return row;
  });
  return { columns: ['time', ...known], rows };
}

/** The fields of a normal day, in the order of columns. */
const NORMAL_COLUMNS = ['day', 'years', 'temperature_min', 'temperature_max', 'rainfall'] as const;

/** A normal day as it is answered. */
const toNormalRow = ({ day, years, temperatureMin, temperatureMax, rainfall }: NormalDay) => ({
  day,
  years,
  temperature_min: round(temperatureMin),
  temperature_max: round(temperatureMax),
  rainfall: roundKnown(rainfall),
});

/** The clock of forecast days is two hours ahead of UTC everywhere: their hours are the three-hour steps of models there. */
const CLOCK_HOURS = 2;

/** How hours are spelled as names: `2h` on the older address, `02h` on the newer ones. */
export type HourNames = 'plain' | 'padded';

/** The name of an hour. */
export const toHourName = (hour: number, names: HourNames): string =>
  `${names === 'padded' ? String(hour).padStart(2, '0') : hour}h`;

type WireDay = Record<string, string | number | Record<string, number>>;

/** A day as it is answered. Programs convert every value that is there to a number: what is not known is left out, and never null. */
function toForecastDay(
  { date, airMin, airMax, landMin, landMax, details }: ForecastDay,
  names: HourNames,
): WireDay {
  const day: WireDay = { Date: date, Temp_air_min: round(airMin), Temp_air_max: round(airMax) };
  addKnown(day, 'Temp_land_min', landMin);
  addKnown(day, 'Temp_land_max', landMax);
  if (details !== null) addDetails(day, details, names);
  return day;
}

function addDetails(
  day: WireDay,
  { humidity, snowDepth, rain, wind }: ForecastDetails,
  names: HourNames,
): void {
  addKnown(day, 'Rel_humidity', humidity);
  addKnown(day, 'Snow_depth', snowDepth);
  addHours(day, 'Rain', rain, names);
  addHours(day, 'Windspeed', wind, names);
}

function addKnown(day: WireDay, name: string, value: number | null): void {
  if (value !== null) day[name] = round(value);
}

function addHours(day: WireDay, name: string, values: readonly (number | null)[], names: HourNames): void {
  const known: Record<string, number> = {};
  for (const [i, hour] of FORECAST_HOURS.entries()) {
    const value = values[i] ?? null;
    if (value !== null) known[toHourName(hour, names)] = round(value);
  }
  if (Object.keys(known).length > 0) day[name] = known;
}

/** A question about the weather, as plain data: another thread may answer it. */
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
    const described = await describe(question, weather, signal);
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
  signal: AbortSignal | undefined,
): Promise<Described | null> {
  const where = JSON.parse(question.where) as WeatherLocation;
  switch (question.kind) {
    case 'days': {
      const { from, to, fields, baseTemperature } = question;
      const derived = toDerived(fields);
      const found = await weather.readDays({ where, from, to, derived, baseTemperature, signal });
      return found && { ...found, table: toDayTable(found, fields) };
    }
    case 'coming-days': {
      const { days, fields } = question;
      const found = await weather.readComingDays({ where, days, signal });
      return found && { ...found, table: toDayTable(found, fields) };
    }
    case 'hours': {
      const { from, to } = question;
      const found = await weather.readHours({ where, from, to, signal });
      return found && { ...found, utcOffsetHours: null, table: toHourRows(found) };
    }
    case 'normals': {
      const found = await weather.readNormals({ where, signal });
      if (found === null) return null;
      const rows = found.days.map(toNormalRow);
      const json = { first_year: found.firstYear, last_year: found.lastYear, days: rows };
      return { ...found, utcOffsetHours: null, table: { columns: NORMAL_COLUMNS, rows, json } };
    }
    case 'forecast': {
      const { hours, names } = question;
      const found = await weather.readForecast({ where, hours, signal });
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
