import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene, toSearchFields } from '../../catalog/index.ts';
import { box, makeScene } from '../../catalog/testing/make-scene.ts';
import { makeSearch } from './testing/make-search.ts';

test('the answer has meta and hits, and the tile template contains no key', async () => {
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

test('fields selects the fields of a hit; unknown ones are dropped, the four basic ones are always included', async () => {
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

test('a hit has the tile of its scene and its upper left corner', async () => {
  const { ask } = makeSearch();
  const [hit] = (await ask({ search: {} })).body.results;
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG:8.9:4326' } };
  assert.deepEqual(hit?.tileGeometry, { ...box(1.9, 41.9, 3.1, 43.1), crs });
  assert.deepEqual(hit?.tileOrigin, { type: 'Point', coordinates: [1.9, 43.1], crs });
});

test('thumbnails can be filtered by our addresses that need a key, and by those of providers', async () => {
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

test('several datasets: satellites is required, absent fields are ignored, hits name their dataset', async () => {
  const { ask, refuse, asked } = makeSearch();
  const path = '/api/lms/search/v2';
  const { body } = await ask({ search: { satellites: ['sentinel2', 'sentinel2'], noSuchField: 1 } }, path);
  assert.equal(body.results[0]?.satellite, 'sentinel2');
  assert.deepEqual(asked[0]?.datasets, [{ id: 'sentinel2', filters: [] }]);
  assert.equal((await refuse({ search: {} }, path)).code, 'no-satellites');
  assert.equal((await refuse({ search: { satellites: [7] } }, path)).code, 'bad-satellites');
});

test('several datasets: the field that names the dataset can be filtered and sorted like any other', async () => {
  const { ask, asked, refuse } = makeSearch();
  const path = '/api/lms/search/v2';
  const satellites = ['sentinel2', 'landsat8'];
  await ask({ search: { satellites, satellite: ['landsat8', 'modis'] }, sort: { satellite: 'asc' } }, path);
  const filters = [{ field: 'satellite', kind: 'one-of', values: ['landsat8', 'modis'] }];
  assert.deepEqual(
    asked[0]?.datasets,
    satellites.map((id) => ({ id, filters })),
  );
  assert.deepEqual(asked[0]?.sort, { field: 'satellite', descending: false });
  assert.match((await refuse({ search: { satellites, satellite: [{}] } }, path)).error, /search\.satellite/);
});

test('an unknown dataset is 404, in the path and in the list', async () => {
  const { ask } = makeSearch();
  const inPath = await ask({ search: {} }, '/api/lms/search/v2/marsorbiter');
  const inList = await ask({ search: { satellites: ['sentinel2', 'marsorbiter'] } }, '/api/lms/search/v2');
  for (const { status, body } of [inPath, inList]) {
    assert.equal(status, 404);
    assert.equal((body as unknown as { code: string }).code, 'unknown-dataset');
  }
});

test('a dataset may be a group: all its sensors are searched, each by its own fields', async () => {
  const { ask, refuse, asked } = makeSearch();
  await ask({ search: { sensor: 'MUX', path: 57 } }, '/api/lms/search/v2/cbers4');
  assert.deepEqual(asked[0]?.datasets.map(({ id }) => id).sort(), [
    'cbers4awfi',
    'cbers4mux',
    'cbers4pan10m',
    'cbers4pan5m',
  ]);
  assert.match(
    (await refuse({ search: { utmZone: 1 } }, '/api/lms/search/v2/cbers4')).error,
    /not a field of cbers4/,
  );
  await ask({ search: { satellites: ['cbers4', 'cbers4mux', 'landsat8'] } }, '/api/lms/search/v2');
  assert.equal(asked[1]?.datasets.length, 5, 'a sensor named twice is searched once');
});

test('abbreviations of sensors name their datasets, in the path and in the list', async () => {
  const { ask, asked, refuse } = makeSearch();
  const idsOf = async (name: string) => {
    await ask({ search: {} }, `/api/lms/search/v2/${name}`);
    return asked.at(-1)?.datasets.map(({ id }) => id);
  };
  assert.deepEqual(await idsOf('S2L2A'), ['sentinel2l2a']);
  assert.deepEqual(await idsOf('L8'), ['landsat8']);
  assert.deepEqual(await idsOf('Sentinel2'), ['sentinel2']);
  assert.equal((await idsOf('CBERS4'))?.length, 4);
  await ask({ search: { satellites: ['S2', 'l8', 'sentinel2'] } }, '/api/lms/search/v2');
  assert.deepEqual(
    asked.at(-1)?.datasets.map(({ id }) => id),
    ['sentinel2', 'landsat8'],
  );
  const { error } = await refuse({ search: { nope: 1 } }, '/api/lms/search/v2/L8');
  assert.match(error, /not a field of landsat8/);
});

test('a header lists unknown names of a body, with a suggestion if one is similar', async () => {
  const { ask } = makeSearch();
  const { status, ignored } = await ask({ search: {}, limits: 5, collection: 'x' });
  assert.equal(status, 200);
  assert.equal(ignored, 'limits (did you mean limit?), collection');
  assert.equal((await ask({ search: {}, limit: 5, onAmazon: true })).ignored, null);
  const across = { search: { satellites: ['sentinel2'], cloudCover: 5, date: '2026-06-01' } };
  assert.equal((await ask(across, '/api/lms/search/v2')).ignored, 'cloudCover (did you mean cloudCoverage?)');
});
