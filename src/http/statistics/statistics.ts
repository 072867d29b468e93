import { z } from 'zod';
import { badInput, sourceBroken } from '../../errors.ts';
import type { StatisticsDocument, StatisticsTaskOrder, Task } from '../../tasks/index.ts';
import { isOver, toStoredStatistics } from '../../tasks/index.ts';
import { answerLongJson, writePieces } from '../answer/long-json-answer.ts';
import { geometrySchema } from '../areas/area.ts';
import { number, onOff } from '../endpoint/body-schemas.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { Params } from '../request/params.ts';
import { cloudLevel, histogram } from '../tasks/param-schemas.ts';
import type { StatisticsDefaults } from '../tasks/statistics-params.ts';
import { DOWNLOAD_DEFAULTS } from '../tasks/statistics-params.ts';
import type { TaskDeps } from '../tasks/task.ts';
import { estimateDocument, readStatistics } from '../tasks/task-orders.ts';
import type { AnsweredStatistics } from './statistics-formats.ts';
import { toStatisticsCsv, toStatisticsGeoJson, toStatisticsJson } from './statistics-formats.ts';

/** So long an answer is waited for. */
const WAIT_MS = 10_000;

/** Clouds of all sensors that tell where they are do not count, and no scene is left out for those that remain. */
const DEFAULTS: StatisticsDefaults = {
  datasets: [...(DOWNLOAD_DEFAULTS.datasets ?? []), 'sentinel2l2a', 'landsat9', 'landsat7'],
  maxCloudPercent: null,
  masked: 'all',
  expressionsName: 'expressions',
  limitsIndices: false,
};

const value = z.number().nullable();
const bodySchema = z.object({
  geometry: geometrySchema.nullish().describe('A Polygon or MultiPolygon; or give cropper_ref.'),
  cropper_ref: z.string().max(2_048).nullish().describe('The reference of a stored area.'),
  expressions: z
    .union([z.string().max(2_048), z.array(z.string().max(2_048)).min(1).max(10)])
    .describe('Indices, bands or band math, one value a pixel each. Of several sensors, indices only.'),
  sensors: z
    .union([z.string(), z.array(z.string()).max(64)])
    .nullish()
    .describe('Dataset ids or abbreviations; all optical ones by default.'),
  date_start: z.string().describe('Such as 2026-01-01.'),
  date_end: z.string(),
  limit: number(1, 1e9).nullish().describe('Scenes that are used, newest first; 100 by default.'),
  exclude_cover_pixels: onOff.nullish().describe('Leave clouds out of the numbers; true by default.'),
  cloud_masking_level: cloudLevel
    .nullish()
    .describe('Classes of Sentinel-2 Level-2A to leave out as well; 0 for none.'),
  max_cloud_cover_in_aoi: number(0, 100)
    .nullish()
    .describe('Leave out scenes with more clouds in the area, in percent; none by default.'),
  histogram: histogram.nullish().describe('Count pixels in equal bins; 20 from -1 to 1 by default.'),
});

const answer = z.object({
  status: z.literal('finished'),
  task_id: z.string(),
  results: z.array(
    z.object({
      date: z.string(),
      scene_id: z.string(),
      view_id: z.string(),
      cloud: value,
      notes: z.array(z.string()),
      values: z.record(z.string(), z.looseObject({ count: z.number(), average: value })),
    }),
  ),
  errors: z.array(z.looseObject({ scene_id: z.string(), error: z.string() })),
});

/** Media types of an answer, and what they are asked for by. */
const FORMATS = [
  { type: 'text/csv', accepts: /\btext\/csv\b/i },
  { type: 'application/geo+json', accepts: /\bapplication\/(?:geo\+json|vnd\.geo\+json)\b/i },
] as const;

/** Statistics in the same request. */
export const readStatisticsNow = (deps: TaskDeps): Endpoint => ({
  summary: 'Statistics of an area over time, in the same request',
  description:
    'Answers when all scenes are measured. After 10 seconds the answer is 202 with the address to poll: the work goes on. Accept chooses JSON, CSV (text/csv) or GeoJSON (application/geo+json): one feature for each scene, the first of them with the area as its geometry.',
  tag: 'Tasks',
  body: {
    description: 'An area, a period and what is measured.',
    schema: bodySchema,
    example: {
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [-122.404, 48.216],
            [-122.396, 48.216],
            [-122.396, 48.224],
            [-122.404, 48.224],
            [-122.404, 48.216],
          ],
        ],
      },
      expressions: ['NDVI'],
      sensors: ['sentinel2l2a'],
      date_start: '2026-01-01',
      date_end: '2026-12-31',
    },
  },
  answers: {
    200: {
      description: 'Newest scenes first.',
      content: { 'application/json': answer, 'text/csv': null, 'application/geo+json': null },
    },
    202: {
      description: 'It takes longer: Location is the address to poll.',
      content: {
        'application/json': z.object({ status: z.string(), task_id: z.string(), progress: z.number() }),
      },
    },
    400: { description: 'The order is malformed; the text says what is wrong with it.' },
    404: { description: 'No such area.' },
    413: { description: 'The body is too large.' },
    429: { description: 'The key has as many open tasks as it may (too-many-tasks).' },
    502: { description: 'None of the scenes could be read.' },
  },
  async handle(request) {
    const stored = await readNow(request, deps);
    const { owner, signal } = request.ticket;
    const { id } = await deps.tasks.create({
      owner,
      kind: 'statistics',
      reference: null,
      viewId: null,
      ...toStoredStatistics(stored),
      estimatedBytes: estimateDocument(stored),
    });
    const task = await deps.tasks.wait(id, owner, {
      waitMs: WAIT_MS,
      signal: signal === undefined ? deps.stopping : AbortSignal.any([signal, deps.stopping]),
    });
    const document = task?.state === 'finished' ? await deps.tasks.findDocument(task.id) : null;
    return answerNow(request, task, { stored, document: document as StatisticsDocument | null });
  },
});

type TakenOrder = Exclude<StatisticsTaskOrder, { kind: 'refused' }>;

async function readNow(request: ApiRequest, deps: TaskDeps): Promise<TakenOrder> {
  const body = await request.readJson();
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badInput('bad-body', 'The body must be an object.');
  const given = body as Params;
  const params = { ...given, bm_type: given.expressions ?? given.bm_type };
  const read = await readStatistics(params, { request, defaults: DEFAULTS }, deps);
  if (read.kind === 'refused') throw badInput(read.error.code, read.error.message);
  return { ...read, isList: true };
}

async function answerNow(
  request: ApiRequest,
  task: Task | null,
  { stored, document }: { readonly stored: TakenOrder; readonly document: StatisticsDocument | null },
): Promise<Response> {
  const headers = { 'cache-control': 'no-store' };
  if (task !== null && !isOver(task)) {
    const { done, total } = task.progress;
    const location = `${request.publicUrl}/api/gdw/api/${task.id}`;
    return Response.json(
      { status: 'started', task_id: task.id, progress: total === 0 ? 0 : done / total },
      { status: 202, headers: { ...headers, location } },
    );
  }
  if (task?.state !== 'finished' || document === null) {
    const { code, message } = task?.error ?? { code: 'cancelled', message: 'The task was cancelled.' };
    throw sourceBroken(code, message);
  }
  const answered: AnsweredStatistics = { taskId: task.id, stored, document };
  const accept = request.headers.get('accept') ?? '';
  switch (FORMATS.find(({ accepts }) => accepts.test(accept))?.type) {
    case 'text/csv':
      return new Response(await writePieces(toStatisticsCsv(answered)), {
        headers: { ...headers, 'content-type': 'text/csv; charset=utf-8' },
      });
    case 'application/geo+json':
      return answerLongJson(toStatisticsGeoJson(answered), {
        headers: { ...headers, 'content-type': 'application/geo+json' },
      });
    default:
      return answerLongJson(toStatisticsJson(answered), { headers });
  }
}
