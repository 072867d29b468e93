import { dirname } from 'node:path';
import type { OutputFile, OutputFiles } from '../../output-files.ts';
import type { CogLayout } from './cog-layout.ts';
import type { Spool } from './spool.ts';

/** Creates the file in which blocks wait; its name goes at once, so that even a killed process leaves nothing of it. */
export async function createSpoolFile(files: OutputFiles, folder: string): Promise<OutputFile> {
  const { path, file } = await files.createTemporary(folder);
  try {
    await files.remove(path);
    return file;
  } catch (error) {
    // the first failure is what the caller hears of; with the file closed, removing may work after all
    await file.close().catch(() => {});
    await files.remove(path).catch(() => {});
    throw error;
  }
}

/** What is needed to put a file together. */
interface Assembly {
  readonly files: OutputFiles;
  /** The final name. */
  readonly path: string;
  readonly layout: CogLayout;
  readonly spool: Spool;
  readonly spoolFile: OutputFile;
  /** Throws when the caller wants no more. */
  checkWanted(): void;
}

async function writeAll(file: OutputFile, { layout, spool, checkWanted }: Assembly): Promise<void> {
  await file.write(layout.head, 0);
  let position = layout.head.length;
  for (let level = spool.levels.length - 1; level >= 0; level--) {
    await spool.replay(level, async (bytes) => {
      checkWanted();
      await file.write(bytes, position);
      position += bytes.length;
    });
  }
  if (position !== layout.fileBytes) {
    throw new Error(`wrote ${position} bytes where ${layout.fileBytes} were planned`);
  }
}

/**
 * Header and blocks go into a second temporary file, which is made durable and then renamed: the final name never
 * shows a part of the image. The spool is closed on the way, whatever happens.
 */
export async function assembleCog(assembly: Assembly): Promise<void> {
  const { files, path, spoolFile, checkWanted } = assembly;
  const folder = dirname(path);
  let leftover: string | null = null;
  try {
    try {
      const target = await files.createTemporary(folder);
      leftover = target.path;
      try {
        await writeAll(target.file, assembly);
        await target.file.sync();
      } finally {
        await target.file.close();
      }
    } finally {
      await spoolFile.close();
    }
    checkWanted();
    await files.rename(leftover, path);
    leftover = path;
    await files.syncFolder(folder);
  } catch (error) {
    // the first error is the one that says what happened; on a disk that fails here too the leftover stays
    if (leftover !== null) await files.remove(leftover).catch(() => {});
    throw error;
  }
}
