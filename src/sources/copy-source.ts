import { mkdir, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { toWholeMib } from '../units.ts';
import type { ByteSource } from './byte-source.ts';
import { cancelled, tooLarge } from './errors.ts';

/** Size of one read. */
const PART_BYTES = 8 * 2 ** 20;
/** Disk space that a copy leaves free for the rest of Swath. */
const SPARE_BYTES = 512 * 2 ** 20;

interface CopyOptions {
  /** Folder for copies; each copy has its own folder in it. */
  readonly directory: string;
  /** Name of the copy; formats without a magic number are recognized by it. */
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
}

/** Copies a source into a file if the disk has enough space. `remove` deletes the file. */
export async function copySource(
  source: ByteSource,
  { directory, name, signal }: CopyOptions,
): Promise<{ readonly path: string; remove(): Promise<void> }> {
  await mkdir(directory, { recursive: true });
  const { bavail, bsize } = await statfs(directory);
  if (source.size + SPARE_BYTES > bavail * bsize)
    throw tooLarge(
      'no-space',
      `The disk has no room to copy the file of ${toWholeMib(source.size)} MB before it is read.`,
    );
  const folder = await mkdtemp(join(directory, 'copy-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, name.replaceAll(/[^\w.-]/g, '_').slice(-100) || 'file');
    const file = await open(path, 'wx', 0o600);
    try {
      for (let offset = 0; offset < source.size; offset += PART_BYTES) {
        if (signal?.aborted) throw cancelled('stopped', 'The copy was stopped.');
        const bytes = await source.read(offset, Math.min(PART_BYTES, source.size - offset), signal);
        await file.write(bytes, 0, bytes.length, offset);
      }
    } finally {
      await file.close();
    }
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
