import { rasterizeArea } from '../areas/index.ts';
import type { ThreadTools } from '../blocks/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { JobContext, JobHandlers, JobType } from '../pool/index.ts';
import { makeComputeBands } from '../raster/index.ts';
import type { PixelPlan, PixelTools, ReadClouds } from '../render/index.ts';
import { beginWork, makeReadClouds, readChannels } from '../render/index.ts';
import { toStatistics } from '../stats/index.ts';
import { countBins } from './histogram.ts';
import type { MaskMeaning, PlannedMask } from './plan-masks.ts';
import type { Measured } from './scene-statistics.ts';
import type { HistogramBins } from './statistics-order.ts';
import { touchPixels } from './touched-pixels.ts';

/** A part of a group that is read at once. */
interface MeasuredPiece {
  readonly pixels: PixelPlan;
  /** On the same grid. */
  readonly masks: readonly PlannedMask[];
}

/** Expressions on one grid: the outputs of the tree of each piece. */
export interface MeasuredGroup {
  /** Together the window of the scene around the area. */
  readonly pieces: readonly MeasuredPiece[];
  readonly expressions: number;
  /** Pixels of the whole area; null if it lies in the image, so that they are counted. */
  readonly areaPx: number | null;
}

/** The input of the job that measures a scene. */
export interface MeasureJob {
  /** In shared memory. */
  readonly outline: AreaOutline;
  /** Equal for equal outlines: scenes of one tile share what is rasterised. */
  readonly areaKey: string;
  readonly groups: readonly MeasuredGroup[];
  readonly histogram: HistogramBins | null;
}

/** The job of statistics: one measurement for each expression of each group, in order. */
export type StatisticsJobs = { 'scene-statistics': JobType<MeasureJob, readonly Measured[]> };

/** What an area covers of a grid; the mask is empty where that is nothing. */
interface CoveredPixels {
  readonly mask: Uint8Array;
  readonly count: number;
}

/** What an area covers of the pieces of a group. */
interface CoveredPieces {
  /** One for each piece. */
  readonly pieces: readonly CoveredPixels[];
  readonly count: number;
  readonly isTouched: boolean;
}

/** Masks of areas that a thread caches, in pixels: a year of scenes of a few fields. */
const MASK_CACHE_BYTES = 16 * 2 ** 20;
/** What an entry of the cache takes apart from its mask. */
const EMPTY_MASK_BYTES = 500;

const FLAGS: Readonly<Record<MaskMeaning, number>> = { counted: 1, masked: 3, 'no-data': 4 };
const COUNTED = 1;
const MASKED = 2;
const NO_DATA = 4;

interface MeasureTools extends PixelTools {
  readonly readClouds: ReadClouds;
}

/** Builds the handler of statistics, for one thread. */
export function makeStatisticsJobs({ open, readWindow, kernels }: ThreadTools): JobHandlers<StatisticsJobs> {
  const tools: MeasureTools = {
    readWindow,
    kernels,
    compute: makeComputeBands(kernels),
    readClouds: makeReadClouds({ open }),
  };
  const covered = makeLru<CoveredPixels>({ max: MASK_CACHE_BYTES });

  function coverOnce(rule: CoverRule, grid: Grid, { outline, areaKey }: MeasureJob): CoveredPixels {
    const { epsg, proj, transform, width, height } = grid;
    const key = JSON.stringify([rule, areaKey, epsg, proj, transform, width, height]);
    const known = covered.get(key);
    if (known !== undefined) return known;
    const found = coverPixels(rule, outline, grid);
    covered.set(key, found, found.mask.length + EMPTY_MASK_BYTES);
    return found;
  }

  return {
    async 'scene-statistics'(job, context) {
      const measured: Measured[] = [];
      for (const group of job.groups) {
        const grids = group.pieces.map(({ pixels }) => pixels.grid);
        const inside = coverPieces(grids, (rule, grid) => coverOnce(rule, grid, job));
        measured.push(...(await measureGroup({ group, inside, histogram: job.histogram }, tools, context)));
      }
      return measured;
    },
  };
}

/** Which pixels count: those whose centre lies in the area, or those that it touches. */
type CoverRule = 'centres' | 'touched';

const NOTHING: CoveredPixels = { mask: new Uint8Array(0), count: 0 };

/** The pixels of one grid that count by a rule. */
export function coverPixels(rule: CoverRule, outline: AreaOutline, grid: Grid): CoveredPixels {
  const mask =
    rule === 'centres' ? rasterizeArea(outline, grid, { isExact: true }) : touchPixels(outline, grid);
  const count = countSet(mask);
  return count === 0 ? NOTHING : { mask, count };
}

/** The pixels whose centre lies in an area; those that it touches if there are none in all pieces. */
export function coverPieces(
  grids: readonly Grid[],
  cover: (rule: CoverRule, grid: Grid) => CoveredPixels,
): CoveredPieces {
  const byRule = (rule: CoverRule): CoveredPieces => {
    const pieces = grids.map((grid) => cover(rule, grid));
    const count = pieces.reduce((sum, piece) => sum + piece.count, 0);
    return { pieces, count, isTouched: rule === 'touched' };
  };
  const centres = byRule('centres');
  return centres.count > 0 ? centres : byRule('touched');
}

function countSet(mask: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < mask.length; i += 1) count += mask[i] as number;
  return count;
}

interface GroupWork {
  readonly group: MeasuredGroup;
  readonly inside: CoveredPieces;
  readonly histogram: HistogramBins | null;
}

/** Values that count, collected over all pieces of a group. */
interface Collected {
  readonly values: Float32Array;
  count: number;
  validPx: number;
  cloudPx: number;
}

async function measureGroup(
  { group, inside, histogram }: GroupWork,
  tools: MeasureTools,
  context: JobContext,
): Promise<readonly Measured[]> {
  const collected = Array.from(
    { length: group.expressions },
    (): Collected => ({ values: new Float32Array(inside.count), count: 0, validPx: 0, cloudPx: 0 }),
  );
  for (const [i, piece] of group.pieces.entries()) {
    const { mask, count } = inside.pieces[i] as CoveredPixels;
    if (count > 0) await collectPiece(piece, { mask, collected }, tools, context);
  }
  const marksClouds = group.pieces.some(({ masks }) => masks.some(({ means }) => means !== 'no-data'));
  return collected.map(({ values, count, validPx, cloudPx }): Measured => {
    const found = values.subarray(0, count);
    return {
      statistics: toStatistics(found, null),
      areaPx: group.areaPx ?? inside.count,
      validPx,
      cloudPx: marksClouds ? cloudPx : null,
      isTouched: inside.isTouched,
      histogram: histogram === null ? null : countBins(found, histogram),
    };
  });
}

async function collectPiece(
  { pixels, masks }: MeasuredPiece,
  { mask, collected }: { readonly mask: Uint8Array; readonly collected: readonly Collected[] },
  tools: MeasureTools,
  { signal }: JobContext,
): Promise<void> {
  const { grid } = pixels;
  const flags = new Uint8Array(grid.width * grid.height);
  for (const { plan, viewId, sceneVersion, means } of masks) {
    const marks = await tools.readClouds({ plan, grid, viewId, sceneVersion }, beginWork(tools, signal));
    const flag = FLAGS[means];
    for (let i = 0; i < flags.length; i += 1) if (marks[i] === 1) flags[i] = (flags[i] as number) | flag;
  }
  const channels = await readChannels(pixels, beginWork(tools, signal));
  // An input that does not reach the piece: no data.
  if (channels === null) return;
  for (const [output, { valuesAt, maskAt }] of channels.entries()) {
    const buffer = tools.kernels.buffer();
    collect(
      {
        values: new Float32Array(buffer, valuesAt, flags.length),
        hasData: new Uint8Array(buffer, maskAt, flags.length),
        inside: mask,
        flags,
      },
      collected[output] as Collected,
    );
  }
}

/** Planes of one grid. */
interface Planes {
  readonly values: Float32Array;
  readonly hasData: Uint8Array;
  readonly inside: Uint8Array;
  readonly flags: Uint8Array;
}

/** Adds the pixels of a piece to what counts. */
function collect({ values, hasData, inside, flags }: Planes, into: Collected): void {
  for (let i = 0; i < values.length; i += 1) {
    if (inside[i] === 0 || hasData[i] === 0) continue;
    const flag = flags[i] as number;
    if ((flag & NO_DATA) !== 0) continue;
    into.validPx += 1;
    if ((flag & COUNTED) !== 0) into.cloudPx += 1;
    if ((flag & MASKED) !== 0) continue;
    into.values[into.count] = values[i] as number;
    into.count += 1;
  }
}
