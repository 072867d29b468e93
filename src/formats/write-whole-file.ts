import { dirname } from 'node:path';
import type { SwathError } from '../errors.ts';
import { cancelled, internal, isSwathError, tooLarge } from '../errors.ts';
import type { OutputFile, OutputFiles } from './output-files.ts';

/** How a file is written: the file system, and when to give up. */
export interface WriteWhole {
  readonly files: OutputFiles;
  readonly signal: AbortSignal | null;
}

/** Throws when the caller wants no more. */
export function checkWanted(signal: AbortSignal | null): void {
  if (!signal?.aborted) return;
  throw isSwathError(signal.reason)
    ? signal.reason
    : cancelled('cancelled', 'Writing the file was given up.', { cause: signal.reason });
}

function toWriteError(error: unknown): SwathError {
  if (isSwathError(error)) return error;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return tooLarge('no-space', 'The disk has no room left for the file.', { cause: error });
  }
  return internal('write-failed', 'The file could not be written to disk.', { cause: error });
}

/**
 * Fills a temporary file, syncs it and renames it to its final path: the path never shows a part of it, and after a
 * failure nothing is left.
 */
export async function writeWholeFile<T>(
  path: string,
  fill: (file: OutputFile) => Promise<T>,
  { files, signal }: WriteWhole,
): Promise<T> {
  const folder = dirname(path);
  let leftover: string | null = null;
  try {
    checkWanted(signal);
    const target = await files.createTemporary(folder);
    leftover = target.path;
    let result: T;
    try {
      result = await fill(target.file);
      await target.file.sync();
    } finally {
      await target.file.close();
    }
    checkWanted(signal);
    await files.rename(leftover, path);
    leftover = path;
    await files.syncFolder(folder);
    return result;
  } catch (error) {
    // the first error is the one that says what happened; on a disk that fails here too the leftover stays
    if (leftover !== null) await files.remove(leftover).catch(() => {});
    throw toWriteError(error);
  }
}
