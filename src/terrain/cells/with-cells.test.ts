import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceBroken } from '../../errors.ts';
import { tileGrid } from '../../geo/index.ts';
import type { DemFile, ListedDem } from '../dem.ts';
import { makeDemLookup } from '../dem-lookup.ts';
import { makeFindModels } from '../plan/find-models.ts';
import { makeDem, makeDemFile, makeFakeDemStore } from '../testing/fake-dem-store.ts';
import type { Cell } from './copernicus-cell.ts';
import { isCovered, withCells } from './with-cells.ts';

const NAME = 'earth/glo-30';
const model: ListedDem = {
  ...makeDem(NAME, { gaps: 'sea', order: Number.MAX_SAFE_INTEGER }),
  fileCount: 0,
  finestM: 30,
  coarsestM: 31,
  bounds: { west: -180, south: -90, east: 180, north: 90 },
  live: { unreleased: [] },
};

function makeWorld() {
  const world = {
    nowMs: 0,
    asked: [] as string[],
    /** Cells east of this are sea. */
    coast: 100,
    isDown: false,
  };
  const ingested = makeFakeDemStore();
  const store = withCells(ingested, {
    model,
    async readCell({ lon, lat }: Cell): Promise<DemFile | null> {
      world.asked.push(`${lon} ${lat}`);
      if (world.isDown) throw sourceBroken('source-failing', 'A store of the model fails.');
      return lon >= world.coast ? null : makeDemFile(NAME, lon, lat);
    },
    nowMs: () => world.nowMs,
  });
  const layer = [{ dem: NAME, overview: 0 }];
  const find = async (west: number, south: number, east: number, north: number, limit = 65) =>
    (await store.findFiles(layer, { west, south, east, north }, limit)).map(({ id }) => id);
  return { world, ingested, store, find };
}

test('the live model is listed last, and not at all if an ingested one covers the whole Earth', async () => {
  const { ingested, store } = makeWorld();
  assert.deepEqual(
    (await store.list()).map(({ name }) => name),
    [NAME],
  );
  await ingested.putDem(makeDem('survey', { order: 7 }));
  await ingested.putFiles([makeDemFile('survey', 7, 46)]);
  assert.deepEqual(
    (await store.list()).map(({ name }) => name),
    ['survey', NAME],
  );
  await ingested.putDem(makeDem('survey', { gaps: 'sea' }));
  assert.deepEqual(
    (await store.list()).map(({ name }) => name),
    ['survey'],
  );
});

test('a cell is read once, also by concurrent callers', async () => {
  const { world, find } = makeWorld();
  const wanted = () => find(6.9, 46.2, 7.1, 46.3);
  const [first, second] = await Promise.all([wanted(), wanted()]);
  assert.deepEqual(first, [`${NAME} 0 6 46`, `${NAME} 0 7 46`]);
  assert.deepEqual(second, first);
  world.nowMs += 100 * 86_400_000;
  assert.deepEqual(await wanted(), first);
  assert.deepEqual(world.asked, ['6 46', '7 46']);
});

test('a cell without a tile is sea for a day', async () => {
  const { world, find } = makeWorld();
  world.coast = 7;
  assert.deepEqual(await find(7.2, 46.2, 7.3, 46.3), []);
  world.coast = 100;
  world.nowMs += 86_400_000 - 1;
  assert.deepEqual(await find(7.2, 46.2, 7.3, 46.3), []);
  world.nowMs += 1;
  assert.deepEqual(await find(7.2, 46.2, 7.3, 46.3), [`${NAME} 0 7 46`]);
  assert.deepEqual(world.asked, ['7 46', '7 46']);
});

test('a failing store is an error, which is not remembered', async () => {
  const { world, find } = makeWorld();
  world.isDown = true;
  await assert.rejects(find(6.9, 46.2, 7.1, 46.3), { code: 'source-failing' });
  world.isDown = false;
  assert.equal((await find(6.9, 46.2, 7.1, 46.3)).length, 2);
});

test('a picture of too many cells is refused before any of them is read', async () => {
  const { world, find, store } = makeWorld();
  await assert.rejects(find(0, 0, 20, 20), {
    tag: 'unsupported',
    code: 'too-many-dem-files',
    message: /more than 64 files of the elevation model earth\/glo-30/,
  });
  const lookup = makeDemLookup({ store, nowMs: () => 0 });
  const wide = { bounds: { west: 0, south: 0, east: 20, north: 20 }, pixelDeg: 0.1, reachPx: 6 };
  await assert.rejects(lookup.find(wide), { code: 'too-many-dem-files' });
  assert.deepEqual(world.asked, []);
  assert.equal((await find(0.1, 0.1, 7.9, 7.9)).length, 64);
});

test('from zoom level 7 on, every tile is within the limit', async () => {
  const { store } = makeWorld();
  const lookup = makeDemLookup({ store, nowMs: () => 0 });
  const watch = { check: async () => false, renew: async () => {} };
  const findModels = makeFindModels({ lookup, watch });
  for (let y = 0; y < 2 ** 7; y++) {
    const grid = tileGrid({ z: 7, x: 64, y }, 256);
    const { models } = await findModels({ grid, isFiltered: true, isRenewed: false });
    assert.ok((models[0]?.files.length ?? 0) > 0, `row ${y}`);
  }
});

test('at small scales only ingested models are shown', async () => {
  const { world, ingested, store } = makeWorld();
  await ingested.putDem(makeDem('survey', { overviews: [{ pixelDeg: 0.01 }] }));
  await ingested.putFiles([makeDemFile('survey', 7, 6), makeDemFile('survey', 7, 6, { overview: 1 })]);
  const lookup = makeDemLookup({ store, nowMs: () => 0 });
  const bounds = { west: 0, south: 0, east: 20, north: 20 };
  const found = await lookup.find({ bounds, pixelDeg: 0.1, reachPx: 6 });
  assert.deepEqual(
    found.map(({ dem, files }) => [dem.name, files.length]),
    [['survey', 1]],
  );
  assert.deepEqual(world.asked, []);
});

test('no cell is requested where an ingested model has every height', async () => {
  const { world, ingested, find } = makeWorld();
  await ingested.putDem(makeDem('whole'));
  await ingested.putFiles([
    makeDemFile('whole', 6, 46, { nodata: null }),
    makeDemFile('whole', 7, 46, { nodata: null }),
  ]);
  world.isDown = true;
  assert.deepEqual(await find(6.9, 46.2, 7.1, 46.3), []);
  assert.deepEqual(world.asked, []);
  world.isDown = false;
  // Beyond its files, and where they may have voids, the public heights are needed.
  assert.equal((await find(7.9, 46.2, 8.1, 46.3)).length, 2);
  await ingested.putFiles([makeDemFile('whole', 7, 46, { nodata: -9_999 })]);
  assert.equal((await find(6.9, 46.2, 7.1, 46.3)).length, 2);
});

test('two models that cover a place only together leave a seam, so cells are requested', async () => {
  const { ingested, find } = makeWorld();
  for (const [name, west] of [
    ['one', 6],
    ['other', 7],
  ] as const) {
    await ingested.putDem(makeDem(name));
    await ingested.putFiles([makeDemFile(name, west, 46, { nodata: null })]);
  }
  assert.equal((await find(6.9, 46.2, 7.1, 46.3)).length, 2);
  assert.equal((await find(6.2, 46.2, 6.3, 46.3)).length, 0);
});

test('files of both kinds form one list, ordered by id, within the limit', async () => {
  const { ingested, store } = makeWorld();
  await ingested.putDem(makeDem('survey'));
  await ingested.putFiles([makeDemFile('survey', 7, 46)]);
  const layers = ['survey', NAME].map((dem) => ({ dem, overview: 0 }));
  const bounds = { west: 6.9, south: 46.2, east: 7.1, north: 46.3 };
  const ids = (await store.findFiles(layers, bounds, 10)).map(({ id }) => id);
  assert.deepEqual(ids, [`${NAME} 0 6 46`, `${NAME} 0 7 46`, 'survey 0 7 46']);
});

test('a replaced tile is read and checked again; records of ingested files are written to the store', async () => {
  const { world, ingested, store, find } = makeWorld();
  await ingested.putDem(makeDem('survey'));
  await find(6.2, 46.2, 6.3, 46.3);
  await store.putFiles([
    makeDemFile(NAME, 6, 46, { stamps: ['newer'] }),
    makeDemFile('survey', 7, 46, { stamps: ['newer'] }),
  ]);
  assert.deepEqual([...ingested.files.keys()], ['survey 0 7 46']);
  await find(6.2, 46.2, 6.3, 46.3);
  assert.deepEqual(world.asked, ['6 46', '6 46']);
});

test('rectangles cover bounds together, also after a full turn', () => {
  const bounds = { west: 179.5, south: 0.2, east: 180.5, north: 0.8 };
  const east = { west: 179, south: 0, east: 180, north: 1 };
  const west = { west: -180 + 1e-12, south: 0, east: -179, north: 1 };
  assert.equal(isCovered(bounds, [east, west]), true);
  assert.equal(isCovered(bounds, [east]), false);
  assert.equal(isCovered(bounds, [{ ...east, north: 0.5 }, west]), false);
  assert.equal(isCovered(bounds, [{ ...east, north: 0.5 }, { ...east, south: 0.5 }, west]), true);
  assert.equal(isCovered(bounds, []), false);
});
