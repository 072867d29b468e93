import { open } from 'node:fs/promises';
import { throwIfCancelled } from '../../async/index.ts';
import { toWholeMib } from '../../units.ts';
import { tooLarge } from '../errors.ts';

const CHUNK_BYTES = 256 * 1024;

/** The bytes of a file in order. Each chunk has memory of its own: callers keep parts of it. */
export async function* readChunks(path: string, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  await using handle = await open(path, 'r');
  for (;;) {
    throwIfCancelled(signal);
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The first bytes of a file and its size; a larger one than the limit throws `shape-file-too-large`. */
export async function readHead(
  path: string,
  bytes: number,
  maxBytes: number,
): Promise<{ readonly head: Buffer; readonly size: number }> {
  await using handle = await open(path, 'r');
  const { size } = await handle.stat();
  if (size > maxBytes)
    throw tooLarge('shape-file-too-large', `The file has more than ${toWholeMib(maxBytes)} MiB.`, {
      details: { maxBytes },
    });
  const buffer = Buffer.alloc(Math.min(bytes, size));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  return { head: buffer.subarray(0, bytesRead), size };
}
