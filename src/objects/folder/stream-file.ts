import { open } from 'node:fs/promises';
import { toSystemCode } from '../../files/index.ts';
import { noSuchObject, objectCut } from '../object-errors.ts';
import type { BlobRange } from '../object-store.ts';

/** One read: large enough for the disk, small enough that a thousand slow clients fit in memory. */
const CHUNK_BYTES = 256 * 1024;

/** Opens a file and streams a range of it, or all. The file is closed at the end, after a failure and by cancelling. */
export async function streamFile(
  path: string,
  range: BlobRange | null,
  toError: (error: unknown) => unknown = (error) => error,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw toSystemCode(error) === 'ENOENT' ? noSuchObject(error) : error;
  });
  try {
    const { size } = await file.stat();
    const { start, end } = range ?? { start: 0, end: size };
    if (end > size) throw objectCut(size);
    let position = start;
    let isCancelled = false;
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        async pull(controller) {
          try {
            const bytes = new Uint8Array(Math.min(CHUNK_BYTES, end - position));
            if (bytes.length > 0) {
              const { bytesRead } = await file.read(bytes, 0, bytes.length, position);
              if (bytesRead === 0) throw objectCut(position);
              position += bytesRead;
              if (isCancelled) return;
              controller.enqueue(bytesRead === bytes.length ? bytes : bytes.subarray(0, bytesRead));
            }
            if (position < end) return;
            // With its last bytes, so that the answer is over when its client has them.
            controller.close();
            await file.close();
          } catch (error) {
            await file.close().catch(() => {});
            controller.error(toError(error));
          }
        },
        cancel() {
          isCancelled = true;
          return file.close();
        },
      },
      // Nothing is read before it is asked for.
      { highWaterMark: 0 },
    );
  } catch (error) {
    await file.close();
    throw error;
  }
}
