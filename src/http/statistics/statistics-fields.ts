/** The fields of an order of statistics. Those with a code of the interface throw it as `RefusedStatistics`. */

import { isObject } from '../../json.ts';
import type { HistogramBins } from '../../numbers/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensors as allSensors, sensorsByName } from '../../sensors/index.ts';
import { geometrySchema } from '../areas.ts';
import { badInput } from '../errors.ts';
import { fieldOfBody } from '../fields/take-field.ts';
import type { Field, Params } from '../kit/fields.ts';
import {
  defineFields,
  flag,
  MAX_TEXT,
  number,
  readNumber,
  refuseField,
  text,
  texts,
  unread,
} from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { parseDay } from '../kit/parameters.ts';
import { joinedFields } from './joined-columns.ts';
import { RefusedStatistics } from './statistics-answers.ts';

const MAX_SENSORS = 64;
const MAX_BINS = 1_000;

/** The fields, by their names in tasks; `/api/statistics` calls `bm_type` `expressions`. */
export const statisticsFields = defineFields({
  bm_type: {
    isRequired: true,
    schema: json.union(
      [json.string({ max: MAX_TEXT }), json.list(json.string({ max: MAX_TEXT }), { min: 1, max: 10 })],
      {
        description: 'Indices, bands or band math, one value a pixel each. Of several sensors, indices only.',
      },
    ),
    parse: parseIndices,
  },
  sensors: {
    schema: json.nullable(json.union([json.string(), json.list(json.string(), { max: MAX_SENSORS })]), {
      description: 'Dataset ids or abbreviations; all optical ones by default.',
    }),
    parse: parseSensors,
  },
  date_start: day('Such as 2026-01-01.'),
  date_end: day('Included.'),
  geometry: unread(geometrySchema, { description: 'A Polygon or MultiPolygon; or pass cropper_ref.' }),
  cropper_ref: text({ description: 'The reference of a stored area.' }),
  field: fieldOfBody,
  limit: number({
    description: 'Scenes that are used, newest first; 100 by default.',
    min: 1,
    isWhole: true,
    fallback: null,
    rule: 'must be a whole number from 1 on.',
  }),
  max_cloud_cover_in_aoi: number({
    description: 'Percent of clouds in the area; cloudier scenes are left out.',
    min: 0,
    max: 100,
    fallback: null,
  }),
  exclude_cover_pixels: flag({
    description: 'Leaves clouds of Sentinel-2 out of the numbers.',
    fallback: null,
  }),
  cloud_masking_level: number({
    description: 'Classes of Sentinel-2 Level-2A to leave out as well; 0 for none.',
    min: 0,
    max: 4,
    isWhole: true,
    fallback: null,
    rule: 'must be 0 (off), 1, 2, 3 or 4.',
  }),
  histogram: {
    schema: json.nullable(
      json.union([
        json.literal(false),
        json.object({
          'bins?': number({ min: 1, max: MAX_BINS, isWhole: true, fallback: null }).schema,
          'min?': number({ fallback: null }).schema,
          'max?': number({ fallback: null }).schema,
        }),
      ]),
      { description: 'Count pixels in equal bins; 20 from -1 to 1 by default.' },
    ),
    parse: parseHistogram,
  },
});

/** A field whose mistakes the poll of the task reports, so that any value is accepted. */
export const reported = (field: Field<unknown>, description: string): Field<unknown> => ({
  ...field,
  isRequired: false,
  schema: json.any({ description }),
});

function parseIndices(value: unknown, name: string): readonly string[] {
  const items = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(items) || items.length === 0)
    throw new RefusedStatistics('statistics-expression', `${name} must be an expression, or a list of them.`);
  return items.map((item: unknown) => {
    if (typeof item === 'string' && item.trim() !== '' && item.length <= MAX_TEXT) return item.trim();
    throw new RefusedStatistics(
      'statistics-expression',
      `${name} must hold expressions of 1 to ${MAX_TEXT} characters.`,
    );
  });
}

const names = texts({ max: MAX_SENSORS });

/** Sensors by dataset id or abbreviation, in any case; null when none is named. */
function parseSensors(value: unknown, name: string): readonly Sensor[] | null {
  let read: readonly string[] | null;
  try {
    read = names.parse(value, name);
  } catch {
    throw new RefusedStatistics('statistics-sensors', 'sensors must be a list of dataset ids.');
  }
  const given = read?.filter((one) => one !== '') ?? [];
  return given.length === 0 ? null : findSensors(given);
}

/** The sensors of names. */
export function findSensors(wanted: readonly string[]): readonly Sensor[] {
  const found = wanted.flatMap((name) => {
    const matching = sensorsByName(name);
    if (matching.length > 0) return matching;
    throw new RefusedStatistics(
      'statistics-sensors',
      `sensors: there is no sensor ${JSON.stringify(name.slice(0, 40))}; known are ${allSensors.map(({ dataset }) => dataset).join(', ')}.`,
    );
  });
  return [...new Set(found)];
}

function day(description: string): Field<string> {
  return {
    isRequired: true,
    schema: json.string({ description }),
    parse(value, name) {
      const date = parseDay(value);
      if (date !== null) return date;
      throw new RefusedStatistics('statistics-date', `${name} must be a date such as 2026-06-21.`);
    },
  };
}

function parseHistogram(value: unknown, name: string): HistogramBins | null {
  if (value == null || value === false) return null;
  if (!isObject(value)) throw refuseField(name, 'must be an object with bins, min and max.');
  const bins = readNumber(value.bins, 'bins') ?? 20;
  const [min, max] = [readNumber(value.min, 'min') ?? -1, readNumber(value.max, 'max') ?? 1];
  if (!Number.isInteger(bins) || bins < 1 || bins > MAX_BINS)
    throw badInput('bad-histogram', `histogram.bins must be from 1 to ${MAX_BINS}.`);
  if (!(min < max)) throw badInput('bad-histogram', 'histogram.min must be less than histogram.max.');
  return { bins, min, max };
}

/** Whether params name fields, and not an area. */
export const namesFields = ({ group, fields, collection }: Params): boolean =>
  (group ?? '') !== '' || fields != null || collection != null;

/** Whether params name columns to join. */
const namesColumns = (params: Params): boolean =>
  Object.keys(joinedFields).some((name) => !['', false, null, undefined].includes(params[name] as string));

/** Refuses columns in an order of one area: its answer has no table to join them to. */
export function refuseJoined(params: Params): void {
  if (namesColumns(params))
    throw badInput(
      'joins-need-fields',
      'Weather, soil moisture and growing degree days are joined to tables of many fields: name group, fields or a collection.',
    );
}
