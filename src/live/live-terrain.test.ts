/** Heights from the elevation model of a fake catalog: known ones, the sea, and everything that can go wrong between. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import sharp from 'sharp';
import { tileAt, tileGrid } from '../geo/index.ts';
import { aTicket } from '../pool/testing/run-here.ts';
import { makeProjection } from '../proj/index.ts';
import { makeDem, makeDemFile } from '../terrain/testing/fake-dem-store.ts';
import type { LiveTerrain } from './live-catalog.ts';
import { heightAt } from './testing/dem-items.ts';
import type { FakeStac, FakeStacOptions } from './testing/fake-stac.ts';
import { startFakeStac } from './testing/fake-stac.ts';
import type { FilePlace } from './testing/made-item.ts';
import { makeItem } from './testing/make-item.ts';
import { makeTerrainOfFake } from './testing/terrain-of-fake.ts';

const CELLS = [
  { lon: 6, lat: 46 },
  { lon: 7, lat: 46 },
];
const makeItems = (place: FilePlace) =>
  CELLS.map((cell) => makeItem('earth-search/cop-dem-glo-30', cell, place));

/** A catalog with two cells, and all that reads heights. */
async function start(
  t: TestContext,
  { terrain = {}, ...options }: FakeStacOptions & { readonly terrain?: Partial<LiveTerrain> } = {},
) {
  const fake = await startFakeStac({ items: makeItems, ...options });
  t.after(() => fake[Symbol.asyncDispose]());
  return { fake, ...makeTerrainOfFake(fake, terrain) };
}

/** A location in the middle of a pixel, and its height. */
const pixel = (cell: { readonly lon: number; readonly lat: number }, column: number, row: number) => ({
  lon: cell.lon + column / 3_600,
  lat: cell.lat + 1 - row / 3_600,
  heightM: heightAt(column, row),
});

const isNear = (actual: number | null, expected: number, within = 0.01): void =>
  assert.ok(actual !== null && Math.abs(actual - expected) < within, `${actual} m instead of ${expected} m`);

const countCalls = ({ calls }: FakeStac, kind: string): number =>
  calls.filter((call) => call.kind === kind).length;

const BY_ITEMS = { files: null };

test('heights of points come from the tiles, which are found by their names alone', async (t) => {
  const { fake, readHeight } = await start(t);
  for (const [cell, column, row] of [
    [CELLS[0]!, 1_234, 2_345],
    [CELLS[0]!, 50, 50],
    [CELLS[1]!, 3_000, 150],
  ] as const) {
    const { lon, lat, heightM } = pixel(cell, column, row);
    isNear(await readHeight(lon, lat), heightM);
  }
  assert.deepEqual([...new Set(fake.calls.map(({ kind }) => kind))], ['file']);
  assert.ok(
    fake.calls.every(({ path }) => path.startsWith('/copernicus-dem-30m/Copernicus_DSM_COG_10_N46_00')),
  );
  const before = fake.calls.length;
  const { lon, lat, heightM } = pixel(CELLS[0]!, 1_235, 2_346);
  isNear(await readHeight(lon, lat), heightM);
  assert.equal(fake.calls.length, before);
});

test('without a file address, the items say where the files are', async (t) => {
  for (const style of ['earth-search', 'planetary-computer'] as const) {
    const { fake, readHeight } = await start(t, {
      style,
      items: (place) => CELLS.map((cell) => makeItem(`${style}/cop-dem-glo-30`, cell, place)),
      terrain: BY_ITEMS,
    });
    const { lon, lat, heightM } = pixel(CELLS[0]!, 1_234, 2_345);
    isNear(await readHeight(lon, lat), heightM);
    assert.equal(countCalls(fake, 'item'), 1);
    isNear(await readHeight(lon - 0.1, lat), heightAt(1_234 - 360, 2_345));
    assert.equal(countCalls(fake, 'item'), 1);
  }
});

test('tiles, profiles, statistics and weather use the heights too', async (t) => {
  const { tiles, readProfile, readAreaStatistics, groundHeights, listDems } = await start(t);
  const tile = tileAt(12, ...makeProjection(4326, 3857).forward(7, 46.5));
  const product = { kind: 'terrarium', unknownM: null } as const;
  const planned = await tiles.plan({ grid: tileGrid(tile, 256), product, isFiltered: false });
  assert.equal(planned.isUnknown, false);
  const { data, info } = await sharp((await tiles.render(planned, aTicket)).bytes)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [256, 256]);
  const values = Array.from({ length: 256 * 256 }, (_, i) =>
    data[4 * i + 3] === 0 ? 0 : data[4 * i]! * 256 + data[4 * i + 1]! + data[4 * i + 2]! / 256 - 32_768,
  );
  // The tile lies across the border of both cells. Between two hills of 800 m there are valleys of 400 m.
  assert.ok(values.every((value) => value > 390 && value < 810));
  assert.ok(Math.max(...values) > 790 && Math.min(...values) < 410);

  const [from, to] = [pixel(CELLS[0]!, 3_550, 1_250), pixel(CELLS[1]!, 50, 1_250)];
  const line = [from, to].map(({ lon, lat }) => [lon, lat] as const);
  const profile = await readProfile({ line, samples: 11 }, aTicket);
  for (const [i, { heightM }] of profile.points.entries())
    isNear(heightM, heightAt((3_550 + 10 * i) % 3_600, 1_250), 0.1);

  const bounds = { west: 6.4, south: 46.4, east: 6.6, north: 46.6 };
  const { west, south, east, north } = bounds;
  const outline = Float64Array.from(
    [
      [west, south, east, south],
      [east, south, east, north],
      [west, north, east, north],
      [west, south, west, north],
    ].flat(),
  );
  const statistics = await readAreaStatistics(
    { outline, bounds, slopeBounds: [], isFiltered: false },
    aTicket,
  );
  assert.equal(statistics.knownShare, 1);
  isNear(statistics.height?.mean ?? null, 600, 10);
  isNear(statistics.height?.max ?? null, 800, 5);

  const spot = pixel(CELLS[1]!, 700, 900);
  isNear(await groundHeights.at(spot.lon, spot.lat), spot.heightM);
  isNear(await groundHeights.meanOf({ minX: 6.2, minY: 46.2, maxX: 7.8, maxY: 46.8 }), 600, 40);

  const [model] = await listDems();
  assert.equal(model?.name, 'earth-search/copernicus-glo-30');
  assert.match(model?.attribution ?? '', /Airbus/);
});

test('a cell with neither a file nor an item is sea, and is not requested again for a day', async (t) => {
  for (const terrain of [{}, BY_ITEMS]) {
    const { fake, clock, readHeight } = await start(t, { terrain });
    assert.equal(await readHeight(10.5, 40.5), 0);
    const asked = fake.calls.length;
    assert.ok(asked > 0 && asked <= 3, `${asked} requests`);
    assert.equal(await readHeight(10.6, 40.6), 0);
    clock.nowMs += 23 * 3_600_000;
    assert.equal(await readHeight(10.7, 40.7), 0);
    assert.equal(fake.calls.length, asked);
    fake.add(makeItem('earth-search/cop-dem-glo-30', { lon: 10, lat: 40 }, fake.place));
    clock.nowMs += 2 * 3_600_000;
    const { lon, lat, heightM } = pixel({ lon: 10, lat: 40 }, 1_234, 2_345);
    isNear(await readHeight(lon, lat), heightM);
  }
});

test('a missing cell is not sea where the land is not released', async (t) => {
  const { readHeight } = await start(t);
  assert.equal(await readHeight(44.5, 40.2), null);
  assert.equal(await readHeight(42.5, 40.2), 0);
});

test('a missing file is not sea while the catalog has its item', async (t) => {
  for (const terrain of [{}, BY_ITEMS]) {
    const { fake, readHeight } = await start(t, { terrain });
    fake.fileFault = () => ({ status: 404 });
    await assert.rejects(readHeight(6.5, 46.5), {
      tag: 'source-broken',
      code: 'dem-cell-missing',
      message: /Copernicus_DSM_COG_10_N46_00_E006_00_DEM/,
    });
    fake.fileFault = () => null;
    const { lon, lat, heightM } = pixel(CELLS[0]!, 1_800, 1_850);
    isNear(await readHeight(lon, lat), heightM);
  }
});

test('a store that refuses or fails is an error, never sea, and heights return when it recovers', async (t) => {
  for (const terrain of [{}, BY_ITEMS]) {
    const { fake, readHeight } = await start(t, { terrain });
    const { lon, lat, heightM } = pixel(CELLS[0]!, 1_800, 1_850);
    for (const [status, code] of [
      [403, 'source-gone'],
      [401, 'source-refused'],
      [500, 'source-failing'],
    ] as const) {
      fake.fileFault = () => ({ status });
      await assert.rejects(readHeight(lon, lat), { tag: 'source-broken', code, message: /model/ });
      // The same of a cell that is sea: nothing says so while the store does not answer.
      if (terrain === BY_ITEMS) assert.equal(await readHeight(10.5, 40.5), 0);
      else await assert.rejects(readHeight(10.5, 40.5), { tag: 'source-broken', code });
    }
    fake.fileFault = () => null;
    isNear(await readHeight(lon, lat), heightM);
    assert.equal(await readHeight(10.5, 40.5), 0);
  }
});

test('a failing catalog is an error where sea would be shown', async (t) => {
  const { fake, readHeight } = await start(t);
  fake.catalogFault = () => ({ text: '<h1>Bad gateway</h1>' });
  await assert.rejects(readHeight(10.5, 40.5), { tag: 'unavailable', code: 'catalog-unavailable' });
  const { lon, lat, heightM } = pixel(CELLS[0]!, 1_800, 1_850);
  isNear(await readHeight(lon, lat), heightM);
  fake.catalogFault = () => null;
  assert.equal(await readHeight(10.5, 40.5), 0);
});

test('a catalog without the collection does not turn the Earth into an ocean', async (t) => {
  for (const files of [null, 's3://copernicus-dem-30m/elsewhere/{cell}.tif']) {
    const { readHeight } = await start(t, { terrain: { collection: 'cop-dem', files } });
    await assert.rejects(readHeight(6.5, 46.5), { tag: 'source-broken', code: 'no-dem-collection' });
  }
});

test('the file of another cell is refused', async (t) => {
  const { readHeight } = await start(t, {
    items: (place) => {
      const [one, other] = makeItems(place);
      const [file] = other!.files().values();
      const [path] = one!.files().keys();
      return [{ ...one!, files: () => new Map([[path!, file!]]) }];
    },
  });
  await assert.rejects(readHeight(6.5, 46.5), {
    tag: 'source-broken',
    code: 'dem-cell-wrong',
    message: /is not the tile Copernicus_DSM_COG_10_N46_00_E006_00_DEM: it lies elsewhere/,
  });
});

test('an item may not point to addresses that the catalog does not list', async (t) => {
  const { fake, readHeight } = await start(t, { terrain: BY_ITEMS });
  for (const href of [
    'http://127.0.0.2/dem.tif',
    's3://other/dem.tif',
    'file:///etc/passwd',
    '/etc/passwd',
  ]) {
    fake.reset();
    fake.catalogFault = ({ kind }) =>
      kind === 'item'
        ? { change: (item) => ({ ...item, assets: { data: { href, roles: ['data'] } } }) }
        : null;
    await assert.rejects(readHeight(6.5, 46.5), { tag: 'source-broken', code: /^dem-cell-/ });
    assert.equal(countCalls(fake, 'file'), href.startsWith('/') ? fake.calls.length - 1 : 0);
  }
  fake.catalogFault = ({ kind }) =>
    kind === 'item' ? { change: (item) => ({ ...item, assets: {} }) } : null;
  await assert.rejects(readHeight(6.5, 46.5), { code: 'dem-cell-wrong' });
});

test('a replaced tile is read again', async (t) => {
  const { fake, readHeight } = await start(t);
  const { lon, lat, heightM } = pixel(CELLS[0]!, 1_800, 1_850);
  isNear(await readHeight(lon, lat), heightM);
  fake.fileFault = () => ({ etag: '"newer"' });
  isNear(await readHeight(lon + 0.3, lat), heightAt(1_800 + 1_080, 1_850));
});

test('a low zoom level is refused without a request, and ingested heights take precedence', async (t) => {
  const { fake, tiles, ingested, store } = await start(t);
  const plan = (z: number) =>
    tiles.plan({
      grid: tileGrid(tileAt(z, ...makeProjection(4326, 3857).forward(6.5, 46.5)), 256),
      product: { kind: 'geotiff' },
      isFiltered: false,
    });
  await assert.rejects(plan(4), { tag: 'unsupported', code: 'too-many-dem-files' });
  assert.deepEqual(fake.calls, []);
  await ingested.putDem(makeDem('survey', { order: 9 }));
  await ingested.putFiles([makeDemFile('survey', 6, 46, { nodata: null })]);
  const bounds = { west: 6.2, south: 46.2, east: 6.3, north: 46.3 };
  const layers = (await store.list()).map(({ name }) => ({ dem: name, overview: 0 }));
  assert.deepEqual(
    layers.map(({ dem }) => dem),
    ['survey', 'earth-search/copernicus-glo-30'],
  );
  const found = await store.findFiles(layers, bounds, 65);
  assert.deepEqual(
    found.map(({ dem }) => dem),
    ['survey'],
  );
  assert.deepEqual(fake.calls, []);
});
