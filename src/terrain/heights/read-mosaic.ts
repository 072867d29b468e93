import type { Grid } from '../../geo/index.ts';
import { moveOrigin } from '../../geo/index.ts';
import type { WarpPlan } from '../../raster/index.ts';
import { warpPlanes, withMethod } from '../../raster/index.ts';
import type { LatticePlan, MosaicPlan } from '../plan/heights-plan.ts';
import { toUnbounded } from '../plan/mercator.ts';
import { fillSea } from './fill-sea.ts';
import type { HeightPlane, HeightWork } from './height-work.ts';
import { allocatePlane, viewPlane } from './height-work.ts';
import { readLattice } from './read-lattice.ts';
import { removeArtefacts } from './remove-artefacts.ts';

/** Reads a mosaic and warps it onto the grid; a height is known where a file of the mosaic has one. */
export async function readMosaic(
  plan: MosaicPlan,
  { grid, isFiltered }: { readonly grid: Grid; readonly isFiltered: boolean },
  work: HeightWork,
): Promise<HeightPlane> {
  const { warp, around, seaOutside, stepM } = plan;
  // As it was planned: a large approximating grid is not sent along but computed again.
  const target = toUnbounded(grid);
  const own = await readLattice(plan, work);
  const isContinued = around.length > 0 || seaOutside !== null;
  const whole = isContinued ? await continueOutside(own, plan, work) : own;
  if (isFiltered) removeArtefacts(whole, stepM, work);
  const warped = warpHeights(whole, warp, target, work);
  if (isContinued) dropOutside(warped, plan, target, work);
  return warped;
}

/** Warps a plane onto a grid. */
function warpHeights(plane: HeightPlane, plan: WarpPlan, target: Grid, work: HeightWork): HeightPlane {
  const { kernels, allocate } = work;
  const source = {
    valuesAt: plane.valuesAt,
    planeBytes: 4 * plane.width * plane.height,
    bandCount: 1,
    maskAt: plane.maskAt,
  };
  const { width, height, bandsAt, maskAt } = warpPlanes(kernels, allocate, { target, plan, source });
  return { width, height, valuesAt: bandsAt[0] as number, maskAt };
}

/**
 * Continues heights beyond the files of a lattice, with those of its neighbours and of the sea: then interpolation goes
 * on across the border, and there is no crease.
 */
async function continueOutside(own: HeightPlane, plan: MosaicPlan, work: HeightWork): Promise<HeightPlane> {
  const { width, height } = own;
  const whole = allocatePlane(work, width, height);
  const window = toWindowGrid(plan);
  copyKnown(own, whole, work);
  const isInside = markPieces(plan);
  for (const other of plan.around) {
    const plane = warpHeights(await readLattice(other, work), other.warp, window, work);
    fillUnknown(whole, plane, { isInside, work });
  }
  if (plan.seaOutside !== null) fillSea(whole, { grid: window, land: plan.seaOutside }, work);
  return whole;
}

const toWindowGrid = ({ warp }: LatticePlan): Grid => ({
  epsg: warp.epsg,
  proj: warp.proj ?? null,
  transform: moveOrigin(warp.levelTransform, warp.window),
  width: warp.window.width,
  height: warp.window.height,
});

/** 1 for the pixels of a lattice's window that lie in one of its files. */
function markPieces({ warp: { window }, pieces }: LatticePlan): Uint8Array {
  const isInside = new Uint8Array(window.width * window.height);
  for (const { at, read } of pieces) {
    for (let y = at.y; y < at.y + read.window.height; y++) {
      const start = y * window.width + at.x;
      isInside.fill(1, start, start + read.window.width);
    }
  }
  return isInside;
}

function copyKnown(from: HeightPlane, to: HeightPlane, { kernels }: HeightWork): void {
  const [source, target] = [viewPlane(kernels, from), viewPlane(kernels, to)];
  target.values.set(source.values);
  if (source.mask === null) target.mask?.fill(1);
  else target.mask?.set(source.mask);
}

/** Takes heights of another plane outside of the files: a void inside a file stays one. */
function fillUnknown(
  whole: HeightPlane,
  other: HeightPlane,
  { isInside, work }: { readonly isInside: Uint8Array; readonly work: HeightWork },
): void {
  const [to, from] = [viewPlane(work.kernels, whole), viewPlane(work.kernels, other)];
  const mask = to.mask as Uint8Array;
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] === 1 || isInside[i] === 1 || from.mask?.[i] === 0) continue;
    to.values[i] = from.values[i]!;
    mask[i] = 1;
  }
}

/** Unknown again where the pixel under a target pixel lies outside of the mosaic's files: those know it better. */
function dropOutside(warped: HeightPlane, plan: MosaicPlan, grid: Grid, work: HeightWork): void {
  const { kernels, allocate } = work;
  const { width, height } = plan.warp.window;
  const isInside = markPieces(plan);
  const valuesAt = allocate(4 * width * height);
  new Float32Array(kernels.buffer(), valuesAt, width * height).set(isInside);
  const near = withMethod(plan.warp, 'near');
  const inside = warpHeights({ width, height, valuesAt, maskAt: 0 }, near, grid, work);
  const { values } = viewPlane(kernels, inside);
  const { mask } = viewPlane(kernels, warped);
  if (mask !== null) for (let i = 0; i < mask.length; i++) if (values[i] !== 1) mask[i] = 0;
}
