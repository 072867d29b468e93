import type { Allocate, Kernels } from '../raster/index.ts';
import { internal } from './errors.ts';

/** A mask of rows in the kernels' memory, a byte per pixel. */
interface MaskRows {
  readonly maskAt: number;
  readonly width: number;
  readonly height: number;
}

/** Sides of a mask: squares of distances must fit into 32 bits. */
const MAX_SIDE = 16_384;

/**
 * Sets a flag in every pixel whose centre lies within `radiusPx` of one that has it, in place: clouds grow by their
 * blurred edges. What lies outside the picture is unknown, so the caller reads as many pixels around it as the radius.
 */
export function dilateMask(
  kernels: Kernels,
  allocate: Allocate,
  {
    maskAt,
    width,
    height,
    radiusPx,
    flag = 1,
  }: MaskRows & { readonly radiusPx: number; readonly flag?: number },
): void {
  checkSides(width, height);
  if (!(radiusPx >= 0)) throw internal('stack-radius', `A radius is 0 or more pixels, not ${radiusPx}.`);
  // A disc of this radius covers the picture from any of its pixels.
  const radius = Math.min(radiusPx, width + height);
  const rows = Math.min(Math.floor(radius), height);
  const reachesAt = allocate(2 * (rows + 1));
  const gapsAt = allocateGaps(allocate, width, height);
  new Uint16Array(kernels.buffer(), reachesAt, rows + 1).set(
    Array.from({ length: rows + 1 }, (_, gap) => reachOf(radius, gap)),
  );
  kernels.run.dilateMask(maskAt, flag, width, height, reachesAt, rows, gapsAt);
}

/** The most columns that lie within a radius, so many rows away. */
function reachOf(radius: number, rows: number): number {
  const reach = Math.floor(Math.sqrt(radius ** 2 - rows ** 2));
  // The root can be rounded up to a whole number that is too large.
  return reach ** 2 + rows ** 2 <= radius ** 2 ? reach : reach - 1;
}

/**
 * The Euclidean distance of each pixel with an odd mask to the nearest one with an even mask, between their centres, as a
 * plane of float32: at most `maxPx`, and 0 for even ones. Returns its address. What lies outside the picture is not an
 * edge by default.
 */
export function distanceToEdge(
  kernels: Kernels,
  allocate: Allocate,
  mask: MaskRows & { readonly maxPx: number; readonly isOutsideUnset?: boolean },
): number {
  const { maskAt, width, height, maxPx, isOutsideUnset = false } = mask;
  checkSides(width, height);
  if (!(maxPx > 0))
    throw internal('stack-radius', `A distance to edges is more than 0 pixels, not ${maxPx}.`);
  const distancesAt = allocate(4 * width * height);
  const gapsAt = allocateGaps(allocate, width, height);
  const envelopeAt = allocate(8 * (width + 2));
  // No gap between pixels of a column is larger than its height.
  const beyond = Math.min(Math.ceil(maxPx), height + 1);
  const isEdge = isOutsideUnset ? 1 : 0;
  const work = [gapsAt, envelopeAt] as const;
  kernels.run.edgeDistance(maskAt, width, height, distancesAt, maxPx, beyond, isEdge, ...work);
  return distancesAt;
}

/** Rows of 16-bit numbers in whole groups of eight, and one more row. */
const allocateGaps = (allocate: Allocate, width: number, height: number): number =>
  allocate(2 * Math.ceil(width / 8) * 8 * (height + 1));

function checkSides(width: number, height: number): void {
  if (width > MAX_SIDE || height > MAX_SIDE)
    throw internal('stack-radius', `A mask of ${width} × ${height} pixels is too large for distances.`);
}
