import { internal } from '../errors.ts';
import { makeMomentSums } from '../stats/index.ts';

/** How detail is added to an index: plain JSON, measured once per scene, the same for all of its tiles. */
export interface IndexDetail {
  /** What a detail of 1 (twice the local mean) adds to the index. */
  readonly amount: number;
  /** Added detail does not leave this range; an index that is already outside stays there. */
  readonly min: number;
  readonly max: number;
}

/** A part of a scene: an index, and the panchromatic band with its local mean on the same grid. */
export interface DetailSample {
  readonly index: Float32Array;
  readonly pan: Float32Array;
  readonly low: Float32Array;
  /** 1 where all of them have data; null when everywhere. */
  readonly mask: Uint8Array | null;
}

/** Collects parts of a scene, in any order, and then says how detail is added to its index. */
export interface IndexDetailSums {
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
