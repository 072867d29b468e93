/**
 * Records the traces of a process. Everything here wraps a part of the service from outside, so that a
 * service without traces runs no line of it (docs/decisions/2026-11-18-traces.md).
 */

import { hostname } from 'node:os';
import type { Store } from '../adapters/store/index.ts';
import type { Log, makeApp, makeAuth, makePublicAuth } from '../http/index.ts';
import { toShownAddress } from '../net/index.ts';
import type { CallContext, JobFigures, JobRunner, JobTable } from '../pool/index.ts';
import type { Config } from '../settings/index.ts';
import type { startCallbackSender, startTaskRunner } from '../tasks/index.ts';
import type { SpanCounts, Tracer } from '../tracing/index.ts';
import {
  collectSpans,
  makeSpanExporter,
  makeTracer,
  parseTraceparent,
  toCarrier,
  toTraceparent,
  traceRequests,
} from '../tracing/index.ts';
import { makeNamedServerFetch } from './named-server.ts';

type App = ReturnType<typeof makeApp>;
type Auth = ReturnType<typeof makeAuth>;
type PublicAuth = ReturnType<typeof makePublicAuth>;
type TaskKinds = Parameters<typeof startTaskRunner>[0]['kinds'];
type TraceAttempt = NonNullable<Parameters<typeof startCallbackSender>[0]['traceAttempt']>;

/** The parts of the service with their spans. */
export interface Tracing {
  /** Each request is a span, or the first one of a new trace. */
  app(app: App): App;
  /** Requests state the id of their key. */
  auth(auth: Auth): Auth;
  publicAuth(auth: PublicAuth): PublicAuth;
  /** Each statement is a span; tasks are stored with the trace that they were ordered in. */
  store(store: Store): Store;
  /** Each job is a span, with its wait for bytes and for a thread, and the stages of drawing. */
  jobs<Jobs extends JobTable>(pool: JobRunner<Jobs>): JobRunner<Jobs>;
  /** A function of the main thread as a span. */
  work<Args extends readonly unknown[], Result>(
    name: string,
    work: (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result>;
  /** Each run of a task is a span of the trace that it was ordered in, on whichever node it runs. */
  kinds(kinds: TaskKinds): TaskKinds;
  readonly callbacks: TraceAttempt;
  /** Carries the trace along with calls to other threads. */
  readonly context: CallContext;
  /** Fields of log lines: the trace that they belong to. */
  logFields(): Readonly<Record<string, string>>;
  readCounts(): SpanCounts;
}

interface OpenTracingDeps {
  readonly config: Config;
  readonly url: string;
  readonly version: string;
  readonly log: Log;
  readonly parts: AsyncDisposableStack;
}

/** Builds the tracer and its exporter. */
export function openTracing({ config, url, version, log, parts }: OpenTracingDeps): Tracing {
  const exporter = makeSpanExporter({
    fetch: makeNamedServerFetch(url, 'the collector of traces', config),
    url,
    headers: config.tracesHeaders ?? {},
    resource: {
      'service.name': 'swath',
      'service.version': version,
      'service.instance.id': `${hostname()} ${process.pid}`,
      'swath.roles': config.roles,
    },
    onFailure: (error) =>
      log.warn({ err: error, collector: toShownAddress(url) }, 'the collector of traces fails'),
    onRecovery: () => log.info({}, 'the collector of traces works again'),
  });
  const tracer = makeTracer({ onSpan: exporter.add, onSurplus: exporter.drop, share: config.tracesShare });
  const endRequests = traceRequests(tracer);
  const endThreads = collectSpans(exporter.add);
  parts.defer(async () => {
    endRequests();
    endThreads();
    await exporter.stop();
  });
  const system = config.databaseUrl === null ? 'sqlite' : 'postgresql';
  return {
    app: (app) => traceApp(app, tracer),
    auth: (auth) => ({
      ...auth,
      identify: (call) => noteKey(auth.identify(call), tracer),
      identifyHolder: (...call) => noteKey(auth.identifyHolder(...call), tracer),
    }),
    publicAuth: (auth) => ({
      ...auth,
      async identify(call) {
        const caller = await auth.identify(call);
        tracer.note({ 'swath.key.id': caller.owner });
        return caller;
      },
    }),
    store: (store) => traceStore(store, { tracer, system }),
    jobs: (pool) => traceJobs(pool, tracer),
    work:
      (name, work) =>
      (...args) =>
        tracer.run(name, {}, () => work(...args)),
    kinds: (kinds) => traceKinds(kinds, tracer),
    callbacks: ({ task, callback }, send) => {
      const parent = parseTraceparent(task.traceparent);
      if (parent === null) return send(undefined);
      const start = {
        parent,
        kind: 'producer' as const,
        attributes: { 'swath.task.id': task.id, 'swath.callback.attempt': callback.attempts },
      };
      return tracer.runRoot('callback', start, (span) => send(toTraceparent(span ?? parent)));
    },
    context: toCarrier(tracer),
    logFields(): Readonly<Record<string, string>> {
      const context = tracer.current();
      return context?.isSampled === true ? { trace_id: context.traceId, span_id: context.spanId } : {};
    },
    readCounts: exporter.counts,
  };
}

/** Probes of monitoring come every few seconds and do nothing. */
const UNTRACED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

const traceApp =
  (app: App, tracer: Tracer): App =>
  async (call) => {
    const parent = parseTraceparent(call.headers.get('traceparent'));
    const route = call.match?.route?.shownPath ?? 'unknown';
    if (parent === null && (UNTRACED.has(route) || !tracer.pick())) return app(call);
    const { method } = call;
    // The path may hold a token, and the query a key: only the route is recorded.
    const attributes = { 'http.request.method': method, 'http.route': route };
    return tracer.runRoot(`${method} ${route}`, { parent, kind: 'server', attributes }, async (span) => {
      const answer = await app(call);
      span?.set({
        'http.response.status_code': answer.status,
        'swath.request.id': answer.headers.get('x-request-id') ?? '',
      });
      if (answer.status >= 500) span?.end(String(answer.status));
      return answer;
    });
  };

async function noteKey<Caller extends { readonly key: { readonly id: string } }>(
  identified: Promise<Caller>,
  tracer: Tracer,
): Promise<Caller> {
  const caller = await identified;
  // The id is in the log too; the key itself is nowhere.
  tracer.note({ 'swath.key.id': caller.key.id });
  return caller;
}

type Method = (...args: readonly unknown[]) => unknown;

interface StoreTracing {
  readonly tracer: Tracer;
  readonly system: string;
}

function traceStore(store: Store, { tracer, system }: StoreTracing): Store {
  const wrapped = Object.entries(store).map(([name, part]: [string, unknown]) =>
    typeof part === 'object' && part !== null
      ? [name, tracePort(name, part as Readonly<Record<string, unknown>>)]
      : [name, part],
  );
  const traced = { ...store, ...Object.fromEntries(wrapped) } as Store;
  const { tasks } = traced;
  return {
    ...traced,
    tasks: {
      ...tasks,
      create(task, limits, callback) {
        const context = tracer.current();
        const ordered = context === null ? task : { ...task, traceparent: toTraceparent(context) };
        return tasks.create(ordered, limits, callback);
      },
    },
  };

  function tracePort(port: string, methods: Readonly<Record<string, unknown>>) {
    const names = new Set<string>();
    for (let layer = methods; layer !== Object.prototype; layer = Object.getPrototypeOf(layer))
      for (const name of Object.getOwnPropertyNames(layer)) if (name !== 'constructor') names.add(name);
    return Object.fromEntries(
      [...names].map((name) => {
        const method = methods[name];
        return [name, typeof method === 'function' ? traceMethod(port, name, method.bind(methods)) : method];
      }),
    );
  }

  function traceMethod(port: string, name: string, method: Method): Method {
    const operation = `${port}.${name}`;
    return (...args) => {
      const span = tracer.begin(`store ${operation}`, {
        kind: 'client',
        attributes: { 'db.system.name': system, 'db.operation.name': operation },
      });
      const result = method(...args);
      if (span === null) return result;
      // A result that is not a promise is a subscription or an iteration, which ends later.
      if (!(result instanceof Promise)) return result;
      result.then(
        () => span.end(),
        (error: unknown) => span.end(toCode(error)),
      );
      return result;
    };
  }
}

const toCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'error';

function traceJobs<Jobs extends JobTable>(pool: JobRunner<Jobs>, tracer: Tracer): JobRunner<Jobs> {
  return {
    run(kind, input, ticket) {
      if (tracer.current()?.isSampled !== true) return pool.run(kind, input, ticket);
      const attributes = { 'swath.lane': ticket.lane, 'swath.key.id': ticket.owner };
      return tracer.run(`job ${kind}`, { attributes }, async () => {
        const startMs = tracer.nowMs();
        const result = await pool.run(kind, input, ticket);
        // The times of a shared run are those of its first caller.
        if (result.shared) tracer.note({ 'swath.shared': true });
        else recordJob(result, { startMs, endMs: tracer.nowMs() }, tracer);
        return result;
      });
    },
  };
}

interface RunJob {
  readonly output: unknown;
  readonly queuedMs: number;
  readonly ranMs: number;
  readonly fetchedMs?: number;
  readonly figures?: JobFigures;
}

/** Names of what a thread counts, as attributes. */
const toAttributes = (figures: JobFigures = {}) =>
  Object.fromEntries(Object.entries(figures).map(([name, count]) => [`swath.${name}`, count]));

/** The parts of a job, from the times that its thread measured: one follows the other. */
function recordJob(
  { output, queuedMs, ranMs, fetchedMs = 0, figures }: RunJob,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  tracer: Tracer,
): void {
  const ranFromMs = Math.max(startMs, endMs - ranMs);
  if (fetchedMs > 0) tracer.record('fetch', { startMs, endMs: startMs + fetchedMs });
  tracer.record('queue', { startMs: Math.max(startMs, ranFromMs - queuedMs), endMs: ranFromMs });
  const run = tracer.record('run', { startMs: ranFromMs, endMs, attributes: toAttributes(figures) });
  let stageMs = ranFromMs;
  for (const [stage, ms] of Object.entries(findStages(output))) {
    tracer.record(stage, { startMs: stageMs, endMs: stageMs + ms }, run);
    stageMs += ms;
  }
}

/** The stages of drawing; other jobs have none. */
function findStages(output: unknown): Readonly<Record<string, number>> {
  if (typeof output !== 'object' || output === null || !('stagesMs' in output)) return {};
  return output.stagesMs as Readonly<Record<string, number>>;
}

function traceKinds(kinds: TaskKinds, tracer: Tracer): TaskKinds {
  const traced = Object.entries(kinds).map(([name, kind]): [string, TaskKinds[string]] => [
    name,
    {
      discard: (file) => kind.discard(file),
      run(task, work) {
        const parent = parseTraceparent(task.traceparent);
        if (parent === null && !tracer.pick()) return kind.run(task, work);
        const isFirst = task.attempts === 0 && task.deaths === 0;
        if (parent !== null && isFirst)
          tracer.record(
            'task queue',
            { startMs: Date.parse(task.createdAt), endMs: tracer.nowMs(), kind: 'consumer' },
            parent,
          );
        const attributes = {
          'swath.task.id': task.id,
          'swath.task.attempt': task.attempts + task.deaths + 1,
          'swath.key.id': task.owner,
        };
        return tracer.runRoot(`task ${name}`, { parent, kind: 'consumer', attributes }, () =>
          kind.run(task, work),
        );
      },
    },
  ]);
  return Object.fromEntries(traced);
}
