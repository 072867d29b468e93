import { internal } from '../errors.ts';
import type { Allocate, KernelPlanes, Kernels, Raster } from '../raster/index.ts';

/** Values of a band that become black and full brightness. */
export interface Stretch {
  readonly min: number;
  readonly max: number;
}

/** Eight-bit pixels in the kernels' memory, four bytes each: red, green, blue, alpha. */
export interface PaintedPlanes {
  readonly rgbaAt: number;
  /** True when every alpha is 255, so that formats without alpha lose nothing. */
  readonly isOpaque: boolean;
}

/** Eight-bit pixels, four bytes each. */
export interface RgbaImage {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array<ArrayBuffer>;
  readonly isOpaque: boolean;
}

/** Paints a raster; see `paintPlanes`. */
export function toRgba(kernels: Kernels, raster: Raster, stretches: readonly Stretch[]): RgbaImage {
  const { width, height, bands, mask } = raster;
  const count = width * height;
  if ([...bands, mask].some((plane) => plane.length !== count)) {
    throw internal('stretch-mismatch', 'A band or the mask does not have the size of the picture.');
  }
  const allocate = kernels.begin();
  const bandsAt = bands.map(() => allocate(count * 4));
  const maskAt = allocate(count);
  const buffer = kernels.buffer();
  for (const [i, band] of bands.entries()) new Float32Array(buffer, bandsAt[i]!, count).set(band);
  new Uint8Array(buffer, maskAt, count).set(mask);
  const planes = { width, height, bandsAt, maskAt };
  const { rgbaAt, isOpaque } = paintPlanes(kernels, allocate, { planes, stretches });
  return { width, height, rgba: new Uint8Array(kernels.buffer(), rgbaAt, count * 4).slice(), isOpaque };
}

/**
 * Paints one band grey or three bands red, green and blue: `(value - min) / (max - min) * 255`, clamped and rounded half
 * up, one stretch a band. Masked pixels and NaN are transparent black; infinities are black or full. With `min` above
 * `max` the image is inverted; with both equal, values above are full and all others black.
 */
export function paintPlanes(
  kernels: Kernels,
  allocate: Allocate,
  { planes, stretches }: { readonly planes: KernelPlanes; readonly stretches: readonly Stretch[] },
): PaintedPlanes {
  const { width, height, bandsAt, maskAt } = planes;
  if ((bandsAt.length !== 1 && bandsAt.length !== 3) || stretches.length !== bandsAt.length) {
    throw internal('stretch-mismatch', 'A picture takes one or three bands and a stretch for each.');
  }
  const count = width * height;
  const rgbaAt = allocate(count * 4);
  const rangesAt = allocate(3 * 3 * 4);
  const buffer = kernels.buffer();
  const ranges = new Float32Array(buffer, rangesAt, 9);
  for (const channel of [0, 1, 2]) ranges.set(toRange(stretches[channel] ?? stretches[0]!), channel * 3);
  const [red, green = red, blue = red] = bandsAt as readonly [number, number?, number?];
  const isOpaque = kernels.run.stretch(red, green, blue, maskAt, rgbaAt, count, rangesAt) === 1;
  return { rgbaAt, isOpaque };
}

/** Past this 255 times a value may overflow float32; there the factor goes into the divisor. */
const HUGE = 1e30;

/** What the kernel takes: an offset, a factor and a divisor, applied in this order. */
function toRange({ min, max }: Stretch): [low: number, times: number, by: number] {
  const span = max - min;
  return Math.abs(span) < HUGE ? [min, 255, span] : [min, 1, span / 255];
}
