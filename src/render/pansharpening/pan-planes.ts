import type { TypedTree } from '../../bandmath/index.ts';
import type { ReadWindow } from '../../blocks/index.ts';
import type { Grid } from '../../geo/index.ts';
import type {
  Allocate,
  ComputeBands,
  KernelPlanes,
  Kernels,
  ResultPlane,
  SourcePlanes,
  WarpPlan,
} from '../../raster/index.ts';
import { allocateSource, makeStaging, makeWindowPlane, warpPlanes } from '../../raster/index.ts';
import type { PixelPlan } from '../plan.ts';
import { toRecord } from '../plan.ts';
import type { LowPlan, SharpenPlan } from './sharpen-plan.ts';

/** What sharpening works with. */
export interface SharpenDeps {
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
  readonly compute: ComputeBands;
  readonly allocate: Allocate;
  readonly signal: AbortSignal;
}

/** The panchromatic band on the picture's grid, and its local mean where that is needed; each with its mask. */
export interface PanBand {
  readonly pan: ResultPlane;
  readonly low: ResultPlane | null;
}

/** Reads the panchromatic band of a plan; null when it has nothing to show here. */
export async function readPan(
  { viewId, sceneVersion, grid }: PixelPlan,
  sharpen: SharpenPlan,
  { readWindow, kernels, compute, allocate, signal }: SharpenDeps,
): Promise<PanBand | null> {
  const { pan } = sharpen;
  if (pan.warp === null || (sharpen.kind === 'pixelwise' && sharpen.low === null)) return null;
  const { window } = pan.warp;
  const { valuesAt, planeBytes } = allocateSource(allocate, window, 1);
  const maskAt = allocate(window.width * window.height);
  const staging = makeStaging(allocate);
  const plane = makeWindowPlane({ kernels, staging, window, valuesAt, maskAt, nodata: pan.nodata });
  await readWindow({ ...pan, read: pan.warp, record: toRecord({ viewId, sceneVersion }) }, plane, signal);
  const source: SourcePlanes = {
    valuesAt,
    planeBytes,
    bandCount: 1,
    maskAt: plane.hasEmpty ? maskAt : 0,
  };
  const low = sharpen.kind === 'pixelwise' ? sharpen.low : null;
  const planes = [warpOne(kernels, allocate, { target: grid, plan: pan.warp, source })];
  if (low !== null) planes.push(warpLow(kernels, allocate, { low, source, target: grid }));
  const { rule, parameters } = pan;
  const [panPlane, lowPlane] =
    rule === 'plain'
      ? planes
      : compute(allocate, {
          tree: toPlainTree(planes.length),
          inputs: planes.map((at) => ({ ...at, rule, parameters, secondAt: 0 })),
          count: grid.width * grid.height,
        });
  return panPlane === undefined ? null : { pan: panPlane, low: lowPlane ?? null };
}

function warpLow(
  kernels: Kernels,
  allocate: Allocate,
  { low, source, target }: { readonly low: LowPlan; readonly source: SourcePlanes; readonly target: Grid },
): ResultPlane {
  const mean = warpOne(kernels, allocate, { target: low.grid, plan: low.average, source });
  const planeBytes = 4 * low.grid.width * low.grid.height;
  return warpOne(kernels, allocate, {
    target,
    plan: low.warp,
    source: { ...mean, planeBytes, bandCount: 1 },
  });
}

function warpOne(
  kernels: Kernels,
  allocate: Allocate,
  job: { readonly target: Grid; readonly plan: WarpPlan; readonly source: SourcePlanes },
): ResultPlane {
  const { bandsAt, maskAt }: KernelPlanes = warpPlanes(kernels, allocate, job);
  return { valuesAt: bandsAt[0] as number, maskAt };
}

/** The tree of planes as they are: what the band's rule makes of them is written in one place, the compiler. */
const toPlainTree = (count: number): TypedTree => {
  const places = Array.from({ length: count }, (_, i) => i);
  return {
    nodes: places.map((input) => ({ op: 'input', type: 'float', input })),
    inputs: places.map(() => ({ band: 'pan', calibrated: true, scene: 'this' })),
    outputs: places.map((input) => ({ value: input, absent: null, uses: [input], type: 'band' })),
    key: `inputs ${count}`,
    costPerPixel: count,
    needsWindow: false,
  };
};
