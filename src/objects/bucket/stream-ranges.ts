import type { BlobRange, StreamOptions } from '../object-store.ts';

/** Reads exactly the bytes of a range. */
export type ReadPiece = (range: BlobRange, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;

/** One request. Two are in memory: one that is being sent on, one that is on its way. */
const PIECE_BYTES = 2 ** 20;

/**
 * Streams a range of a remote object in requests of a piece each, so that one that fails can be repeated and a slow client
 * holds no connection to the store. The first piece is there when this returns.
 */
export async function streamRanges(
  readPiece: ReadPiece,
  { start, end }: BlobRange,
  { signal, toError = (error) => error }: StreamOptions = {},
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const cancelling = new AbortController();
  const either = signal === undefined ? cancelling.signal : AbortSignal.any([signal, cancelling.signal]);
  let position = start;
  const askNext = async (): Promise<Uint8Array<ArrayBuffer> | null> =>
    position < end
      ? readPiece({ start: position, end: Math.min(end, position + PIECE_BYTES) }, either)
      : null;
  const first = await askNext();
  let next = Promise.resolve(first);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const piece = await next;
          if (cancelling.signal.aborted) return;
          if (piece === null) return controller.close();
          position += piece.length;
          next = askNext();
          // Looked at when it is its turn.
          next.catch(() => {});
          controller.enqueue(piece);
          if (position >= end) controller.close();
        } catch (error) {
          controller.error(toError(error));
        }
      },
      cancel: (reason) => cancelling.abort(reason),
    },
    // The one on its way is enough.
    { highWaterMark: 0 },
  );
}
