import { dirname } from 'node:path';
import { throwIfCancelled } from '../async/index.ts';
import type { SwathError } from '../errors.ts';
import { internal, isSwathError, tooLarge } from '../errors.ts';
import { toSystemCode } from './gone.ts';
import type { OutputFile, OutputFiles } from './output-files.ts';
import { nodeFiles } from './output-files.ts';

/** How a file is written. */
export interface WriteOptions {
  readonly files?: OutputFiles;
  /** When to give up. */
  readonly signal?: AbortSignal | null | undefined;
  /** Who may read the file; up to the umask by default. */
  readonly mode?: number;
}

/** What a failure of the disk means to the caller. */
export function toWriteError(error: unknown): SwathError {
  if (isSwathError(error)) return error;
  const code = toSystemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return tooLarge('no-space', 'The disk has no room left for the file.', { cause: error });
  }
  return internal('write-failed', 'The file could not be written to disk.', { cause: error });
}

/** A file that is being made and has not got its name yet. */
export interface UnfinishedFile {
  readonly file: OutputFile;
  /** Syncs the file and gives it its name, durably; after a failure nothing is left. */
  publish(): Promise<void>;
  /** Removes it; does nothing once `publish` was called. */
  discard(): Promise<void>;
}

/** Begins a file that gets its name when it is whole: the path never shows a part of it. */
export async function openUnfinished(path: string, options: WriteOptions = {}): Promise<UnfinishedFile> {
  const { files = nodeFiles, signal, mode } = options;
  const folder = dirname(path);
  const { path: temporary, file } = await files.createTemporary(folder, mode);
  let isOver = false;
  // The first error is the one that says what happened; on a disk that fails here too the leftover stays.
  const remove = (leftover: string): Promise<void> => files.remove(leftover).catch(() => {});
  return {
    file,
    async publish() {
      isOver = true;
      let leftover = temporary;
      try {
        try {
          await file.sync();
        } finally {
          await file.close();
        }
        throwIfCancelled(signal);
        await files.rename(temporary, path);
        leftover = path;
        await files.syncFolder(folder);
      } catch (error) {
        await remove(leftover);
        throw error;
      }
    },
    async discard() {
      if (isOver) return;
      isOver = true;
      await file.close().catch(() => {});
      await remove(temporary);
    },
  };
}

/** Writes a file durably, whole or not at all. */
export async function writeWholeFile<T>(
  path: string,
  fill: (file: OutputFile) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  try {
    throwIfCancelled(options.signal);
    const unfinished = await openUnfinished(path, options);
    try {
      const result = await fill(unfinished.file);
      await unfinished.publish();
      return result;
    } finally {
      await unfinished.discard();
    }
  } catch (error) {
    throw toWriteError(error);
  }
}

/** Writes chunks one after the other to a path, durably and whole or not at all. */
export const writeChunks = (
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  options: WriteOptions = {},
): Promise<{ readonly size: number }> =>
  writeWholeFile(
    path,
    async (file) => {
      let size = 0;
      for await (const chunk of chunks) {
        throwIfCancelled(options.signal);
        await file.write(chunk, size);
        size += chunk.length;
      }
      return { size };
    },
    options,
  );
