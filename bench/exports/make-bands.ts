import { join } from 'node:path';
import type { Asset } from '../../src/catalog/index.ts';
import { createCog } from '../../src/formats/index.ts';
import type { Affine } from '../../src/geo/index.ts';

/** Where the scene lies: a Sentinel-2 tile of UTM zone 36. */
const EPSG = 32_636;
const TRANSFORM: Affine = [399_960, 10, 0, 5_600_040, 0, -10];

/** Fields and what is in them: their size in pixels, and how far their reflectance goes up and down. */
const PATCHES = [
  { sizePx: 400, range: 900 },
  { sizePx: 90, range: 700 },
  { sizePx: 23, range: 300 },
] as const;
/** Noise of the sensor, which is what makes real bands hard to compress: about ten bits a pixel remain. */
const NOISE = 160;
/** Rows written at a time. */
const STRIP_ROWS = 512;

/** A number from 0 to 1 for a point of a lattice. */
function hash(a: number, b: number, c: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  return ((h ^ (h >>> 13)) >>> 0) / 2 ** 32;
}

/** Rows of one band; all bands show the same fields, each in its own brightness. */
function makeRows(widthPx: number, firstRow: number, rows: number, band: number): Uint16Array {
  const pixels = new Uint16Array(widthPx * rows);
  for (let y = 0; y < rows; y++) {
    const line = firstRow + y;
    const start = y * widthPx;
    for (let x = 0; x < widthPx; x++) {
      let value = 2_400 + 400 * band + NOISE * (hash(x, line, 90 + band) + hash(x, line, 190 + band) - 1);
      for (const { sizePx, range } of PATCHES) {
        value += range * (hash(Math.floor(x / sizePx), Math.floor(line / sizePx), sizePx + band) - 0.5);
      }
      pixels[start + x] = value;
    }
  }
  return pixels;
}

/** Writes bands as files of a provider, compressed by zlib's default level; returns them as assets. */
export async function makeBands(
  folder: string,
  bands: readonly string[],
  sizePx: number,
): Promise<Readonly<Record<string, Asset>>> {
  const assets: Record<string, Asset> = {};
  for (const [index, band] of bands.entries()) {
    const options = { width: sizePx, height: sizePx, type: 'uint16', transform: TRANSFORM } as const;
    const cog = await createCog(join(folder, `${band}.tif`), {
      ...options,
      epsg: EPSG,
      nodata: 0,
      bandCount: 1,
      compression: 'deflate',
      predictor: 2,
      isDurable: false,
    });
    for (let row = 0; row < sizePx; row += STRIP_ROWS) {
      const rows = Math.min(STRIP_ROWS, sizePx - row);
      await cog.writeRows([makeRows(sizePx, row, rows, index)], rows);
    }
    const { overviews } = await cog.finish();
    assets[band] = {
      ...options,
      epsg: EPSG,
      nodata: 0,
      href: `${band}.tif`,
      bandIndex: 0,
      scale: 1,
      offset: 0,
      overviews,
    };
  }
  return assets;
}
