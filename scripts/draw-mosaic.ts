import sharp from 'sharp';
import { SERVICE_KEY } from '../test/support/start-swath.ts';

/** A picture put together from tiles of a running service. */
export interface Mosaic {
  readonly viewId: string;
  readonly bands: string;
  readonly query?: string;
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
  /** Tiles on each side. */
  readonly tiles: number;
}

/** Side of the finished picture. */
const SIDE_PX = 560;

/** Draws the tiles around a location, cropped to a square centred on it, as JPEG. */
export async function drawMosaic(url: string, mosaic: Mosaic): Promise<Buffer> {
  const { viewId, bands, query = '', longitude, latitude, zoom, tiles } = mosaic;
  const size = 2 ** zoom;
  const radians = (latitude * Math.PI) / 180;
  const x = ((longitude + 180) / 360) * size - tiles / 2;
  const y = ((1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI) / 2) * size - tiles / 2;
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const cells = Array.from({ length: (tiles + 1) ** 2 }, (_, i) => ({
    column: i % (tiles + 1),
    row: Math.floor(i / (tiles + 1)),
  }));
  const parts = await Promise.all(
    cells.map(async ({ column, row }) => {
      const address = `${url}/api/render/${viewId}/${bands}/${zoom}/${left + column}/${top + row}?mimetype=image/png${query}`;
      const response = await fetch(address, { headers: { 'x-api-key': SERVICE_KEY } });
      if (response.status !== 200) throw new Error(`${address}: ${response.status} ${await response.text()}`);
      return { input: Buffer.from(await response.arrayBuffer()), left: 256 * column, top: 256 * row };
    }),
  );
  const side = 256 * (tiles + 1);
  const background = { r: 24, g: 28, b: 34, alpha: 1 };
  const whole = await sharp({ create: { width: side, height: side, channels: 4, background } })
    .composite(parts)
    .png()
    .toBuffer();
  return sharp(whole)
    .extract({
      left: Math.round(256 * (x - left)),
      top: Math.round(256 * (y - top)),
      width: 256 * tiles,
      height: 256 * tiles,
    })
    .resize(SIDE_PX, SIDE_PX)
    .flatten()
    .jpeg({ quality: 82 })
    .toBuffer();
}
