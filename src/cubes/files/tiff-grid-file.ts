import { sourceBroken, tooLarge, unsupported } from '../../errors.ts';
import type { Tiff } from '../../formats/tiff/index.ts';
import { openTiff, readBlock, toBandPixels } from '../../formats/tiff/index.ts';
import type { ByteSource } from '../../sources/index.ts';
import { MAX_CELLS } from '../grid/cube-grid.ts';
import { parseFileDate } from './file-date.ts';
import type { GridFile } from './grid-file.ts';

/** Opens a GeoTIFF of one field: its first band, of the day in its name. */
export async function openTiffGrid(source: ByteSource, name: string): Promise<GridFile> {
  const tiff = await openTiff(source);
  const [image] = tiff.images;
  const { width, height } = image;
  if (width * height > MAX_CELLS)
    throw tooLarge('grid-too-large', `The grid has ${width * height} cells; at most ${MAX_CELLS} are read.`);
  const ms = parseFileDate(name);
  if (ms === null)
    throw unsupported('no-time', 'The name of the GeoTIFF has no date such as 20260502 in it.');
  const [west, lonStep, turnX, north, turnY, latStep] = tiff.transform ?? [0, 0, 0, 0, 0, 0];
  if (tiff.epsg !== 4326 || turnX !== 0 || turnY !== 0 || !(lonStep > 0) || !(latStep < 0))
    throw unsupported(
      'grid-not-degrees',
      'The GeoTIFF is not a grid of degrees (EPSG:4326) with north up; warp it first.',
    );
  const band = tiff.bands[0];
  return {
    variables: [
      {
        name: band?.description ?? '',
        standardName: '',
        longName: '',
        units: band?.unit ?? '',
        grid: {
          west: west + lonStep / 2,
          north: north + latStep / 2,
          lonStep,
          latStep: -latStep,
          width,
          height,
        },
        timesMs: [ms],
        readField: () => readFirstBand(tiff),
      },
    ],
    close: async () => {},
  };
}

async function readFirstBand(tiff: Tiff): Promise<Float32Array> {
  const [image] = tiff.images;
  const { width, height, blockWidth, blockHeight } = image;
  const { scale, offset } = tiff.bands[0] ?? { scale: 1, offset: 0 };
  const field = new Float32Array(width * height);
  for (let row = 0; row < image.blocksDown; row++) {
    for (let column = 0; column < image.blocksAcross; column++) {
      const block = await readBlock(tiff, image, { band: 0, column, row });
      const pixels = toBandPixels(block, 0);
      const [left, top] = [column * blockWidth, row * blockHeight];
      for (let y = top; y < Math.min(top + block.height, height); y++) {
        for (let x = left; x < Math.min(left + blockWidth, width); x++) {
          const stored = Number(pixels[(y - top) * block.width + (x - left)]);
          const isGap = stored === tiff.nodata || !Number.isFinite(stored);
          field[y * width + x] = isGap ? Number.NaN : stored * scale + offset;
        }
      }
    }
  }
  if (field.length === 0) throw sourceBroken('tiff-empty', 'The GeoTIFF has no pixels.');
  return field;
}
