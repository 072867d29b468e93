import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { MERCATOR_HALF_SIDE_M, tileGrid } from '../../geo/index.ts';
import { aTicket } from '../../pool/testing/run-here.ts';
import { makeDemFile } from '../testing/fake-dem-store.ts';
import { makeTerrainHere } from '../testing/terrain-here.ts';

const here = makeTerrainHere();
after(here.remove);
here.addModel('pyramid');

const MAX_ZOOM = 4;
/** Heights by the pixels of the deepest zoom level. */
const heightAt = (x: number, y: number): number => 500 + x * 0.25 + y * 0.125;

async function writeTile(z: number, x: number, y: number): Promise<void> {
  const scale = 2 ** (MAX_ZOOM - z);
  const rgb = new Uint8Array(256 * 256 * 3);
  for (let i = 0; i < 256 * 256; i++) {
    const column = (x * 256 + (i % 256) + 0.5) * scale;
    const row = (y * 256 + Math.floor(i / 256) + 0.5) * scale;
    const stored = Math.round((heightAt(column, row) + 32_768) * 256);
    rgb.set([stored >> 16, (stored >> 8) & 255, stored & 255], 3 * i);
  }
  mkdirSync(join(here.dataDir, `pyramid/${z}/${x}`), { recursive: true });
  const png = await sharp(rgb, { raw: { width: 256, height: 256, channels: 3 } })
    .png()
    .toBuffer();
  writeFileSync(join(here.dataDir, `pyramid/${z}/${x}/${y}-of-${z}.png`), png);
}

for (const [z, x, y] of [
  [2, 1, 1],
  [3, 3, 3],
  [4, 6, 6],
  [4, 7, 6],
  [4, 6, 7],
] as const)
  await writeTile(z, x, y);
const side = 256 * 2 ** MAX_ZOOM;
const pixelM = (2 * MERCATOR_HALF_SIDE_M) / side;
here.files.push(
  makeDemFile('pyramid', 0, 0, {
    format: 'terrarium',
    // A template may have a placeholder twice.
    href: 'pyramid/{z}/{x}/{y}-of-{z}.png',
    epsg: 3857,
    transform: [-MERCATOR_HALF_SIDE_M, pixelM, 0, MERCATOR_HALF_SIDE_M, 0, -pixelM],
    width: side,
    height: side,
    levels: [1, 2].map((level) => ({ width: side / 2 ** level, height: side / 2 ** level })),
    nodata: null,
    stepM: 0,
    resolutionM: pixelM,
    bounds: { west: -180, south: -85, east: 180, north: 85 },
    pyramid: { minZoom: 2, maxZoom: MAX_ZOOM, tilePx: 256 },
    stamps: [],
  }),
);

const read = (z: number, x: number, y: number) =>
  here.readGrid({ grid: tileGrid({ z, x, y }), isFiltered: false }, aTicket);

test('a tile of the pyramid has the heights that its colours encode', async () => {
  for (const [z, x, y] of [
    [4, 6, 6],
    [3, 3, 3],
  ] as const) {
    const heights = await read(z, x, y);
    const scale = 2 ** (MAX_ZOOM - z);
    let worst = 0;
    // Without the rim, where the neighbour of zoom 3 is missing.
    for (let i = 0; i < heights.length; i++) {
      const [column, row] = [i % 256, Math.floor(i / 256)];
      if (Math.min(column, row, 255 - column, 255 - row) < 2) continue;
      const wanted = heightAt((x * 256 + column + 0.5) * scale, (y * 256 + row + 0.5) * scale);
      worst = Math.max(worst, Math.abs(heights[i]! - wanted));
    }
    assert.ok(worst < 0.003, `zoom ${z}: off by ${worst}`);
  }
});

test('zooms beyond the pyramid are interpolated', async () => {
  const heights = await read(6, 25, 25);
  const wanted = heightAt((25 * 256 + 128.5) / 4, (25 * 256 + 128.5) / 4);
  assert.ok(Math.abs((heights[128 * 256 + 128] as number) - wanted) < 0.01);
});

test('a missing tile is unknown, and a broken one is an error', async () => {
  assert.ok((await read(4, 7, 7)).every(Number.isNaN));
  mkdirSync(join(here.dataDir, 'pyramid/4/0'), { recursive: true });
  writeFileSync(join(here.dataDir, 'pyramid/4/0/0-of-4.png'), 'not a picture');
  await assert.rejects(read(4, 0, 0), { tag: 'source-broken', code: 'broken-picture' });
});

test('a zoom level far below the pyramid is refused, with the reason', async () => {
  const [file] = here.files;
  const { pyramid: _, ...rest } = file!;
  const deep = { minZoom: 12, maxZoom: 12, tilePx: 256 };
  const scale = 2 ** (12 - MAX_ZOOM);
  const side = rest.width * scale;
  const transform = rest.transform.map((value, i) => (i === 1 || i === 5 ? value / scale : value));
  here.files.splice(0, 1, {
    ...rest,
    pyramid: deep,
    width: side,
    height: side,
    levels: [],
    transform: transform as never,
  });
  await assert.rejects(read(4, 6, 6), { code: 'too-many-dem-files', message: /lowest zoom level is 12/ });
  here.files.splice(0, 1, file!);
});

test('a small pyramid serves low zoom levels too: only the tiles within its bounds are read', async () => {
  const [file] = here.files;
  const near = { west: -45, south: 21.943, east: 0, north: 40.98 };
  here.files.splice(0, 1, { ...file!, bounds: near });
  const heights = await read(1, 0, 0);
  assert.ok(heights.some((height) => !Number.isNaN(height)));
  const inside = await read(4, 6, 6);
  const wanted = heightAt(6 * 256 + 128.5, 6 * 256 + 128.5);
  assert.ok(Math.abs((inside[128 * 256 + 128] as number) - wanted) < 0.01);
  here.files.splice(0, 1, file!);
});
