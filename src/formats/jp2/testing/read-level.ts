import type { PixelArray } from '../../../raster/index.ts';
import { makePixels } from '../../../raster/index.ts';
import { toBandPixels } from '../../tiff/blocks/block-reader.ts';
import { atLevel } from '../headers/main-header.ts';
import type { Jp2Decoder } from '../openjpeg.ts';
import type { Jp2 } from '../reader/jp2-reader.ts';
import { makeTileHabits } from '../reader/read-tile-data.ts';
import { readJp2Tile } from '../reader/tile-reader.ts';

/** All bands of one level, put together from its tiles. */
export async function readLevel(
  jp2: Jp2,
  level: number,
  decoder: Jp2Decoder,
  habits = makeTileHabits(),
): Promise<PixelArray[]> {
  const { width, height } = jp2.levels[level]!;
  const bands = Array.from({ length: jp2.bandCount }, () => makePixels(jp2.type, width * height));
  for (let row = 0; row < jp2.tilesDown; row++) {
    for (let column = 0; column < jp2.tilesAcross; column++) {
      const block = await readJp2Tile(jp2, { level, column, row }, { decoder, habits });
      const left = atLevel(column * jp2.tileWidth, level);
      const top = atLevel(row * jp2.tileHeight, level);
      bands.forEach((out, band) => {
        const pixels = toBandPixels(block, band);
        for (let y = 0; y < block.height; y++) {
          out.set(pixels.subarray(y * block.width, (y + 1) * block.width), (top + y) * width + left);
        }
      });
    }
  }
  return bands;
}
