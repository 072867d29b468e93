/** `explain`: the parameter, and explanations as they are answered. */

import type { Grid } from '../../geo/index.ts';
import { gridBounds } from '../../geo/index.ts';
import type { JobReport, Ticket } from '../../pool/index.ts';
import type {
  ExplainedInput,
  ExplainedIntensity,
  ExplainedPicture,
  ExplainedPoint,
} from '../../render/index.ts';
import { Answer, toServerTiming } from '../kit/answers.ts';
import { toShortest } from '../kit/bodies.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { Query } from '../kit/parameters.ts';
import { choice, defineParameters } from '../kit/parameters.ts';
import { EXPLANATION_TYPE } from './explain-schema.ts';

/** The parameter of every operation that can be explained. */
export const explainParameters = defineParameters({
  explain: choice({
    description:
      '1 answers with the plan as JSON, without reading pixels: scenes, files, windows, blocks, steps, cost and caches; drawn also does the work and says where the time went. 0 by default.',
    names: ['0', '1', 'drawn'],
    ignoresCase: true,
    fallback: '0',
  }),
});

/** What is explained: the plan, or the plan and its execution. */
export type ExplainMode = 'plan' | 'drawn';

/** The explanation that a request asks for; null for a plain answer. */
export function readExplainMode(query: Query): ExplainMode | null {
  const mode = explainParameters.explain.read(query);
  if (mode === '0') return null;
  return mode === '1' ? 'plan' : 'drawn';
}

/** Answers with an explanation, which is true for a moment: no client caches it. */
export function answerExplanation(request: ApiRequest, { explains, ...parts }: ExplanationBody): Answer {
  const body = { explains, request_id: request.id, ...parts };
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (parts.drawn !== undefined) headers['server-timing'] = toServerTiming(parts.drawn.stages_ms);
  const answer = Answer.json(body, { headers });
  answer.headers.set('content-type', EXPLANATION_TYPE);
  return answer;
}

interface ExplanationBody extends Readonly<Record<string, unknown>> {
  readonly explains: string;
  readonly drawn?: { readonly stages_ms: Readonly<Record<string, number>> };
}

/** Collects what the jobs of a ticket take. */
export interface JobTrace {
  readonly ticket: Ticket;
  /** Where the time went since the trace began; without stages, those of the jobs are added up. */
  toDrawn(stagesMs?: Readonly<Record<string, number>>): DrawnExplanation;
}

type DrawnExplanation = ReturnType<typeof toDrawn>;

/** Begins to trace the work of a request. */
export function traceJobs(ticket: Ticket): JobTrace {
  const jobs: JobReport[] = [];
  const startedAt = performance.now();
  return {
    ticket: {
      ...ticket,
      onJob(report) {
        if (!jobs.some((other) => isSameRun(report, other))) jobs.push(report);
      },
    },
    toDrawn: (stagesMs) => toDrawn(jobs, performance.now() - startedAt, stagesMs),
  };
}

/** Channels of one picture share the run that counts clouds: it is reported to each of them, and counts once. */
const isSameRun = (one: JobReport, other: JobReport): boolean =>
  one.shared && one.kind === other.kind && one.queuedMs === other.queuedMs && one.ranMs === other.ranMs;

function toDrawn(jobs: readonly JobReport[], totalMs: number, stagesMs = sumStages(jobs)) {
  const sum = (name: string): number =>
    jobs.reduce((total, { figures }) => total + (figures?.[name] ?? 0), 0);
  return {
    total_ms: round(totalMs),
    stages_ms: Object.fromEntries(Object.entries(stagesMs).map(([stage, ms]) => [stage, round(ms)])),
    jobs: jobs.map(({ kind, queuedMs, fetchedMs, ranMs, shared, figures = {} }) => ({
      job: kind,
      queue_ms: round(queuedMs),
      ...(fetchedMs === undefined ? {} : { fetch_ms: round(fetchedMs) }),
      run_ms: round(ranMs),
      shared,
      ...toFigures((name) => figures[name] ?? 0),
    })),
    ...toFigures(sum),
  };
}

const sumStages = (jobs: readonly JobReport[]): Readonly<Record<string, number>> => ({
  fetch: jobs.reduce((total, { fetchedMs = 0 }) => total + fetchedMs, 0),
  queue: jobs.reduce((total, { queuedMs }) => total + queuedMs, 0),
  run: jobs.reduce((total, { ranMs }) => total + ranMs, 0),
});

const toFigures = (read: (name: string) => number) => ({
  blocks_decoded: read('decodedBlocks'),
  blocks_cached: read('cachedBlocks'),
  bytes_read: read('readBytes'),
  bytes_fetched: read('fetchedBytes'),
});

/** Microseconds mean nothing here. */
const round = (ms: number): number => Math.round(100 * ms) / 100;

/** A picture, or its legend. */
export const toPictureExplanation = (explains: 'picture' | 'legend', explained: ExplainedPicture) => ({
  explains,
  etag: `"${explained.etag}"`,
  bands: explained.bands,
  scenes: explained.scenes.map(toWireScene),
  grid: toWireGrid(explained.grid),
  empty: explained.isEmpty,
  inputs: explained.inputs.map(toWireInput),
  steps: explained.steps,
  channels: explained.channels.map(toWireChannel),
  cost: toWireCost(explained.cost),
  cached: explained.isCached,
});

/** An intensity range. */
export const toIntensityExplanation = (bands: string, explained: ExplainedIntensity) => ({
  explains: 'intensity',
  bands,
  scenes: explained.scenes.map(toWireScene),
  cached: explained.isStored || explained.isFixed,
  cloud_cover: explained.cover.kind,
  samples: explained.samples.map(({ grid, inputs, cost, ...sample }) => ({
    ...sample,
    grid: toWireGrid(grid),
    inputs: inputs.map(toWireInput),
    cost: toWireCost(cost),
  })),
});

/** The value at a point. */
export const toPointExplanation = ({ bands, scenes, inputs, steps, cost }: ExplainedPoint) => ({
  explains: 'point',
  bands,
  scenes: scenes.map(toWireScene),
  inputs: inputs.map(toWireInput),
  steps,
  cost: toWireCost(cost),
});

const toWireScene = ({ viewId, sceneVersion, role }: ExplainedPicture['scenes'][number]) => ({
  view_id: viewId,
  version: sceneVersion,
  role,
});

/** A grid as people compare it: by its size and its bounds. */
export function toWireGrid(grid: Grid) {
  const { epsg, width, height } = grid;
  const { minX, minY, maxX, maxY } = gridBounds(grid);
  return { epsg, width, height, bounds: [minX, minY, maxX, maxY] };
}

/** An input of any explanation. */
export function toWireInput({ viewId, file, bandIndex, read, survey, problem, ...input }: ExplainedInput) {
  const { role, band, rule, parameters, isAbsent } = input;
  return {
    role,
    band,
    view_id: viewId,
    file: { ...file, band_index: bandIndex },
    read: read && {
      level: read.level,
      level_size: read.levelSize,
      window: read.window,
      resampling: read.method,
    },
    calibration: {
      rule,
      // Kernels compute with float32.
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, value]) => [name, toShortest(value)]),
      ),
    },
    ...(isAbsent ? { absent: true } : {}),
    ...(survey === null ? {} : { blocks: toWireBlocks(survey) }),
    ...(problem === null ? {} : { problem: { code: problem.code, error: problem.message } }),
  };
}

const toWireBlocks = (survey: NonNullable<ExplainedInput['survey']>) => ({
  format: survey.format,
  block_size: survey.blockSize,
  count: survey.blocks,
  surveyed: survey.surveyedBlocks,
  cached: survey.cachedBlocks,
  bytes_stored: survey.storedBytes,
  bytes_decoded: survey.decodedBytes,
  bytes_in_memory: survey.memoryBytes,
  bytes_on_disk: survey.diskBytes,
});

function toWireChannel(channel: ExplainedPicture['channels'][number]) {
  if (channel.kind === 'fixed') return toWireContrast('fixed', channel);
  const { cut } = channel;
  const measured = { percentiles: [cut.lowPercent, cut.highPercent], cloud_cover: cut.cover.kind };
  return channel.kind === 'stored'
    ? { ...toWireContrast('stored', channel), ...measured }
    : { contrast: 'to-be-measured', ...measured, sample: channel.sample };
}

const toWireContrast = (
  contrast: 'fixed' | 'stored',
  { min, max, gamma }: { readonly min: number; readonly max: number; readonly gamma?: number },
) => ({ contrast, min, max, ...(gamma === undefined ? {} : { gamma }) });

/** What the work takes. */
export const toWireCost = ({ bytes, limitBytes, work, limitWork }: ExplainedPicture['cost']) => ({
  bytes,
  bytes_limit: limitBytes,
  work,
  work_limit: limitWork,
});
