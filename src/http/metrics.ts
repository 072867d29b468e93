/** The metrics of the service: what it counts and times as it happens, and their endpoint. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Answer } from './kit/answers.ts';
import type { Endpoint } from './kit/endpoint.ts';
import type { ScrapedMetrics } from './scraped-metrics.ts';
import { scrapeInto } from './scraped-metrics.ts';

/** What the service counts, for Prometheus. Labels never hold a key, an address or a scene. */
export interface Metrics extends ScrapedMetrics {
  /** Counts a request as in flight, until `observeRequest`. */
  beginRequest(): void;
  observeRequest(request: { route: string; method: string; status: number; seconds: number }): void;
  /** Counts a request that was answered before it took any time. */
  countEarlyAnswer(status: number, method: string): void;
  observeRender(stage: string, seconds: number): void;
  /** Counts a connection that was closed on its client. */
  countCut(reason: string): void;
  /** Counts a run of a task in this process, by how it ended, and how long it took. */
  observeTask(task: Readonly<Record<'id' | 'kind' | 'owner', string>>, end: string, ms: number): void;
  /** Counts an attempt at a callback in this process, by how it ended. */
  countCallback(end: string): void;
  /** Observes a job of the pixel threads. */
  observeJob(job: { owner: string; kind: string; lane: string; queuedMs: number; ranMs: number }): void;
  /** Observes a question to a provider of weather. */
  observeProvider(use: { provider: string; outcome: string; ms: number }): void;
  /** The text format of Prometheus. */
  render(): Promise<{ readonly text: string; readonly contentType: string }>;
}

interface MetricsDeps {
  readonly version: string;
  /** Each task and each job is one line of the debug log, because metrics do not say whose it was. */
  readonly log: { debug(fields: object, text: string): void };
}

/** From a job that finds all its blocks decoded to the longest part of a task. */
const JOB_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

/** Builds the metrics of one process. */
export function makeMetrics({ version, log }: MetricsDeps): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const registers = [register];
  const requests = new Counter({
    name: 'swath_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  let inFlight = 0;
  new Gauge({
    name: 'swath_http_requests_in_flight',
    help: 'Requests that are being answered.',
    registers,
    collect() {
      this.set(inFlight);
    },
  });
  const seconds = new Histogram({
    name: 'swath_http_request_seconds',
    help: 'Time to answer a request.',
    labelNames: ['route'],
    // From a cached tile to the render time limit.
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const stages = new Histogram({
    name: 'swath_render_stage_seconds',
    help: 'Time spent in each stage of a render.',
    labelNames: ['stage'],
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2, 10],
    registers,
  });
  const cuts = new Counter({
    name: 'swath_connections_cut_total',
    help: 'Connections closed on their clients, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const taskRuns = new Counter({
    name: 'swath_task_runs_total',
    help: 'Runs of tasks in this process, by kind and how they ended.',
    labelNames: ['kind', 'end'],
    registers,
  });
  const taskSeconds = new Histogram({
    name: 'swath_task_seconds',
    help: 'Time that runs of tasks took.',
    labelNames: ['kind'],
    // From a small crop to a full scene on a slow disk.
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
    registers,
  });
  const callbacks = new Counter({
    name: 'swath_callbacks_total',
    help: 'Attempts at callbacks of tasks in this process, by how they ended.',
    labelNames: ['end'],
    registers,
  });
  const ran = new Histogram({
    name: 'swath_pool_job_seconds',
    help: 'Time that pixel threads worked on a job, by kind.',
    labelNames: ['kind'],
    buckets: JOB_BUCKETS,
    registers,
  });
  const queued = new Histogram({
    name: 'swath_pool_wait_seconds',
    help: 'Time that jobs waited for a pixel thread, by lane.',
    labelNames: ['lane'],
    buckets: JOB_BUCKETS,
    registers,
  });
  const asked = new Histogram({
    name: 'swath_weather_provider_seconds',
    help: 'Time that providers of weather took to answer: with values (answered), without (nothing), or not (failed).',
    labelNames: ['provider', 'outcome'],
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 2.5, 10],
    registers,
  });
  new Gauge({ name: 'swath_info', help: 'Version of the program.', labelNames: ['version'], registers }).set(
    { version },
    1,
  );

  return {
    ...scrapeInto(register),
    beginRequest() {
      inFlight += 1;
    },
    observeRequest({ route, method, status, seconds: duration }) {
      inFlight -= 1;
      requests.inc({ route, method, status: String(status) });
      seconds.observe({ route }, duration);
    },
    countEarlyAnswer: (status, method) =>
      requests.inc({ route: 'front door', method, status: String(status) }),
    observeRender: (stage, duration) => stages.observe({ stage }, duration),
    countCut: (reason) => cuts.inc({ reason }),
    observeTask({ id, kind, owner }, end, ms) {
      taskRuns.inc({ kind, end });
      taskSeconds.observe({ kind }, ms / 1000);
      log.debug({ task_id: id, kind, key: owner, end, ms }, 'task');
    },
    observeJob({ owner, kind, lane, queuedMs, ranMs }) {
      ran.observe({ kind }, ranMs / 1_000);
      queued.observe({ lane }, queuedMs / 1_000);
      log.debug({ kind, lane, key: owner, queued_ms: queuedMs, ran_ms: ranMs }, 'job');
    },
    observeProvider: ({ provider, outcome, ms }) => asked.observe({ provider, outcome }, ms / 1_000),
    countCallback: (end) => callbacks.inc({ end }),
    render: async () => ({ text: await register.metrics(), contentType: register.contentType }),
  };
}

/** `GET /metrics` in the text format of Prometheus. */
export const metricsText = (metrics: Metrics): Endpoint => ({
  summary: 'Metrics for Prometheus',
  tag: 'Service',
  answers: { 200: { description: 'Metrics.', content: { 'text/plain': null } } },
  async handle() {
    const { text, contentType } = await metrics.render();
    return new Answer(text, { headers: { 'content-type': contentType, 'cache-control': 'no-store' } });
  },
});
