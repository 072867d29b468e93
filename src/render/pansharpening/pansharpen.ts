import { makeMomentSums } from '../../numbers/index.ts';
import type { Allocate, Kernels } from '../../raster/index.ts';
import { internal } from '../errors.ts';

/** How detail is added to an index: plain JSON, measured once per scene, the same for all of its tiles. */
export interface IndexDetail {
  /** What a detail of 1 (twice the local mean) adds to the index. */
  readonly amount: number;
  /** Added detail does not leave this range; an index that is already outside stays there. */
  readonly min: number;
  readonly max: number;
}

/** A part of a scene: an index, and the panchromatic band with its local mean on the same grid. */
interface DetailSample {
  readonly index: Float32Array;
  readonly pan: Float32Array;
  readonly low: Float32Array;
  /** 1 where all of them have data; null when everywhere. */
  readonly mask: Uint8Array | null;
}

/** Collects parts of a scene, in any order, and then says how detail is added to its index. */
interface IndexDetailSums {
  add(sample: DetailSample): void;
  /** Null when no pixel had data; without any detail nothing is added to the index. */
  finish(): IndexDetail | null;
}

/** Half of the index's own spread is given to detail: more than bands get, but the index still shows through. */
const INDEX_SHARE = 0.5;

/**
 * Starts measuring how detail is added to an index. The parts must be chosen by the scene, never by the tile, and read
 * at full resolution (an overview has no detail left): some dozen windows, spread evenly, are enough.
 */
export function makeIndexDetailSums(): IndexDetailSums {
  const [indexSums, detailSums] = [makeMomentSums(), makeMomentSums()];
  return {
    add({ index, pan, low, mask }) {
      if ([pan, low, mask ?? index].some(({ length }) => length !== index.length))
        throw internal('pan-planes', 'The planes of a sharpened picture must have one size.');
      const detail = new Float32Array(index.length).fill(Number.NaN);
      for (let i = 0; i < index.length; i++) {
        // Only pixels that have both count for either.
        if ((mask === null || mask[i] !== 0) && Number.isFinite(index[i]))
          detail[i] = detailOf(pan[i]!, low[i]!);
      }
      indexSums.add(index, mask);
      detailSums.add(detail, null);
    },
    finish() {
      const [index, detail] = [indexSums.finish(), detailSums.finish()];
      if (index === null || detail === null) return null;
      const amount = detail.std === 0 ? 0 : (INDEX_SHARE * index.std) / detail.std;
      return { amount, min: index.min, max: index.max };
    },
  };
}

/** As in kernels/pansharpen.ts. */
const detailOf = (pan: number, low: number): number => (low === 0 ? 0 : pan / low - 1);

/**
 * A panchromatic band on the grid of a picture, in the kernels' memory. Sharpening works in place on the picture's own
 * planes, one pixel at a time, so tiles join without seams as long as their planes do.
 */
interface PanPlanes {
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
interface SharpenComposite extends Omit<PanPlanes, 'lowAt'> {
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
