/** Bodies of requests as bytes: how many may be on their way, how they are read, and whose turn it is to be parsed. */

import type { Readable } from 'node:stream';
import { badInput, cancelled, tooBusy, tooLarge } from '../../errors.ts';

/** Counts the bytes of request bodies in memory. */
export interface BodyBudget {
  /** Counts more bytes of a caller's body; throws when the caller, or all together, would hold too many. */
  take(owner: string, bytes: number): void;
  give(owner: string, bytes: number): void;
}

interface BodyBudgetOptions {
  readonly maxBytes: number;
  readonly maxBytesPerOwner: number;
}

/** Builds the budget: one caller's slow bodies fill its own part of the memory and no more. */
export function makeBodyBudget({ maxBytes, maxBytesPerOwner }: BodyBudgetOptions): BodyBudget {
  const held = new Map<string, number>();
  let total = 0;
  const change = (owner: string, bytes: number): void => {
    const own = (held.get(owner) ?? 0) + bytes;
    total += bytes;
    if (own > 0) held.set(owner, own);
    else held.delete(owner);
  };
  return {
    take(owner, bytes) {
      if (total + bytes > maxBytes || (held.get(owner) ?? 0) + bytes > maxBytesPerOwner) {
        throw tooBusy('too-many-bodies', 'Too many request bodies are on their way; ask again in a moment.');
      }
      change(owner, bytes);
    },
    give: (owner, bytes) => change(owner, -bytes),
  };
}

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
