/** The parameters that colour a tile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Legend } from '../legend.ts';
import { toColor } from '../legend.ts';
import {
  drawNative,
  drawTile,
  expectNative,
  expectPixels,
  expectSame,
  lookUp,
  readBand,
  TRANSPARENT,
  tileGrid,
  tileOf,
  tilePath,
} from '../pixels.ts';
import { askJson, askRefused } from '../service.ts';

const readNdvi = async (key: 's2' | 'l2a') => {
  const [near, red] = [await readBand(key, 'B08'), await readBand(key, 'B04')];
  const values = near.values.map((n, i) => {
    const r = red.values[i]!;
    return Math.fround(Math.fround(n - r) / Math.fround(n + r));
  });
  return { ...near, values };
};

test('tile COLORS: one colour for each range, of bandmath and grey only; one more than THRESHOLDS', async () => {
  const band = await readNdvi('s2');
  const tile = tileOf(band, 16);
  const [colors, thresholds] = [
    ['#ad0028', '#fdfec2', '#007e47'],
    [0.25, 0.5],
  ];
  const query = 'COLORS=ad0028,fdfec2,007e47&THRESHOLDS=0.25,0.5';
  const seen = expectPixels(await drawTile('s2', 'NDVI', tile, query), lookUp(tileGrid(tile), band), (at) =>
    toColor(band.values[at]!, { colors, thresholds }),
  );
  assert.ok(seen.size >= 3);
  const grey = await readBand('s2', 'B04');
  const query2 = 'COLORS=000000,ff0000&THRESHOLDS=2000';
  expectPixels(await drawTile('s2', 'B04', tile, query2), lookUp(tileGrid(tile), grey), (at) =>
    toColor(grey.values[at]!, { colors: ['#000000', '#ff0000'], thresholds: [2000] }),
  );
  assert.equal(
    await askRefused(tilePath('s2', 'B04,B03,B02', tile), 422, { query: query2 }),
    'colored-composite',
  );
  const lone = await askRefused(tilePath('s2', 'NDVI', tile), 422, { query: 'COLORS=ff0000' });
  assert.equal(lone, 'lone-range-colors');
});

test('tile THRESHOLDS: only with COLORS, one fewer, and sorted; a value on a threshold is above it', async () => {
  const band = await readBand('l2a', 'SCL');
  const picture = await drawNative('l2a', 'SCL', band, 'COLORS=ff0000,00ff00,0000ff,ffff00&THRESHOLDS=4,6,8');
  const legend = { colors: ['#ff0000', '#00ff00', '#0000ff', '#ffff00'], thresholds: [4, 6, 8] };
  expectNative(picture, (at) => toColor(band.values[at]!, legend));
  const path = tilePath('l2a', 'NDVI', tileOf(band, 15));
  for (const [query, code] of [
    ['THRESHOLDS=0.5', 'lone-range-colors'],
    ['COLORS=ff0000,00ff00&THRESHOLDS=0.1,0.2', 'unpaired-range-colors'],
    ['COLORS=ff0000,00ff00,0000ff&THRESHOLDS=0.2,0.1', 'unsorted-thresholds'],
    ['COLORS=ff0000,00ff00&THRESHOLDS=much', 'bad-thresholds'],
  ] as const) {
    assert.equal(await askRefused(path, 422, { query }), code);
  }
});

test('tile COLORMAP: a value has the colour of the legend, with MIN_MAX and without; by name or custom id', async () => {
  const band = await readNdvi('s2');
  const tile = tileOf(band, 16);
  const where = lookUp(tileGrid(tile), band);
  const { id } = await askJson<{ id: string }>('colormap/', { body: { colors: ['#102030', '#f0e0d0'] } });
  for (const name of ['viridis', 'RdYlGn', 'OrRd_r', 'Accent', id]) {
    const legend = await askJson<Legend>(`legend/${name}`, { query: 'MIN_MAX=-0.2,0.8' });
    const picture = await drawTile('s2', 'NDVI', tile, `COLORMAP=${name}&MIN_MAX=-0.2,0.8`);
    expectPixels(picture, where, (at) => toColor(band.values[at]!, legend));
  }
  const path = tilePath('s2', 'NDVI', tile);
  const found = await askJson<Legend & { bands: { min: number; max: number }[] }>(`legend/${path}`, {
    query: 'COLORMAP=viridis&RESAMPLE=near',
  });
  const [range] = found.bands;
  const byDefault = await drawTile('s2', 'NDVI', tile, 'COLORMAP=viridis');
  const same = await drawTile('s2', 'NDVI', tile, `COLORMAP=viridis&MIN_MAX=${range!.min},${range!.max}`);
  expectSame(byDefault, same);
  expectPixels(byDefault, where, (at) => toColor(band.values[at]!, found));
  assert.equal(await askRefused(path, 404, { query: 'COLORMAP=no-such-map' }), 'unknown-colormap');
  const query = 'COLORMAP=viridis';
  assert.equal(await askRefused(tilePath('s2', 'B04,B03,B02', tile), 422, { query }), 'colored-composite');
});

test('tile COLORS_LIMIT: the number of colours of a continuous colormap, 256 by default', async () => {
  const band = await readNdvi('l2a');
  const query = 'COLORMAP=RdYlGn&MIN_MAX=-1,1';
  const limited = await drawNative('l2a', 'NDVI', band, `${query}&COLORS_LIMIT=5`);
  // As matplotlib's get_cmap('RdYlGn', 5).
  const colors = ['#a50026', '#f88d52', '#ffffbf', '#86cb66', '#006837'];
  expectNative(limited, (at) => toColor(band.values[at]!, { colors, thresholds: [-0.6, -0.2, 0.2, 0.6] }));
  const byDefault = await drawNative('l2a', 'NDVI', band, query);
  expectSame(await drawNative('l2a', 'NDVI', band, `${query}&COLORS_LIMIT=256`), byDefault);
  const path = tilePath('l2a', 'NDVI', tileOf(band, 15));
  assert.equal(await askRefused(path, 422, { query: `${query}&COLORS_LIMIT=1` }), 'bad-colors-limit');
});

test('tile PALETTE: a JSON dictionary of whole numbers and colours; unlisted values are transparent', async () => {
  const band = await readBand('l2a', 'SCL');
  const tile = tileOf(band, 15);
  const colors: Readonly<Record<string, string>> = { 4: '00ff00', 5: 'ffff00', 9: 'ffffff' };
  const palette = encodeURIComponent('{"4":"#00ff00","5":"#ffff00","9":"#ffffff"}');
  const picture = await drawTile('l2a', 'SCL', tile, `PALETTE=${palette}`);
  const seen = expectPixels(picture, lookUp(tileGrid(tile), band), (at) => {
    const color = colors[band.values[at]!];
    return color === undefined ? TRANSPARENT : `${color}ff`;
  });
  assert.ok(seen.size >= 3);
  assert.equal(await askRefused(tilePath('l2a', 'SCL', tile), 422, { query: 'PALETTE=red' }), 'bad-palette');
});
