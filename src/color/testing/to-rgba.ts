import { internal } from '../../errors.ts';
import type { Kernels, Raster } from '../../raster/index.ts';
import type { Stretch } from '../stretch.ts';
import { paintPlanes } from '../stretch.ts';

/** Eight-bit pixels, four bytes each. */
interface RgbaImage {
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
