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
      async read(offset, length, signal) {
        checkRange(offset, length, size);
        const bytes = new Uint8Array(length);
        await readExactly(file, bytes, { offset, signal });
        return bytes;
      },
      async readInto(target, offset, signal) {
        checkRange(offset, target.length, size);
        await readExactly(file, target, { offset, signal });
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Compared before it is allocated: a lying header must not make us reserve what the file does not hold. */
function checkRange(offset: number, length: number, size: number): void {
  if (!(offset >= 0 && length >= 0 && offset + length <= size)) {
    throw sourceBroken('source-short', 'A file of this scene ends before the bytes its header promises.');
  }
}

async function readExactly(
  file: FileHandle,
  bytes: Uint8Array,
  { offset, signal }: { readonly offset: number; readonly signal: AbortSignal | undefined },
): Promise<void> {
  if (signal?.aborted) throw cancelled('cancelled', 'The read was cancelled.');
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await file
      .read(bytes, done, bytes.length - done, offset + done)
      .catch((error: unknown) => {
        throw sourceBroken('source-unreadable', 'A file of this scene cannot be read.', { cause: error });
      });
    if (bytesRead === 0)
      throw sourceBroken('source-short', 'A file of this scene became shorter while it was read.');
    done += bytesRead;
  }
}
