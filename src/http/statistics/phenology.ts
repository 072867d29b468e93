/** The seasons of an area in one request, from the statistics of its scenes. */
import { isObject } from '../../json.ts';
import type { PhenologyOptions } from '../../seasons/index.ts';
import { DEFAULT_PHENOLOGY } from '../../seasons/index.ts';
import { EXAMPLE_FIELD } from '../areas.ts';
import { badInput } from '../errors.ts';
import { groupOfBody } from '../fields/take-field.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import { defineFields, describe, number, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import type { TaskDeps } from '../tasks/task.ts';
import { noStore, taskParameter, unknownTask } from '../tasks/task.ts';
import { phenologySchema } from './phenology-answers.ts';
import { readStatisticsOrder, statisticsAnswers, waitForDocument } from './statistics.ts';
import { statisticsFields } from './statistics-fields.ts';

/** Clouds that no mask marks come with those that one does: cloudier scenes are left out. */
const MAX_CLOUD_PERCENT = 50;
const EARLIER_YEARS = 5;

const { smoothing, seasons, normals } = DEFAULT_PHENOLOGY;

const fields = defineFields({
  years: number({
    description: `Earlier years that make the normals; ${EARLIER_YEARS} by default.`,
    min: 0,
    max: 30,
    isWhole: true,
    fallback: EARLIER_YEARS,
  }),
  smoothness: number({
    description: `λ of the Whittaker smoother, in days⁴; ${smoothing.smoothness} by default.`,
    min: 1e-3,
    max: 1e7,
    fallback: smoothing.smoothness,
  }),
  max_gap_days: number({
    description: `Days between two measurements from which on the curve has a gap; ${smoothing.maxGapDays} by default.`,
    min: 1,
    max: 366,
    isWhole: true,
    fallback: smoothing.maxGapDays,
  }),
  envelope: number({
    description:
      'Weight of measurements above the curve: 0.5 to 0.99 fits the upper envelope; off by default.',
    min: 0.5,
    max: 0.99,
    fallback: null,
  }),
  start_threshold: number({
    description: `Fraction of the rise at which a season starts; ${seasons.startFraction} by default.`,
    min: 0.01,
    max: 0.99,
    fallback: seasons.startFraction,
  }),
  end_threshold: number({
    description: 'Fraction of the fall at which it ends; as start_threshold by default.',
    min: 0.01,
    max: 0.99,
    fallback: null,
  }),
  min_amplitude: number({
    description: `The smallest rise and fall of a season; ${seasons.minAmplitude} by default.`,
    min: 0,
    max: 1e6,
    fallback: seasons.minAmplitude,
  }),
  normal_window_days: number({
    description: `Days over which each normal is averaged; ${normals.windowDays} by default.`,
    min: 1,
    max: 91,
    isWhole: true,
    fallback: normals.windowDays,
  }),
});

const { geometry, cropper_ref, field, sensors, date_end, limit, exclude_cover_pixels, cloud_masking_level } =
  statisticsFields;

const bodySchema = toObjectSchema({
  geometry,
  cropper_ref,
  field,
  group: groupOfBody,
  expression: {
    ...statisticsFields.bm_type,
    schema: json.string({ max: 2_048, description: 'An index, band or band math with one value a pixel.' }),
  },
  sensors,
  date_end: describe(date_end, 'The last day; the curve begins on 1 January of the first of the years.'),
  limit: describe(limit, 'Scenes that are used, newest first; as many as the service allows by default.'),
  max_cloud_cover_in_aoi: describe(
    statisticsFields.max_cloud_cover_in_aoi,
    `Leave out scenes with more clouds in the area, in percent; ${MAX_CLOUD_PERCENT} by default.`,
  ),
  exclude_cover_pixels: describe(exclude_cover_pixels, 'Leave clouds out of the numbers; true by default.'),
  cloud_masking_level,
  ...fields,
});

const answers: Endpoint['answers'] = {
  ...statisticsAnswers,
  200: { description: 'What the scenes say.', content: { 'application/json': phenologySchema } },
};

/** `POST /api/phenology`: the curve of an area with its seasons, normals and anomaly. */
export const readPhenology = (deps: TaskDeps): Endpoint => ({
  summary: 'Curve, seasons, normals and anomaly of an area',
  description:
    'Measures an index in all scenes of several years as POST /api/statistics does, fits a smooth curve, finds seasons and compares the newest value with earlier years. After 10 seconds it answers 202 with the address to poll, and the work continues. What was measured is stored: the next request costs only new scenes.',
  tag: 'Tasks',
  body: {
    description: 'An area, an index and years.',
    schema: bodySchema,
    example: {
      geometry: EXAMPLE_FIELD,
      expression: 'NDVI',
      sensors: ['sentinel2l2a'],
      date_end: '2026-12-31',
      years: 3,
    },
  },
  answers,
  async handle(request) {
    const given = await request.readJson();
    if (!isObject(given)) throw badInput('bad-body', 'The body must be an object.');
    const options = readOptions(given);
    const read = await readStatisticsOrder(request, toStatisticsParams(given, deps), deps, 'expression');
    if (read.order.kind !== 'scenes')
      throw badInput('bad-expression', 'expression must be of scenes; soil moisture has no seasons.');
    const taken = { ...read, order: { ...read.order, seasons: options } };
    const waited = await waitForDocument(request, taken, { ...deps, toPollPath });
    return waited instanceof Answer ? waited : answerPhenology(request, waited, deps);
  },
});

/** `GET /api/phenology/{task_id}`: the same, once the measurements are finished. */
export const pollPhenology = (deps: TaskDeps): Endpoint => ({
  summary: 'The curve and seasons of finished statistics',
  description:
    'Also of a task that was ordered as statistics: then it is of the first expression, with all defaults. Answers 202 as long as the task is open; a request is held for up to 10 seconds.',
  tag: 'Tasks',
  params: taskParameter,
  answers,
  async handle(request) {
    const id = request.params.task_id ?? '';
    const found = await deps.tasks.find(id, request.ticket.owner);
    if (found === null || found.kind !== 'statistics') throw unknownTask();
    const waited = await waitForDocument(request, { id }, { ...deps, toPollPath });
    return waited instanceof Answer ? waited : answerPhenology(request, waited, deps);
  },
});

const toPollPath = (id: string): string => `/api/phenology/${id}`;

async function answerPhenology(
  { ticket: { signal } }: ApiRequest,
  { id, document }: { readonly id: string; readonly document: string },
  { writeDocument }: TaskDeps,
): Promise<Answer> {
  const bytes = await writeDocument({ kind: 'phenology', taskId: id, document }, signal);
  return new Answer(bytes, { headers: { ...noStore, 'content-type': 'application/json' } });
}

function readOptions(given: Params): PhenologyOptions {
  const startFraction = fields.start_threshold.read(given);
  return {
    smoothing: {
      smoothness: fields.smoothness.read(given),
      maxGapDays: fields.max_gap_days.read(given),
      envelope: fields.envelope.read(given),
    },
    seasons: {
      ...seasons,
      startFraction,
      endFraction: fields.end_threshold.read(given) ?? startFraction,
      minAmplitude: fields.min_amplitude.read(given),
    },
    normals: { ...normals, windowDays: fields.normal_window_days.read(given) },
  };
}

/** The params of the statistics that a curve needs. */
function toStatisticsParams(given: Params, { statisticsLimits }: TaskDeps): Params {
  const { expression, date_end: last } = given;
  if (typeof expression !== 'string')
    throw badInput('bad-expression', 'expression must be a text, such as NDVI.');
  // What is wrong with date_end, the reader of statistics says.
  const year = Number(/^(\d{4})-/.exec(String(last))?.[1] ?? 1970);
  const firstYear = Math.max(1, year - fields.years.read(given));
  return {
    ...given,
    bm_type: expression,
    date_start: `${String(firstYear).padStart(4, '0')}-01-01`,
    limit: given.limit ?? statisticsLimits.scenes,
    max_cloud_cover_in_aoi: given.max_cloud_cover_in_aoi ?? MAX_CLOUD_PERCENT,
    histogram: null,
  };
}
