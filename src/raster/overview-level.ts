import type { Grid, Size } from '../geo/index.ts';
import type { GeoreferencedGrid, PixelMapping } from '../proj/index.ts';
import { makePixelMapping } from '../proj/index.ts';

/** The level of an image to read for a target. */
export interface ChosenLevel {
  /** 0 is the full image, 1 the first overview. */
  readonly level: number;
  /** How many pixels of that level a target pixel spans; below 1 where the target is finer than the image. */
  readonly ratio: number;
}

/**
 * Which overview of an image to read for a target: the coarsest one that is not coarser than the target, as `gdalwarp
 * -ovr AUTO` chooses, which also takes one that is up to a tenth coarser. The two are compared along the diagonal of the
 * whole image, not of the part in view, so that all tiles of a zoom level read the same overview.
 */
export function findLevel(target: Grid, full: GeoreferencedGrid, overviews: readonly Size[]): ChosenLevel {
  const ratio = pixelRatio(makePixelMapping(target, full), full);
  let level = 0;
  let chosen = 1;
  for (const [i, { width }] of overviews.entries()) {
    const reduction = full.width / width;
    // A small tolerance: an exact 2:1 reads the 2:1 overview even when the ratio comes out as 1.9999999.
    if (reduction > chosen && reduction <= ratio * (1 + 1e-6)) {
      level = i + 1;
      chosen = reduction;
    }
  }
  return { level, ratio: ratio / chosen };
}

/** How many source pixels a target pixel spans. */
function pixelRatio(mapping: PixelMapping, { width, height }: Size): number {
  const span = (fromCol: number, fromRow: number, toCol: number, toRow: number): number => {
    const from = mapping.toTarget(fromCol, fromRow);
    const to = mapping.toTarget(toCol, toRow);
    return Math.hypot(toCol - fromCol, toRow - fromRow) / Math.hypot(to[0] - from[0], to[1] - from[1]);
  };
  const whole = span(0, 0, width, height);
  const centre = span(width / 2 - 0.5, height / 2 - 0.5, width / 2 + 0.5, height / 2 + 0.5);
  // A corner at a pole has no position in Web Mercator, and corners on two sides of the antimeridian lie a world apart:
  // then the middle of the image is used.
  if (!Number.isFinite(centre)) return Number.isFinite(whole) ? whole : 1;
  return whole > centre / 2 ? whole : centre;
}
