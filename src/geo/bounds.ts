import type { Affine } from './affine.ts';
import { applyAffine } from './affine.ts';

/** An upright rectangle in the plane of some reference system, edges included. */
export interface Bounds {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** The ground an image of this size covers, in its own reference system. */
export function gridBounds(grid: {
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
}): Bounds {
  const { transform, width, height } = grid;
  const corners = [
    applyAffine(transform, 0, 0),
    applyAffine(transform, width, 0),
    applyAffine(transform, 0, height),
    applyAffine(transform, width, height),
  ] as const;
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
}
