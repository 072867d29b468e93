/** `explain`: how it is documented, and the one way in which every operation is explained. */

import type { JobReport, Ticket } from '../../pool/index.ts';
import { Answer, toServerTiming } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import type { ExplainMode } from '../kit/parameters.ts';
import { explainParameters } from '../kit/parameters.ts';
import { EXPLANATION_TYPE, explanation } from './explain-schema.ts';

/** An operation that can be explained: its documentation has the parameter, and the form of the explanation. */
export function explainable(endpoint: Endpoint, schema: JsonSchema = explanation): Endpoint {
  const { query, answers } = endpoint;
  const { 200: ok = { description: 'The explanation, with explain=1.' } } = answers;
  const content = { ...ok.content, [EXPLANATION_TYPE]: schema };
  return {
    ...endpoint,
    query: { ...query, ...explainParameters },
    answers: { ...answers, 200: { ...ok, content } },
  };
}

/** What is explained of a request. */
export interface ExplainedWork<Result> {
  /** The plan as it is answered. Nothing is read for it but headers and caches. */
  readonly plan: ExplanationBody;
  /** Does what the request asks for, on a ticket whose jobs are reported. */
  readonly work: (ticket: Ticket) => Promise<Result>;
  /** What is known of the result beyond the reports of its jobs. */
  readonly describe?: ((result: Result) => WorkReport) | undefined;
}

interface WorkReport {
  /** By default those of the jobs, added up. */
  readonly stagesMs?: Readonly<Record<string, number>>;
  readonly picture?: { readonly format: string; readonly bytes: Uint8Array };
  /** Without quotes: that of what was made, which is newer than the plan if files were replaced. */
  readonly etag?: string;
}

/** Answers with the plan of a request; with `drawn` also does its work, and says where the time went. */
export async function answerExplained<Result>(
  request: ApiRequest,
  mode: ExplainMode,
  { plan, work, describe }: ExplainedWork<Result>,
): Promise<Answer> {
  if (mode === 'plan') return answerExplanation(request, plan);
  const trace = traceJobs(request.ticket);
  const result = await work(trace.ticket);
  const { stagesMs, picture, etag } = describe?.(result) ?? {};
  const drawn = {
    ...trace.toDrawn(stagesMs),
    ...(picture === undefined ? {} : { picture: { format: picture.format, bytes: picture.bytes.length } }),
  };
  const isTagged = plan.etag !== undefined && etag !== undefined;
  return answerExplanation(request, { ...plan, ...(isTagged ? { etag: `"${etag}"` } : {}), drawn });
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

/** An explanation, and what it explains. */
export interface ExplanationBody extends Readonly<Record<string, unknown>> {
  readonly explains: string;
  readonly drawn?: { readonly stages_ms: Readonly<Record<string, number>> };
}

/** Collects what the jobs of a ticket take. */
interface JobTrace {
  readonly ticket: Ticket;
  /** Where the time went since the trace began; without stages, those of the jobs are added up. */
  toDrawn(stagesMs?: Readonly<Record<string, number>>): DrawnExplanation;
}

type DrawnExplanation = ReturnType<typeof toDrawn>;

/** Begins to trace the work of a request. */
function traceJobs(ticket: Ticket): JobTrace {
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
