import { rasterizeArea } from '../../areas/index.ts';
import type { AreaOutline, Grid, LonLatBounds } from '../../geo/index.ts';
import { MERCATOR_HALF_SIDE_M } from '../../geo/index.ts';
import type { JobContext, JobRunner, JobType, Ticket } from '../../pool/index.ts';
import type { PlannedGrids } from '../../proj/index.ts';
import { packGrids, unpackGrids } from '../../proj/index.ts';
import { unsupported } from '../errors.ts';
import type { HeightTools } from '../heights/height-plane.ts';
import { beginHeights, cropPlane, viewPlane } from '../heights/height-plane.ts';
import { JOIN_REACH_PX } from '../heights/join-models.ts';
import { readHeights } from '../heights/read-heights.ts';
import { slopeRelief } from '../heights/relief.ts';
import { groundSizes, widenGrid } from '../plan/mercator.ts';
import type { HeightsPlan } from '../plan/plan-heights.ts';
import { warpsOf } from '../plan/plan-heights.ts';
import type { PlanDeps } from './read-grid.ts';
import { onHeights } from './read-grid.ts';

/** An area to measure. */
export interface AreaRequest {
  readonly outline: AreaOutline;
  readonly bounds: LonLatBounds;
  readonly slopeBounds: readonly number[];
  readonly isFiltered: boolean;
}

/** Measures heights and slopes of an area. */
export type ReadAreaStatistics = (request: AreaRequest, ticket: Ticket) => Promise<AreaStatistics>;

/** Mask, slope and heights without halo. */
const PIXEL_BYTES = 16;

/** Builds the measuring of areas: plans here, pixels on the pool. */
export const makeReadAreaStatistics =
  (deps: PlanDeps & { readonly pool: JobRunner<AreaStatisticsJobs> }): ReadAreaStatistics =>
  async ({ outline, bounds, slopeBounds, isFiltered }, ticket) => {
    const grid = toAreaGrid(bounds);
    return onHeights({ grid: toReadGrid(grid), isFiltered }, deps, async (plan) => {
      const job = { plan, grids: packGrids(warpsOf(plan)), grid, outline, slopeBounds };
      const bytes = plan.bytes + PIXEL_BYTES * grid.width * grid.height;
      const { output } = await deps.pool.run('terrain-statistics', job, { ...ticket, bytes });
      if (output.areaM2 > 0) return output;
      throw unsupported(
        'area-too-small',
        'The area is too small: it contains no pixel centre at zoom 16, where a pixel is some metres wide. Request a point instead.',
      );
    });
  };

/** Pixels on the longer side of an area: more change no statistic by a thousandth. */
const MAX_SIDE_PX = 1_024;
/** The deepest zoom level of terrain. */
const MAX_ZOOM = 16;
/** Where Web Mercator ends. */
const MAX_LATITUDE = 85.0511;

/** The pixels of an area: those of the deepest zoom level at which it has at most 1024 a side. */
export function toAreaGrid({ west, south, east, north }: LonLatBounds): Grid {
  if (south < -MAX_LATITUDE || north > MAX_LATITUDE) {
    throw unsupported(
      'area-beyond-map',
      `Terrain is measured on the map, which ends at ±${MAX_LATITUDE.toFixed(2)}° of latitude.`,
    );
  }
  const [left, right] = [toX(west), toX(east)];
  const [top, bottom] = [toY(north), toY(south)];
  const zoom = Math.min(
    MAX_ZOOM,
    Math.max(
      1,
      Math.floor(
        Math.log2((MAX_SIDE_PX * 2 * MERCATOR_HALF_SIDE_M) / 256 / Math.max(right - left, top - bottom, 1)),
      ),
    ),
  );
  const pixelM = (2 * MERCATOR_HALF_SIDE_M) / 256 / 2 ** zoom;
  const firstColumn = Math.floor(left / pixelM);
  const firstRow = Math.floor(-top / pixelM);
  return {
    epsg: 3857,
    transform: [firstColumn * pixelM, pixelM, 0, -firstRow * pixelM, 0, -pixelM],
    width: Math.max(1, Math.ceil(right / pixelM) - firstColumn),
    height: Math.max(1, Math.ceil(-bottom / pixelM) - firstRow),
  };
}

const toX = (longitude: number): number => (longitude / 180) * MERCATOR_HALF_SIDE_M;

const toY = (latitude: number): number =>
  (Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) * MERCATOR_HALF_SIDE_M;

/** Pixels of heights around an area: the neighbours that a slope looks at, and those where models join. */
const HALO_PX = 1 + JOIN_REACH_PX;

/** The pixels whose heights are read for those of an area. */
export const toReadGrid = (grid: Grid): Grid => widenGrid(grid, HALO_PX);

/** Heights and slopes of an area. Every pixel counts by its area on the ground. */
export interface AreaStatistics {
  /** Of the whole area, in square metres. */
  readonly areaM2: number;
  /** The part of it whose heights are known, 0 to 1. */
  readonly knownShare: number;
  /** Metres; null if no height is known. */
  readonly height: {
    readonly min: number;
    readonly max: number;
    readonly mean: number;
    readonly std: number;
  } | null;
  /** Degrees; null if no slope is known. */
  readonly slope: {
    readonly mean: number;
    readonly max: number;
    readonly classes: readonly SlopeClass[];
  } | null;
  /** Side of the pixels that were counted, in metres on the ground in the middle of the area. */
  readonly pixelM: number;
}

/** Slopes from one bound to the next, and their share of the known slopes, 0 to 1. */
interface SlopeClass {
  readonly fromDeg: number;
  readonly toDeg: number;
  readonly share: number;
}

/** The input of the job that measures an area. */
interface AreaJob {
  /** Heights of the area, with HALO_PX more on each side. */
  readonly plan: HeightsPlan;
  readonly grids: PlannedGrids;
  /** The pixels of the area, without halo. */
  readonly grid: Grid;
  readonly outline: AreaOutline;
  /** Bounds between classes of slopes, ascending, in degrees. */
  readonly slopeBounds: readonly number[];
}

/** The job of measuring an area. */
export type AreaStatisticsJobs = { 'terrain-statistics': JobType<AreaJob, AreaStatistics> };

/** Builds the measuring itself, for one thread. */
export const makeAreaStatisticsJob =
  (tools: HeightTools) =>
  async (job: AreaJob, { signal }: JobContext): Promise<AreaStatistics> => {
    const { plan, grids, grid, outline, slopeBounds } = job;
    unpackGrids(grids);
    const work = beginHeights(tools, signal);
    const heights = await readHeights(plan, work);
    const around = cropPlane(heights, HALO_PX - 1, work);
    const inner = cropPlane(around, 1, work);
    const sizes = groundSizes(grid);
    const { width, height } = grid;
    const slope = slopeRelief(work.kernels, work.allocate, {
      heightsAt: around.valuesAt,
      maskAt: around.maskAt,
      width,
      height,
      pixelWidthsM: sizes,
      pixelHeightsM: sizes,
    });
    const inside = rasterizeArea(outline, grid);
    const { values, mask } = viewPlane(work.kernels, inner);
    const slopes = viewPlane(work.kernels, { width, height, ...slope });
    const heightSums = makeSums();
    const slopeSums = makeSums();
    const classes = new Float64Array(slopeBounds.length + 1);
    let area = 0;
    for (let y = 0; y < height; y++) {
      const weight = (sizes[y] as number) ** 2;
      for (let i = y * width; i < (y + 1) * width; i++) {
        if (inside[i] === 0) continue;
        area += weight;
        if (mask === null || mask[i] === 1) heightSums.add(values[i] as number, weight);
        if (slopes.mask?.[i] !== 1) continue;
        const degrees = slopes.values[i] as number;
        slopeSums.add(degrees, weight);
        classes[classOf(degrees, slopeBounds)]! += weight;
      }
    }
    const [heightTotals, slopeTotals] = [heightSums.totals(), slopeSums.totals()];
    return {
      areaM2: area,
      knownShare: area === 0 ? 0 : heightSums.weight() / area,
      height: heightTotals,
      slope: slopeTotals && {
        mean: slopeTotals.mean,
        max: slopeTotals.max,
        classes: toClasses(classes, slopeBounds, slopeSums.weight()),
      },
      pixelM: sizes[Math.floor(height / 2)] as number,
    };
  };

/** Weighted sums; differences from the first value lose no digits. */
function makeSums() {
  let [weights, sum, squares, first, min, max] = [0, 0, 0, 0, Infinity, -Infinity];
  return {
    add(value: number, weight: number): void {
      if (weights === 0) first = value;
      const difference = value - first;
      weights += weight;
      sum += weight * difference;
      squares += weight * difference * difference;
      if (value < min) min = value;
      if (value > max) max = value;
    },
    weight: (): number => weights,
    totals() {
      if (weights === 0) return null;
      const mean = sum / weights;
      return { min, max, mean: first + mean, std: Math.sqrt(Math.max(0, squares / weights - mean * mean)) };
    },
  };
}

function classOf(degrees: number, bounds: readonly number[]): number {
  let index = 0;
  while (index < bounds.length && degrees >= (bounds[index] as number)) index += 1;
  return index;
}

const toClasses = (weights: Float64Array, bounds: readonly number[], total: number): readonly SlopeClass[] =>
  Array.from(weights, (weight, i) => ({
    fromDeg: bounds[i - 1] ?? 0,
    toDeg: bounds[i] ?? 90,
    share: weight / total,
  }));
