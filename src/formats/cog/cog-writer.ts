import { dirname } from 'node:path';
import { throwIfCancelled } from '../../async/index.ts';
import type { OutputFile, OutputFiles } from '../../files/index.ts';
import { nodeFiles, toWriteError, withoutSync, writeWholeFile } from '../../files/index.ts';
import type { PixelArray } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import { badInput, cancelled } from '../errors.ts';
import type { CogLayout } from './cog-layout.ts';
import { planCogLayout } from './cog-layout.ts';
import { cutOut, makeEncodeBlock } from './encode-block.ts';
import type { CogOptions, CogPlan } from './plan-cog.ts';
import { checkWidth, planCog } from './plan-cog.ts';
import { makeBandsReducer } from './row-reducer.ts';
import type { Spool } from './spool.ts';
import { makeSpool } from './spool.ts';

/** A COG that is being written; each call is awaited before the next. */
export interface CogWriter {
  /** The next `rowCount` rows, top to bottom: one array of `rowCount * width` pixels for each band. */
  writeRows(bands: readonly PixelArray[], rowCount: number): Promise<void>;
  /** Renames the complete file to its final path, durably; it replaces a file that was there. */
  finish(): Promise<CogResult>;
  /** Gives up, also in the middle of another call, and leaves nothing behind; does nothing after `finish`. */
  abort(): Promise<void>;
}

/** What was written. */
export interface CogResult {
  /** Bytes of the file. */
  readonly size: number;
  /** Largest first, without the full resolution. */
  readonly overviews: readonly { readonly width: number; readonly height: number }[];
}

/** Starts a COG at `path`; rows are compressed as they come, and nothing is at `path` before `finish`. */
export async function createCog(
  path: string,
  options: CogOptions,
  fileSystem: OutputFiles = nodeFiles,
): Promise<CogWriter> {
  const plan = planCog(options);
  checkWidth(plan);
  const files = plan.isDurable ? fileSystem : withoutSync(fileSystem);
  const spoolFile = await createSpoolFile(files, dirname(path)).catch((error: unknown) => {
    throw toWriteError(error);
  });
  const spool = makeSpool(spoolFile, plan);
  const pixels = makeLevelWriter(plan, spool);
  let rowsWritten = 0;
  const giveUp = new AbortController();
  const { signal } = giveUp;
  let isClosed = false;
  let running: Promise<unknown> | null = null;

  const checkOpen = (): void => {
    if (running !== null)
      throw badInput('cog-busy', 'The image is busy with an earlier call; await it first.');
    if (isClosed) throw badInput('cog-closed', 'The image is finished, given up or failed.');
  };

  /** One call at a time; a half-done step cannot be repeated, so a failure closes the image. */
  const exclusively = <T>(work: () => Promise<T>): Promise<T> => {
    const attempt = async (): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        // a failure of closing would only hide the first one
        if (!isClosed) await spoolFile.close().catch(() => {});
        isClosed = true;
        throw toWriteError(error);
      } finally {
        running = null;
      }
    };
    const call = attempt();
    running = call;
    return call;
  };

  return {
    async writeRows(bands, rowCount) {
      checkOpen();
      checkRows(plan, bands, rowCount, rowsWritten);
      await exclusively(async () => {
        for (let row = 0; row < rowCount; row++) {
          throwIfCancelled(signal);
          await pixels.addRow(bands, row * plan.width);
        }
      });
      rowsWritten += rowCount;
    },

    async finish() {
      checkOpen();
      if (rowsWritten < plan.height) {
        throw badInput('cog-incomplete', `Only ${rowsWritten} of ${plan.height} rows are written.`);
      }
      return exclusively(async () => {
        isClosed = true;
        return assembleCog({ files, path, plan, spool, spoolFile, signal });
      });
    },

    async abort() {
      giveUp.abort(cancelled('cog-aborted', 'Writing the image was given up.'));
      // the running call sees it at the next row or copy and cleans up; its own caller gets the error
      await running?.catch(() => {});
      if (isClosed) return;
      isClosed = true;
      await spoolFile.close().catch((error: unknown) => {
        throw toWriteError(error);
      });
    },
  };
}

function checkRows(plan: CogPlan, bands: readonly PixelArray[], rowCount: number, rowsWritten: number): void {
  const { width, height, bandCount, type } = plan;
  if (!Number.isInteger(rowCount) || rowCount < 0 || rowsWritten + rowCount > height) {
    throw badInput('bad-row-count', `${rowCount} rows do not fit: ${rowsWritten} of ${height} are written.`);
  }
  if (bands.length !== bandCount) {
    throw badInput(
      'bad-band-count',
      `The image has ${bandCount} bands and ${bands.length} arrays were given.`,
    );
  }
  const expected = makePixels(type, 0).constructor;
  for (const band of bands) {
    if (band.constructor !== expected) {
      throw badInput('bad-pixel-array', `The pixels are ${type}, not ${band.constructor.name}.`);
    }
    if (band.length !== rowCount * width) {
      throw badInput(
        'bad-pixel-array',
        `${rowCount} rows hold ${rowCount * width} pixels, not ${band.length}.`,
      );
    }
  }
}

/** Takes the rows of one resolution, stores its blocks, and feeds the next smaller one. */
interface LevelWriter {
  /** The next row of each band; band `i` has it at `start` of its array. */
  addRow(bands: readonly PixelArray[], start: number): Promise<void>;
}

/** Writers for a level and all smaller ones; each holds one row of blocks. */
function makeLevelWriter(plan: CogPlan, spool: Spool, index = 0): LevelWriter {
  const { blockSize, type, planes } = plan;
  const { width, height, blocksAcross, blocksDown } = plan.levels[index]!;
  const held = Array.from({ length: plan.bandCount }, () =>
    makePixels(type, width * Math.min(blockSize, height)),
  );
  const encode = makeEncodeBlock(plan);
  const smaller = index + 1 < plan.levels.length ? makeLevelWriter(plan, spool, index + 1) : null;
  const reducer = makeBandsReducer(plan.overviewMethods, { type, nodata: plan.nodata, width, height });
  let rows = 0;

  const storeBlocks = async (): Promise<void> => {
    const blockRow = Math.ceil(rows / blockSize) - 1;
    for (let plane = 0; plane < planes; plane++) {
      const bands = planes === 1 ? held : [held[plane]!];
      for (let column = 0; column < blocksAcross; column++) {
        const number = (plane * blocksDown + blockRow) * blocksAcross + column;
        let appended = Promise.resolve();
        encode({ bands, width, rows: rows - blockRow * blockSize, left: column * blockSize }, (payload) => {
          appended = spool.append(index, number, payload);
        });
        await appended;
      }
    }
  };

  return {
    async addRow(bands, start) {
      const to = (rows % blockSize) * width;
      held.forEach((buffer, band) => {
        buffer.set(bands[band]!.subarray(start, start + width), to);
      });
      rows++;
      if (rows % blockSize === 0 || rows === height) await storeBlocks();
      if (smaller === null) return;
      const reduced = reducer.push(bands, start);
      if (reduced === null) return;
      if (plan.alpha === 'cut-out') cutOut(reduced, 0, reduced[0]!.length);
      await smaller.addRow(reduced, 0);
    },
  };
}

/** Creates the file in which blocks wait, and unlinks it at once: even a killed process leaves nothing behind. */
export async function createSpoolFile(files: OutputFiles, folder: string): Promise<OutputFile> {
  const { path, file } = await files.createTemporary(folder);
  try {
    await files.remove(path);
    return file;
  } catch (error) {
    // the caller gets the first error; with the file closed, removing may work after all
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

/** Bytes after which a sync starts: the disk then writes while the rest is copied. */
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
