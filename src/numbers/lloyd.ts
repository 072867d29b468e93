/** Centroids in the order in which they were found: one number per feature. */
export interface FittedCentroids {
  readonly centroids: readonly (readonly number[])[];
  readonly iterations: number;
}

/** A fit ends when no centroid moves by more than this fraction of a standard deviation. */
export const TOLERANCE = 1e-4;

/** Or after this many iterations. */
export const MAX_ITERATIONS = 100;
