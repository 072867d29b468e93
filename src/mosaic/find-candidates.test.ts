import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HitPage, SceneHit, SceneQuery } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import type { Grid } from '../geo/index.ts';
import { tileGrid } from '../geo/index.ts';
import { makeFindCandidates, makeOrder, toGround } from './find-candidates.ts';
import type { Selection } from './mosaic.ts';
import { july, toHit } from './testing/a-mosaic.ts';

const square = (west: number, south: number, side = 1): SceneHit['footprint'] => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + side, south],
      [west + side, south + side],
      [west, south + side],
      [west, south],
    ],
  ],
});

const hit = (name: string, day: string, facts: Partial<SceneHit> = {}): SceneHit =>
  toHit({
    viewId: `S2L2A/${name}`,
    sceneId: name,
    acquiredAt: `${day}T10:00:00.000Z`,
    footprint: square(0, 0),
    version: name,
    ...facts,
  });

const search = july;

/** A store that gives the same hits whatever it is asked, and notes the questions. */
function makeStore(hits: readonly SceneHit[], page: Partial<HitPage> = {}) {
  const queries: SceneQuery[] = [];
  const scenes = {
    async searchHits(query: SceneQuery): Promise<HitPage> {
      queries.push(query);
      return { found: hits.length, hits, ...page };
    },
  };
  return { queries, find: makeFindCandidates({ scenes, nowMs: () => 0 }) };
}

const names = (hits: readonly SceneHit[]): readonly string[] => hits.map(({ sceneId }) => sceneId);

test('each selection has its own order, and equal scenes are ordered by name', () => {
  const hits = [
    hit('a', '2026-07-10', { cloudPercent: 5 }),
    hit('b', '2026-07-20', { cloudPercent: null }),
    hit('c', '2026-07-15', { cloudPercent: 5 }),
    hit('d', '2026-07-15', { cloudPercent: 60 }),
  ];
  const orderOf = (selection: Selection): string =>
    names(hits.toSorted(makeOrder(selection, search))).join('');
  assert.equal(orderOf({ kind: 'newest' }), 'bcda');
  assert.equal(orderOf({ kind: 'oldest' }), 'acdb');
  assert.equal(orderOf({ kind: 'least-cloudy' }), 'cadb');
  assert.equal(orderOf({ kind: 'nearest', date: '2026-07-11' }), 'acdb');
  assert.equal(orderOf({ kind: 'median' }), 'bcda');
});

test('candidates touch the picture; adjacent tiles share a search', async () => {
  const { queries, find } = makeStore([
    hit('here', '2026-07-10'),
    hit('elsewhere', '2026-07-12', { footprint: square(5, 5) }),
  ]);
  const newest: Selection = { kind: 'newest' };
  // Both in the tile 8/128/127, from 0 to 1.4 degrees.
  const found = await find(search, newest, tileGrid({ z: 10, x: 512, y: 511 }));
  assert.deepEqual([names(found.hits), found.found], [['here'], 1]);
  await find(search, newest, tileGrid({ z: 10, x: 513, y: 511 }));
  assert.equal(queries.length, 1);
  await find({ ...search, maxCloudPercent: 20 }, newest, tileGrid({ z: 10, x: 513, y: 511 }));
  assert.equal(queries.length, 2);
  assert.deepEqual(queries[1]?.datasets[0]?.filters, [
    { field: 'date', kind: 'range', from: '2026-07-01', to: '2026-07-31' },
    { field: 'cloudCoverage', kind: 'range', to: 20 },
  ]);
});

test('scenes that are nearest to a day come from both sides of it', async () => {
  const { queries, find } = makeStore([]);
  const grid: Grid = { epsg: 4326, transform: [0, 0.01, 0, 1, 0, -0.01], width: 100, height: 100 };
  await find(search, { kind: 'nearest', date: '2026-07-15' }, grid);
  const ranges = queries.map(({ datasets, sort }) => [datasets[0]?.filters[0], sort.descending]);
  assert.deepEqual(ranges, [
    [{ field: 'date', kind: 'range', from: '2026-07-15', to: '2026-07-31' }, false],
    [{ field: 'date', kind: 'range', from: '2026-07-01', to: '2026-07-14' }, true],
  ]);
});

test('scenes that an area does not touch are omitted', async () => {
  const { find } = makeStore([
    hit('a', '2026-07-10'),
    hit('b', '2026-07-12', { footprint: square(0.5, 0.5) }),
  ]);
  const area = { ref: 'r', geometry: square(0.1, 0.1, 0.2) };
  const found = await find({ ...search, area }, { kind: 'newest' }, tileGrid({ z: 8, x: 128, y: 127 }));
  assert.deepEqual([names(found.hits), found.found], [['a'], 1]);
});

test('a catalog that did not answer completely fails the mosaic', async () => {
  const problem = { code: 'catalog-slow', message: 'The catalog did not answer in time.' };
  const note = { catalog: 'c', dataset: 'sentinel2l2a', found: 1, foundBy: 'at-least', problem } as const;
  const { find } = makeStore([hit('a', '2026-07-10')], { catalogs: [note] });
  await assert.rejects(
    find(search, { kind: 'newest' }, tileGrid({ z: 8, x: 128, y: 127 })),
    (error) => isSwathError(error) && error.code === 'catalog-incomplete' && error.tag === 'unavailable',
  );
});

test('the ground across the antimeridian has two parts', () => {
  const grid: Grid = { epsg: 4326, transform: [179, 0.01, 0, 1, 0, -0.01], width: 200, height: 100 };
  const ground = toGround(grid);
  assert.equal(ground.type, 'MultiPolygon');
  assert.equal(ground.coordinates.length, 2);
});

test('the first of ranked datasets comes first, each is searched separately, and cached separately', async () => {
  const hits = [
    hit('fine', '2026-07-10', { dataset: 'sentinel2l2a' }),
    hit('coarse', '2026-07-20', { dataset: 'landsat8' }),
  ];
  const { find, queries } = makeStore(hits);
  const both = { ...search, datasets: ['sentinel2l2a', 'landsat8'] };
  const grid = tileGrid({ z: 8, x: 128, y: 127 });
  const newest: Selection = { kind: 'newest' };
  assert.deepEqual(names((await find(both, newest, grid)).hits), ['coarse', 'fine']);
  assert.equal(queries.length, 1);
  const ranked = await find({ ...both, isRanked: true }, newest, grid);
  assert.deepEqual(new Set(names(ranked.hits)), new Set(['coarse', 'fine']));
  assert.equal(ranked.hits[0]?.sceneId, 'fine');
  assert.deepEqual(
    queries.slice(1).map(({ datasets }) => datasets.map(({ id }) => id)),
    [['sentinel2l2a'], ['landsat8']],
  );
});
