import type { CogPart, EncodedBlocks, PartedCog } from '../../formats/cog/index.ts';
import { encodeCogPart, transferOf } from '../../formats/cog/index.ts';
import type { JobHandlers, JobType } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { PixelArray, PixelType, PixelWindow } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import { splitBands } from '../pictures/picture-cog.ts';
import type { TopPixels } from '../write-cog.ts';
import { makeCheckWanted } from '../write-cog.ts';

/** Pixels of a part of a mosaic, in memory that threads share. */
export type PartPixels =
  | {
      readonly kind: 'values';
      readonly channels: readonly Float32Array<SharedArrayBuffer>[];
      /** 1 where there is a value. */
      readonly mask: Uint8Array<SharedArrayBuffer>;
      /** Numbers of scenes, or how many there are. */
      readonly sources: Uint16Array<SharedArrayBuffer>;
    }
  /** Red, green, blue and opacity of each pixel. */
  | { readonly kind: 'painted'; readonly rgba: Uint8Array<SharedArrayBuffer> };

/** A part of a file of a mosaic whose pixels were put together before. */
interface MosaicPartJob {
  readonly cog: Pick<PartedCog, 'plan'>;
  readonly part: CogPart;
  /** The place of the pixels in the image. */
  readonly window: PixelWindow;
  readonly pixels: PartPixels;
  /** In shared memory. */
  readonly top: TopPixels;
  /** For the encoded blocks. */
  readonly room: SharedArrayBuffer;
}

/** The job that encodes a part of a file of a mosaic. */
export type MosaicPartJobs = { 'export-mosaic-part': JobType<MosaicPartJob, EncodedBlocks> };

/** Its handler, for a thread. */
export const mosaicPartJobs: JobHandlers<MosaicPartJobs> = {
  async 'export-mosaic-part'({ cog, part, window, pixels, top, room }, context) {
    const { type, nodata } = cog.plan;
    const readWindow = ({ y, width, height }: PixelWindow): readonly PixelArray[] => {
      const span = { start: (y - window.y) * width, end: (y - window.y + height) * width };
      return pixels.kind === 'painted'
        ? splitBands(pixels.rgba.subarray(4 * span.start, 4 * span.end))
        : toStored(pixels, span, { type, nodata: nodata ?? 0 });
    };
    const source = { readWindow, checkWanted: makeCheckWanted(context) };
    const blocks = await encodeCogPart(cog, part, source, top, room);
    return withTransfer(blocks, transferOf(blocks));
  },
};

const RANGES: Readonly<Record<Exclude<PixelType, 'float32'>, readonly [min: number, max: number]>> = {
  uint8: [0, 255],
  uint16: [0, 65_535],
  int16: [-32_768, 32_767],
};

/** Bands as the file stores them: channels, then sources; nodata in all of them where there is no value. */
export function toStored(
  { channels, mask, sources }: Omit<Extract<PartPixels, { kind: 'values' }>, 'kind'>,
  { start, end }: { readonly start: number; readonly end: number },
  { type, nodata }: { readonly type: PixelType; readonly nodata: number },
): readonly PixelArray[] {
  const [min, max] = type === 'float32' ? [-Infinity, Infinity] : RANGES[type];
  // What is measured must not become a hole.
  const besides = nodata >= max ? nodata - 1 : nodata + 1;
  const toPixel = (value: number): number => {
    const whole = Math.min(max, Math.max(min, Math.round(value)));
    return whole === nodata ? besides : whole;
  };
  const store = (values: Float32Array | Uint16Array, isWhole: boolean): PixelArray => {
    const out = makePixels(type, end - start);
    for (let i = start; i < end; i += 1) {
      const value = values[i]!;
      const hasValue = mask[i] !== 0 && !Number.isNaN(value);
      out[i - start] = hasValue ? (isWhole ? toPixel(value) : value) : nodata;
    }
    return out;
  };
  return [...channels.map((values) => store(values, type !== 'float32')), store(sources, false)];
}
