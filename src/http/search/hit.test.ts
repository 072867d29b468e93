import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene, toSearchFields } from '../../catalog/index.ts';
import { box, makeScene } from '../../catalog/testing/make-scene.ts';
import { makeSearch } from './testing/make-search.ts';

test('search: the answer has meta and hits, the tile template holds no key', async () => {
  const { ask, asked } = makeSearch();
  const { status, body } = await ask({ search: {} });
  assert.equal(status, 200);
  assert.deepEqual(body.meta, { name: 'satellite-meta-service', page: 1, found: 44, limit: 500 });
  const [hit] = body.results;
  assert.equal(hit?.sceneID, 'S2A_tile_20260621_31TDH_0');
  assert.equal(hit?.view_id, 'S2/31/T/DH/2026/6/21/0');
  assert.equal(hit?.date, '2026-06-21');
  assert.equal(hit?.tms, 'http://swath.test/api/render/S2/31/T/DH/2026/6/21/0/{band}/{z}/{x}/{y}');
  assert.deepEqual(hit?.dataGeometry, {
    ...box(2, 42, 3, 43),
    crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG:8.9:4326' } },
  });
  assert.deepEqual(asked[0]?.sort, { field: 'date', descending: true });
});

test('fields: chosen ones, unknown ones dropped, the four basic ones always', async () => {
  const { ask } = makeSearch();
  const { body } = await ask({ search: {}, fields: ['cloudCoverage', 'nonsense'] });
  assert.deepEqual(Object.keys(body.results[0] ?? {}).sort(), [
    'cloudCoverage',
    'date',
    'sceneID',
    'tms',
    'view_id',
  ]);
});

test('a hit shows the tile of its scene, and the upper left corner of it', async () => {
  const { ask } = makeSearch();
  const [hit] = (await ask({ search: {} })).body.results;
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG:8.9:4326' } };
  assert.deepEqual(hit?.tileGeometry, { ...box(1.9, 41.9, 3.1, 43.1), crs });
  assert.deepEqual(hit?.tileOrigin, { type: 'Point', coordinates: [1.9, 43.1], crs });
});

test('thumbnails can be filtered by addresses of ours that need a key, and by those of providers', async () => {
  const { ask, asked } = makeSearch();
  const ours = 'http://swath.test/api/render/S2/thumb/31/T/DH/2026/6/21/0.png';
  const theirs = 'https://data.example.com/preview.jpg';
  await ask({ search: { thumbnail: [ours, theirs] } });
  await ask({ search: { thumbnail: { from: ours, to: ours } } });
  const stored = 'S2/thumb/31/T/DH/2026/6/21/0.png';
  assert.deepEqual(
    asked.map(({ datasets }) => datasets[0]?.filters),
    [
      [{ field: 'thumbnail', kind: 'one-of', values: [stored, theirs] }],
      [{ field: 'thumbnail', kind: 'range', from: stored, to: stored }],
    ],
  );
  assert.equal(toSearchFields(toScene(makeScene(21)))?.thumbnail, stored, 'what the catalog compares with');
  const fields = { ...makeScene(21).fields, thumbnail: theirs };
  assert.equal(toSearchFields(toScene(makeScene(21, { fields })))?.thumbnail, theirs);
});
