import type { GuardedFetch } from '../net/index.ts';
import type { TraceResource } from './otlp.ts';
import { toOtlp } from './otlp.ts';
import type { Span } from './tracer.ts';

/** Counts of spans since the start, by outcome. */
export interface SpanCounts {
  readonly sent: number;
  /** The collector was unavailable and the buffer was full, or their trace had too many spans. */
  readonly dropped: number;
  /** The collector refused them. */
  readonly refused: number;
}

/** Sends spans to a collector, in batches. */
export interface SpanExporter {
  /** Never waits: a span that does not fit the buffer is dropped. */
  add(span: Span): void;
  /** Counts a span that was never made. */
  drop(): void;
  counts(): SpanCounts;
  /** Sends what is left, within the time limit of one request. */
  stop(): Promise<void>;
}

interface ExporterOptions {
  readonly fetch: GuardedFetch;
  /** The address of the collector, without `/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: TraceResource;
  /** Called when the collector fails after it worked, with the reason. */
  readonly onFailure: (error: unknown) => void;
  /** Called when the collector works again. */
  readonly onRecovery: () => void;
  readonly maxWaiting?: number;
  readonly everyMs?: number;
}

/** Spans in the buffer: some seconds of a busy node, about 4 MB. */
const MAX_WAITING = 8_192;
/** Spans of one request, about 300 kB. */
const MAX_BATCH = 512;
const EVERY_MS = 1_000;
/** Pauses between attempts while the collector fails: 1 s, 2 s, 4 s … */
const MAX_PAUSE_MS = 60_000;
/** Statuses after which the same spans are sent again (OTLP 1.0). */
const RETRIED = new Set([429, 502, 503, 504]);
/** Only the status of the answer matters. */
const ANSWER_BYTES = 64 * 1024;

/** Builds the exporter and starts its timer. */
export function makeSpanExporter({
  fetch,
  url,
  headers,
  resource,
  onFailure,
  onRecovery,
  maxWaiting = MAX_WAITING,
  everyMs = EVERY_MS,
}: ExporterOptions): SpanExporter {
  let waiting: Span[] = [];
  let sending: Promise<void> | null = null;
  let failures = 0;
  let notBeforeMs = 0;
  const counts = { sent: 0, dropped: 0, refused: 0 };

  async function post(batch: readonly Span[]): Promise<'sent' | 'refused'> {
    const { status } = await fetch({
      url: `${url}/v1/traces`,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: toOtlp(batch, resource),
      limitBody: () => ANSWER_BYTES,
    });
    if (status >= 200 && status < 300) return 'sent';
    const error = new Error(`the collector answers with status ${status}`);
    if (RETRIED.has(status)) throw error;
    if (failures === 0) onFailure(error);
    return 'refused';
  }

  /** Sends batch after batch until the buffer is empty or the collector fails. */
  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      try {
        const outcome = await post(batch);
        counts[outcome] += batch.length;
        waiting = waiting.slice(batch.length);
        if (failures > 0) onRecovery();
        failures = 0;
      } catch (error) {
        if (failures === 0) onFailure(error);
        failures += 1;
        notBeforeMs = performance.now() + Math.min(MAX_PAUSE_MS, everyMs * 2 ** Math.min(failures, 10));
        return;
      }
    }
  }

  const send = (): Promise<void> => {
    sending ??= sendAll().finally(() => {
      sending = null;
    });
    return sending;
  };

  const timer = setInterval(() => {
    if (waiting.length > 0 && performance.now() >= notBeforeMs) void send();
  }, everyMs).unref();

  return {
    add(span) {
      if (waiting.length >= maxWaiting) counts.dropped += 1;
      else waiting.push(span);
    },
    drop() {
      counts.dropped += 1;
    },
    counts: () => ({ ...counts }),
    async stop() {
      clearInterval(timer);
      await sending;
      await send();
      counts.dropped += waiting.length;
      waiting = [];
    },
  };
}
