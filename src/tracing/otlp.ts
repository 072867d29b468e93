import type { Span, SpanAttributes, SpanKind } from './tracer.ts';

/** The numbers of the protocol. */
const KINDS: Readonly<Record<SpanKind, number>> = {
  internal: 1,
  server: 2,
  client: 3,
  producer: 4,
  consumer: 5,
};
const STATUS_ERROR = 2;

/** Who sends spans, by the names of OpenTelemetry (`service.name` and so on). */
export type TraceResource = SpanAttributes;

/** Spans as the body of an OTLP request: JSON, with ids in hexadecimal digits and times as strings (OTLP 1.0). */
export const toOtlp = (spans: readonly Span[], resource: TraceResource): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toPairs(resource) },
        scopeSpans: [{ scope: { name: 'swath' }, spans: spans.map(toOtlpSpan) }],
      },
    ],
  });

const toOtlpSpan = ({
  traceId,
  spanId,
  parentSpanId,
  name,
  kind,
  startMs,
  endMs,
  attributes,
  error,
}: Span) => ({
  traceId,
  spanId,
  ...(parentSpanId === null ? {} : { parentSpanId }),
  name,
  kind: KINDS[kind],
  startTimeUnixNano: toNanoseconds(startMs),
  endTimeUnixNano: toNanoseconds(endMs),
  attributes: toPairs(error === null ? attributes : { ...attributes, 'error.type': error }),
  ...(error === null ? {} : { status: { code: STATUS_ERROR, message: error } }),
});

/** Nanoseconds since 1970 do not fit a number; microseconds do. */
const toNanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`;

const toPairs = (attributes: SpanAttributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }));

function toValue(value: SpanAttributes[string]) {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      // 64-bit integers are strings in the JSON of Protocol Buffers.
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
}
