import type { ReadWindow } from '../../blocks/index.ts';
import type { Allocate, Kernels } from '../../raster/index.ts';
import type { ReadPyramid } from './read-pyramid.ts';

/** The tools of a thread for reading heights. */
export interface HeightTools {
  readonly readWindow: ReadWindow;
  readonly readPyramid: ReadPyramid;
  readonly kernels: Kernels;
}

/** The tools during one job: with memory of the kernels, which is valid until the next job begins. */
export interface HeightWork extends HeightTools {
  readonly allocate: Allocate;
  /** Aborts when no one waits for the result any more. */
  readonly signal: AbortSignal;
}

/** Heights in the kernels' memory, row by row. */
export interface HeightPlane {
  readonly width: number;
  readonly height: number;
  /** Float32 metres. */
  readonly valuesAt: number;
  /** A byte a pixel, 1 where the height is known; 0 if it is known everywhere. */
  readonly maskAt: number;
}

/** Begins a job: memory of the job before is reused. */
export const beginHeights = (tools: HeightTools, signal: AbortSignal): HeightWork => ({
  ...tools,
  allocate: tools.kernels.begin(),
  signal,
});

/** Allocates a plane whose heights are all unknown. */
export function allocatePlane({ kernels, allocate }: HeightWork, width: number, height: number): HeightPlane {
  const count = width * height;
  const plane = { width, height, valuesAt: allocate(4 * count), maskAt: allocate(count) };
  const { values, mask } = viewPlane(kernels, plane);
  values.fill(0);
  mask?.fill(0);
  return plane;
}

/** The arrays of a plane; valid until more memory is allocated. */
export function viewPlane(
  kernels: Kernels,
  { width, height, valuesAt, maskAt }: HeightPlane,
): { readonly values: Float32Array; readonly mask: Uint8Array | null } {
  const count = width * height;
  const buffer = kernels.buffer();
  return {
    values: new Float32Array(buffer, valuesAt, count),
    mask: maskAt === 0 ? null : new Uint8Array(buffer, maskAt, count),
  };
}

/** The heights of a plane, out of the kernels' memory; NaN where they are not known. */
export function copyHeights(plane: HeightPlane, { kernels }: HeightWork): Float32Array<ArrayBuffer> {
  const { values, mask } = viewPlane(kernels, plane);
  const heights = new Float32Array(values);
  if (mask !== null) for (let i = 0; i < heights.length; i++) if (mask[i] === 0) heights[i] = Number.NaN;
  return heights;
}

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
