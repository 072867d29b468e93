import { internal } from '../errors.ts';
import type { Allocate, Kernels } from './kernels.ts';
import type { IndexDetail } from './pansharpen-detail.ts';

/**
 * A panchromatic band on the grid of a picture, in the kernels' memory. Sharpening works in place on the picture's own
 * planes, one pixel at a time, so tiles join without seams as long as their planes do.
 */
export interface PanPlanes {
  readonly panAt: number;
  /**
   * Its local mean: the panchromatic band averaged onto the grid of the other bands (`average`), then resampled to the
   * picture's grid like those. At the same resolution as theirs it equals the band, and nothing is sharpened.
   */
  readonly lowAt: number;
  /** A byte per pixel, 1 where all planes involved have data; other pixels are not changed. */
  readonly maskAt: number;
  /** Pixels of every plane. */
  readonly count: number;
}

/** Planes of a composite and their weights. */
export interface SharpenComposite extends Omit<PanPlanes, 'lowAt'> {
  readonly bandsAt: readonly number[];
  /** One per band; their sum is 1. */
  readonly weights: readonly number[];
  /** The range of the data type, in which results must stay; null for reflectance. */
  readonly limits: { readonly min: number; readonly max: number } | null;
}

/**
 * Weighted Brovey transform: each band times the ratio of the panchromatic band to the weighted sum of all of them. A
 * pixel whose bands add up to zero is masked.
 */
export function sharpenComposite(kernels: Kernels, allocate: Allocate, composite: SharpenComposite): void {
  const { bandsAt, weights, panAt, maskAt, count, limits } = composite;
  if (bandsAt.length !== weights.length)
    throw internal('pan-weights', `${bandsAt.length} bands cannot have ${weights.length} weights.`);
  const tableAt = allocate(4 * bandsAt.length);
  const weightsAt = allocate(4 * weights.length);
  new Uint32Array(kernels.buffer(), tableAt, bandsAt.length).set(bandsAt);
  new Float32Array(kernels.buffer(), weightsAt, weights.length).set(weights);
  const { min, max } = limits ?? { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };
  kernels.run.sharpenComposite(tableAt, weightsAt, bandsAt.length, panAt, maskAt, count, min, max);
}

/** Pixelwise sharpening of a band: it gets the detail of the panchromatic band, in proportion to its own brightness. */
export function sharpenBand(kernels: Kernels, valuesAt: number, planes: PanPlanes): void {
  const { panAt, lowAt, maskAt, count } = planes;
  kernels.run.sharpenBand(valuesAt, panAt, lowAt, maskAt, count);
}

/**
 * Pixelwise sharpening of an index that was computed from unsharpened bands: in a ratio of bands a common factor
 * cancels, so the detail is added instead. For display only, not for statistics.
 */
export function sharpenIndex(
  kernels: Kernels,
  valuesAt: number,
  { panAt, lowAt, maskAt, count, detail }: PanPlanes & { readonly detail: IndexDetail },
): void {
  const { amount, min, max } = detail;
  kernels.run.sharpenIndex(valuesAt, panAt, lowAt, maskAt, count, amount, min, max);
}
