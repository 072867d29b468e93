import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LonLatBounds } from '../geo/index.ts';
import type { DemLayer } from './dem.ts';
import { chooseLayer, makeDemLookup } from './dem-lookup.ts';
import { makeDem, makeDemFile, makeFakeDemStore } from './testing/fake-dem-store.ts';

async function makeWorld() {
  const store = makeFakeDemStore();
  await store.putDem(makeDem('coarse', { overviews: [{ pixelDeg: 0.01 }] }));
  await store.putFiles([
    makeDemFile('coarse', 7, 46, { resolutionM: 90 }),
    makeDemFile('coarse', 7, 46, { overview: 1, resolutionM: 1_000 }),
  ]);
  await store.putDem(makeDem('fine'));
  await store.putFiles([makeDemFile('fine', 7, 46, { resolutionM: 10 })]);
  const asked: { layer: DemLayer; bounds: LonLatBounds }[] = [];
  let nowMs = 0;
  const lookup = makeDemLookup({
    store: {
      list: () => store.list(),
      findFiles: (layers, bounds, limit) => {
        asked.push({ layer: layers[0] as DemLayer, bounds });
        return store.findFiles(layers, bounds, limit);
      },
    },
    nowMs: () => nowMs,
  });
  const wait = (ms: number): void => {
    nowMs += ms;
  };
  return { store, lookup, asked, wait };
}

const around = { bounds: { west: 7.4, south: 46.4, east: 7.5, north: 46.5 }, reachPx: 6 };

test('models are found in the order of their rank, each with the layer that the pixels need', async () => {
  const { lookup } = await makeWorld();
  const near = await lookup.find({ ...around, pixelDeg: 0.0005 });
  assert.deepEqual(
    near.map(({ dem, files }) => [dem.name, files.map(({ overview }) => overview)]),
    [
      ['fine', [0]],
      ['coarse', [0]],
    ],
  );
  const far = await lookup.find({ ...around, pixelDeg: 0.05 });
  assert.deepEqual(
    far.map(({ dem, files }) => [dem.name, files.map(({ overview }) => overview)]),
    [
      ['fine', [0]],
      ['coarse', [1]],
    ],
  );
});

test('files are looked up with a margin of their own pixels, wider towards the poles', async () => {
  const { lookup, asked } = await makeWorld();
  await lookup.find({ ...around, pixelDeg: 1e-7 });
  const [fine, coarse] = asked;
  assert.ok((coarse?.bounds.west as number) <= (fine?.bounds.west as number));
  for (const { bounds } of asked) {
    assert.ok(bounds.west < 7.4 && bounds.east > 7.5 && bounds.south < 46.4 && bounds.north > 46.5);
    assert.ok(bounds.east - bounds.west < 0.5);
  }
});

test('results are remembered until the models change, which is checked every second', async () => {
  const { store, lookup, asked, wait } = await makeWorld();
  const query = { ...around, pixelDeg: 0.0005 };
  await lookup.find(query);
  await lookup.find({ ...query, bounds: { ...around.bounds, west: 7.41 } });
  assert.equal(asked.length, 2, 'neighbours share a look-up');
  await store.removeDem('fine');
  assert.equal((await lookup.find(query)).length, 2);
  wait(1_000);
  assert.equal((await lookup.find(query)).length, 1);
  wait(30_000);
  await lookup.find(query);
  const before = asked.length;
  wait(30_001);
  await lookup.find(query);
  assert.equal(asked.length, before + 1, 'looked up again after a minute');
  await store.removeDem('coarse');
  lookup.forget();
  assert.equal((await lookup.find(query)).length, 0);
});

test('a model whose gaps are sea is found everywhere', async () => {
  const { store, lookup } = await makeWorld();
  await store.putDem(makeDem('fine', { gaps: 'sea' }));
  const bounds = { west: -40, south: 0, east: -39, north: 1 };
  const found = await lookup.find({ bounds, pixelDeg: 0.001, reachPx: 6 });
  assert.deepEqual(
    found.map(({ dem, files }) => [dem.name, files.length]),
    [['fine', 0]],
  );
});

test('more files than a tile can read are refused, with the reason', async () => {
  const { store, lookup } = await makeWorld();
  await store.putFiles(
    Array.from({ length: 70 }, (_, i) => makeDemFile('fine', 10 + i * 0.01, 46, { href: `${i}.tif` })),
  );
  const bounds = { west: 10, south: 46, east: 12, north: 47 };
  await assert.rejects(lookup.find({ bounds, pixelDeg: 0.001, reachPx: 6 }), {
    tag: 'unsupported',
    code: 'too-many-dem-files',
    message: /model fine.*swath ingest dem/,
  });
});

test('a mosaic is used from twice its pixel size on, and the coarsest that is fine enough', () => {
  const dem = { name: 'alps', overviews: [{ pixelDeg: 0.001 }, { pixelDeg: 0.016 }] };
  const overviewAt = (pixelDeg: number): number => chooseLayer(dem, pixelDeg).overview;
  assert.deepEqual([0.0001, 0.0019, 0.002, 0.03, 0.032, 1].map(overviewAt), [0, 0, 1, 1, 2, 2]);
  assert.deepEqual(chooseLayer({ name: 'hill', overviews: [] }, 1), { dem: 'hill', overview: 0 });
});
