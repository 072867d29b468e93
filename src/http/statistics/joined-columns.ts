/** Columns of a table of many fields that do not come from pixels: weather, soil moisture and growing degree days. */

import { suggestName } from '../../bandmath/index.ts';
import type { DailySource, JoinedColumn, JoinedVariable } from '../../bulk/index.ts';
import { MAX_JOINED_DAYS } from '../../bulk/index.ts';
import { isObject } from '../../json.ts';
import { badInput } from '../errors.ts';
import type { Field, Params } from '../kit/fields.ts';
import { defineFields, flag, number, refuseField, texts } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { parseDay } from '../kit/parameters.ts';

/** Fields of a day of weather by their wire names, and how days between two rows are put together: not at all for null. */
const VARIABLES = {
  temperature_min: { variable: 'temperatureMin', fold: 'mean' },
  temperature_max: { variable: 'temperatureMax', fold: 'mean' },
  vapour_pressure: { variable: 'vapourPressure', fold: 'mean' },
  wind_speed: { variable: 'windSpeed', fold: 'mean' },
  rainfall: { variable: 'rainfall', fold: 'sum' },
  show_depth: { variable: 'snowDepth', fold: 'mean' },
  hardening_index: { variable: 'hardeningIndex', fold: null },
  temp_critical: { variable: 'criticalTemperature', fold: null },
  humidity: { variable: 'humidity', fold: 'mean' },
  cloudiness: { variable: 'cloudCover', fold: 'mean' },
  reference_evapotranspiration: { variable: 'referenceEvapotranspiration', fold: 'sum' },
  water_balance: { variable: 'waterBalance', fold: 'sum' },
} as const satisfies Record<string, { variable: JoinedVariable; fold: 'sum' | 'mean' | null }>;

type VariableName = keyof typeof VARIABLES;
const NAMES = Object.keys(VARIABLES) as readonly VariableName[];
const FOLDED = NAMES.filter((name) => VARIABLES[name].fold !== null);

/** A list of names, or a text with commas between them. */
function namesField(known: readonly VariableName[], description: string): Field<readonly VariableName[]> {
  const { parse } = texts({ max: 2 * known.length });
  return {
    schema: json.nullable(
      json.union([json.string({ max: 400 }), json.list(json.choice(known), { max: 2 * known.length })]),
      { description: `${description}: ${known.join(', ')}.` },
    ),
    parse(value, name) {
      const given = (parse(value, name) ?? []).filter((one) => one !== '');
      const unknown = given.find((one) => !known.includes(one as VariableName));
      if (unknown !== undefined) {
        const near = suggestName(unknown, known);
        const hint = near === null ? `known are ${known.join(', ')}.` : `did you mean ${near}?`;
        throw refuseField(name, `cannot have ${JSON.stringify(unknown.slice(0, 40))}; ${hint}`);
      }
      return [...new Set(given)] as VariableName[];
    },
  };
}

/** Growing degree days count from here, °C, as those of weather requests do. */
const BASE_TEMPERATURE = 10;
const base = number({
  min: -20,
  max: 40,
  fallback: BASE_TEMPERATURE,
  rule: 'must be from -20 to 40 °C.',
  description: `°C; ${BASE_TEMPERATURE} by default.`,
});

/** Where a sum of growing degrees begins. */
const STARTS = ['sowing', 'year'] as const;

type Degrees = Extract<JoinedColumn['over'], { kind: 'since' }> & { readonly baseTemperature: number };

function parseDegrees(value: unknown, name: string): Degrees | null {
  if (value == null || value === false || value === '') return null;
  if (value !== true && !isObject(value))
    throw refuseField(name, 'must be an object with base_temperature and since.');
  const given = value === true ? {} : value;
  const baseTemperature = base.parse(given.base_temperature, 'base_temperature');
  const since = given.since ?? 'year';
  const start = STARTS.find((one) => one === since) ?? parseDay(since);
  if (start === null)
    throw refuseField(name, 'needs since as "sowing", "year" or a date such as 2026-03-01.');
  return { kind: 'since', start, baseTemperature };
}

/** What an order of many fields may join to its rows. */
export const joinedFields = defineFields({
  weather: namesField(NAMES, 'Weather of the day of a scene, as columns of a table of many fields'),
  weather_since_last: namesField(
    FOLDED,
    "Columns with the weather since the field's row before: sums of water, means of all others",
  ),
  soil_moisture: flag({
    fallback: false,
    description: 'Adds the columns soil_moisture and root_zone_moisture to a table of many fields.',
  }),
  growing_degree_days: {
    schema: json.nullable(
      json.union([
        json.boolean(),
        json.object({
          'base_temperature?': base.schema,
          'since?': json.string({
            description:
              'year (default): since 1 January; sowing: since the sowing date of the field; or a date.',
          }),
        }),
      ]),
      { description: 'Adds the column growing_degree_sum to a table of many fields.' },
    ),
    parse: parseDegrees,
  },
});

/** Names of columns that are neither fields of weather nor parameters. */
const COLUMNS = {
  sinceLast: (name: string): string => `${name}_since_last`,
  surface: 'soil_moisture',
  rootZone: 'root_zone_moisture',
  degrees: 'growing_degree_sum',
} as const;

const weatherOf = (name: VariableName): DailySource => ({
  kind: 'weather',
  variable: VARIABLES[name].variable,
});

/** The joined columns of an order, in the order of the table. */
export function readJoined(
  params: Params,
  { from, to }: { readonly from: string; readonly to: string },
): readonly JoinedColumn[] {
  const columns: JoinedColumn[] = [];
  for (const name of joinedFields.weather.read(params))
    columns.push({ name, source: weatherOf(name), over: { kind: 'day' } });
  for (const name of joinedFields.weather_since_last.read(params)) {
    const { fold } = VARIABLES[name];
    if (fold === null) continue;
    columns.push({
      name: COLUMNS.sinceLast(name),
      source: weatherOf(name),
      over: { kind: 'since-last', fold },
    });
  }
  const degrees = joinedFields.growing_degree_days.read(params);
  if (degrees !== null) {
    const { baseTemperature, ...over } = degrees;
    columns.push({ name: COLUMNS.degrees, source: { kind: 'growing-degrees', baseTemperature }, over });
  }
  if (joinedFields.soil_moisture.read(params)) {
    const over = { kind: 'day' } as const;
    columns.push({ name: COLUMNS.surface, source: { kind: 'soil-moisture', layer: 'surface' }, over });
    columns.push({ name: COLUMNS.rootZone, source: { kind: 'soil-moisture', layer: 'rootZone' }, over });
  }
  if (columns.length > 0) refuseLong({ from: toEarliest(from, degrees), to });
  return columns;
}

/** The first day that is read for every field. */
function toEarliest(from: string, degrees: Degrees | null): string {
  if (degrees === null || degrees.start === 'sowing') return from;
  const start = degrees.start === 'year' ? `${from.slice(0, 4)}-01-01` : degrees.start;
  return start < from ? start : from;
}

const DAY_MS = 86_400_000;

function refuseLong({ from, to }: { readonly from: string; readonly to: string }): void {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 3;
  if (days > MAX_JOINED_DAYS)
    throw badInput(
      'period-too-long',
      `Weather and soil moisture are joined to at most ${MAX_JOINED_DAYS} days; from ${from} to ${to} there are more. Order shorter periods.`,
    );
}
