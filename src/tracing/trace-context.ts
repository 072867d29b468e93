import { randomBytes } from 'node:crypto';

/** Where in a trace some work belongs: the trace, and the span that the work is a part of. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the spans of this trace are recorded. */
  readonly isSampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a `traceparent` header (W3C Trace Context); null for an invalid one, which is ignored. */
export function parseTraceparent(text: string | null | undefined): TraceContext | null {
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(text ?? '') ?? [];
  // Later versions may add fields; version 00 has none, and ff is not a version.
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The `traceparent` header of a context. */
export const toTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** A new trace id; it is never all zeros in practice, because it has 128 random bits. */
export const makeTraceId = (): string => randomBytes(16).toString('hex');

/** A new span id. */
export const makeSpanId = (): string => randomBytes(8).toString('hex');
