import type { PixelArray } from '../../raster/index.ts';

const OPAQUE = 255;
const HALF = 128;

/**
 * Makes each pixel of a smaller copy opaque or transparent again, in place. Transparent pixels of the larger one are
 * zeros, so the mean of a colour is dark by the share of them, which is what the mean of the opacity says.
 */
export function cutOut(bands: readonly PixelArray[], start: number, count: number): void {
  const alphas = bands.at(-1);
  const colors = bands.slice(0, -1);
  if (alphas === undefined) return;
  for (let i = start; i < start + count; i++) {
    const alpha = alphas[i] as number;
    if (alpha === 0 || alpha === OPAQUE) continue;
    const isOpaque = alpha >= HALF;
    for (const color of colors) {
      color[i] = isOpaque ? Math.min(OPAQUE, Math.round(((color[i] as number) * OPAQUE) / alpha)) : 0;
    }
    alphas[i] = isOpaque ? OPAQUE : 0;
  }
}
