import { constants, fstatSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { throwIfCancelled } from '../../async/index.ts';
import type { SwathError } from '../../errors.ts';
import { sourceBroken } from '../../errors.ts';
import { isGone, toFileStamp } from '../../files/index.ts';
import type { ByteSource } from '../ranges/byte-source.ts';

/** The error of a file that cannot be opened, by the reason the system gives. */
export const toOpenError = (cause: unknown): SwathError =>
  // Anything but a name that is not there is there and cannot be read.
  isGone(cause)
    ? sourceBroken('source-gone', 'A file of this scene cannot be opened.', { cause })
    : sourceBroken('source-unreadable', 'A file of this scene cannot be read.', { cause });

/** Opens a local file for reading in ranges. One that changes meanwhile is noticed with the next read. */
export async function openFileSource(path: string): Promise<ByteSource> {
  // Without waiting: a pipe would wait for a writer forever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw toOpenError(error);
  });
  try {
    const stats = fstatSync(file.fd);
    if (!stats.isFile()) throw sourceBroken('source-unreadable', 'A file of this scene is not a plain file.');
    const { size } = stats;
    const version = toFileStamp(stats);
    const read = async (bytes: Uint8Array, offset: number, signal?: AbortSignal): Promise<void> => {
      await readExactly(file, bytes, { offset, signal });
      // Cheap compared with a read, and bytes of a file that has changed must not be shown.
      if (toFileStamp(fstatSync(file.fd)) !== version) {
        throw sourceBroken('source-changed', 'A file of this scene changed while it was read.');
      }
    };
    return {
      id: path,
      version,
      size,
      isNear: true,
      async read(offset, length, signal) {
        checkRange(offset, length, size);
        const bytes = new Uint8Array(length);
        await read(bytes, offset, signal);
        return bytes;
      },
      async readInto(target, offset, signal) {
        checkRange(offset, target.length, size);
        await read(target, offset, signal);
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
  throwIfCancelled(signal);
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
