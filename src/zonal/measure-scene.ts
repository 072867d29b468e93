import type { AreaSpans, CoveredPieces, CoveredPixels, CoverRule } from '../areas/index.ts';
import { coverPieces, coverPixels, makeMaskMemory } from '../areas/index.ts';
import type { JobReads, ThreadTools, WindowRequest } from '../blocks/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { HistogramBins } from '../numbers/index.ts';
import { countBins } from '../numbers/index.ts';
import type { JobContext, JobHandlers, JobType } from '../pool/index.ts';
import type { Allocate, ResultPlane } from '../raster/index.ts';
import { makeComputeBands } from '../raster/index.ts';
import type { CloudPlan, PixelPlan, PixelTools } from '../render/native/index.ts';
import {
  beginWork,
  listCloudReads,
  listPlanReads,
  makeFlagClouds,
  readChannelStrips,
  readChannels,
} from '../render/native/index.ts';
import type { CollectedValues } from './collect-values.ts';
import { CLOUD_FLAGS, makeCollectedValues, measureValues } from './collect-values.ts';
import type { Measured } from './statistics-order.ts';

/** A part of a group that is read at once. */
export interface MeasuredPiece {
  readonly pixels: PixelPlan;
  /** On the same grid. */
  readonly masks: readonly PlannedMask[];
}

/** Expressions on one grid; each is an output of the tree of every piece. */
export interface MeasuredGroup {
  /** Together the window of the scene around the area. */
  readonly pieces: readonly MeasuredPiece[];
  readonly expressions: number;
  /** Pixels of the whole area; null if it lies in the image, so that they are counted. */
  readonly areaPx: number | null;
}

/** Pixels that a scene's file marks, and how the statistics treat them; plain JSON. */
export interface PlannedMask {
  readonly plan: CloudPlan;
  /** The scene whose file it is. */
  readonly viewId: string;
  readonly sceneVersion: string;
  readonly means: MaskMeaning;
}

/**
 * How marked pixels are treated: as clouds that are counted, as clouds that are also left out, or as no data.
 */
export type MaskMeaning = 'counted' | 'masked' | 'no-data';

/** The input of the job that measures a scene. */
export interface MeasureJob {
  /** Lies in shared memory. */
  readonly outline: AreaOutline;
  /** Equal for equal outlines: scenes of one tile share what is rasterised. */
  readonly areaKey: string;
  readonly groups: readonly MeasuredGroup[];
  readonly histogram: HistogramBins | null;
}

/** The job of statistics: one measurement for each expression of each group, in order. */
export type StatisticsJobs = { 'scene-statistics': JobType<MeasureJob, readonly Measured[]> };

/** What a piece reads from files. */
export const toPieceReads = ({ pixels, masks }: MeasuredPiece): readonly WindowRequest[] => [
  ...listPlanReads(pixels),
  ...masks.flatMap((mask) => listCloudReads(mask.plan, mask)),
];

/** What the jobs read from files, so that it can be fetched before they take a thread. */
export const statisticsReads: JobReads<StatisticsJobs> = {
  'scene-statistics': ({ groups }) => groups.flatMap(({ pieces }) => pieces.flatMap(toPieceReads)),
};

/** Memory of the runs that a thread caches: those of thousands of fields. */
const SPANS_CACHE_BYTES = 16 * 2 ** 20;

/** Memory of an entry without its runs. */
const ENTRY_BYTES = 500;

const FLAGS: Readonly<Record<MaskMeaning, number>> = {
  counted: CLOUD_FLAGS.counted,
  masked: CLOUD_FLAGS.counted | CLOUD_FLAGS.masked,
  'no-data': CLOUD_FLAGS.noData,
};

export interface MeasureTools extends PixelTools {
  readonly flagClouds: ReturnType<typeof makeFlagClouds>;
}

/** What pieces are read with, on one thread. */
export const makeMeasureTools = ({ open, readWindow, kernels }: ThreadTools): MeasureTools => ({
  readWindow,
  kernels,
  compute: makeComputeBands(kernels),
  flagClouds: makeFlagClouds({ open }),
});

/** Builds the job handler for one thread. */
export function makeStatisticsJobs(thread: ThreadTools): JobHandlers<StatisticsJobs> {
  const tools = makeMeasureTools(thread);
  const covered = makeLru<CoveredPixels>({
    max: SPANS_CACHE_BYTES,
    sizeOf: ({ spans }) => spans.byteLength + ENTRY_BYTES,
  });
  const allocate = makeMaskMemory();

  function coverOnce(rule: CoverRule, grid: Grid, { outline, areaKey }: MeasureJob): CoveredPixels {
    const { epsg, proj, transform, width, height } = grid;
    const key = JSON.stringify([rule, areaKey, epsg, proj, transform, width, height]);
    return covered.remember(key, () => coverPixels(rule, outline, grid, allocate));
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

interface GroupWork {
  readonly group: MeasuredGroup;
  readonly inside: CoveredPieces;
  readonly histogram: HistogramBins | null;
}

async function measureGroup(
  { group, inside, histogram }: GroupWork,
  tools: MeasureTools,
  { signal }: JobContext,
): Promise<readonly Measured[]> {
  const { kernels } = tools;
  const allocate = kernels.begin();
  const collected = Array.from({ length: group.expressions }, () =>
    makeCollectedValues(kernels, allocate, inside.count),
  );
  // What follows is valid until the next piece, or the next expression, begins.
  const freeAt = allocate(0);
  for (const [i, piece] of group.pieces.entries()) {
    const { spans, count } = inside.pieces[i] as CoveredPixels;
    if (count > 0) await collectPiece(piece, { spans, freeAt, collected, signal }, tools);
  }
  const marksClouds = group.pieces.some(({ masks }) => masks.some(({ means }) => means !== 'no-data'));
  return collected.map((values): Measured => {
    const { valuesAt, count, validPx, cloudPx } = values;
    const bins =
      histogram === null ? null : countBins(new Float32Array(kernels.buffer(), valuesAt, count), histogram);
    return {
      // Comes last, because it changes the order of the values.
      statistics: measureValues(kernels, kernels.begin(freeAt), values),
      areaPx: group.areaPx ?? inside.count,
      validPx,
      cloudPx: marksClouds ? cloudPx : null,
      isTouched: inside.isTouched,
      histogram: bins,
    };
  });
}

/** How the pixels of a piece are collected. */
interface PieceWork {
  /** The runs of the area, in pixels of the piece. */
  readonly spans: AreaSpans;
  /** The kernels' memory is free from here on. */
  readonly freeAt: number;
  /** One for each expression. */
  readonly collected: readonly CollectedValues[];
  readonly signal: AbortSignal;
}

async function collectPiece(
  { pixels, masks }: MeasuredPiece,
  { spans, freeAt, collected, signal }: PieceWork,
  tools: MeasureTools,
): Promise<void> {
  const { kernels } = tools;
  const allocate = kernels.begin(freeAt);
  const spansAt = allocate(spans.byteLength + SPAN_BYTES);
  const flags = await flagPiece({ pixels, masks }, { freeAt: allocate(0), signal }, tools);
  const strips = await readChannelStrips(pixels, beginWork(tools, signal, flags.freeAt));
  if (strips === null) return;
  const cut = makeCutSpans(spans);
  for (const { first, count, channels } of strips) {
    const inside = cut(first, count);
    if (inside.length === 0) continue;
    new Uint32Array(kernels.buffer(), spansAt, inside.length).set(inside);
    const flagsAt = flags.flagsAt === 0 ? 0 : flags.flagsAt + first;
    for (const [output, { valuesAt, maskAt }] of channels.entries()) {
      collected[output]?.add({ valuesAt, maskAt, flagsAt, spansAt, spanCount: inside.length / 2 });
    }
  }
}

/** A run that lies in two strips is cut in two. */
const SPAN_BYTES = 8;

/** Cuts runs into those of strips, which come one after the other; they are counted from the first pixel of the strip. */
function makeCutSpans(spans: AreaSpans): (first: number, count: number) => Uint32Array {
  let next = 0;
  return (first, count) => {
    const end = first + count;
    const from = next;
    while (next < spans.length && spans[next]! < end) next += 2;
    const inside = spans.slice(from, next);
    for (let i = 0; i < inside.length; i += 2) {
      inside[i] = Math.max(first, inside[i]!) - first;
      inside[i + 1] = Math.min(end, inside[i + 1]!) - first;
    }
    // The last one may go on in the next strip.
    if (next > from && spans[next - 1]! > end) next -= 2;
    return inside;
  };
}

/** The pixels of a piece in the kernels' memory. */
interface ReadPiece {
  /** One for each expression. */
  readonly channels: readonly ResultPlane[];
  /** What clouds are, a byte per pixel; 0 if no pixel is marked. */
  readonly flagsAt: number;
  /** Allocates what follows the pixels. */
  readonly allocate: Allocate;
}

/** Reads a piece with its masks into the kernels' memory; null if an input does not reach it: then it has no data. */
export async function readPiece(
  piece: MeasuredPiece,
  where: Pick<PieceWork, 'freeAt' | 'signal'>,
  tools: MeasureTools,
): Promise<ReadPiece | null> {
  const { flagsAt, freeAt } = await flagPiece(piece, where, tools);
  const work = beginWork(tools, where.signal, freeAt);
  const channels = await readChannels(piece.pixels, work);
  return channels === null ? null : { channels, flagsAt, allocate: work.allocate };
}

/** Marks the pixels of a piece: `flagsAt` is 0 if none is marked. Memory is free from `freeAt` on. */
async function flagPiece(
  { pixels: { grid }, masks }: MeasuredPiece,
  { freeAt, signal }: Pick<PieceWork, 'freeAt' | 'signal'>,
  tools: MeasureTools,
): Promise<{ readonly flagsAt: number; readonly freeAt: number }> {
  const { kernels } = tools;
  const allocate = kernels.begin(freeAt);
  const flagsAt = allocate(grid.width * grid.height);
  const planesAt = allocate(0);
  if (masks.length > 0) new Uint8Array(kernels.buffer(), flagsAt, grid.width * grid.height).fill(0);
  let hasFlags = false;
  for (const { plan, viewId, sceneVersion, means } of masks) {
    const job = { plan, grid, viewId, sceneVersion };
    const plane = { flagsAt, flag: FLAGS[means] };
    hasFlags = (await tools.flagClouds(job, plane, beginWork(tools, signal, planesAt))) || hasFlags;
  }
  return { flagsAt: hasFlags ? flagsAt : 0, freeAt: planesAt };
}
