import { createCog } from '../../src/formats/cog/index.ts';
import type { Affine } from '../../src/geo/index.ts';

/** Half a Sentinel-2 tile: large enough that a list of tiles meets many blocks. */
export const SIZE_PX = 5490;

/** UTM zone 36, where the synthetic scenes of other benches lie too. */
export const EPSG = 32636;
export const TRANSFORM: Affine = [399_960, 10, 0, 5_600_040, 0, -10];

const hash = (a: number, b: number): number => {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  return ((h ^ (h >>> 13)) >>> 0) / 2 ** 32;
};

/** Rows of one band: parcels of 30 pixels with their own brightness, a slow gradient, and sensor noise. */
export function makeBand(
  band: number,
  { firstRow, rows, sizePx }: { firstRow: number; rows: number; sizePx: number },
): Uint16Array {
  const pixels = new Uint16Array(sizePx * rows);
  for (let row = 0; row < rows; row += 1) {
    const y = firstRow + row;
    for (let x = 0; x < sizePx; x += 1) {
      const parcel = hash(Math.floor(x / 30) * 7 + band, Math.floor(y / 30));
      const slow = 200 * Math.sin(x / 400) * Math.cos(y / 300);
      const noise = 60 * (hash(x + band * 13, y) - 0.5);
      pixels[row * sizePx + x] = 1600 + 900 * parcel + slow + noise;
    }
  }
  return pixels;
}

/** Writes one band as a COG, the way Sentinel-2 COGs are written. */
export async function writeBandFile(path: string, band: number, sizePx = SIZE_PX): Promise<void> {
  const cog = await createCog(path, {
    width: sizePx,
    height: sizePx,
    bandCount: 1,
    type: 'uint16',
    epsg: EPSG,
    transform: TRANSFORM,
    nodata: 0,
    compression: 'deflate',
    predictor: 2,
  });
  for (let firstRow = 0; firstRow < sizePx; firstRow += 256) {
    const rows = Math.min(256, sizePx - firstRow);
    await cog.writeRows([makeBand(band, { firstRow, rows, sizePx })], rows);
  }
  await cog.finish();
}
