/** What a search finds, and what it says of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometryBounds } from '../../../src/geo/index.ts';
import { sensorByDataset } from '../../../src/sensors/index.ts';
import type { Key } from '../service.ts';
import { ask, askJson, askRefused, sceneOf } from '../service.ts';

type Hit = Readonly<Record<string, unknown>>;
interface Found {
  readonly meta: {
    readonly name: string;
    readonly page: number;
    readonly found: number;
    readonly limit: number;
  };
  readonly results: readonly Hit[];
}

/** Search is not below the render paths. */
const pathOf = (dataset: string | null): string =>
  dataset === null ? '../lms/search/v2' : `../lms/search/v2/${dataset}`;

const find = (dataset: string | null, body: object): Promise<Found> =>
  askJson<Found>(pathOf(dataset), { body });

/** The view ids that a search finds, in order. */
const findIds = async (dataset: string | null, search: object, more: object = {}): Promise<unknown[]> =>
  (await find(dataset, { search, ...more })).results.map(({ view_id }) => view_id);

const refuse = (dataset: string | null, body: unknown, status = 400): Promise<string> =>
  askRefused(pathOf(dataset), status, { body });

const idOf = (key: Key): string => sceneOf(key).viewId;

/** One of each dataset that the service has scenes of. */
const ONE_EACH: readonly Key[] = ['s2', 'l2a', 'l8', 'l7', 'modis', 'cbers', 'naip', 's1'];
const DATASETS = (): string[] => ONE_EACH.map((key) => sceneOf(key).dataset);

test('search search: filters use fields of the dataset; without search there are none', async () => {
  assert.deepEqual(await findIds('landsat8', {}), [idOf('l8')]);
  const bare = await ask(pathOf('landsat8'), { body: {} });
  assert.equal(bare.status, 200);
  assert.equal(await refuse('landsat8', { search: 1 }), 'bad-body');
  await refuse('landsat8', { search: { noSuchField: 1 } });
  assert.equal(await refuse('landsat8', { search: { satellites: ['landsat8'] } }), 'unknown-field');
  for (const name of ['tms', 'view_id']) await refuse('landsat8', { search: { [name]: 'x' } });
  assert.equal(await refuse('marsorbiter', { search: {} }, 404), 'unknown-dataset');
  assert.equal((await ask(pathOf('landsat8'), { body: { search: {} }, apiKey: null })).status, 401);
});

test('search sort: by any field, newest first by default', async () => {
  const days = async (more: object): Promise<unknown[]> =>
    (await find('sentinel2l2a', { search: {}, ...more })).results.map(({ date }) => date);
  const newestFirst = await days({});
  assert.equal(newestFirst.length, 3);
  assert.deepEqual(newestFirst, newestFirst.toSorted().toReversed());
  assert.deepEqual(await days({ sort: { date: 'asc' } }), newestFirst.toReversed());
  await refuse('sentinel2l2a', { search: {}, sort: { date: 'down' } });
  await refuse('sentinel2l2a', { search: {}, sort: { satellite: 'asc' } });
});

test('search page: pages follow each other without gaps or overlaps', async () => {
  const all = await findIds('sentinel2l2a', {});
  const pages = [1, 2, 3, 4].map((page) => findIds('sentinel2l2a', {}, { page, limit: 1 }));
  assert.deepEqual((await Promise.all(pages)).flat(), all);
  await refuse('sentinel2l2a', { search: {}, page: 0 });
});

test('search limit: hits per page, 500 by default', async () => {
  const { meta, results } = await find('sentinel2l2a', { search: {}, limit: 2 });
  assert.deepEqual([meta.limit, meta.found, results.length], [2, 3, 2]);
  assert.equal((await find('sentinel2l2a', { search: {} })).meta.limit, 500);
  await refuse('sentinel2l2a', { search: {}, limit: 1001 });
});

test('search fields: hits have the requested fields, and always those that identify the scene', async () => {
  const { results } = await find('landsat8', { search: {}, fields: ['path', 'noSuchField'] });
  assert.deepEqual(Object.keys(results[0] ?? {}).sort(), ['date', 'path', 'sceneID', 'tms', 'view_id']);
});

test('search range: both ends are included, and one may be omitted', async () => {
  const { cloudCoverage } = (await find('landsat8', { search: {} })).results[0] as { cloudCoverage: number };
  const count = async (range: object): Promise<number> =>
    (await find('landsat8', { search: { cloudCoverage: range } })).meta.found;
  assert.equal(await count({ from: cloudCoverage, to: cloudCoverage }), 1);
  assert.equal(await count({ from: cloudCoverage }), 1);
  assert.equal(await count({ to: cloudCoverage }), 1);
  assert.equal(await count({ from: cloudCoverage + 0.01 }), 0);
  // Clouds of MODIS are masked as no data: none are left, which is what a search for few clouds is after.
  assert.deepEqual(await findIds('modis', { cloudCoverage: { to: 20 } }), [idOf('modis')]);
  assert.deepEqual(await findIds('modis', { cloudCoverage: { from: 1 } }), []);
});

test('search one of: any value of a list matches', async () => {
  const { sceneId } = sceneOf('l8');
  assert.deepEqual(await findIds('landsat8', { sceneID: ['x', sceneId] }), [idOf('l8')]);
  assert.deepEqual(await findIds('landsat8', { sceneID: ['x'] }), []);
});

test('search exact: every field of every hit finds the hit by its value', async () => {
  for (const key of ONE_EACH) {
    const { dataset } = sceneOf(key);
    const { results } = await find(dataset, { search: {} });
    const hit = results.find(({ view_id }) => view_id === idOf(key)) as Hit;
    for (const [name, value] of Object.entries(hit)) {
      if (name === 'view_id' || name === 'tms' || typeof value === 'object') continue;
      const found = await findIds(dataset, { [name]: value });
      assert.ok(found.includes(idOf(key)), `${dataset} ${name} ${value}`);
    }
  }
});

test('search point intersect: scenes that contain the point are found, also for a longitude shifted by 360°', async () => {
  const { west, east, south, north } = geometryBounds(sceneOf('l8').footprint);
  const at = (lon: number, lat: number) => ({ shape: { type: 'Point', coordinates: [lon, lat] } });
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  assert.deepEqual(await findIds('landsat8', at(lon, lat)), [idOf('l8')]);
  assert.deepEqual(await findIds('landsat8', at(lon + 360, lat)), [idOf('l8')]);
  assert.deepEqual(await findIds('landsat8', at(-lon, lat)), []);
});

test('search onAmazon: it works at the top of the body as well as inside search', async () => {
  assert.deepEqual(await findIds('landsat8', {}, { onAmazon: 'True' }), [idOf('l8')]);
  assert.deepEqual(await findIds('landsat8', { onAmazon: true }), [idOf('l8')]);
  assert.deepEqual(await findIds('landsat8', {}, { onAmazon: false }), []);
});

test('search satellites: required across datasets; a field that a dataset lacks is ignored for it', async () => {
  const satellites = DATASETS();
  const few = await find(null, { search: { satellites, cloudCoverage: { to: 0 } } });
  const datasets = new Set(few.results.map(({ satellite }) => satellite));
  // Without clouds in their hits, and the one whose clouds are masked.
  for (const id of ['sentinel1', 'naip', 'cbers4mux', 'modis']) assert.ok(datasets.has(id), id);
  const only = await find(null, { search: { satellites, satellite: 'landsat8' } });
  assert.deepEqual(
    only.results.map(({ view_id }) => view_id),
    [idOf('l8')],
  );
  const sorted = await find(null, { search: { satellites }, sort: { satellite: 'asc' } });
  const names = sorted.results.map(({ satellite }) => satellite);
  assert.deepEqual(names, names.toSorted());
  assert.deepEqual(new Set(names), new Set(satellites));
  await refuse(null, { search: {} });
  assert.equal(
    await refuse(null, { search: { satellites: ['landsat8', 'marsorbiter'] } }, 404),
    'unknown-dataset',
  );
});

test('search meta: it has the name, the page, the limit and the total count', async () => {
  const { meta } = await find('sentinel2l2a', { search: {}, page: 2, limit: 2 });
  assert.deepEqual(meta, { name: 'satellite-meta-service', page: 2, found: 3, limit: 2 });
});

test('search results: hits have the fields of 2.3, and a thumbnail that can be fetched', async () => {
  for (const key of ONE_EACH) {
    const { dataset } = sceneOf(key);
    const { results } = await find(dataset, { search: {} });
    const hit = results.find(({ view_id }) => view_id === idOf(key)) as Hit;
    const declared = sensorByDataset(dataset)?.hit.map(({ name }) => name) ?? [];
    assert.deepEqual(
      Object.keys(hit).filter((name) => !declared.includes(name)),
      [],
      dataset,
    );
    if (!declared.includes('thumbnail')) continue;
    // Of an invented scene only we have a picture.
    const { pathname } = new URL(String(hit.thumbnail));
    assert.doesNotMatch(String(hit.thumbnail), /api_key|amazonaws/);
    const picture = await ask(pathname.replace('/api/render/', ''));
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'], dataset);
  }
  const [surface] = (await find('sentinel2l2a', { search: { sceneID: sceneOf('l2a').sceneId } })).results;
  assert.equal(surface?.processedL2A, true);
  assert.match(String(surface?.awsPathL2A), /^tiles\/\d+\/[C-X]\/[A-Z]{2}\/\d{4}\/\d+\/\d+\/\d+$/);
  assert.match(String(surface?.IndexingTime), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
});

test('search shape: it accepts the same areas as the cropper, also across the antimeridian', async () => {
  const { west, east, south, north } = geometryBounds(sceneOf('l8').footprint);
  const ring = (from: number, to: number) => [
    [from, south],
    [to, south],
    [to, north],
    [from, north],
    [from, south],
  ];
  const area = (from: number, to: number, more: object = {}) => ({
    shape: { type: 'Polygon', coordinates: [ring(from, to)] },
    ...more,
  });
  assert.deepEqual(await findIds('landsat8', area(west, east)), [idOf('l8')]);
  assert.deepEqual(await findIds('landsat8', area(west + 360, east + 360)), [idOf('l8')]);
  assert.deepEqual(await findIds('landsat8', area(west - 1, east + 1, { shapeRelation: 'WITHIN' })), [
    idOf('l8'),
  ]);
  assert.deepEqual(await findIds('landsat8', area(west - 1, east + 1, { shapeRelation: 'CONTAINS' })), []);
  // Two degrees at the antimeridian and not the belt around the world, written in both ways.
  assert.deepEqual(await findIds('landsat8', area(179, -179)), []);
  assert.deepEqual(await findIds('landsat8', area(179, 181)), []);
  const bowTie = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
  };
  assert.equal(await refuse('landsat8', { search: { shape: bowTie } }), 'area-self-crossing');
});
