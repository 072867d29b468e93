import { rasterizeArea } from '../../areas/index.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import type { WarpGrids } from '../../raster/index.ts';
import { slopeRelief, unpackGrids } from '../../raster/index.ts';
import { cropPlane } from '../heights/crop-plane.ts';
import type { HeightTools } from '../heights/height-work.ts';
import { beginHeights, viewPlane } from '../heights/height-work.ts';
import { JOIN_REACH_PX } from '../heights/join-models.ts';
import { readHeights } from '../heights/read-heights.ts';
import type { HeightsPlan } from '../plan/heights-plan.ts';
import { groundSizes } from '../plan/mercator.ts';

/** Pixels of heights around an area: the neighbours that a slope looks at, and those where models join. */
export const HALO_PX = 1 + JOIN_REACH_PX;

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
export interface SlopeClass {
  readonly fromDeg: number;
  readonly toDeg: number;
  readonly share: number;
}

/** The input of the job that measures an area. */
export interface AreaJob {
  /** Heights of the area, with HALO_PX more on each side. */
  readonly plan: HeightsPlan;
  readonly grids: WarpGrids;
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
