import { BroadcastChannel } from 'node:worker_threads';
import type { TraceContext } from './trace-context.ts';
import { traceRequests } from './trace-requests.ts';
import type { Span, Tracer } from './tracer.ts';
import { makeTracer } from './tracer.ts';

/** The channel on which threads send their spans. */
const NAME = 'swath-spans';

/** Carries the context of a call to the thread that answers it (`CallContext` of the pool). */
export interface TraceCarrier {
  take(): TraceContext | null;
  enter<Result>(taken: unknown, work: () => Result): Result;
}

/** Carries the contexts of a tracer between threads. */
export const toCarrier = (tracer: Tracer): TraceCarrier => ({
  take() {
    const context = tracer.current();
    if (context === null) return null;
    const { traceId, spanId, isSampled } = context;
    return { traceId, spanId, isSampled };
  },
  enter: (taken, work) => tracer.enter((taken ?? null) as TraceContext | null, work),
});

/** Receives the spans of other threads. Returns the function that ends this. */
export function collectSpans(onSpan: (span: Span) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: { data: unknown }) => onSpan(data as Span);
  (channel as unknown as { unref(): void }).unref();
  return () => channel.close();
}

/** Begins to record in a thread; its spans go to `collectSpans` on the main thread. */
export function traceThread(): TraceCarrier {
  const channel = new BroadcastChannel(NAME);
  (channel as unknown as { unref(): void }).unref();
  const tracer = makeTracer({ onSpan: (span) => channel.postMessage(span) });
  traceRequests(tracer);
  return toCarrier(tracer);
}
