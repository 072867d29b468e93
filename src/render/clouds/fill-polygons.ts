import type { AreaOutline } from '../../geo/index.ts';
import { fillOutline } from '../../geo/index.ts';
import type { WarpPlan } from '../../raster/index.ts';

/** A polygon with its holes: edges in the coordinates of the tile, and the rectangle that holds them. */
export interface CloudOutline {
  readonly edges: AreaOutline;
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/**
 * Sets the pixels of a window to 1 whose centres lie in one of the polygons. One after the other, because where two of
 * them overlap is a cloud too; each within its own rectangle, so that ten thousand small ones cost no more than a large one.
 */
export function fillPolygons(
  target: Float32Array,
  outlines: readonly CloudOutline[],
  { window, levelTransform }: Pick<WarpPlan, 'window' | 'levelTransform'>,
): void {
  const [originX, stepX, , originY, , stepY] = levelTransform;
  const xs = Float64Array.from({ length: window.width }, (_, i) => originX + (window.x + i + 0.5) * stepX);
  const ys = Float64Array.from({ length: window.height }, (_, i) => originY + (window.y + i + 0.5) * stepY);
  for (const { edges, minX, minY, maxX, maxY } of outlines) {
    const left = countBefore(xs, (x) => x < minX);
    const right = countBefore(xs, (x) => x <= maxX);
    const top = countBefore(ys, (y) => y > maxY);
    const bottom = countBefore(ys, (y) => y >= minY);
    if (left >= right || top >= bottom) continue;
    const [width, height] = [right - left, bottom - top];
    const inside = new Uint8Array(width * height);
    fillOutline(inside, edges, { lons: xs.subarray(left, right), lats: ys.subarray(top, bottom) });
    for (let row = 0; row < height; row += 1) {
      const from = (top + row) * window.width + left;
      for (let i = 0; i < width; i += 1) if (inside[row * width + i] === 1) target[from + i] = 1;
    }
  }
}

/** How many of the first numbers a rule holds for that holds for no later one. */
function countBefore(sorted: Float64Array, holds: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(sorted[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}
