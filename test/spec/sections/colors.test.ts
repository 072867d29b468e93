/** Which colouring wins, and what each does to a picture. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Legend } from '../legend.ts';
import { toColor } from '../legend.ts';
import {
  colorAt,
  drawNative,
  expectNative,
  expectSame,
  readBand,
  TRANSPARENT,
  tileOf,
  tilePath,
} from '../pixels.ts';
import type { Key } from '../service.ts';
import { askJson, askRefused } from '../service.ts';

const PALETTE = `PALETTE=${encodeURIComponent('{"4":"#010203","5":"#040506"}')}`;
const COLORMAP = 'COLORMAP=viridis&MIN_MAX=0,12';
const RANGES = 'COLORS=0a0b0c,0d0e0f&THRESHOLDS=4.5';

test('colors priority: palette before colormap before range colours', async () => {
  const band = await readBand('l2a', 'SCL');
  const drawn = (...parts: readonly string[]) => drawNative('l2a', 'SCL', band, parts.join('&'));
  const [palette, colormap, ranges] = [await drawn(PALETTE), await drawn(COLORMAP), await drawn(RANGES)];
  assert.equal(
    new Set([palette, colormap, ranges].map(({ rgba }) => Buffer.from(rgba).toString('hex'))).size,
    3,
  );
  expectSame(await drawn(RANGES, COLORMAP, PALETTE), palette);
  expectSame(await drawn(RANGES, PALETTE), palette);
  expectSame(await drawn(COLORMAP, PALETTE), palette);
  expectSame(await drawn(RANGES, COLORMAP), colormap);
});

test('colors single-band images: bandmath, grey and classes are coloured; three bands are refused', async () => {
  const band = await readBand('l2a', 'B04');
  const tile = tileOf(band, 15);
  for (const query of [PALETTE, COLORMAP, RANGES]) {
    for (const bands of ['SCL', 'B04', 'around(B04/1000.0)']) {
      const coloured = await drawNative('l2a', bands, band, query);
      const grey = coloured.rgba.every((level, i) => i % 4 === 3 || level === coloured.rgba[i - (i % 4)]);
      assert.ok(!grey || query === PALETTE, `${bands} ${query}`);
    }
    assert.equal(await askRefused(tilePath('l2a', 'B04,B03,B02', tile), 422, { query }), 'colored-composite');
  }
});

test('colors Palette: whole numbers only, and transparent where a value has no entry', async () => {
  const band = await readBand('l2a', 'SCL');
  const colors: Readonly<Record<string, string>> = { 4: '010203ff', 5: '040506ff' };
  const seen = expectNative(
    await drawNative('l2a', 'SCL', band, PALETTE),
    (at) => colors[band.values[at]!] ?? TRANSPARENT,
  );
  assert.equal(seen.size, 3);
  // Of bandmath only values that are whole have an entry.
  const red = await readBand('l2a', 'B04');
  const half = await drawNative('l2a', 'around(B04/500.0)/2.0', red, PALETTE);
  expectNative(half, (at) => {
    const value = Math.fround(red.values[at]! / 500);
    if (Math.abs(value - Math.floor(value) - 0.5) < 1e-4) return null;
    return colors[Math.round(value) / 2] ?? TRANSPARENT;
  });
  const path = tilePath('l2a', 'B04*1.0', tileOf(red, 15));
  const query = `${PALETTE}&CALIBRATE=1`;
  assert.equal(await askRefused(path, 422, { query }), 'palette-of-fractions');
});

test('colors Colormap: the whole picture is coloured, including values beyond the range', async () => {
  const band = await readBand('l2a', 'B04');
  const { colors } = await askJson<Legend>('legend/plasma');
  const picture = await drawNative('l2a', 'B04', band, 'COLORMAP=plasma&MIN_MAX=1000,1500');
  const seen = expectNative(picture, (at) => {
    const value = band.values[at]!;
    if (value >= 1000 && value < 1500) return null;
    return `${colors.at(value < 1000 ? 0 : -1)!.slice(1)}ff`;
  });
  assert.equal(seen.size, 2);
  for (const i of band.values.keys()) assert.notEqual(colorAt(picture, i), TRANSPARENT);
});

test('colors Range colors: thresholds are data values; values below the first one have the first colour, and so on', async () => {
  // Eight bits a pixel: 0 to 255.
  const band = await readBand('cbers', 'BAND7');
  const thresholds = [20, 30, 40];
  const names = ['ff0000', '00ff00', '0000ff', 'ffff00'];
  const query = `COLORS=${names.join()}&THRESHOLDS=${thresholds.join()}`;
  const seen = expectNative(await drawNative('cbers', 'BAND7', band, query), (at) => {
    const value = band.values[at]!;
    if (Number.isNaN(value)) return TRANSPARENT;
    return `${names[thresholds.filter((one) => one <= value).length]}ff`;
  });
  assert.ok(seen.size >= 4);
  const path = tilePath('cbers', 'BAND7', tileOf(band, 15));
  for (const alone of ['COLORS=ff0000,00ff00', 'THRESHOLDS=3']) {
    assert.equal(await askRefused(path, 422, { query: alone }), 'lone-range-colors');
  }
});

const NDVI_COLORS =
  'ad0028 c5142a e02d2c ef4c3a fe6c4a ff8d5a ffab69 ffc67d ffe093 ffefab fdfec2 eaf7ac d5ef94 b9e383 9bd873 77ca6f 53bd6b 14aa60 009755 007e47';

test('colors Range colors: they are the default for NDVI, NDSI and NDWI, and for no other index', async () => {
  const near = await readBand('l2a', 'B08');
  const bands = { NDVI: ['B08', 'B04'], NDWI: ['B03', 'B08'], NDSI: ['B03', 'B11'] } as const;
  const thresholds: Readonly<Record<string, readonly number[]>> = {
    NDVI: Array.from({ length: 19 }, (_, i) => (i + 1) / 20),
    NDWI: [-0.3, 0, 0.2],
    NDSI: [0, 0.4],
  };
  for (const [alias, [one, other]] of Object.entries(bands)) {
    const legend = await askJson<Legend>(`legend/${tilePath('l2a', alias, tileOf(near, 15))}`);
    assert.deepEqual(legend.thresholds, thresholds[alias]);
    assert.equal(legend.colors.length, legend.thresholds.length + 1);
    if (alias === 'NDVI')
      assert.deepEqual(
        legend.colors,
        NDVI_COLORS.split(' ').map((name) => `#${name}`),
      );
    const [first, second] = [await readFine('l2a', one), await readFine('l2a', other)];
    const picture = await drawNative('l2a', alias, near);
    const seen = expectNative(picture, (at) => {
      // A value near to a threshold of 0 is near in an absolute sense only.
      const value = (first[at]! - second[at]!) / (first[at]! + second[at]!);
      return Math.abs(value) < 1e-6 ? null : toColor(value, legend);
    });
    assert.ok(seen.size >= 2, alias);
  }
  const grey = await drawNative('l2a', 'NBR', near);
  assert.ok(grey.rgba.every((level, i) => i % 4 === 3 || level === grey.rgba[i - (i % 4)]));
});

/** A band on the pixels of 10 m. */
async function readFine(key: Key, name: string): Promise<Float64Array> {
  const [band, fine] = [await readBand(key, name), await readBand(key, 'B08')];
  const times = fine.width / band.width;
  return fine.values.map((_, i) => {
    const [column, row] = [i % fine.width, Math.floor(i / fine.width)];
    return band.values[Math.floor(row / times) * band.width + Math.floor(column / times)]!;
  });
}
