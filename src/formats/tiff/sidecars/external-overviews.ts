import type { TiffImage } from '../image/image-reader.ts';
import type { Tiff } from '../image/tiff-reader.ts';

/** One resolution of an image, and the file to read it from. */
export interface TiffLevel {
  readonly tiff: Tiff;
  readonly image: TiffImage;
}

/**
 * The resolutions of an image that may have its smaller copies in a file of their own (`.ovr`), full resolution first.
 * Copies inside the image's file go before, as in GDAL; copies of another kind of pixels are left out. The file of
 * overviews need not repeat what the pixels mean: they are read with the nodata value of the image.
 */
export function joinOverviews(tiff: Tiff, overviews: Tiff | null): TiffLevel[] {
  const own = tiff.images.map((image) => ({ tiff, image }));
  if (overviews === null || own.length > 1) return own;
  const [main] = tiff.images;
  const isSmaller = ({ width, height }: TiffImage) =>
    width <= main.width && height <= main.height && width * height < main.width * main.height;
  const images = overviews.images
    .filter((image) => isSmaller(image) && image.type === main.type && image.bandCount === main.bandCount)
    .map((image) => ({ ...image, emptyValue: main.emptyValue }));
  const [first, ...more] = images;
  if (first === undefined) return own;
  const joined: Tiff = { ...overviews, images: [first, ...more], nodata: tiff.nodata };
  return [...own, ...joined.images.map((image) => ({ tiff: joined, image }))];
}
