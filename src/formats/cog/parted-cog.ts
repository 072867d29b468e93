import { dirname } from 'node:path';
import { throwIfCancelled } from '../../async/index.ts';
import type { OutputFiles } from '../../files/index.ts';
import { nodeFiles, toWriteError, withoutSync } from '../../files/index.ts';
import type { PixelArray } from '../../raster/index.ts';
import { bytesPerSample, viewPixels } from '../../raster/index.ts';
import { badInput, cancelled, internal } from '../errors.ts';
import type { FileMetadata } from '../tiff/samples/gdal-metadata.ts';
import type { CogResult } from './cog-writer.ts';
import { assembleCog, createSpoolFile } from './cog-writer.ts';
import type { EncodedBlocks } from './encode-block.ts';
import type { CogLevel, CogOptions, CogPlan } from './plan-cog.ts';
import { planCog } from './plan-cog.ts';
import type { Span } from './row-reducer.ts';
import { sourceSpan } from './row-reducer.ts';
import { makeSpool, makeSpoolFile } from './spool.ts';

/** What a part holds of one level, in pixels of that level. */
export interface PartLevel {
  /** The pixels whose blocks the part stores: whole blocks, except at the right and lower edge of the image. */
  readonly own: LevelSpans;
  /** The pixels that it computes: its own, and those before them that the smaller copies need. */
  readonly made: LevelSpans;
}

/** Columns and rows of a level. */
export interface LevelSpans {
  readonly columns: Span;
  readonly rows: Span;
}

/** A square of the image that is encoded in one go, together with its smaller copies; plain JSON. */
export interface CogPart {
  readonly index: number;
  /** Bands of the part: all of them, or one when bands are made apart. */
  readonly firstBand: number;
  readonly bandCount: number;
  /** From the full resolution to the top level of the parts. */
  readonly levels: readonly PartLevel[];
}

/** An image that is made part by part, in any order; plain JSON. */
export interface PartedCog {
  readonly plan: CogPlan;
  readonly parts: readonly CogPart[];
  /** The smallest copy that parts make; the levels above are made of it when all parts are done. */
  readonly topLevel: number;
  /** Whether there are levels above. */
  readonly hasUpperLevels: boolean;
  /** Blocks of all levels. */
  readonly blockCount: number;
}

/** How an image is divided. */
interface PartOptions {
  /**
   * One band a part, for images with bands stored one after the other: less memory, and more parts for more threads.
   * By default a part has all bands.
   */
  readonly bandsApart?: boolean;
  /** Side of a part in pixels: the block size times a power of two. Chosen by the size of the image when omitted. */
  readonly partSize?: number;
}

/** Divides an image into parts that can be encoded at the same time; refuses options as `createCog` does. */
export function planCogParts(
  options: CogOptions,
  { bandsApart = false, partSize }: PartOptions = {},
): PartedCog {
  const plan = planCog(options);
  if (bandsApart && plan.planes !== plan.bandCount) {
    throw badInput('bad-parts', 'Bands are made apart only when they are stored apart.');
  }
  const bandCount = bandsApart ? 1 : plan.bandCount;
  const halvings = partSize === undefined ? chooseHalvings(plan, bandCount) : toHalvings(plan, partSize);
  const side = plan.blockSize * 2 ** halvings;
  const topLevel = Math.min(halvings, plan.levels.length - 1);
  const parts: CogPart[] = [];
  for (let firstBand = 0; firstBand < plan.bandCount; firstBand += bandCount) {
    for (let y = 0; y < plan.height; y += side) {
      for (let x = 0; x < plan.width; x += side) {
        const levels = planPartLevels(plan, { x, y }, { partSize: side, topLevel });
        parts.push({ index: parts.length, firstBand, bandCount, levels });
      }
    }
  }
  return {
    plan,
    parts,
    topLevel,
    hasUpperLevels: topLevel < plan.levels.length - 1,
    blockCount: plan.levels.reduce(
      (sum, { blocksAcross, blocksDown }) => sum + blocksAcross * blocksDown * plan.planes,
      0,
    ),
  };
}

/** The columns and rows that a part makes and stores of each of its levels, the largest first. */
function planPartLevels(
  plan: CogPlan,
  corner: { readonly x: number; readonly y: number },
  { partSize, topLevel }: { readonly partSize: number; readonly topLevel: number },
): readonly PartLevel[] {
  const levels: PartLevel[] = [];
  for (let index = topLevel; index >= 0; index--) {
    const { width, height } = plan.levels[index] as CogLevel;
    const own = {
      columns: ownSpan(corner.x, partSize, index, width),
      rows: ownSpan(corner.y, partSize, index, height),
    };
    const smaller = levels[0];
    const made =
      smaller === undefined
        ? own
        : {
            columns: sourceSpan(smaller.made.columns, width),
            rows: sourceSpan(smaller.made.rows, height),
          };
    levels.unshift({ own, made });
  }
  return levels;
}

/** The pixels of a level that belong to a square of the full resolution. */
function ownSpan(start: number, size: number, index: number, length: number): Span {
  const reduction = 2 ** index;
  return { start: start / reduction, end: Math.min(length, (start + size) / reduction) };
}

/** The largest part is 64 blocks wide. */
const MAX_HALVINGS = 6;
/** Parts in flight at the same time on a small machine, as far as memory is concerned. */
const AT_ONCE = 4;

/** Small parts leave large copies for the end, large ones take memory while they are made: the least of both together. */
function chooseHalvings(plan: CogPlan, bandsAPart: number): number {
  let best = 0;
  for (let halvings = 1; halvings <= MAX_HALVINGS; halvings++) {
    const isLess = estimateMemory(plan, bandsAPart, halvings) < estimateMemory(plan, bandsAPart, best);
    if (isLess) best = halvings;
  }
  return best;
}

/** Bytes that the smallest copies of all parts take until the end, and the parts in flight. */
function estimateMemory(
  { levels, bandCount, type, blockSize, width, height }: CogPlan,
  bandsAPart: number,
  halvings: number,
): number {
  const side = blockSize * 2 ** halvings;
  const part = Math.min(side, width) * Math.min(side, height) * bandsAPart;
  const top = levels[halvings];
  const isLast = halvings >= levels.length - 1;
  return (
    (AT_ONCE * part + (isLast || top === undefined ? 0 : top.width * top.height * bandCount)) *
    bytesPerSample[type]
  );
}

function toHalvings({ blockSize }: CogPlan, partSize: number): number {
  const halvings = Math.log2(partSize / blockSize);
  if (!Number.isInteger(halvings) || halvings < 0 || halvings > MAX_HALVINGS) {
    throw badInput('bad-part-size', `A part is 1, 2, 4, … ${2 ** MAX_HALVINGS} blocks wide.`);
  }
  return halvings;
}

/** The smallest copies of all parts, one array a band, in memory that threads share; null when nothing is made of them. */
export function makeTopPixels({ plan, topLevel, hasUpperLevels }: PartedCog): readonly PixelArray[] | null {
  if (!hasUpperLevels) return null;
  const { width, height } = plan.levels[topLevel] as CogLevel;
  const count = width * height;
  return Array.from({ length: plan.bandCount }, () =>
    viewPixels(plan.type, new SharedArrayBuffer(count * bytesPerSample[plan.type]), count),
  );
}

/** What a block takes in addition to its pixels: frame, index, codes, and the pixels outside of the image. */
const BLOCK_EXTRA_BYTES = 16 * 1024;

/** Bytes that the file takes at most: as if nothing could be compressed. */
export function estimateCogBytes({ plan, blockCount }: PartedCog): number {
  const pixels = plan.levels.reduce((sum, { width, height }) => sum + width * height, 0);
  return pixels * plan.bandCount * bytesPerSample[plan.type] + blockCount * BLOCK_EXTRA_BYTES;
}

/** A COG whose blocks are encoded elsewhere. */
interface PartedCogWriter {
  /** Stores the blocks of a part, or of the levels above the parts; several calls may run at the same time. */
  add(blocks: EncodedBlocks): Promise<void>;
  /**
   * Renames the complete file to its final path, durably; it replaces a file that was there. `metadata` is added to that
   * of the plan: some of it is known only when all pixels are.
   */
  finish(metadata?: FileMetadata): Promise<CogResult>;
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

    async finish(metadata = {}) {
      throwIfCancelled(signal);
      if (stored !== blockCount || isClosed) {
        throw internal('cog-incomplete', `Only ${stored} of ${blockCount} blocks are stored.`);
      }
      isClosed = true;
      const complete = { ...plan, metadata: { ...plan.metadata, ...metadata } };
      return watch(assembleCog({ files, path, plan: complete, spool, spoolFile, signal }));
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
