import type { Readable } from 'node:stream';
import { sourceBroken } from '../../errors.ts';

/** Status and headers of an answer whose body has not been read yet. */
export interface ResponseHead {
  readonly status: number;
  /** A header by its lower-case name; null when absent, joined by commas when repeated. */
  header(name: string): string | null;
}

/** Unwanted bodies up to this size are read to their end, so that the connection can be used again. */
const DRAIN_BYTES = 16 * 1024;
/** And no longer than this, or a slow store would hold the connection for hours. */
const DRAIN_MS = 1_000;

interface BodyOptions {
  readonly maxBytes: number;
  readonly onChunk: () => void;
  /** Memory of exactly this length. */
  readonly allocate?: ((byteLength: number) => Uint8Array) | undefined;
}

const allocateUncleared = (byteLength: number): Uint8Array =>
  new Uint8Array(Buffer.allocUnsafeSlow(byteLength).buffer);

type ResponseBody = Readable & { dump(options: { limit: number; signal: AbortSignal }): Promise<void> };

/** Reads a body of at most `maxBytes`; with 0 it is discarded unread. */
export async function readBody(
  body: ResponseBody,
  head: ResponseHead,
  { maxBytes, onChunk, allocate = allocateUncleared }: BodyOptions,
): Promise<Uint8Array> {
  if (maxBytes === 0) {
    // No one waits for it: the answer is known already. A longer or broken body only costs its connection.
    body.dump({ limit: DRAIN_BYTES, signal: AbortSignal.timeout(DRAIN_MS) }).catch(() => body.destroy());
    return new Uint8Array(0);
  }
  const announced = Number(head.header('content-length') ?? Number.NaN);
  if (announced > maxBytes) throw tooLong();
  // A length that was announced and fits is allocated at once, and not cleared: what is not filled is cut off.
  const size = Number.isSafeInteger(announced) && announced >= 0 ? announced : 0;
  let bytes = allocate(size);
  let filled = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    onChunk();
    const needed = filled + chunk.length;
    if (needed > maxBytes) throw tooLong();
    if (needed > bytes.length) {
      const larger = new Uint8Array(Math.min(maxBytes, Math.max(needed, 2 * bytes.length)));
      larger.set(bytes.subarray(0, filled));
      bytes = larger;
    }
    bytes.set(chunk, filled);
    filled = needed;
  }
  return filled === bytes.length ? bytes : bytes.slice(0, filled);
}

const tooLong = () =>
  sourceBroken('source-too-long', 'A store of this scene sent more bytes than were asked for.');

/** How long a `Retry-After` header asks us to wait: seconds or a date; null when it says neither. */
export function parseRetryAfterMs(text: string | null, wallClockMs: number): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Only the one date format HTTP allows: Date.parse alone reads "1" as a year.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - wallClockMs);
}
