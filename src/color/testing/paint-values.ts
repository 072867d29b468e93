import type { Kernels } from '../../raster/index.ts';
import type { ColorPlan, Stretch } from '../index.ts';
import { paintIndexed, toRgbaPlanes } from '../index.ts';

interface PaintOptions {
  readonly mask?: readonly number[];
  readonly contrast?: Stretch;
  readonly shift?: number;
}

/** Paints values; returns RGBA words as hexadecimal text, and the other results of the painter. */
export function paintValues(
  kernels: Kernels,
  plan: ColorPlan,
  values: readonly number[],
  { mask, contrast = { min: 0, max: 255 }, shift = 0 }: PaintOptions = {},
) {
  const count = values.length;
  const allocate = kernels.begin();
  const [valuesAt, maskAt] = [allocate(count * 4), allocate(count)];
  new Float32Array(kernels.buffer(), valuesAt, count).set(values);
  new Uint8Array(kernels.buffer(), maskAt, count).set(mask ?? new Uint8Array(count).fill(1));
  const painted = paintIndexed(kernels, allocate, { valuesAt, maskAt, count, plan, contrast, shift });
  const isIndexed = 'palette' in painted;
  const indexes = isIndexed ? new Uint8Array(kernels.buffer(), painted.indexesAt, count).slice() : null;
  const planes = isIndexed ? toRgbaPlanes(kernels, allocate, { painted, count }) : painted;
  const bytes = Buffer.from(kernels.buffer().slice(planes.rgbaAt, planes.rgbaAt + count * 4));
  const pixels = Array.from({ length: count }, (_, i) => bytes.toString('hex', i * 4, i * 4 + 4));
  return { pixels, indexes, palette: isIndexed ? painted.palette : null, isOpaque: planes.isOpaque };
}
