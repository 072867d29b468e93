import type { AreaSpans, CoveredPieces, CoveredPixels, CoverRule } from '../areas/index.ts';
import { coverPieces, coverPixels, makeMaskMemory } from '../areas/index.ts';
import type { JobReads, ThreadTools, WindowRequest } from '../blocks/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { HistogramBins, Summary } from '../numbers/index.ts';
import { countBins, fromKey, toKey, toMoments, toSummary } from '../numbers/index.ts';
import type { JobContext, JobHandlers, JobType } from '../pool/index.ts';
import type { Allocate, Kernels, ResultPlane } from '../raster/index.ts';
import { makeComputeBands } from '../raster/index.ts';
import type { CloudPlan, PixelPlan, PixelTools } from '../render/native/index.ts';
import {
  beginWork,
  listCloudReads,
  listPlanReads,
  makeFlagClouds,
  readChannels,
} from '../render/native/index.ts';
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

/** The bits of a pixel's flag, as in kernels/collect-values.ts: a cloud, one that does not count, no data at all. */
export const CLOUD_FLAGS = { counted: 1, masked: 2, noData: 4 } as const;

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
  piece: MeasuredPiece,
  { spans, freeAt, collected, signal }: PieceWork,
  tools: MeasureTools,
): Promise<void> {
  const { kernels } = tools;
  const allocate = kernels.begin(freeAt);
  const spansAt = allocate(spans.byteLength);
  new Uint32Array(kernels.buffer(), spansAt, spans.length).set(spans);
  const read = await readPiece(piece, { freeAt: allocate(0), signal }, tools);
  if (read === null) return;
  for (const [output, { valuesAt, maskAt }] of read.channels.entries()) {
    collected[output]?.add({
      valuesAt,
      maskAt,
      flagsAt: read.flagsAt,
      spansAt,
      spanCount: spans.length / 2,
    });
  }
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
  { pixels, masks }: MeasuredPiece,
  { freeAt, signal }: Pick<PieceWork, 'freeAt' | 'signal'>,
  tools: MeasureTools,
): Promise<ReadPiece | null> {
  const { kernels } = tools;
  const { grid } = pixels;
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
  const work = beginWork(tools, signal, planesAt);
  const channels = await readChannels(pixels, work);
  return channels === null ? null : { channels, flagsAt: hasFlags ? flagsAt : 0, allocate: work.allocate };
}

/** A plane in the kernels' memory, and which of its pixels are collected. */
interface CollectedPlane {
  readonly valuesAt: number;
  /** A byte per pixel, 0 where it has no data. */
  readonly maskAt: number;
  /** A byte per pixel; 0 if no pixel has a flag. */
  readonly flagsAt: number;
  /** Pairs of 32-bit numbers: the first pixel, and the one after the last. */
  readonly spansAt: number;
  readonly spanCount: number;
}

/** Values that count, in the kernels' memory. */
export interface CollectedValues {
  readonly valuesAt: number;
  /** How many there are. */
  readonly count: number;
  /** Pixels with data, clouds included. */
  readonly validPx: number;
  readonly cloudPx: number;
  add(plane: CollectedPlane): void;
}

/** Begins a collection with room for a number of pixels. */
export function makeCollectedValues(kernels: Kernels, allocate: Allocate, pixels: number): CollectedValues {
  // The kernel writes a value before it knows whether it counts.
  const valuesAt = allocate(4 * (pixels + 1));
  const countsAt = allocate(8);
  let until = valuesAt;
  const readCounts = () => new Uint32Array(kernels.buffer(), countsAt, 2);
  readCounts().fill(0);
  return {
    valuesAt,
    get count() {
      return (until - valuesAt) / 4;
    },
    get validPx() {
      return readCounts()[0] as number;
    },
    get cloudPx() {
      return readCounts()[1] as number;
    },
    add({ valuesAt: from, maskAt, flagsAt, spansAt, spanCount }) {
      until = kernels.run.collectValues(from, maskAt, flagsAt, spansAt, spanCount, until, countsAt);
    },
  };
}

/** The sums, bins and work memory of kernels/sum-values.ts and kernels/select-values.ts. */
const SUMS = 512 * 3;
const BINS = 65_536;
const SUM_WORK_BYTES = 64 * 1024;
const SELECT_WORK_BYTES = 768 * 1024;

/** The bits of the float32 -0. */
const NEGATIVE_ZERO = 0x80000000;

/** The work memory of measuring values, in addition to them. */
export const MEASURE_BYTES = 8 * SUMS + 4 * BINS + SELECT_WORK_BYTES;

/** Up to this many values the kernel of kernels/few-values.ts takes less time than those of many. */
export const FEW_VALUES = 16_384;

/** What `summarizeFew` writes, its work memory, and the bytes after the values that it reads. */
const FEW_NUMBERS = 11;
export const fewWorkBytes = (count: number): number => 16 * Math.min(count, FEW_VALUES) + 8_192;
const FEW_ROOM_BYTES = 64;

/**
 * Statistics of float32 values in the kernels' memory, those that are finite; null when there are none. Equal to the last
 * bit to `summarize`. The values are lost.
 */
export function measureValues(
  kernels: Kernels,
  allocate: Allocate,
  { valuesAt, count }: { readonly valuesAt: number; readonly count: number },
): Summary | null {
  if (count <= FEW_VALUES) {
    const found = measureFew(kernels, allocate, { valuesAt, count });
    if (found !== 'wide') return found;
  }
  const sumsAt = allocate(8 * SUMS);
  const extentAt = allocate(8);
  const binsAt = allocate(4 * BINS);
  const workAt = allocate(Math.max(SUM_WORK_BYTES, SELECT_WORK_BYTES));
  const finite = kernels.run.sumValues(valuesAt, count, sumsAt, extentAt, binsAt, workAt);
  const [min, max] = new Float32Array(kernels.buffer(), extentAt, 2) as unknown as [number, number];
  const [minBits] = new Uint32Array(kernels.buffer(), extentAt, 1) as unknown as [number];
  // The two zeros are equal, but the negative one has the smaller key.
  const leastKey = toKey(min === 0 ? NEGATIVE_ZERO : minBits);
  const sums = new Float64Array(kernels.buffer(), sumsAt, SUMS);
  const moments = toMoments(sums, { count: finite, min, max });
  if (moments === null) return null;
  return toSummary(moments, { count: finite, valuesAt: select });

  function select(ranks: readonly number[]): number[] {
    const sorted = Uint32Array.from(ranks).sort();
    const ranksAt = allocate(4 * ranks.length);
    const memory = new Uint32Array(kernels.buffer(), ranksAt, ranks.length);
    memory.set(sorted);
    kernels.run.selectValues(valuesAt, count, binsAt, leastKey, ranksAt, ranks.length, workAt);
    const values = new Float32Array(Uint32Array.from(memory, fromKey).buffer);
    // No negative zero.
    return ranks.map((rank) => (values[sorted.indexOf(rank)] as number) + 0);
  }
}

/** The same for few values; those that span very many powers of two are not measured. */
function measureFew(
  kernels: Kernels,
  allocate: Allocate,
  { valuesAt, count }: { readonly valuesAt: number; readonly count: number },
): Summary | null | 'wide' {
  allocate(FEW_ROOM_BYTES);
  const outAt = allocate(8 * FEW_NUMBERS);
  const finite = kernels.run.summarizeFew(valuesAt, count, outAt, allocate(fewWorkBytes(count)));
  if (finite <= 0) return finite === 0 ? null : 'wide';
  const numbers = new Float64Array(kernels.buffer(), outAt, FEW_NUMBERS);
  const [total, min, max, average, std, variance, q1, median, q3, p10, p90] = numbers as unknown as [
    ...[number, number, number, number, number, number, number, number, number, number, number],
  ];
  return { count: total, min, max, average, std, variance, q1, median, q3, p10, p90 };
}
