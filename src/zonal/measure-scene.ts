import { rasterizeArea } from '../areas/index.ts';
import type { JobReads, ThreadTools } from '../blocks/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import { LON_LAT_GRID } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { HistogramBins } from '../numbers/index.ts';
import { countBins } from '../numbers/index.ts';
import type { JobContext, JobHandlers, JobType } from '../pool/index.ts';
import type { GeoreferencedGrid } from '../proj/index.ts';
import { makePixelMapping } from '../proj/index.ts';
import { makeComputeBands } from '../raster/index.ts';
import type { CloudPlan, PixelPlan, PixelTools } from '../render/native/index.ts';
import {
  beginWork,
  listCloudReads,
  listPlanReads,
  makeFlagClouds,
  readChannels,
} from '../render/native/index.ts';
import type { CollectedValues } from './collect-values.ts';
import { CLOUD_FLAGS, makeCollectedValues, measureValues } from './collect-values.ts';
import type { Measured } from './scene-statistics-store.ts';

/** A part of a group that is read at once. */
interface MeasuredPiece {
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

/** What the jobs read from files, so that it can be fetched before they take a thread. */
export const statisticsReads: JobReads<StatisticsJobs> = {
  'scene-statistics': ({ groups }) =>
    groups.flatMap(({ pieces }) =>
      pieces.flatMap(({ pixels, masks }) => [
        ...listPlanReads(pixels),
        ...masks.flatMap((mask) => listCloudReads(mask.plan, mask)),
      ]),
    ),
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

interface MeasureTools extends PixelTools {
  readonly flagClouds: ReturnType<typeof makeFlagClouds>;
}

/** Builds the job handler for one thread. */
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

/**
 * The set pixels of a mask as runs, one after the other: the first pixel of each and the one after its last. The runs of
 * a field take a hundredth of its mask.
 */
type AreaSpans = Uint32Array;

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

/** Which pixels count: those whose centre lies in the area, or those that it touches. */
type CoverRule = 'centres' | 'touched';

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

/** The pixels of one grid that count by a rule. */
export function coverPixels(
  rule: CoverRule,
  outline: AreaOutline,
  grid: Grid,
  allocate?: ReturnType<typeof makeMaskMemory>,
): CoveredPixels {
  const mask =
    rule === 'centres'
      ? rasterizeArea(outline, grid, { isExact: true, allocate })
      : touchPixels(outline, grid);
  const spans = toSpans(mask);
  return { spans, count: countPixels(spans) };
}

/** The largest mask whose memory is reused: that of an area of 20 km in pixels of 10 m. */
const MAX_MASK_BYTES = 4 * 2 ** 20;

/** Zeroed memory for one mask at a time; a fresh array for each would keep the garbage collector busy. */
function makeMaskMemory(): (bytes: number) => Uint8Array<ArrayBuffer> {
  let memory = new Uint8Array(0);
  return (bytes) => {
    if (bytes > MAX_MASK_BYTES) return new Uint8Array(bytes);
    if (bytes > memory.length) memory = new Uint8Array(bytes);
    else memory.fill(0, 0, bytes);
    return memory.subarray(0, bytes);
  };
}

/** The runs of a mask of ones and zeros. */
export function toSpans(mask: Uint8Array): AreaSpans {
  const found: number[] = [];
  for (let at = mask.indexOf(1); at >= 0; ) {
    const zero = mask.indexOf(0, at);
    const until = zero < 0 ? mask.length : zero;
    found.push(at, until);
    at = mask.indexOf(1, until);
  }
  return Uint32Array.from(found);
}

/** How many pixels lie in runs. */
export function countPixels(spans: AreaSpans): number {
  let count = 0;
  for (let i = 0; i < spans.length; i += 2) count += (spans[i + 1] as number) - (spans[i] as number);
  return count;
}

/** Edges are straight in degrees; over this many pixels they are straight in any projection. */
const PIECE_PX = 8;

/**
 * Marks the pixels that an outline passes through. For an area without the centre of a pixel these are all that it
 * touches: a pixel that lies in it wholly would have its centre in it.
 */
export function touchPixels(outline: AreaOutline, grid: GeoreferencedGrid): Uint8Array<ArrayBuffer> {
  const { width, height } = grid;
  const mask = new Uint8Array(width * height);
  const { toTarget: toPixel } = makePixelMapping(grid, LON_LAT_GRID);
  for (let edge = 0; edge < outline.length; edge += 4) {
    const [lon, lat, endLon, endLat] = outline.subarray(edge, edge + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    let from = toPixel(lon, lat);
    const end = toPixel(endLon, endLat);
    const lengthPx = Math.hypot(end[0] - from[0], end[1] - from[1]);
    const pieces = Math.max(1, Math.min(100_000, Math.ceil(lengthPx / PIECE_PX)));
    for (let piece = 1; piece <= pieces; piece += 1) {
      const share = piece / pieces;
      const to = toPixel(lon + share * (endLon - lon), lat + share * (endLat - lat));
      walk(from, to, (col, row) => {
        if (col >= 0 && row >= 0 && col < width && row < height) mask[row * width + col] = 1;
      });
      from = to;
    }
  }
  return mask;
}

/** Visits the pixels that a line passes through, from crossing to crossing (Amanatides and Woo, 1987). */
function walk(
  [fromX, fromY]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  visit: (col: number, row: number) => void,
): void {
  if (!Number.isFinite(fromX + fromY + toX + toY)) return;
  let [col, row] = [Math.floor(fromX), Math.floor(fromY)];
  const [lastCol, lastRow] = [Math.floor(toX), Math.floor(toY)];
  const [stepX, stepY] = [Math.sign(toX - fromX), Math.sign(toY - fromY)];
  const [overX, overY] = [Math.abs(1 / (toX - fromX)), Math.abs(1 / (toY - fromY))];
  let nextX = stepX === 0 ? Infinity : (stepX > 0 ? col + 1 - fromX : fromX - col) * overX;
  let nextY = stepY === 0 ? Infinity : (stepY > 0 ? row + 1 - fromY : fromY - row) * overY;
  const steps = Math.abs(lastCol - col) + Math.abs(lastRow - row);
  visit(col, row);
  for (let step = 0; step < steps; step += 1) {
    if (nextX < nextY) {
      col += stepX;
      nextX += overX;
    } else {
      row += stepY;
      nextY += overY;
    }
    visit(col, row);
  }
}
