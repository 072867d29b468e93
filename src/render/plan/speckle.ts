/** The speckle filter of radar bands: which ground it reads, and what it takes. */
import type { Scene } from '../../catalog/index.ts';
import type { PixelWindow, WarpPlan } from '../../raster/index.ts';
import { PLANE_BYTES } from '../../raster/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findBand, parseViewId } from '../../sensors/index.ts';

/** Pixels on each side of the one that is filtered: means are of 7 × 7. */
export const SPECKLE_RADIUS_PX = 3;

/**
 * The squared variation of speckle in the pixels that a warp reads; null for a band that has none. Overviews count as
 * means of the pixels below them, which have as many looks together.
 */
export function findSpeckleNoise(
  { scene, sensor, band }: { readonly scene: Scene; readonly sensor: Sensor; readonly band: string },
  { levelSize }: WarpPlan,
  fullWidth: number,
): number | null {
  const { speckle } = sensor;
  if (speckle === null || findBand(sensor, band)?.kind !== 'radar') return null;
  const { mode = '', product = '' } = parseViewId(scene.viewId).parts;
  const looks = speckle.looks[`${mode} ${product}`] ?? speckle.usualLooks;
  return 1 / (looks * (fullWidth / levelSize.width) ** 2);
}

/** The window with the pixels around it, as far as the image has them. */
export function padSpeckleWindow({ window, levelSize }: Pick<WarpPlan, 'window' | 'levelSize'>): PixelWindow {
  const [x, y] = [window.x, window.y].map((start) => Math.max(0, start - SPECKLE_RADIUS_PX)) as [
    number,
    number,
  ];
  const end = (start: number, length: number, limit: number): number =>
    Math.min(limit, start + length + SPECKLE_RADIUS_PX);
  return {
    x,
    y,
    width: end(window.x, window.width, levelSize.width) - x,
    height: end(window.y, window.height, levelSize.height) - y,
  };
}

/** Sums of a column in the kernel. */
export const SPECKLE_COLUMN_BYTES = 24;

/** Memory of the filter: the padded window, and the sums of its columns. */
export function estimateSpeckle(warp: Pick<WarpPlan, 'window' | 'levelSize'>): number {
  const { width, height } = padSpeckleWindow(warp);
  return width * height * PLANE_BYTES + width * SPECKLE_COLUMN_BYTES;
}
