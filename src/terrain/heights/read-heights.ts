import type { Grid, LonLatBounds } from '../../geo/index.ts';
import { moveOrigin } from '../../geo/index.ts';
import type { WarpPlan } from '../../raster/index.ts';
import { warpPlanes, withMethod } from '../../raster/index.ts';
import { toLatitude, toLongitude, toUnbounded } from '../plan/mercator.ts';
import type { HeightsPlan, ModelPlan, MosaicPlan } from '../plan/plan-heights.ts';
import type { LatticePlan } from '../plan/plan-lattices.ts';
import { removeArtefacts } from './filter-heights.ts';
import type { HeightPlane, HeightWork } from './height-plane.ts';
import { allocatePlane, viewPlane } from './height-plane.ts';
import type { KnownHeights } from './join-models.ts';
import { joinModels } from './join-models.ts';
import { readLattice } from './read-lattice.ts';

/** Reads the heights of a plan. Models of lower rank are read only if there are voids for them to fill. */
export async function readHeights(plan: HeightsPlan, work: HeightWork): Promise<HeightPlane> {
  const { grid, models } = plan;
  const [first, ...others] = models;
  if (first === undefined) return allocatePlane(work, grid.width, grid.height);
  const plane = await readModel(first, plan, work);
  for (const other of others) {
    if (!hasVoid(plane, work)) break;
    const lower = await readModel(other, plan, work);
    joinModels(toKnown(plane, work), toKnown(lower, work));
  }
  return plane;
}

function hasVoid(plane: HeightPlane, { kernels }: HeightWork): boolean {
  const { mask } = viewPlane(kernels, plane);
  // Buffers are searched faster than typed arrays.
  return mask !== null && Buffer.from(mask.buffer, mask.byteOffset, mask.length).includes(0);
}

function toKnown(plane: HeightPlane, { kernels }: HeightWork): KnownHeights {
  const { values, mask } = viewPlane(kernels, plane);
  return { width: plane.width, height: plane.height, values, mask: mask as Uint8Array };
}

/** Reads one model: its finest mosaic first, others where that has no file, and the sea where none has. */
async function readModel(model: ModelPlan, plan: HeightsPlan, work: HeightWork): Promise<HeightPlane> {
  const { grid } = plan;
  const [first, ...others] = model.mosaics;
  const plane =
    first === undefined ? allocatePlane(work, grid.width, grid.height) : await readMosaic(first, plan, work);
  for (const mosaic of others) {
    if (!hasVoid(plane, work)) break;
    fill(plane, await readMosaic(mosaic, plan, work), work);
  }
  if (model.landBounds !== null && hasVoid(plane, work))
    fillSea(plane, { grid, land: model.landBounds }, work);
  return plane;
}

function fill(plane: HeightPlane, other: HeightPlane, { kernels }: HeightWork): void {
  const [to, from] = [viewPlane(kernels, plane), viewPlane(kernels, other)];
  const mask = to.mask as Uint8Array;
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] === 1 || from.mask?.[i] === 0) continue;
    to.values[i] = from.values[i]!;
    mask[i] = 1;
  }
}

/** Reads a mosaic and warps it onto the grid; a height is known where a file of the mosaic has one. */
async function readMosaic(
  plan: MosaicPlan,
  { grid, isFiltered }: { readonly grid: Grid; readonly isFiltered: boolean },
  work: HeightWork,
): Promise<HeightPlane> {
  const { warp, around, seaOutside, stepM } = plan;
  // The same target as in the plan: large approximating grids are not sent along but computed again.
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

/** Marks heights as unknown whose source pixel lies outside the mosaic's files: other mosaics have better ones. */
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

/** Sets unknown heights outside of the bounds of land to 0 m, on an upright grid in degrees or in Web Mercator. */
function fillSea(
  plane: HeightPlane,
  { grid, land }: { readonly grid: Grid; readonly land: readonly LonLatBounds[] },
  { kernels }: HeightWork,
): void {
  const { values, mask } = viewPlane(kernels, plane);
  if (mask === null) return;
  const isLand = markLand(land, grid);
  for (let i = 0; i < values.length; i++) {
    if (isLand[i] === 1 || mask[i] === 1) continue;
    values[i] = 0;
    mask[i] = 1;
  }
}

/** 1 for the pixels whose centres lie in one of the bounds, here or a turn further. */
function markLand(land: readonly LonLatBounds[], grid: Grid): Uint8Array {
  const { longitudes, latitudes } = toDegrees(grid);
  const isLand = new Uint8Array(longitudes.length * latitudes.length);
  for (const { west, east, south, north } of land) {
    const columns = Uint8Array.from(longitudes, (longitude) =>
      [-360, 0, 360].some((turn) => longitude + turn >= west && longitude + turn <= east) ? 1 : 0,
    );
    for (const [y, latitude] of latitudes.entries()) {
      if (latitude < south || latitude > north) continue;
      const start = y * columns.length;
      for (let x = 0; x < columns.length; x++) isLand[start + x]! |= columns[x]!;
    }
  }
  return isLand;
}

/** Longitudes of the columns and latitudes of the rows. */
function toDegrees({ epsg, transform, width, height }: Grid) {
  const [originX, pixelWidth, , originY, , pixelHeight] = transform;
  const isMercator = epsg === 3857;
  const toLon = (x: number): number => (isMercator ? toLongitude(x) : x);
  const toLat = (y: number): number => (isMercator ? toLatitude(y) : y);
  return {
    longitudes: Float64Array.from({ length: width }, (_, x) => toLon(originX + (x + 0.5) * pixelWidth)),
    latitudes: Float64Array.from({ length: height }, (_, y) => toLat(originY + (y + 0.5) * pixelHeight)),
  };
}
