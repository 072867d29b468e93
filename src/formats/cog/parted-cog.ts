import { dirname } from 'node:path';
import { throwIfCancelled } from '../../async/index.ts';
import { cancelled, internal } from '../../errors.ts';
import type { OutputFiles } from '../../files/index.ts';
import { nodeFiles, toWriteError, withoutSync } from '../../files/index.ts';
import type { CogResult } from './cog-assembly.ts';
import { assembleCog, createSpoolFile } from './cog-assembly.ts';
import type { EncodedBlocks } from './encoded-blocks.ts';
import type { PartedCog } from './plan-cog-parts.ts';
import { makeSpool } from './spool.ts';
import { makeSpoolFile } from './spool-file.ts';

/** A COG whose blocks are encoded elsewhere. */
export interface PartedCogWriter {
  /** Stores the blocks of a part, or of the levels above the parts; several calls may run at the same time. */
  add(blocks: EncodedBlocks): Promise<void>;
  /** Renames the complete file to its final path, durably; it replaces a file that was there. */
  finish(): Promise<CogResult>;
  /** Gives up, also in the middle of another call, and leaves nothing behind; does nothing after `finish`. */
  abort(): Promise<void>;
}

/** Starts a COG at `path` that is made of encoded blocks; nothing is at `path` before `finish`. */
export function createPartedCog(
  path: string,
  { plan, blockCount }: PartedCog,
  fileSystem: OutputFiles = nodeFiles,
): PartedCogWriter {
  const files = plan.isDurable ? fileSystem : withoutSync(fileSystem);
  const spoolFile = makeSpoolFile(() => createSpoolFile(files, dirname(path)));
  const spool = makeSpool(spoolFile, plan);
  const running = new Set<Promise<unknown>>();
  let stored = 0;
  const giveUp = new AbortController();
  const { signal } = giveUp;
  let isClosed = false;

  const watch = async <T>(work: Promise<T>): Promise<T> => {
    running.add(work);
    try {
      return await work;
    } catch (error) {
      throw toWriteError(error);
    } finally {
      running.delete(work);
    }
  };

  return {
    async add(blocks) {
      throwIfCancelled(signal);
      if (isClosed) throw internal('cog-closed', 'Blocks were added to an image that is finished.');
      await watch(spool.appendAll(blocks));
      stored += blocks.sizes.length;
    },

    async finish() {
      throwIfCancelled(signal);
      if (stored !== blockCount || isClosed) {
        throw internal('cog-incomplete', `Only ${stored} of ${blockCount} blocks are stored.`);
      }
      isClosed = true;
      return watch(assembleCog({ files, path, plan, spool, spoolFile, signal }));
    },

    async abort() {
      giveUp.abort(cancelled('cog-aborted', 'Writing the image was given up.'));
      // a running copy sees it at its next step and cleans up; its own caller gets the error
      await Promise.allSettled(running);
      if (isClosed) return;
      isClosed = true;
      await spoolFile.close().catch((error: unknown) => {
        throw toWriteError(error);
      });
    },
  };
}
