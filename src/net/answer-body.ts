import { sourceBroken } from '../errors.ts';
import type { ResponseHead } from './response.ts';

/** Collects a body as its chunks arrive. */
export interface AnswerBody {
  /** Copies a chunk; throws when it goes over the limit. */
  add(chunk: Uint8Array): void;
  /** What arrived. */
  finish(): Uint8Array;
}

interface BodyOptions {
  readonly maxBytes: number;
  /** Memory of exactly this length. */
  readonly allocate?: ((byteLength: number) => Uint8Array) | undefined;
}

const allocateUncleared = (byteLength: number): Uint8Array =>
  new Uint8Array(Buffer.allocUnsafeSlow(byteLength).buffer);

/** Starts a body of at most `maxBytes`; throws when its announced length is above that. */
export function startBody(
  head: ResponseHead,
  { maxBytes, allocate = allocateUncleared }: BodyOptions,
): AnswerBody {
  const announced = Number(head.header('content-length') ?? Number.NaN);
  if (announced > maxBytes) throw tooLong();
  // A length that was announced and fits is allocated at once, and not cleared: what is not filled is cut off.
  let bytes = allocate(Number.isSafeInteger(announced) && announced >= 0 ? announced : 0);
  let filled = 0;
  return {
    add(chunk) {
      const needed = filled + chunk.length;
      if (needed > maxBytes) throw tooLong();
      if (needed > bytes.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max(needed, 2 * bytes.length)));
        larger.set(bytes.subarray(0, filled));
        bytes = larger;
      }
      bytes.set(chunk, filled);
      filled = needed;
    },
    finish: () => (filled === bytes.length ? bytes : bytes.slice(0, filled)),
  };
}

const tooLong = () => sourceBroken.about('source-too-long', '{server} sent more bytes than were asked for.');
