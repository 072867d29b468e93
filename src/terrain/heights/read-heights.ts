import type { HeightsPlan, ModelPlan } from '../plan/heights-plan.ts';
import { fillSea } from './fill-sea.ts';
import type { HeightPlane, HeightWork } from './height-work.ts';
import { allocatePlane, viewPlane } from './height-work.ts';
import type { KnownHeights } from './join-models.ts';
import { joinModels } from './join-models.ts';
import { readMosaic } from './read-mosaic.ts';

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
