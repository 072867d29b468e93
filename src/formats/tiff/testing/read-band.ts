import type { PixelArray } from '../../../raster/index.ts';
import { makePixels } from '../../../raster/index.ts';
import { readBlock, toBandPixels } from '../blocks/block-reader.ts';
import type { TiffImage } from '../image-reader.ts';
import type { Tiff } from '../tiff-reader.ts';

/** All pixels of one band, put together from its blocks. */
export async function readBand(tiff: Tiff, image: TiffImage, band: number): Promise<PixelArray> {
  const { width, height, blockWidth, blockHeight } = image;
  const out = makePixels(image.type, width * height);
  for (let row = 0; row < image.blocksDown; row++) {
    for (let column = 0; column < image.blocksAcross; column++) {
      const block = await readBlock(tiff, image, { band, column, row });
      const pixels = toBandPixels(block, band);
      const left = column * blockWidth;
      const columns = Math.min(blockWidth, width - left);
      for (let y = 0; y < Math.min(block.height, height - row * blockHeight); y++) {
        const from = y * block.width;
        out.set(pixels.subarray(from, from + columns), (row * blockHeight + y) * width + left);
      }
    }
  }
  return out;
}

/** All bands of an image. */
export async function readBands(tiff: Tiff, image: TiffImage): Promise<PixelArray[]> {
  const bands: PixelArray[] = [];
  for (let band = 0; band < image.bandCount; band++) bands.push(await readBand(tiff, image, band));
  return bands;
}
