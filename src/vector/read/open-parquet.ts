/** Opens Parquet files of strangers: what every reader of them needs. */
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import { isSwathError } from '../../errors.ts';
import { badInput, tooLarge } from '../errors.ts';

/** A row group after unpacking; that of a million polygons of forty corners has 650 MB, and writers make smaller ones. */
export const MAX_GROUP_BYTES = 512 * 2 ** 20;

/** A file and its footer. */
export interface OpenedParquet extends AsyncDisposable {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
}

/** Opens a file and parses its footer, which lists all column chunks. */
export async function openParquet(path: string, maxFooterBytes: number): Promise<OpenedParquet> {
  const { parquetMetadataAsync } = await import('hyparquet');
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const file = toAsyncBuffer(handle, size);
    await checkFooter(file, maxFooterBytes);
    const metadata = await tried(() => parquetMetadataAsync(file, { geoparquet: false }));
    return { file, metadata, [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The error for a row group that would take too much memory. */
export const groupTooLarge = () =>
  tooLarge(
    'shape-file-too-large',
    'A row group of the Parquet file is too large. Write it with smaller row groups.',
  );

/** A library on untrusted bytes throws errors of all kinds; those of the file system are not the file's fault. */
export async function tried<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isSwathError(error) || (error instanceof Error && 'syscall' in error)) throw error;
    throw badInput('bad-shape-file', 'The file cannot be read as Parquet: it is damaged.', { cause: error });
  }
}

function toAsyncBuffer(handle: FileHandle, byteLength: number): AsyncBuffer {
  return {
    byteLength,
    async slice(start, end = byteLength) {
      const length = end - start;
      if (!(start >= 0 && length >= 0 && end <= byteLength))
        throw new RangeError('a range outside of the file');
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        const { bytesRead } = await handle.read(bytes, done, length - done, start + done);
        if (bytesRead === 0) throw new RangeError('the file has become shorter');
        done += bytesRead;
      }
      return bytes.buffer;
    },
  };
}

async function checkFooter(file: AsyncBuffer, maxBytes: number): Promise<void> {
  const tail = file.byteLength < 12 ? null : Buffer.from(await file.slice(file.byteLength - 8));
  if (tail?.toString('latin1', 4) !== 'PAR1')
    throw badInput('bad-shape-file', 'The file is not Parquet, or truncated.');
  if (tail.readUInt32LE(0) > maxBytes)
    throw tooLarge('shape-file-too-large', 'The footer of the Parquet file is too large.');
}
