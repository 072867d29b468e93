export type { TraceResource } from './otlp.ts';
export { makeSpanExporter, type SpanCounts, type SpanExporter } from './span-exporter.ts';
export { parseTraceparent, type TraceContext, toTraceparent } from './trace-context.ts';
export { traceRequests } from './trace-requests.ts';
export { collectSpans, type TraceCarrier, toCarrier, traceThread } from './trace-threads.ts';
export { makeTracer, type Span, type Tracer } from './tracer.ts';
