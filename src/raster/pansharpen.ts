import { internal } from '../errors.ts';
import type { Allocate, Kernels } from './kernels.ts';
import type { IndexDetail } from './pansharpen-detail.ts';

/**
 * A panchromatic band on the grid of a picture, in the kernels' memory. Sharpening takes place on the
 * picture's own planes and looks at one pixel at a time, so tiles join without seams as long as their planes do.
 */
export interface PanPlanes {
  readonly panAt: number;
  /**
   * Its local mean: the panchromatic band averaged onto the grid of the other bands (`average`), then brought to the
   * picture's grid as those are. At the same resolution as theirs it equals the band, and nothing is sharpened.
   */
  readonly lowAt: number;
  /** A byte a pixel, 1 where all planes that take part have data; elsewhere nothing is changed. */
  readonly maskAt: number;
  /** Pixels of every plane. */
  readonly count: number;
}

/** Planes of a composite and how they are weighted. */
export interface SharpenComposite extends Omit<PanPlanes, 'lowAt'> {
  readonly bandsAt: readonly number[];
  /** One a band, adding up to 1. */
  readonly weights: readonly number[];
  /** What the type of the data can hold, where results must stay within; null for reflectance. */
  readonly limits: { readonly min: number; readonly max: number } | null;
}

/**
 * Weighted Brovey transform: each band times the ratio of the panchromatic band to the weighted sum of all of them. A
 * pixel whose bands add up to nothing is masked.
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
 * Pixelwise sharpening of an index, computed before from bands that were not sharpened: in a ratio of bands a common
 * factor cancels, so the detail is added instead. For looking at only, not for statistics.
 */
export function sharpenIndex(
  kernels: Kernels,
  valuesAt: number,
  { panAt, lowAt, maskAt, count, detail }: PanPlanes & { readonly detail: IndexDetail },
): void {
  const { amount, min, max } = detail;
  kernels.run.sharpenIndex(valuesAt, panAt, lowAt, maskAt, count, amount, min, max);
}
