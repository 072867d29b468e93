/** Tiles that are put together, sharpened, or compared with an earlier scene. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  colorAt,
  draw,
  drawNative,
  drawTile,
  expectPixels,
  expectSame,
  lookUp,
  readBand,
  TRANSPARENT,
  tileGrid,
  tileOf,
  tilePath,
  toHex,
  toLevel,
} from '../pixels.ts';
import { askRefused } from '../service.ts';

test('tile COMPOSITE: three expressions are red, green and blue', async () => {
  const [red, near] = [await readBand('s2', 'B04'), await readBand('s2', 'B08')];
  const tile = tileOf(red, 16);
  const bands = '(B08-B04)/(B08+B04),B04/10000.0,B08/B04-1.0';
  const picture = await drawTile('s2', bands, tile, 'COMPOSITE=1&MIN_MAX=-0.5,1.5');
  expectPixels(picture, lookUp(tileGrid(tile), red), (at) => {
    const [n, r] = [near.values[at]!, red.values[at]!];
    const levels = [(n - r) / (n + r), r / 10000, n / r - 1].map((value) => toLevel(value, -0.5, 1.5));
    return levels.includes(null) ? null : `${levels.map((level) => toHex(level!)).join('')}ff`;
  });
  await askRefused(tilePath('s2', 'B04,B08/B04', tile), 422, { query: 'COMPOSITE=1' });
});

test('tile PANSHARPENING: sharpens Landsat 8 and 7, with true or 1; other sensors are refused', async () => {
  for (const [key, bands] of [
    ['l8', 'B4,B3,B2'],
    ['l7', 'B3,B2,B1'],
  ] as const) {
    const tile = tileOf(await readBand(key, 'B3'), 16);
    const [plain, sharp, same] = [
      await drawTile(key, bands, tile),
      await drawTile(key, bands, tile, 'PANSHARPENING=1'),
      await drawTile(key, bands, tile, 'PANSHARPENING=true'),
    ];
    expectSame(sharp, same);
    assert.ok(countEdges(sharp.rgba) > 1.3 * countEdges(plain.rgba), `${key} has more detail`);
    expectSame(await drawTile(key, bands, tile, 'PANSHARPENING=0'), plain);
  }
  const path = tilePath('s2', 'B04,B03,B02', tileOf(await readBand('s2', 'B04'), 16));
  await askRefused(path, 422, { query: 'PANSHARPENING=1' });
});

/** How often a pixel differs from the one to its left. */
const countEdges = (rgba: Uint8Array): number =>
  rgba.reduce((sum, value, i) => sum + Number(i % 4 === 0 && i > 0 && value !== rgba[i - 4]), 0);

test('tile PS: the pattern PS:B4:B3:B2:B8 instead of bands is the same as PANSHARPENING', async () => {
  const tile = tileOf(await readBand('l8', 'B4'), 16);
  const asked = await drawTile('l8', 'B4,B3,B2', tile, 'PANSHARPENING=1');
  expectSame(await drawTile('l8', 'PS:B4:B3:B2:B8', tile), asked);
  await askRefused(tilePath('l8', 'PS:B4:B3:B2:B7', tile), 422);
});

test('tile PR_FD: the change of FIDET since an earlier scene where there are trees, otherwise transparent', async () => {
  const names = ['B04', 'B08', 'B8A', 'B09', 'B11', 'B12'] as const;
  const read = async (key: 'beforeFire' | 'afterFire') =>
    Object.fromEntries(
      await Promise.all(
        // Stored numbers of this product are ten thousandths of reflectance.
        names.map(
          async (name) => [name, (await readBand(key, name)).values.map((value) => value / 10_000)] as const,
        ),
      ),
    ) as Record<(typeof names)[number], Float64Array>;
  const [before, after] = [await read('beforeFire'), await read('afterFire')];
  const band = await readBand('afterFire', 'B12');
  const picture = await drawNative('afterFire', 'PR_FD', band, 'MIN_MAX=-10,41');
  const seen = { trees: 0, bare: 0, burnt: 0 };
  for (const i of band.values.keys()) {
    const share = (one: keyof typeof before, other: keyof typeof before): number =>
      (before[one][i]! - before[other][i]!) / (before[one][i]! + before[other][i]!);
    const [ndvi, ndmi] = [share('B08', 'B04'), share('B08', 'B11')];
    if (Math.abs(ndvi - 0.5) < 0.01 || Math.abs(ndmi - 0.1) < 0.01) continue;
    const hadTrees = ndvi > 0.5 && ndmi > 0.1;
    if (!hadTrees) {
      assert.equal(colorAt(picture, i), TRANSPARENT, `pixel ${i} has no trees`);
      seen.bare += 1;
      continue;
    }
    const fidet = (scene: typeof before): number => scene.B12[i]! / (scene.B8A[i]! * scene.B09[i]!);
    const change = fidet(after) - fidet(before);
    const level = Math.min(Math.max(((change + 10) / 51) * 255, 0), 255);
    if (colorAt(picture, i) === TRANSPARENT) continue;
    assert.ok(
      Math.abs(picture.rgba[4 * i]! - level) <= 0.6,
      `pixel ${i}: ${picture.rgba[4 * i]}, not ${level}`,
    );
    seen.trees += 1;
    seen.burnt += Number(change > 5);
  }
  assert.ok(seen.trees > 1000 && seen.bare > 50 && seen.burnt > 100, JSON.stringify(seen));
  // Nothing lies before the earlier scene.
  const none = await draw(tilePath('beforeFire', 'PR_FD', tileOf(band, 12)));
  assert.equal(none.type, 'image/png');
  assert.ok(none.rgba.every((value) => value === 0));
});
