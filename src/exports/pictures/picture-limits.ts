import { badInput } from '../../errors.ts';
import type { Size } from '../../geo/index.ts';

/** How large a picture may be. */
export interface PictureLimits {
  readonly pixels: number;
  readonly sidePx: number;
}

/** Two and a half times a Sentinel-2 tile at 10 m; and the sides that libjpeg reads. */
export const DEFAULT_PICTURE_LIMITS: PictureLimits = { pixels: 300_000_000, sidePx: 65_500 };

interface Sizes {
  /** The pixel size that was asked for, on the ground. */
  readonly groundM: number;
  /** The size of the picture in pixels of another size. */
  readonly toSize: (groundM: number) => Size;
}

/** Refuses a picture that is too large, with the pixel size that would fit. */
export function checkSize(size: Size, limits: PictureLimits, { groundM, toSize }: Sizes): void {
  const excess = toExcess(size, limits);
  if (excess <= 1) return;
  // What is asked for is a whole number of metres, at least where pixels have metres.
  const round = (pxSizeM: number): number =>
    pxSizeM >= 1 ? Math.ceil(pxSizeM) : Math.ceil(pxSizeM * 100) / 100;
  let fittingM = round(groundM * excess);
  // Whole pixels take a little more.
  while (toExcess(toSize(fittingM), limits) > 1) fittingM = round(fittingM * 1.001 + 0.01);
  const { pixels, sidePx } = limits;
  throw badInput(
    'picture-too-large',
    `The picture would have ${size.width} × ${size.height} pixels; ${pixels} are the limit, and ${sidePx} a side. A px_size of ${fittingM} fits.`,
    { details: { width: size.width, height: size.height, limit: pixels, pxSize: fittingM } },
  );
}

/** How many times larger pixels must be for a picture to fit. */
const toExcess = ({ width, height }: Size, { pixels, sidePx }: PictureLimits): number =>
  Math.max(Math.sqrt((width * height) / pixels), Math.max(width, height) / sidePx);
