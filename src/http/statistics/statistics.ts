import { SwathError } from '../../errors.ts';
import { isObject } from '../../json.ts';
import type { Task } from '../../tasks/index.ts';
import { isOver } from '../../tasks/index.ts';
import { EXAMPLE_FIELD } from '../areas.ts';
import { badInput, unsupported } from '../errors.ts';
import { answerExplainedOrder, explainOrder } from '../explain/explain-statistics.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import { describe, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import type { ExplainMode } from '../kit/parameters.ts';
import { readExplainMode } from '../kit/parameters.ts';
import type { TaskDeps } from '../tasks/task.ts';
import { noStore } from '../tasks/task.ts';
import { CANCELLED } from '../tasks/task-answers.ts';
import {
  fieldsOrderFields,
  LARGE_COLLECTION,
  readFieldsOrder,
  rejectedSchema,
  toRejected,
} from './fields-orders.ts';
import { namesFields, refuseJoined, statisticsFields } from './statistics-fields.ts';
import type { StatisticsDefaults, TakenStatistics } from './statistics-orders.ts';
import { DOWNLOAD_DEFAULTS, estimateDocument, readStatistics } from './statistics-orders.ts';

/** How long a request waits for its statistics. */
const WAIT_MS = 10_000;

/** Clouds of all sensors that tell where they are do not count, and no scene is left out for those that remain. */
export const NOW_DEFAULTS: StatisticsDefaults = {
  datasets: [...(DOWNLOAD_DEFAULTS.datasets ?? []), 'sentinel2l2a', 'landsat9', 'landsat7'],
  maxCloudPercent: null,
  masked: 'all',
  expressionsName: 'expressions',
  limitsIndices: false,
};

const { bm_type: expressions, ...others } = { ...statisticsFields, ...fieldsOrderFields };

/** The fields of a task, but `expressions` for `bm_type`, and clouds masked by default. */
const bodySchema = toObjectSchema({
  ...others,
  expressions,
  exclude_cover_pixels: describe(
    others.exclude_cover_pixels,
    'Leave clouds out of the numbers; true by default.',
  ),
  max_cloud_cover_in_aoi: describe(
    others.max_cloud_cover_in_aoi,
    'Leave out scenes with more clouds in the area, in percent; none by default.',
  ),
});

const value = json.nullable(json.number());
const answer = json.object({
  status: json.literal('finished'),
  task_id: json.string(),
  results: json.list(
    json.object({
      date: json.string(),
      scene_id: json.string(),
      view_id: json.string(),
      cloud: value,
      notes: json.list(json.string()),
      values: json.map(json.object({ count: json.number(), average: value }, { isOpen: true })),
    }),
  ),
  errors: json.list(json.object({ scene_id: json.string(), error: json.string() }, { isOpen: true })),
});

/** Answer formats other than JSON, and the Accept headers that select them. */
const FORMATS = [
  { kind: 'csv', accepts: /\btext\/csv\b/i },
  { kind: 'geojson', accepts: /\bapplication\/(?:geo\+json|vnd\.geo\+json)\b/i },
] as const;

/** The documented answer to what takes longer than a request is held. */
const startedAnswer = {
  description: 'It takes longer, or is of many fields: Location is the address to poll.',
  content: {
    'application/json': json.object({
      status: json.string(),
      task_id: json.string(),
      progress: json.number(),
      ...rejectedSchema,
    }),
  },
} as const;

/** Documented answers of statistics. */
export const statisticsAnswers: Endpoint['answers'] = {
  200: {
    description: 'Newest scenes first.',
    content: { 'application/json': answer, 'text/csv': null, 'application/geo+json': null },
  },
  202: startedAnswer,
  400: { description: 'The order is malformed; the message says what is wrong.' },
  404: { description: 'No such area, or no such fields.' },
  422: { description: 'The order cannot be carried out; the message says why.' },
  413: { description: 'The body is too large.' },
  429: { description: 'The key has reached its limit of open tasks (too-many-tasks).' },
  502: { description: 'None of the scenes could be read.' },
};

/** Statistics in the same request. */
export const readStatisticsNow = (deps: TaskDeps): Endpoint => ({
  summary: 'Statistics of an area over time, in the same request',
  description:
    'Answers when all scenes are measured. After 10 seconds it answers 202 with the address to poll, and the work continues. The Accept header selects JSON, CSV (text/csv) or GeoJSON (application/geo+json): one feature per scene; the first has the area as its geometry. With group, fields or collection in place of an area, the numbers of many fields are a task: the answer is 202 at once, and its result is one table.',
  tag: 'Tasks',
  body: {
    description: 'An area, a period and what is measured.',
    schema: bodySchema,
    ifTooLarge: LARGE_COLLECTION,
    example: {
      geometry: EXAMPLE_FIELD,
      expressions: ['NDVI'],
      sensors: ['sentinel2l2a'],
      date_start: '2026-01-01',
      date_end: '2026-12-31',
    },
  },
  answers: statisticsAnswers,
  async handle(request) {
    const params = toTaskParams(await request.readJson());
    if (namesFields(params)) return orderFields(request, params, deps);
    refuseJoined(params);
    const taken = await readStatisticsOrder(request, params, deps);
    return answerStatistics(request, taken, { ...deps, explain: readExplainMode(request.query) });
  },
});

/** A body as params of a task, which say `bm_type` for `expressions`. */
export function toTaskParams(body: unknown): Params {
  if (!isObject(body)) throw badInput('bad-body', 'The body must be an object.');
  return { ...body, bm_type: body.expressions ?? body.bm_type };
}

/** The answer to an order of many fields: where to poll. */
export const answerStarted = ({ publicUrl }: ApiRequest, id: string, more: object): Answer =>
  Answer.json(
    { status: 'started', task_id: id, progress: 0, ...more },
    { status: 202, headers: { ...noStore, location: `${publicUrl}/api/gdw/api/${id}` } },
  );

/** Stores an order of many fields as a task, and says where to poll. */
async function orderFields(request: ApiRequest, params: Params, deps: TaskDeps): Promise<Answer> {
  if (readExplainMode(request.query) !== null)
    throw unsupported('not-explained', 'Orders of many fields are not explained; order one area.');
  const { ticket } = request;
  const read = await readFieldsOrder(params, { ticket, defaults: NOW_DEFAULTS }, deps);
  const { order, area, estimatedBytes, faults } = read;
  const { id } = await deps.tasks.create({
    owner: ticket.owner,
    kind: 'fields-statistics',
    reference: null,
    viewId: null,
    order,
    area,
    estimatedBytes,
  });
  return answerStarted(request, id, toRejected(faults));
}

/** Measures what was ordered, and answers when it is done or after ten seconds; or explains it. */
export async function answerStatistics(
  request: ApiRequest,
  { order, area }: TakenStatistics,
  { explain = null, ...deps }: TaskDeps & { readonly explain?: ExplainMode | null },
): Promise<Answer> {
  const explained = explain === null ? null : await explainOrder({ order, area }, request, deps);
  if (explained !== null && explain === 'plan') return answerExplainedOrder(request, explained);
  const waited = await waitForDocument(request, { order, area }, deps);
  if (waited instanceof Answer) return waited;
  const { id, document, task } = waited;
  if (explained !== null) return answerExplainedOrder(request, explained, task);
  const { type, ...question } = toAnswer(request, { taskId: id, order, area });
  const bytes = await deps.writeDocument({ ...question, document }, request.ticket.signal);
  return new Answer(bytes, { headers: { ...noStore, 'content-type': type } });
}

interface WaitDeps extends TaskDeps {
  /** The address that a caller polls who cannot wait; that of statistics by default. */
  readonly toPollPath?: (id: string) => string;
}

/** Orders statistics, or takes those that were ordered, and waits: the document, or the answer that it takes longer. */
export async function waitForDocument(
  request: ApiRequest,
  ordered: TakenStatistics | { readonly id: string },
  { tasks, stopping, toPollPath = (id) => `/api/gdw/api/${id}` }: WaitDeps,
): Promise<Answer | { readonly id: string; readonly document: string; readonly task: Task }> {
  const { owner, signal } = request.ticket;
  const { id } =
    'id' in ordered
      ? ordered
      : await tasks.create({
          owner,
          kind: 'statistics',
          reference: null,
          viewId: null,
          ...ordered,
          estimatedBytes: estimateDocument(ordered.order),
        });
  const task = await tasks.wait(id, owner, {
    waitMs: WAIT_MS,
    signal: signal === undefined ? stopping : AbortSignal.any([signal, stopping]),
  });
  if (task !== null && !isOver(task)) return answerLater(request, task, toPollPath(id));
  const document = task?.state === 'finished' ? await tasks.findDocument(task.id) : null;
  if (task === null || document === null) {
    const { code, message, refusal = 'source-broken' } = task?.error ?? CANCELLED;
    throw new SwathError(refusal, code, message);
  }
  return { id, document, task };
}

/** Reads an order of statistics with the names of params that tasks have. */
export async function readStatisticsOrder(
  request: ApiRequest,
  params: Params,
  deps: TaskDeps,
  expressionsName = NOW_DEFAULTS.expressionsName,
): Promise<TakenStatistics> {
  const defaults = { ...NOW_DEFAULTS, expressionsName };
  const read = await readStatistics(params, { request, defaults }, deps);
  if (read.area === null) throw new SwathError('bad-input', read.order.error.code, read.order.error.message);
  return { ...read, order: { ...read.order, isList: true } };
}

function answerLater(
  { publicUrl }: ApiRequest,
  { id, progress: { done, total } }: Task,
  pollPath: string,
): Answer {
  return Answer.json(
    { status: 'started', task_id: id, progress: total === 0 ? 0 : done / total },
    { status: 202, headers: { ...noStore, location: `${publicUrl}${pollPath}` } },
  );
}

/** The format that the caller accepts: its media type, and what it is written with. */
function toAnswer(
  { headers }: ApiRequest,
  { taskId, order, area }: TakenStatistics & { readonly taskId: string },
) {
  const accept = headers.get('accept') ?? '';
  switch (FORMATS.find(({ accepts }) => accepts.test(accept))?.kind) {
    case 'csv':
      return { kind: 'csv', type: 'text/csv; charset=utf-8' } as const;
    case 'geojson':
      return { kind: 'geojson', type: 'application/geo+json', area } as const;
    default: {
      const histogram = order.kind === 'scenes' ? order.order.histogram : null;
      return { kind: 'json', type: 'application/json', taskId, histogram } as const;
    }
  }
}
