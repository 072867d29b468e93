import type { Allocate } from './kernels.ts';

/** Pixels on every side of a padded plane: as in kernels/padded-plane.ts. */
export const PAD_PX = 2;

/** A float32 plane and its mask in the kernels' memory. */
export interface MaskedPlane {
  readonly valuesAt: number;
  /** A byte per pixel, 1 where the value is known; 0 when all are known. NaN is unknown in any case. */
  readonly maskAt: number;
  readonly width: number;
  readonly height: number;
}

/** The address of a new plane with `padPx` pixels more on every side. */
export const allocatePadded = (
  allocate: Allocate,
  { width, height }: Pick<MaskedPlane, 'width' | 'height'>,
  padPx: number,
): number => allocate(4 * (width + 2 * padPx) * (height + 2 * padPx));

/** The address of the rows in which kernels/median-of-25.ts sorts columns: six of them, each with a few pixels more. */
export const allocateColumns = (allocate: Allocate, width: number): number =>
  allocate(6 * 4 * (width + 2 * PAD_PX + 7));
