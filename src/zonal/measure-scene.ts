import { rasterizeArea } from '../areas/index.ts';
import type { ThreadTools } from '../blocks/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { JobContext, JobHandlers, JobType } from '../pool/index.ts';
import type { CollectedValues } from '../raster/index.ts';
import { CLOUD_FLAGS, makeCollectedValues, makeComputeBands, measureValues } from '../raster/index.ts';
import type { FlagClouds, PixelPlan, PixelTools } from '../render/index.ts';
import { beginWork, makeFlagClouds, readChannels } from '../render/index.ts';
import type { HistogramBins } from '../numbers/index.ts';
import { countBins } from '../numbers/index.ts';
import type { AreaSpans } from './area-spans.ts';
import { countPixels, toSpans } from './area-spans.ts';
import type { MaskMeaning, PlannedMask } from './plan-masks.ts';
import type { Measured } from './scene-statistics.ts';
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

/** What an area covers of a grid. */
interface CoveredPixels {
  readonly spans: AreaSpans;
  readonly count: number;
}

/** What an area covers of the pieces of a group. */
interface CoveredPieces {
  /** One for each piece. */
  readonly pieces: readonly CoveredPixels[];
  readonly count: number;
  readonly isTouched: boolean;
}

/** Runs of areas that a thread caches: of thousands of fields. */
const SPANS_CACHE_BYTES = 16 * 2 ** 20;
/** An entry without its runs. */
const ENTRY_BYTES = 500;

const { counted, masked, noData } = CLOUD_FLAGS;
const FLAGS: Readonly<Record<MaskMeaning, number>> = {
  counted,
  masked: counted | masked,
  'no-data': noData,
};

interface MeasureTools extends PixelTools {
  readonly flagClouds: FlagClouds;
}

/** Builds the handler of statistics, for one thread. */
export function makeStatisticsJobs({ open, readWindow, kernels }: ThreadTools): JobHandlers<StatisticsJobs> {
  const tools: MeasureTools = {
    readWindow,
    kernels,
    compute: makeComputeBands(kernels),
    flagClouds: makeFlagClouds({ open }),
  };
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

/** The largest mask whose memory is used again: that of an area of 20 km in pixels of 10 m. */
const MAX_MASK_BYTES = 4 * 2 ** 20;

/** Zeroed memory for one mask at a time: fresh memory for each would be collected again and again. */
function makeMaskMemory(): (bytes: number) => Uint8Array<ArrayBuffer> {
  let memory = new Uint8Array(0);
  return (bytes) => {
    if (bytes > MAX_MASK_BYTES) return new Uint8Array(bytes);
    if (bytes > memory.length) memory = new Uint8Array(bytes);
    else memory.fill(0, 0, bytes);
    return memory.subarray(0, bytes);
  };
}

/** Which pixels count: those whose centre lies in the area, or those that it touches. */
type CoverRule = 'centres' | 'touched';

/** The pixels of one grid that count by a rule. */
export function coverPixels(
  rule: CoverRule,
  outline: AreaOutline,
  grid: Grid,
  allocate?: ReturnType<typeof makeMaskMemory>,
): CoveredPixels {
  const mask =
    rule === 'centres'
      ? rasterizeArea(outline, grid, { isExact: true, ...(allocate === undefined ? {} : { allocate }) })
      : touchPixels(outline, grid);
  const spans = toSpans(mask);
  return { spans, count: countPixels(spans) };
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
      // The last: it changes the order of the values.
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
  /** In pixels of the piece. */
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
  const { grid } = pixels;
  const allocate = kernels.begin(freeAt);
  const spansAt = allocate(spans.byteLength);
  new Uint32Array(kernels.buffer(), spansAt, spans.length).set(spans);
  const flagsAt = allocate(grid.width * grid.height);
  const planesAt = allocate(0);
  if (masks.length > 0) new Uint8Array(kernels.buffer(), flagsAt, grid.width * grid.height).fill(0);
  let hasFlags = false;
  for (const { plan, viewId, sceneVersion, means } of masks) {
    const job = { plan, grid, viewId, sceneVersion };
    const plane = { flagsAt, flag: FLAGS[means] };
    hasFlags = (await tools.flagClouds(job, plane, beginWork(tools, signal, planesAt))) || hasFlags;
  }
  const channels = await readChannels(pixels, beginWork(tools, signal, planesAt));
  // An input that does not reach the piece: no data.
  if (channels === null) return;
  for (const [output, { valuesAt, maskAt }] of channels.entries()) {
    collected[output]?.add({
      valuesAt,
      maskAt,
      flagsAt: hasFlags ? flagsAt : 0,
      spansAt,
      spanCount: spans.length / 2,
    });
  }
}
