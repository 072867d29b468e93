/** Previews, and the thumbnails of which the interface has only the path. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  colorAt,
  draw,
  drawTile,
  expectSame,
  lonLatOf,
  readBand,
  TRANSPARENT,
  tileGrid,
  tileOf,
} from '../pixels.ts';
import { ask, askRefused, verbPath } from '../service.ts';

test('preview preview: a JPEG of the map around lat and lon at the zoom', async () => {
  const band = await readBand('l2a', 'B04');
  const { lat, lon } = lonLatOf(band, 48 * 96 + 48);
  const picture = await draw(`${verbPath('l2a', 'preview')}/B04,B03,B02/15/${lat}/${lon}`, 'MIN_MAX=0,6000');
  assert.deepEqual([picture.type, picture.width, picture.height], ['image/jpeg', 512, 512]);
  // Its centre is the position: compared with the tile that contains it, outside the watermark.
  const tile = tileOf(band, 15);
  const drawn = await drawTile('l2a', 'B04,B03,B02', tile, 'MIN_MAX=0,6000&RESAMPLE=bilinear');
  const { west, east, north, south } = tileGrid(tile);
  const [x, y] = [(lon * 20037508.342789244) / 180, mercatorOf(lat)];
  const [left, top] = [((x - west) / (east - west)) * 256, ((north - y) / (north - south)) * 256];
  let [off, count] = [0, 0];
  for (let row = 0; row < 256; row += 1) {
    for (let column = 0; column < 256; column += 1) {
      const [px, py] = [Math.round(column - left + 256), Math.round(row - top + 256)];
      if (px < 0 || py < 0 || px >= 512 || py >= 512) continue;
      if (colorAt(drawn, row * 256 + column) === TRANSPARENT) continue;
      off += Math.abs(picture.rgba[4 * (py * 512 + px)]! - drawn.rgba[4 * (row * 256 + column)]!);
      count += 1;
    }
  }
  assert.ok(count > 20_000 && off / count < 25, `${off / count} levels off`);
  for (const position of [`99/${lat}/${lon}`, `15/91/${lon}`, `15/${lat}/181`, `15/north/${lon}`]) {
    await askRefused(`${verbPath('l2a', 'preview')}/B04,B03,B02/${position}`, 400);
  }
});

const mercatorOf = (lat: number): number =>
  (Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * 20037508.342789244) / Math.PI;

test('preview watermark: a preview has a watermark, also outside the scene', async () => {
  const { lat, lon } = lonLatOf(await readBand('l2a', 'B04'), 0);
  const picture = await draw(`${verbPath('l2a', 'preview')}/B04/9/${lat}/${lon}`, 'MIN_MAX=0,1');
  // Nothing but the mark is grey: the scene is a white speck in the middle, the rest is black.
  const grey = Array.from({ length: 512 * 512 }, (_, i) => picture.rgba[4 * i]!).filter(
    (level) => level > 40 && level < 215,
  );
  assert.ok(grey.length > 500, `${grey.length} pixels of the mark`);
});

test('preview api_key: required', async () => {
  const { lat, lon } = lonLatOf(await readBand('l2a', 'B04'), 0);
  const path = `${verbPath('l2a', 'preview')}/B04/12/${lat}/${lon}`;
  await askRefused(path, 401, { apiKey: null });
  await askRefused(path, 403, { apiKey: 'not-a-key' });
  assert.equal((await ask(path)).status, 200);
});

test('preview thumb: the thumbnail of a scene, with or without .png', async () => {
  const thumb = await draw(verbPath('l2a', 'thumb'));
  assert.equal(thumb.type, 'image/png');
  assert.equal(Math.max(thumb.width, thumb.height), 256);
  expectSame(await draw(`${verbPath('l2a', 'thumb')}.png`), thumb);
});
