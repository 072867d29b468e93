import { join } from 'node:path';
import { createCog } from '../../formats/cog/index.ts';
import type { WindowRequest } from '../image-files.ts';

interface PlainImage {
  readonly name?: string;
  readonly side: number;
  readonly block: number;
  /** The value of a pixel by its number; from 1 to 250 by default. */
  readonly valueAt?: (i: number) => number;
}

/** Writes a square image of bytes without compression, so that every block has as many bytes as pixels; its path. */
export async function writePlainImage(
  folder: string,
  { name = 'image.tif', side, block, valueAt = (i) => 1 + (i % 250) }: PlainImage,
): Promise<string> {
  const path = join(folder, name);
  const cog = await createCog(path, {
    width: side,
    height: side,
    bandCount: 1,
    type: 'uint8',
    epsg: 32631,
    transform: [500_000, 10, 0, 4_700_000, 0, -10],
    nodata: 0,
    compression: 'none',
    predictor: 1,
    blockSize: block,
  });
  await cog.writeRows([new Uint8Array(side * side).map((_, i) => valueAt(i))], side);
  await cog.finish();
  return path;
}

/** The upper left pixels of such an image. */
export const toPlainWindow = (
  href: string,
  { width, height }: { readonly width: number; readonly height: number },
  more: Partial<WindowRequest> = {},
): WindowRequest => ({
  band: 'B04',
  href,
  bandIndex: 0,
  nodata: 0,
  record: { name: 'scene', version: '1' },
  read: { level: 0, window: { x: 0, y: 0, width, height } },
  ...more,
});
