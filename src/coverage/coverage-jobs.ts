/** The jobs of cloud in the area, on pixel threads: cells of an area, cells of a scene, and the counting of both. */

import type { JobReads, ThreadTools } from '../blocks/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import type { JobContext, JobHandlers, JobType } from '../pool/index.ts';
import { withTransfer } from '../pool/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import { makeComputeBands } from '../raster/index.ts';
import type { PixelTools } from '../render/native/index.ts';
import {
  beginWork,
  listCloudReads,
  listPlanReads,
  makeFlagClouds,
  readChannels,
} from '../render/native/index.ts';
import type { AreaCells } from './area-cells.ts';
import { coverCells } from './area-cells.ts';
import type { PixelCounts } from './mask-cells.ts';
import { CELL_PX, cellsAcross, countCell, packCell, STATES } from './mask-cells.ts';
import type { ReadCellsJob } from './plan-mask.ts';

/** Packed cells, one behind the other. */
export interface PackedCells {
  readonly cells: readonly number[];
  /** Where each of them ends. */
  readonly ends: readonly number[];
  readonly bytes: Uint8Array;
}

/** An area on grids of several scenes. */
interface CoverCellsJob {
  /** Lies in shared memory. */
  readonly outline: AreaOutline;
  readonly grids: readonly Grid[];
}

/** Cells of scenes that share a grid, and the area in which their pixels are counted. */
export interface CountedGroup {
  readonly area: AreaCells;
  readonly scenes: readonly PackedCells[];
}

/** The jobs of cloud in the area. */
export type CoverageJobs = {
  'cover-cells': JobType<CoverCellsJob, readonly AreaCells[]>;
  'read-cells': JobType<ReadCellsJob, PackedCells>;
  /** Counts of the scenes of all groups, one after the other. */
  'count-cells': JobType<readonly CountedGroup[], readonly PixelCounts[]>;
};

/** What the jobs read from files, so that it can be fetched before they take a thread. */
export const coverageReads: JobReads<CoverageJobs> = {
  'read-cells': (job) =>
    job.pieces.flatMap(({ pixels, clouds }) => [
      ...listPlanReads(pixels),
      ...listCloudReads(clouds ?? undefined, job),
    ]),
};

interface CellTools extends PixelTools {
  readonly flagClouds: ReturnType<typeof makeFlagClouds>;
}

/** Builds the job handlers for one thread. */
export function makeCoverageJobs({ open, readWindow, kernels }: ThreadTools): JobHandlers<CoverageJobs> {
  const tools: CellTools = {
    readWindow,
    kernels,
    compute: makeComputeBands(kernels),
    flagClouds: makeFlagClouds({ open }),
  };
  return {
    'cover-cells': async ({ outline, grids }) => grids.map((grid) => coverCells({ outline, grid })),
    async 'read-cells'(job, context) {
      const packed = new Map<number, Uint8Array>();
      for (const piece of job.pieces) {
        const states = await readStates(piece, job, tools, context);
        for (const [cell, own] of cutCells(states, piece.window, job)) packed.set(cell, packCell(own));
      }
      const buffer = new ArrayBuffer(countBytes(packed));
      return withTransfer(joinCells(packed, buffer), [buffer]);
    },
    'count-cells': async (groups) =>
      groups.flatMap(({ area, scenes }) => scenes.map((cells) => countScene(cells, area))),
  };
}

/** The state of each pixel of a piece. */
async function readStates(
  { window, pixels, clouds }: ReadCellsJob['pieces'][number],
  { viewId, sceneVersion }: ReadCellsJob,
  tools: CellTools,
  { signal }: JobContext,
): Promise<Uint8Array> {
  const { kernels } = tools;
  const count = window.width * window.height;
  const allocate = kernels.begin();
  const flagsAt = allocate(count);
  const planesAt = allocate(0);
  new Uint8Array(kernels.buffer(), flagsAt, count).fill(0);
  if (clouds !== null) {
    const job = { plan: clouds, grid: pixels.grid, viewId, sceneVersion };
    await tools.flagClouds(job, { flagsAt, flag: 1 }, beginWork(tools, signal, planesAt));
  }
  const states = new Uint8Array(count);
  const [channel] = (await readChannels(pixels, beginWork(tools, signal, planesAt))) ?? [];
  if (channel === undefined) return states;
  // A view made before the read may be of memory that has been replaced by a larger one.
  const flags = new Uint8Array(kernels.buffer(), flagsAt, count);
  const mask = new Uint8Array(kernels.buffer(), channel.maskAt, count);
  for (let i = 0; i < count; i += 1) {
    if (mask[i] !== 0) states[i] = flags[i] === 0 ? STATES.clear : STATES.cloud;
  }
  return states;
}

/** The cells of a piece, each with its states row by row. */
function* cutCells(
  states: Uint8Array,
  { x, y, width, height }: PixelWindow,
  mask: { readonly width: number },
): Generator<readonly [cell: number, states: Uint8Array]> {
  const across = cellsAcross(mask);
  for (let top = 0; top < height; top += CELL_PX) {
    const rows = Math.min(CELL_PX, height - top);
    for (let left = 0; left < width; left += CELL_PX) {
      const cols = Math.min(CELL_PX, width - left);
      const own = new Uint8Array(cols * rows);
      for (let row = 0; row < rows; row += 1) {
        const from = (top + row) * width + left;
        own.set(states.subarray(from, from + cols), row * cols);
      }
      yield [((y + top) / CELL_PX) * across + (x + left) / CELL_PX, own];
    }
  }
}

/** The memory that packed cells need. */
export const countBytes = (packed: ReadonlyMap<number, Uint8Array>): number =>
  [...packed.values()].reduce((sum, { length }) => sum + length, 0);

/** Joins packed cells in ascending order: one piece of memory goes to another thread at no cost. */
export function joinCells(packed: ReadonlyMap<number, Uint8Array>, buffer: ArrayBufferLike): PackedCells {
  const sorted = [...packed].toSorted(([a], [b]) => a - b);
  const bytes = new Uint8Array(buffer);
  const ends: number[] = [];
  let end = 0;
  for (const [, own] of sorted) {
    bytes.set(own, end);
    end += own.length;
    ends.push(end);
  }
  return { cells: sorted.map(([cell]) => cell), ends, bytes };
}

/** The cells of a list, each with its bytes. */
export function* splitCells({
  cells,
  ends,
  bytes,
}: PackedCells): Generator<readonly [cell: number, pixels: Uint8Array]> {
  for (const [i, cell] of cells.entries()) yield [cell, bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i])];
}

function countScene(packed: PackedCells, { cells, ends, runs }: AreaCells): PixelCounts {
  const counts: PixelCounts = { clear: 0, cloud: 0 };
  const known = new Map(splitCells(packed));
  for (const [i, cell] of cells.entries()) {
    const own = known.get(cell);
    const from = i === 0 ? 0 : (ends[i - 1] as number);
    if (own !== undefined) countCell(own, runs, { from, to: ends[i] as number }, counts);
  }
  return counts;
}
