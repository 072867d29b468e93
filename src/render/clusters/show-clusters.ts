import type { Grid } from '../../geo/index.ts';
import type { Allocate, KernelPlanes, Kernels } from '../../raster/index.ts';
import { allocateSource, planWarp, warpPlanes } from '../../raster/index.ts';
import { assignClusters } from '../../stats/index.ts';
import type { FittedClusters, Zones } from './find-clusters.ts';

interface ShowDeps {
  readonly kernels: Kernels;
  readonly allocate: Allocate;
}

/** Puts the class of every pixel, from 1, in place of the first channel; what is in none is no longer seen. */
export function showClusters(
  { bandsAt, maskAt, width, height }: KernelPlanes,
  { fitted, grid }: { readonly fitted: FittedClusters | null; readonly grid: Grid },
  { kernels, allocate }: ShowDeps,
): void {
  const count = width * height;
  const warped = fitted?.zones == null ? null : warpZones(fitted.zones, grid, { kernels, allocate });
  const buffer = kernels.buffer();
  const mask = new Uint8Array(buffer, maskAt, count);
  const planes = bandsAt.map((at) => new Float32Array(buffer, at, count));
  if (fitted === null || (fitted.zones !== null && warped === null)) {
    mask.fill(0);
    return;
  }
  const labels =
    warped === null ? assignClusters(fitted.model, { planes, mask }) : takeLabels(warped, kernels, count);
  planes[0]?.set(labels);
  for (let i = 0; i < count; i++) if (labels[i] === 0) mask[i] = 0;
}

/** Zones on the grid of a picture, each pixel that of the nearest; null where there are none. */
function warpZones({ grid, labels }: Zones, target: Grid, { kernels, allocate }: ShowDeps) {
  const plan = planWarp({ target, source: { ...grid, overviews: [] }, method: 'near' });
  if (plan === null) return null;
  const { window } = plan;
  const { valuesAt, planeBytes } = allocateSource(allocate, window, 1);
  const source = new Float32Array(kernels.buffer(), valuesAt, window.width * window.height);
  for (let row = 0; row < window.height; row++) {
    const from = (window.y + row) * grid.width + window.x;
    source.set(labels.subarray(from, from + window.width), row * window.width);
  }
  return warpPlanes(kernels, allocate, {
    target,
    plan,
    source: { valuesAt, planeBytes, bandCount: 1, maskAt: 0 },
  });
}

function takeLabels({ bandsAt: [at = 0], maskAt }: KernelPlanes, kernels: Kernels, count: number) {
  const labels = new Uint8Array(count);
  const values = new Float32Array(kernels.buffer(), at, count);
  const mask = new Uint8Array(kernels.buffer(), maskAt, count);
  for (let i = 0; i < count; i++) labels[i] = mask[i] === 0 ? 0 : (values[i] as number);
  return labels;
}
