import { readFile } from 'node:fs/promises';
import { openBlockFile } from '../../src/formats/block-file/index.ts';
import { makeJp2Decoder } from '../../src/formats/jp2/index.ts';
import { toBandPixels } from '../../src/formats/tiff/index.ts';
import type { Affine } from '../../src/geo/index.ts';
import type { PixelArray } from '../../src/raster/index.ts';
import { makePixels } from '../../src/raster/index.ts';
import type { ByteSource } from '../../src/sources/index.ts';

/** Pixels of a file and where they lie. */
export interface ReadImage {
  readonly width: number;
  readonly height: number;
  readonly epsg: number | null;
  readonly transform: Affine | null;
  readonly bands: readonly PixelArray[];
}

/** Reads the full resolution of a TIFF or JP2 file with the service's own reader; a decoder of one's own saves loading it. */
export async function readImage(path: string, jp2Decoder = makeJp2Decoder()): Promise<ReadImage> {
  const file = await openBlockFile(await readSource(path), { jp2Decoder });
  const { width, height, bandCount, type, blockWidth, blockHeight, blocksAcross, blocksDown } =
    file.levels[0];
  const bands = Array.from({ length: bandCount }, () => makePixels(type, width * height));
  for (const [band, out] of bands.entries()) {
    for (let row = 0; row < blocksDown; row++) {
      for (let column = 0; column < blocksAcross; column++) {
        const block = await file.readBlock(0, { band, column, row });
        const pixels = toBandPixels(block, band);
        const columns = Math.min(blockWidth, width - column * blockWidth);
        const rows = Math.min(blockHeight, height - row * blockHeight);
        for (let y = 0; y < rows; y++) {
          const from = y * block.width;
          const to = (row * blockHeight + y) * width + column * blockWidth;
          out.set(pixels.subarray(from, from + columns), to);
        }
      }
    }
  }
  return { width, height, epsg: file.epsg, transform: file.transform, bands };
}

async function readSource(path: string): Promise<ByteSource> {
  const bytes = await readFile(path);
  return {
    id: path,
    version: '1',
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    close: async () => {},
  };
}
