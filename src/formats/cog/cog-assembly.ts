import { throwIfCancelled } from '../../async/index.ts';
import type { OutputFile, OutputFiles } from '../../files/index.ts';
import { writeWholeFile } from '../../files/index.ts';
import type { CogLayout } from './cog-layout.ts';
import { planCogLayout } from './cog-layout.ts';
import type { CogPlan } from './cog-options.ts';
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
  readonly plan: CogPlan;
  readonly spool: Spool;
  readonly spoolFile: OutputFile;
  /** When to give up. */
  readonly signal: AbortSignal;
}

/** Bytes after which the disk is asked to begin: it then writes while the rest is copied. */
const FLUSH_BYTES = 64 * 1024 * 1024;

/** Head and blocks in the order of the file, smallest copy first. */
async function writeAll(file: OutputFile, layout: CogLayout, { spool, signal }: Assembly): Promise<void> {
  await file.write(layout.head, 0);
  let position = layout.head.length;
  let flushedTo = 0;
  let flushing: Promise<unknown> | null = null;
  let flushError: { readonly error: unknown } | null = null;
  const flush = (): void => {
    flushedTo = position;
    flushing = file
      .sync()
      .catch((error: unknown) => {
        flushError = { error };
      })
      .finally(() => {
        flushing = null;
      });
  };
  try {
    for (let level = spool.levels.length - 1; level >= 0; level--) {
      await spool.replay(level, async (bytes) => {
        throwIfCancelled(signal);
        await file.write(bytes, position);
        position += bytes.length;
        if (flushing === null && position - flushedTo >= FLUSH_BYTES) flush();
      });
    }
  } finally {
    // the file is closed after this, and a second failure would only hide the first
    await flushing;
  }
  const failed = flushError as { readonly error: unknown } | null;
  if (failed !== null) throw failed.error;
  if (position !== layout.fileBytes) {
    throw new Error(`wrote ${position} bytes where ${layout.fileBytes} were planned`);
  }
}

/** What was written. */
export interface CogResult {
  /** Bytes of the file. */
  readonly size: number;
  /** Largest first, without the full resolution. */
  readonly overviews: readonly { readonly width: number; readonly height: number }[];
}

/**
 * Header and blocks go into a second temporary file, which is made durable and then renamed: the final name never
 * shows a part of the image. The spool is closed on the way, whatever happens.
 */
export async function assembleCog(assembly: Assembly): Promise<CogResult> {
  const { files, path, plan, spool, spoolFile, signal } = assembly;
  let isSpoolOpen = true;
  const closeSpool = async (): Promise<void> => {
    if (!isSpoolOpen) return;
    isSpoolOpen = false;
    await spoolFile.close();
  };
  try {
    const layout = planCogLayout(
      plan,
      spool.levels.map((level) => level.sizes),
    );
    const fill = async (file: OutputFile): Promise<void> => {
      await writeAll(file, layout, assembly);
      await closeSpool();
    };
    await writeWholeFile(path, fill, { files, signal });
    const overviews = plan.levels.slice(1).map(({ width, height }) => ({ width, height }));
    return { size: layout.fileBytes, overviews };
  } finally {
    // The first error is the one that says what happened.
    await closeSpool().catch(() => {});
  }
}
