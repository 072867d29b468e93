import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { cancelled, sourceBroken } from '../errors.ts';
import type { ByteSource } from './byte-source.ts';

/** Opens a local file for reading in ranges. */
export async function openFileSource(path: string): Promise<ByteSource> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw sourceBroken('source-gone', 'A file of this scene cannot be opened.', { cause: error });
  });
  try {
    const { size, mtimeMs, ino } = await file.stat();
    return {
      id: path,
      version: `${ino}-${size}-${mtimeMs}`,
      size,
      isNear: true,
      read: (offset, length, signal) =>
        readExactly(file, { offset, length, size, ...(signal ? { signal } : {}) }),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface ReadRange {
  readonly offset: number;
  readonly length: number;
  readonly size: number;
  readonly signal?: AbortSignal;
}

async function readExactly(
  file: FileHandle,
  { offset, length, size, signal }: ReadRange,
): Promise<Uint8Array> {
  if (signal?.aborted) throw cancelled('cancelled', 'The read was cancelled.');
  // Compared before it is allocated: a lying header must not make us reserve what the file does not hold.
  if (!(offset >= 0 && length >= 0 && offset + length <= size)) {
    throw sourceBroken('source-short', 'A file of this scene ends before the bytes its header promises.');
  }
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file
      .read(bytes, done, length - done, offset + done)
      .catch((error: unknown) => {
        throw sourceBroken('source-unreadable', 'A file of this scene cannot be read.', { cause: error });
      });
    if (bytesRead === 0)
      throw sourceBroken('source-short', 'A file of this scene became shorter while it was read.');
    done += bytesRead;
  }
  return bytes;
}
