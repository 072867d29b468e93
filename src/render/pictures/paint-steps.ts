import type { PaintedIndexes, PaintedPlanes } from '../../color/index.ts';
import { paintIndexed, paintPlanes, paintWatermark, toRgbaPlanes } from '../../color/index.ts';
import { internal } from '../../errors.ts';
import { encodeJpeg } from '../../formats/jpeg.ts';
import { encodeIndexedPng, encodePng } from '../../formats/png.ts';
import { encodeWebp } from '../../formats/sharp.ts';
import { drawClouds } from '../clouds/draw-clouds.ts';
import type { PictureFormat } from '../plan/render-plan.ts';
import type { Canvas, DrawStep, DrawWork } from './canvas.ts';

/** Paints one channel in the plan's colours, or one or three by their contrast; transparent where nothing is shown. */
export const paintShown: DrawStep = (canvas, { kernels, allocate }) => {
  const { shown, job, count } = canvas;
  if (shown === null) {
    const rgbaAt = allocate(count * 4);
    new Uint8Array(kernels.buffer(), rgbaAt, count * 4).fill(0);
    return { ...canvas, painted: { rgbaAt, isOpaque: false } };
  }
  const { planes, stretches } = shown;
  const [valuesAt] = planes.bandsAt;
  const [contrast] = stretches;
  const { color } = job.plan;
  if (color === null || valuesAt === undefined || contrast === undefined)
    return { ...canvas, painted: paintPlanes(kernels, allocate, { planes, stretches }) };
  const { maskAt } = planes;
  const channel = { valuesAt, maskAt, count, plan: color, contrast };
  return { ...canvas, painted: paintIndexed(kernels, allocate, channel) };
};

/** Paints the plan's clouds over the picture. */
export const coverWithClouds: DrawStep = async (canvas, work) => {
  const { ground, inside, job } = canvas;
  if (ground === null) return canvas;
  return { ...canvas, painted: await drawClouds(paintedOf(canvas), { ...job, ground, inside }, work) };
};

/** Writes the plan's watermark over the picture. */
export const writeWatermark: DrawStep = (canvas, work) => {
  const { watermark, grid } = canvas.job.plan;
  if (watermark === null) return canvas;
  const painted = toRgba(canvas, work);
  const rgba = new Uint8Array(work.kernels.buffer(), painted.rgbaAt, canvas.count * 4);
  paintWatermark({ rgba, width: grid.width, height: grid.height }, watermark);
  return { ...canvas, painted };
};

/** A picture as a file. */
export interface EncodedPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: PictureFormat;
}

/** Encodes the finished picture in the plan's format; `auto` is JPEG for an opaque picture and PNG otherwise. */
export async function encodeCanvas(canvas: Canvas, work: DrawWork): Promise<EncodedPicture> {
  const { kernels, allocate } = work;
  const painted = paintedOf(canvas);
  const { format: asked, grid } = canvas.job.plan;
  const format = asked === 'auto' ? (painted.isOpaque ? 'jpeg' : 'png') : asked;
  const size = { width: grid.width, height: grid.height };
  if ('palette' in painted && format === 'png')
    return { format, bytes: encodeIndexedPng(kernels, allocate, { ...painted, ...size }) };
  return { format, bytes: await encoders[format](kernels, allocate, { ...toRgba(canvas, work), ...size }) };
}

const encoders = { png: encodePng, jpeg: encodeJpeg, webp: encodeWebp } as const;

function paintedOf({ painted }: Canvas): PaintedIndexes | PaintedPlanes {
  if (painted === null) throw internal('not-painted', 'A picture was not painted.');
  return painted;
}

/** A painted canvas in red, green, blue and alpha. */
export function toRgba(canvas: Canvas, { kernels, allocate }: DrawWork): PaintedPlanes {
  const painted = paintedOf(canvas);
  return 'palette' in painted ? toRgbaPlanes(kernels, allocate, { painted, count: canvas.count }) : painted;
}
