import type { ColorPlan, PaintedIndexes, PaintedPlanes } from '../../color/index.ts';
import { paintIndexed, toRgbaPlanes } from '../../color/index.ts';
import { encodeJpeg } from '../../formats/jpeg.ts';
import { encodeGreyPng, encodeIndexedPng, encodePng } from '../../formats/png.ts';
import { encodeWebp } from '../../formats/sharp.ts';
import type { Size } from '../../geo/index.ts';
import type { Relief } from '../../raster/index.ts';
import { aspectRelief, shadeRelief, slopeRelief } from '../../raster/index.ts';
import type { HeightWork } from '../heights/height-work.ts';
import type { ReliefFormat, TerrainProduct } from './terrain-plan.ts';

/** Products that are pictures of the relief. */
export type ReliefProduct = Extract<TerrainProduct, { readonly kind: 'hillshade' | 'slope' | 'aspect' }>;

/** A painted picture and its size. */
type Painted = (PaintedIndexes | PaintedPlanes) & Size;

/** Paints hillshade, slope or aspect; transparent where it is not known. */
export function paintRelief(product: ReliefProduct, relief: Relief, work: HeightWork): Painted {
  const { kernels, allocate } = work;
  const { width, height } = relief;
  const count = width * height;
  switch (product.kind) {
    case 'hillshade': {
      const shadesAt = shadeRelief(kernels, allocate, relief, product);
      if (product.color === null) return { width, height, ...toGrey(shadesAt, count, work) };
      return { width, height, ...paintShades(shadesAt, product.color, { count, work }) };
    }
    case 'slope': {
      const slope = slopeRelief(kernels, allocate, relief);
      if (product.minSlopeDeg > 0) hideGentle(slope, product.minSlopeDeg, { count, work });
      const channel = { ...slope, count, plan: product.color, contrast: ANY_CONTRAST };
      return { width, height, ...paintIndexed(kernels, allocate, channel) };
    }
    case 'aspect': {
      const aspect = aspectRelief(kernels, allocate, relief);
      const channel = { ...aspect, count, plan: product.color, contrast: ANY_CONTRAST };
      return { width, height, ...paintIndexed(kernels, allocate, channel) };
    }
  }
}

/** The colours of relief have ranges of their own: the contrast is not used. */
const ANY_CONTRAST = { min: 0, max: 1 };

/** Grey levels by shade; 0 is transparent. */
const GREYS = Uint8Array.from({ length: 1024 }, (_, i) => (i < 4 ? 0 : i % 4 === 3 ? 255 : i >> 2));

function toGrey(shadesAt: number, count: number, { kernels }: HeightWork): PaintedIndexes {
  const isOpaque = !Buffer.from(kernels.buffer(), shadesAt, count).includes(0);
  return { indexesAt: shadesAt, palette: GREYS, isOpaque };
}

/** Colours shades by thresholds of the values 1 to 255. */
function paintShades(
  shadesAt: number,
  plan: ColorPlan,
  { count, work }: { readonly count: number; readonly work: HeightWork },
): PaintedIndexes | PaintedPlanes {
  const { kernels, allocate } = work;
  const valuesAt = allocate(4 * count);
  const maskAt = allocate(count);
  const shades = new Uint8Array(kernels.buffer(), shadesAt, count);
  new Float32Array(kernels.buffer(), valuesAt, count).set(shades);
  const mask = new Uint8Array(kernels.buffer(), maskAt, count);
  for (let i = 0; i < count; i++) mask[i] = shades[i] === 0 ? 0 : 1;
  return paintIndexed(kernels, allocate, { valuesAt, maskAt, count, plan, contrast: ANY_CONTRAST });
}

function hideGentle(
  slope: { readonly valuesAt: number; readonly maskAt: number },
  minSlopeDeg: number,
  { count, work: { kernels } }: { readonly count: number; readonly work: HeightWork },
): void {
  const values = new Float32Array(kernels.buffer(), slope.valuesAt, count);
  const mask = new Uint8Array(kernels.buffer(), slope.maskAt, count);
  for (let i = 0; i < count; i++) if (values[i]! < minSlopeDeg) mask[i] = 0;
}

/** Encodes a painted picture. */
export async function encodeRelief(
  painted: Painted,
  format: ReliefFormat,
  { kernels, allocate }: HeightWork,
): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, isOpaque } = painted;
  const size = { width, height };
  if ('palette' in painted && format === 'png') {
    const { indexesAt, palette } = painted;
    // Without a palette to send it is smaller still.
    if (palette === GREYS && isOpaque)
      return encodeGreyPng(kernels, allocate, { greyAt: indexesAt, ...size });
    return encodeIndexedPng(kernels, allocate, { indexesAt, palette, ...size });
  }
  const { rgbaAt } =
    'palette' in painted ? toRgbaPlanes(kernels, allocate, { painted, count: width * height }) : painted;
  return encoders[format](kernels, allocate, { rgbaAt, isOpaque, ...size });
}

const encoders = { png: encodePng, jpeg: encodeJpeg, webp: encodeWebp } as const;
