import { dirname } from 'node:path';
import { throwIfCancelled } from '../../async/index.ts';
import { badInput, cancelled } from '../../errors.ts';
import type { OutputFiles } from '../../files/index.ts';
import { nodeFiles, toWriteError, withoutSync } from '../../files/index.ts';
import type { PixelArray } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import type { CogResult } from './cog-assembly.ts';
import { assembleCog, createSpoolFile } from './cog-assembly.ts';
import { checkWidth } from './cog-checks.ts';
import type { CogOptions, CogPlan } from './cog-options.ts';
import { makeLevelWriter } from './level-writer.ts';
import { planCog } from './plan-cog.ts';
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
