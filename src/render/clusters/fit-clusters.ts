import type { AreaOutline, Grid } from '../../geo/index.ts';
import { applyAffine, areaKm2 } from '../../geo/index.ts';
import type { ClusterModel, Features } from '../../numbers/index.ts';
import { assignClusters, fitClusters, sieve, toMinPixels } from '../../numbers/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import { makeProjection } from '../../proj/index.ts';
import type { Allocate, KernelPlanes, Kernels } from '../../raster/index.ts';
import { allocateSource, planWarp, warpPlanes } from '../../raster/index.ts';
import type { PixelTools } from '../pixels/read-channels.ts';
import { beginWork, readChannels } from '../pixels/read-channels.ts';
import { intersectMask, maskAreas } from '../pixels/shown-planes.ts';
import type { PixelPlan } from '../plan/render-plan.ts';

/** The input of the job that finds classes. */
export interface FitClustersJob {
  readonly sample: PixelPlan;
  /** Only pixels inside count; null for all. */
  readonly outline: AreaOutline | null;
  readonly count: number;
  /** Smaller patches of an area are removed; 0 retains all. */
  readonly minAreaM2: number;
}

/** Classes, and their zones once small patches are removed; null where none are removed. */
export interface FittedClusters {
  readonly model: ClusterModel;
  readonly zones: Zones | null;
}

/** A class for every pixel of an area, in shared memory; 0 where there is none. */
interface Zones {
  readonly grid: Grid;
  readonly labels: Uint8Array;
}

/** The job that finds classes; null if there is nothing to divide. */
export type ClusterJobs = { 'fit-clusters': JobType<FitClustersJob, FittedClusters | null> };

/** Builds the fit of classes to the values of expressions over a scene or an area. */
export const makeFitClusters =
  (tools: PixelTools) =>
  async (
    { sample, outline, count, minAreaM2 }: FitClustersJob,
    { signal }: JobContext,
  ): Promise<FittedClusters | null> => {
    const inside = maskAreas(outline === null ? [] : [outline], sample.grid);
    const channels = await readChannels(sample, beginWork(tools, signal));
    if (channels === null) return null;
    const pixels = sample.grid.width * sample.grid.height;
    const buffer = tools.kernels.buffer();
    const data = new Uint8Array(pixels).fill(1);
    for (const { maskAt } of channels) intersectMask(data, new Uint8Array(buffer, maskAt, pixels));
    const mask = data.slice();
    if (inside !== null) intersectMask(mask, inside);
    const planes = channels.map(({ valuesAt }) => new Float32Array(buffer, valuesAt, pixels));
    const features = { planes, mask };
    const model = fitClusters(features, count);
    if (model === null) return null;
    const zones =
      minAreaM2 > 0 && inside !== null
        ? sieveZones({ model, grid: sample.grid, features, data, inside, minAreaM2 })
        : null;
    return { model, zones };
  };

interface ZonesRequest {
  readonly model: ClusterModel;
  readonly grid: Grid;
  /** Where the area is, masked where there is no data. */
  readonly features: Features;
  /** 1 where there is data, also outside of the area. */
  readonly data: Uint8Array;
  /** 1 in the area. */
  readonly inside: Uint8Array;
  readonly minAreaM2: number;
}

/** The classes of a whole area without patches smaller than a limit; found once, so that all tiles agree. */
function sieveZones({ model, grid, features, data, inside, minAreaM2 }: ZonesRequest): Zones {
  const { width, height } = grid;
  const found = assignClusters(model, features);
  const minPixels = toMinPixels(minAreaM2, pixelAreaM2(grid));
  const sieved = minPixels <= 1 ? found : sieve({ labels: found, width, height }, minPixels);
  const labels = new Uint8Array(new SharedArrayBuffer(sieved.length));
  labels.set(sieved);
  growOnce(labels, { from: sieved, isOpen: (i) => inside[i] === 0 && data[i] === 1, width });
  return { grid, labels };
}

/** Pixels of a side of the square that a pixel's area is measured by: one alone is too small to be measured well. */
const SQUARE_PX = 16;

/** Ground that a pixel in the middle of a grid covers. */
function pixelAreaM2({ epsg, proj, transform, width, height }: Grid): number {
  const { forward } = makeProjection(proj ?? epsg, 4326);
  const [left, top] = [(width - SQUARE_PX) / 2, (height - SQUARE_PX) / 2];
  const corners = [
    [0, 0],
    [0, SQUARE_PX],
    [SQUARE_PX, SQUARE_PX],
    [SQUARE_PX, 0],
    [0, 0],
  ].map(([x = 0, y = 0]) => forward(...applyAffine(transform, left + x, top + y)));
  return (Math.abs(areaKm2({ type: 'Polygon', coordinates: [corners] })) * 1e6) / SQUARE_PX ** 2;
}

interface Growth {
  readonly from: Uint8Array;
  /** Whether a pixel without a class may have one. */
  readonly isOpen: (i: number) => boolean;
  readonly width: number;
}

/**
 * Gives pixels around the area the class of a neighbour. The edge of an area cuts through pixels: where it holds less
 * than their middle, a finer picture still shows a part of them. What has no data has no class there either.
 */
function growOnce(labels: Uint8Array, { from, isOpen, width }: Growth): void {
  for (let i = 0, x = 0; i < from.length; i++) {
    if (from[i] === 0 && isOpen(i)) {
      const [left, right] = [x > 0 ? 1 : 0, x + 1 < width ? 1 : 0];
      for (const row of [i, i - width, i + width]) {
        for (let j = row - left; j <= row + right && labels[i] === 0; j++) labels[i] = from[j] ?? 0;
      }
    }
    x = x + 1 === width ? 0 : x + 1;
  }
}

interface ShowDeps {
  readonly kernels: Kernels;
  readonly allocate: Allocate;
}

/** Replaces the first channel by the class of every pixel, from 1; pixels without a class become transparent. */
export function showClusters(
  { bandsAt, maskAt, width, height }: KernelPlanes,
  model: ClusterModel,
  kernels: Kernels,
): void {
  const count = width * height;
  const buffer = kernels.buffer();
  const mask = new Uint8Array(buffer, maskAt, count);
  const planes = bandsAt.map((at) => new Float32Array(buffer, at, count));
  const labels = assignClusters(model, { planes, mask });
  planes[0]?.set(labels);
  for (let i = 0; i < count; i++) if (labels[i] === 0) mask[i] = 0;
}

/** The classes of a map that was made of the whole area, each pixel that of the nearest; null where it has none. */
export function showZones(
  { grid, labels }: Zones,
  target: Grid,
  { kernels, allocate }: ShowDeps,
): KernelPlanes | null {
  const plan = planWarp({ target, source: { ...grid, overviews: [] }, method: 'near' });
  if (plan === null) return null;
  const { window } = plan;
  const { valuesAt, planeBytes } = allocateSource(allocate, window, 1);
  const source = new Float32Array(kernels.buffer(), valuesAt, window.width * window.height);
  for (let row = 0; row < window.height; row++) {
    const from = (window.y + row) * grid.width + window.x;
    source.set(labels.subarray(from, from + window.width), row * window.width);
  }
  const planes = warpPlanes(kernels, allocate, {
    target,
    plan,
    source: { valuesAt, planeBytes, bandCount: 1, maskAt: 0 },
  });
  const count = target.width * target.height;
  const shown = new Float32Array(kernels.buffer(), planes.bandsAt[0] as number, count);
  const mask = new Uint8Array(kernels.buffer(), planes.maskAt, count);
  for (let i = 0; i < count; i++) if (shown[i] === 0) mask[i] = 0;
  return planes;
}
