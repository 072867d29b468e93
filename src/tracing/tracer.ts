import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceContext } from './trace-context.ts';
import { makeSpanId, makeTraceId } from './trace-context.ts';

/** The role of a span: `server` and `client` are the two ends of a request, `producer` and `consumer` those of a queue. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** What is known about a span, by the names of OpenTelemetry where it has one. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span that has ended. Plain values, so that it can be sent between threads. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since 1970, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  /** The code of the failure; null if the work did not fail. */
  readonly error: string | null;
}

/** A span under way. */
export interface OpenSpan extends TraceContext {
  set(attributes: SpanAttributes): void;
  /** Ends the span; the code of its failure, if it failed. */
  end(failure?: string): void;
}

/** What a span begins with. */
interface SpanStart {
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
}

/** A span whose times are known. */
interface PastSpan extends SpanStart {
  readonly startMs: number;
  readonly endMs: number;
}

/** Makes the spans of one thread. The current span follows its work through promises and timers. */
export interface Tracer {
  /** The context of the work under way; null if it belongs to no trace. */
  current(): TraceContext | null;
  /** Adds attributes to the current span. */
  note(attributes: SpanAttributes): void;
  /** Begins a span below the current one; null unless that is sampled, or if its trace has too many spans. */
  begin(name: string, start?: SpanStart): OpenSpan | null;
  /** Runs work in a span below the current one, or without a span where there is none. */
  run<Result>(name: string, start: SpanStart, work: () => Promise<Result>): Promise<Result>;
  /** Whether a new trace is recorded, by the share of the settings: nothing is allocated for those that are not. */
  pick(): boolean;
  /** Runs work in the first span of this thread: of a new trace, which was picked, or below the parent if that is sampled. */
  runRoot<Result>(
    name: string,
    start: SpanStart & { readonly parent: TraceContext | null },
    work: (span: OpenSpan | null) => Promise<Result>,
  ): Promise<Result>;
  /** Records a span that is over, below a context: by default the current one. */
  record(name: string, span: PastSpan, parent?: TraceContext | null): TraceContext | null;
  /** Runs work within a context of another thread. */
  enter<Result>(context: TraceContext | null, work: () => Result): Result;
  /** Now, as spans state it. */
  nowMs(): number;
}

interface TracerOptions {
  /** Called with each span at its end. */
  readonly onSpan: (span: Span) => void;
  /** Called for each span that its trace has no room for. */
  readonly onSurplus?: () => void;
  /** The share of new traces that are recorded, from 0 to 1. */
  readonly share?: number;
  readonly random?: () => number;
}

/** Spans of one request or task in one thread: a task may read ten thousand ranges, and no tool shows as many spans. */
export const MAX_SPANS_OF_TRACE = 2_000;

/** What the current work belongs to. */
interface Scope extends TraceContext {
  readonly span: OpenSpan | null;
  /** Spans that may still be made; one object for all scopes below a root. */
  readonly room: { left: number };
}

/** Builds the tracer of a thread. */
export function makeTracer({
  onSpan,
  onSurplus = () => {},
  share = 1,
  random = Math.random,
}: TracerOptions): Tracer {
  const scopes = new AsyncLocalStorage<Scope>();
  const nowMs = makeWallClock();

  function open(
    name: string,
    context: TraceContext,
    parentSpanId: string | null,
    start: SpanStart,
  ): OpenSpan {
    const { kind = 'internal' } = start;
    const { traceId, spanId } = context;
    const startMs = nowMs();
    let attributes: SpanAttributes = start.attributes ?? {};
    let isOver = false;
    return {
      ...context,
      set(more) {
        attributes = { ...attributes, ...more };
      },
      end(failure) {
        if (isOver) return;
        isOver = true;
        onSpan({
          traceId,
          spanId,
          parentSpanId,
          name,
          kind,
          startMs,
          endMs: nowMs(),
          attributes,
          error: failure ?? null,
        });
      },
    };
  }

  function take(room: Scope['room']): boolean {
    room.left -= 1;
    if (room.left < 0) onSurplus();
    return room.left >= 0;
  }

  function begin(name: string, start: SpanStart = {}): OpenSpan | null {
    const scope = scopes.getStore();
    if (scope?.isSampled !== true || !take(scope.room)) return null;
    return open(name, { ...scope, spanId: makeSpanId() }, scope.spanId, start);
  }

  return {
    nowMs,
    begin,
    pick: () => random() < share,
    current: () => scopes.getStore() ?? null,
    note: (attributes) => scopes.getStore()?.span?.set(attributes),
    async run(name, start, work) {
      const span = begin(name, start);
      if (span === null) return work();
      const { room } = scopes.getStore() as Scope;
      return scopes.run({ ...toContext(span), span, room }, () => endWith(span, work));
    },
    async runRoot(name, { parent, ...start }, work) {
      // The parent's decision is passed on, because other services would make their own without it.
      if (parent?.isSampled === false) return enter(parent, () => work(null));
      const context = { traceId: parent?.traceId ?? makeTraceId(), spanId: makeSpanId(), isSampled: true };
      const span = open(name, context, parent?.spanId ?? null, start);
      const room = { left: MAX_SPANS_OF_TRACE - 1 };
      return scopes.run({ ...context, span, room }, () => endWith(span, () => work(span)));
    },
    record(name, { startMs, endMs, kind = 'internal', attributes = {} }, parent = scopes.getStore() ?? null) {
      if (parent?.isSampled !== true) return null;
      const { room = { left: 1 } } = scopes.getStore() ?? {};
      if (!take(room)) return null;
      const { traceId, spanId: parentSpanId } = parent;
      const spanId = makeSpanId();
      onSpan({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, error: null });
      return { traceId, spanId, isSampled: true };
    },
    enter,
  };

  function enter<Result>(context: TraceContext | null, work: () => Result): Result {
    if (context === null) return work();
    return scopes.run({ ...toContext(context), span: null, room: { left: MAX_SPANS_OF_TRACE } }, work);
  }
}

const toContext = ({ traceId, spanId, isSampled }: TraceContext): TraceContext => ({
  traceId,
  spanId,
  isSampled,
});

async function endWith<Result>(span: OpenSpan, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(toFailure(error));
    throw error;
  }
}

/** Codes are chosen by us; messages may hold what a user wrote, or an address with a secret. */
export function toFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** A step of the wall clock that a span may not hide. */
const STEP_MS = 100;

/** The time since 1970 from the monotonic clock, so that no span ends before it began; corrected when the clocks drift apart. */
function makeWallClock(): () => number {
  let offsetMs = performance.timeOrigin;
  return () => {
    const elapsedMs = performance.now();
    const driftMs = Date.now() - (offsetMs + elapsedMs);
    if (Math.abs(driftMs) > STEP_MS) offsetMs += driftMs;
    return offsetMs + elapsedMs;
  };
}
