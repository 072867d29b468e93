import { suggestName } from '../../bandmath/index.ts';
import { badInput } from '../../errors.ts';
import type { DerivedField, WeatherDay } from '../../weather/index.ts';
import type { Params } from '../request/params.ts';
import { readTexts } from '../request/params.ts';
import { round, roundKnown } from './rounded.ts';
import type { Row } from './row.ts';

/** What a history adds to its days when it is asked for, by the names of the wire. */
const DERIVED = {
  growing_degree_days: 'growingDegreeDays',
  growing_degree_sum: 'growingDegreeSum',
  reference_evapotranspiration: 'referenceEvapotranspiration',
  water_balance: 'waterBalance',
  water_balance_sum: 'waterBalanceSum',
} as const satisfies Record<string, DerivedField>;

/** The same of what days have anyway. */
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

/** Reads `fields`: a list of names, or a text with commas between them. */
export function readDayFields(params: Params): readonly DayField[] {
  const names = readTexts(params, 'fields', 2 * DAY_FIELDS.length) ?? [];
  // A text that is empty, or ends in a comma, names nothing more.
  const given = typeof params.fields === 'string' ? names.filter((name) => name !== '') : names;
  for (const name of given) if (!DAY_FIELDS.includes(name as DayField)) throw refuseField(name);
  return [...new Set(given)] as DayField[];
}

function refuseField(name: string): Error {
  const known = suggestName(name, DAY_FIELDS);
  const hint = known === null ? `known are ${DAY_FIELDS.join(', ')}.` : `did you mean ${known}?`;
  return badInput('bad-fields', `fields: there is no field ${JSON.stringify(name.slice(0, 40))}; ${hint}`);
}

/** Those of the fields that are computed. */
export const toDerived = (fields: readonly DayField[]): readonly DerivedField[] =>
  fields.filter(isDerived).map((name) => DERIVED[name]);

/** The fields that every day has, in the order of columns. `show_depth` is how the interface spells the depth of snow. */
export const DAY_COLUMNS = [
  ...['date', 'temperature_min', 'temperature_max', 'vapour_pressure', 'wind_speed', 'rainfall'],
  ...['show_depth', 'hardening_index', 'temp_critical'],
] as const;

/** A day as it is answered. */
export function toDayRow(day: WeatherDay, fields: readonly DayField[]): Row {
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
