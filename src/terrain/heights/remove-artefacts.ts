import { FILTER_REACH_PX, filterHeights } from './filter-heights.ts';
import type { HeightPlane, HeightWork } from './height-work.ts';
import { viewPlane } from './height-work.ts';

/** How far a pixel is looked around to tell whether heights are whole metres there. */
const WHOLE_REACH_PX = 2;

/** A filtered height depends on no pixel of the file farther away than this, in x or in y. */
export const ARTEFACT_REACH_PX = Math.max(FILTER_REACH_PX, WHOLE_REACH_PX);

/**
 * Removes spikes, small voids and stair-steps, in place. Many models of floating point hold whole metres, in parts or
 * throughout: there they are treated as such. That is told from the pixels around each one, so that neighbouring windows
 * agree.
 */
export function removeArtefacts(plane: HeightPlane, stepM: number, work: HeightWork): void {
  const { kernels, allocate } = work;
  const isWhole = stepM > 0 ? null : markWhole(plane, work);
  if (isWhole === null) {
    filterHeights(kernels, allocate, { ...plane, stepM });
    return;
  }
  const smooth = copyPlane(plane, work);
  filterHeights(kernels, allocate, { ...plane, stepM: 0 });
  filterHeights(kernels, allocate, { ...smooth, stepM: 1 });
  const { values } = viewPlane(kernels, plane);
  const smoothed = viewPlane(kernels, smooth).values;
  for (let i = 0; i < values.length; i++) if (isWhole[i] === 1) values[i] = smoothed[i]!;
}

function copyPlane(plane: HeightPlane, { kernels, allocate }: HeightWork): HeightPlane {
  const count = plane.width * plane.height;
  const copy = { ...plane, valuesAt: allocate(4 * count), maskAt: plane.maskAt === 0 ? 0 : allocate(count) };
  const [from, to] = [viewPlane(kernels, plane), viewPlane(kernels, copy)];
  to.values.set(from.values);
  if (from.mask !== null) to.mask?.set(from.mask);
  return copy;
}

/** 1 where all known heights around a pixel are whole metres, and not all 0; null if that is nowhere. */
function markWhole(plane: HeightPlane, { kernels }: HeightWork): Uint8Array | null {
  const { width, height } = plane;
  const { values, mask } = viewPlane(kernels, plane);
  const isWhole = new Uint8Array(values.length);
  let isAny = false;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (!Number.isInteger(values[i])) continue;
      if (!isWholeAround({ values, mask, width, height }, x, y)) continue;
      isWhole[i] = 1;
      isAny = true;
    }
  }
  return isAny ? isWhole : null;
}

interface Heights {
  readonly values: Float32Array;
  readonly mask: Uint8Array | null;
  readonly width: number;
  readonly height: number;
}

function isWholeAround({ values, mask, width, height }: Heights, column: number, row: number): boolean {
  let [min, max] = [Infinity, -Infinity];
  for (let y = Math.max(0, row - WHOLE_REACH_PX); y <= Math.min(height - 1, row + WHOLE_REACH_PX); y++) {
    for (
      let x = Math.max(0, column - WHOLE_REACH_PX);
      x <= Math.min(width - 1, column + WHOLE_REACH_PX);
      x++
    ) {
      const i = y * width + x;
      if (mask !== null && mask[i] === 0) continue;
      const value = values[i]!;
      if (!Number.isInteger(value)) return false;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  // The sea is 0 m and has no steps.
  return min !== 0 || max !== 0;
}
