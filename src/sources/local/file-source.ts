import { constants, fstatSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { throwIfCancelled } from '../../async/index.ts';
import type { Subject, SwathError } from '../../errors.ts';
import { sourceBroken } from '../../errors.ts';
import { isGone, toFileStamp } from '../../files/index.ts';
import type { ByteRange } from '../ranges/byte-range.ts';
import type { ByteSource } from '../ranges/byte-source.ts';
import { SCENE_FILES } from '../subject.ts';

/** The error of a file that cannot be opened, by the reason the system gives. */
export const toOpenError = (cause: unknown, subject: Subject): SwathError =>
  // Anything but a name that is not there is there and cannot be read.
  isGone(cause)
    ? sourceBroken.about('source-gone', '{file} cannot be opened.', { cause, subject })
    : sourceBroken.about('source-unreadable', '{file} cannot be read.', { cause, subject });

/** Opens a local file of a scene. */
export const openFileSource = (path: string): Promise<ByteSource> => openFileOf(SCENE_FILES, path);

/** Opens a local file for reading in ranges. One that changes meanwhile is noticed with the next read. */
export async function openFileOf(subject: Subject, path: string): Promise<ByteSource> {
  // Without waiting: a pipe would wait for a writer forever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw toOpenError(error, subject);
  });
  try {
    const stats = fstatSync(file.fd);
    if (!stats.isFile())
      throw sourceBroken.about('source-unreadable', '{file} is not a plain file.', { subject });
    const { size } = stats;
    const version = toFileStamp(stats);
    const read = async (bytes: Uint8Array, offset: number, signal?: AbortSignal): Promise<void> => {
      await readExactly(file, bytes, { offset, signal, subject });
      // Cheap compared with a read, and bytes of a file that has changed must not be shown.
      if (toFileStamp(fstatSync(file.fd)) !== version) {
        throw sourceBroken.about('source-changed', '{file} changed while it was read.', { subject });
      }
    };
    return {
      id: path,
      version,
      size,
      isNear: true,
      async read(offset, length, signal) {
        checkRange({ offset, length }, size, subject);
        const bytes = new Uint8Array(length);
        await read(bytes, offset, signal);
        return bytes;
      },
      async readInto(target, offset, signal) {
        checkRange({ offset, length: target.length }, size, subject);
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
function checkRange({ offset, length }: ByteRange, size: number, subject: Subject): void {
  if (!(offset >= 0 && length >= 0 && offset + length <= size)) {
    throw sourceBroken.about('source-short', '{file} ends before the bytes its header promises.', {
      subject,
    });
  }
}

async function readExactly(
  file: FileHandle,
  bytes: Uint8Array,
  { offset, signal, subject }: { offset: number; signal: AbortSignal | undefined; subject: Subject },
): Promise<void> {
  throwIfCancelled(signal);
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await file
      .read(bytes, done, bytes.length - done, offset + done)
      .catch((error: unknown) => {
        throw sourceBroken.about('source-unreadable', '{file} cannot be read.', { cause: error, subject });
      });
    if (bytesRead === 0)
      throw sourceBroken.about('source-short', '{file} became shorter while it was read.', { subject });
    done += bytesRead;
  }
}
