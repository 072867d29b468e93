/** Centroids in the order of their finding: a number a feature. */
export interface FittedCentroids {
  readonly centroids: readonly (readonly number[])[];
  readonly iterations: number;
}

/** A fit ends when no centroid moves by more than this part of a standard deviation. */
export const TOLERANCE = 1e-4;

/** Or after so many iterations. */
export const MAX_ITERATIONS = 100;
