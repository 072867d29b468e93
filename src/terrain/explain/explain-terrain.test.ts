import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tileGrid } from '../../geo/index.ts';
import { aTicket } from '../../pool/testing/run-here.ts';
import { makeTerrainHere } from '../testing/terrain-here.ts';

const here = makeTerrainHere();
after(here.remove);
here.addModel('fine');
here.addModel('coarse');
const STEP = 1 / 600;
for (const [dem, west, pixels] of [
  ['fine', 9, 600],
  ['fine', 10, 600],
  ['coarse', 9, 60],
] as const) {
  await here.addImage({
    dem,
    epsg: 4326,
    transform: [west, 1 / pixels, 0, 50, 0, -1 / pixels],
    width: pixels,
    height: pixels,
    heightAt: (lon, lat) => 100 * lon + lat,
    more: dem === 'coarse' ? { scale: 0.5, offset: 10 } : {},
  });
}

test('the explanation of a tile has its models, windows, blocks and steps, and reads no pixel', async () => {
  const grid = tileGrid({ z: 10, x: 540, y: 348 });
  const product = { kind: 'slope', minSlopeDeg: 0, color: null as never, format: 'png' } as const;
  const planned = await here.tiles.plan({ grid, product, isFiltered: true });
  const { models, isUnknown, inputs, steps, bytes, limitBytes } = await here.explainer.tile(planned, aTicket);
  assert.deepEqual([models, isUnknown], [['fine', 'coarse'], false]);
  assert.deepEqual(
    [...new Set(inputs.map(({ dem, file, scale, offset }) => [dem, file.name, scale, offset].join()))],
    ['fine,fine-0.tif,1,0', 'fine,fine-1.tif,1,0', 'coarse,coarse-2.tif,0.5,10'],
  );
  for (const { window, survey, problem } of inputs) {
    assert.ok(window.width > 0 && (survey?.blocks ?? 0) > 0 && problem === null);
    assert.equal(survey?.cachedBlocks, 0, 'nothing was read before');
  }
  assert.deepEqual(
    steps.map(({ step }) => step),
    ['read', 'filter', 'warp', 'draw'],
  );
  assert.ok(bytes > 0 && bytes < limitBytes);
  assert.deepEqual(here.reads, []);
});

test('the explanation of a point has the window that is read for it, that of a profile has all of them', async () => {
  const point = { lat: 49.5, lon: 9.25 };
  const { inputs, steps } = await here.explainer.point(point, aTicket);
  const [only] = inputs;
  assert.equal(inputs.length, 1);
  assert.deepEqual([only?.dem, only?.level, only?.method], ['fine', 0, 'bilinear']);
  assert.deepEqual(
    steps.map(({ step, stage }) => [step, stage]),
    [
      ['read', 'run'],
      ['interpolate', 'run'],
    ],
  );
  here.reads.length = 0;
  await here.readElevation(point, aTicket);
  assert.deepEqual(
    here.reads.map(({ read }) => read.window),
    [only?.window],
    'the same window is read',
  );
  const line = [
    [9.1, 49.5],
    [9.9, 49.5],
  ] as const;
  const profile = { line, samples: 50 };
  const explained = await here.explainer.profile(profile, aTicket);
  here.reads.length = 0;
  await here.readProfile(profile, aTicket);
  const windows = explained.inputs.map(({ window }) => window.x).sort();
  assert.ok(windows.length > 3);
  const read = new Set([...here.reads.map(({ read }) => read.window.x), only?.window.x]);
  assert.deepEqual(windows, [...read].sort());
});

test('a point that no file surrounds is explained with all models; one without any is unknown', async () => {
  const seam = await here.explainer.point({ lat: 49.5, lon: 10 }, aTicket);
  assert.deepEqual(
    seam.inputs.filter(({ dem }) => dem === 'fine').map(({ file }) => file.name),
    ['fine-0.tif', 'fine-1.tif'],
  );
  const nowhere = await here.explainer.point({ lat: -30, lon: -140 }, aTicket);
  assert.deepEqual([nowhere.isUnknown, nowhere.inputs], [true, []]);
});

test('the explanation of an area shows the counted pixels', async () => {
  const bounds = { west: 9.2, south: 49.1, east: 9.4, north: 49.3 };
  const { grid, steps, inputs } = await here.explainer.area({ bounds, isFiltered: false }, aTicket);
  assert.ok(grid.epsg === 3857 && Math.max(grid.width, grid.height) > 512);
  assert.ok(inputs.every(({ window }) => window.width * STEP < 0.5));
  assert.deepEqual(
    steps.map(({ step }) => step),
    ['read', 'warp', 'measure'],
  );
});

test('an unreadable file has a problem, and the others are explained', async () => {
  const other = makeTerrainHere();
  try {
    other.addModel('one');
    for (const west of [9, 10]) {
      await other.addImage({
        dem: 'one',
        epsg: 4326,
        transform: [west, 0.01, 0, 50, 0, -0.01],
        width: 100,
        height: 100,
        heightAt: () => 7,
      });
    }
    rmSync(join(other.dataDir, 'one-1.tif'));
    const bounds = { west: 9.9, south: 49.4, east: 10.1, north: 49.5 };
    const { inputs } = await other.explainer.area({ bounds, isFiltered: false }, aTicket);
    assert.deepEqual(
      inputs.map(({ file, problem, survey }) => [file.name, problem?.code ?? null, survey !== null]),
      [
        ['one-0.tif', null, true],
        ['one-1.tif', 'source-gone', false],
      ],
    );
  } finally {
    other.remove();
  }
});
