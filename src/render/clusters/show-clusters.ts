import type { Grid } from '../../geo/index.ts';
import type { ClusterModel } from '../../numbers/index.ts';
import { assignClusters } from '../../numbers/index.ts';
import type { Allocate, KernelPlanes, Kernels } from '../../raster/index.ts';
import { allocateSource, planWarp, warpPlanes } from '../../raster/index.ts';
import type { Zones } from './sieve-zones.ts';

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
