import type { Readable } from 'node:stream';
import { badInput, cancelled, tooLarge } from '../../errors.ts';
import type { BodyBudget } from './body-budget.ts';

/** How much of a body may come, and who sends it. */
interface BodyLimits {
  readonly maxBytes: number;
  readonly owner: string;
  readonly budget: BodyBudget;
}

/**
 * A body in so many chunks of fewer bytes on average is an attack: each chunk costs as much as a thousand bytes do, and
 * clients send chunks of some kilobytes.
 */
const MANY_CHUNKS = 1_024;
const SMALL_CHUNK_BYTES = 64;

/**
 * Reads the whole body of a request, within its own limit and that of all bodies on their way. From Node's stream and by
 * its events: a promise for each chunk would take ten times as long.
 */
export function readBody(body: Readable, { maxBytes, owner, budget }: BodyLimits): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reading = new Promise<Uint8Array>((resolve, reject) => {
    body.on('data', (chunk: Uint8Array) => {
      try {
        if (size + chunk.length > maxBytes) throw refuseTooLarge(maxBytes);
        if (chunks.length >= MANY_CHUNKS && size < SMALL_CHUNK_BYTES * chunks.length)
          throw refuseSmallChunks();
        budget.take(owner, chunk.length);
        size += chunk.length;
        chunks.push(chunk);
      } catch (error) {
        reject(error);
      }
    });
    body.once('end', () => resolve(Buffer.concat(chunks, size)));
    // The connection ended, by the client or by one of our limits, before the body did.
    const refuseIncomplete = (cause?: unknown): void =>
      reject(cancelled('body-incomplete', 'The body ended before it was whole.', { cause }));
    body.once('error', refuseIncomplete);
    body.once('close', () => refuseIncomplete());
  });
  return reading.finally(() => {
    budget.give(owner, size);
    body.removeAllListeners('data');
    body.pause();
  });
}

/** Refuses a body by its announced length; that is only a hint, so the bytes are counted as well. */
export function refuseAnnounced(length: string | null, maxBytes: number): void {
  if (Number(length ?? 0) > maxBytes) throw refuseTooLarge(maxBytes);
}

const refuseTooLarge = (maxBytes: number): Error =>
  tooLarge('body-too-large', `The body is larger than ${maxBytes} bytes.`);

const refuseSmallChunks = (): Error =>
  badInput(
    'body-chunks-too-small',
    `The body comes in more than ${MANY_CHUNKS} chunks of fewer than ${SMALL_CHUNK_BYTES} bytes on average.`,
  );
