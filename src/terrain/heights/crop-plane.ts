import type { HeightPlane, HeightWork } from './height-work.ts';
import { viewPlane } from './height-work.ts';

/** The inner part of a plane, without so many pixels on each side. */
export function cropPlane(plane: HeightPlane, byPx: number, work: HeightWork): HeightPlane {
  if (byPx === 0) return plane;
  const { kernels, allocate } = work;
  const width = plane.width - 2 * byPx;
  const height = plane.height - 2 * byPx;
  const inner: HeightPlane = {
    width,
    height,
    valuesAt: allocate(4 * width * height),
    maskAt: plane.maskAt === 0 ? 0 : allocate(width * height),
  };
  const [from, to] = [viewPlane(kernels, plane), viewPlane(kernels, inner)];
  for (let y = 0; y < height; y++) {
    const start = (y + byPx) * plane.width + byPx;
    to.values.set(from.values.subarray(start, start + width), y * width);
    if (from.mask !== null) to.mask?.set(from.mask.subarray(start, start + width), y * width);
  }
  return inner;
}
