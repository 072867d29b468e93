import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAreaGeometry } from '../../areas/index.ts';
import { toScene, toSearchFields } from '../../catalog/index.ts';
import { box, makeScene } from '../../catalog/testing/make-scene.ts';
import { makeSearch } from './testing/make-search.ts';

test('4.1 search: the answer has meta and hits, the tile template holds no key', async () => {
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

test('4.1 fields: chosen ones, unknown ones dropped, the four basic ones always', async () => {
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

test('4.1 page, limit and sort, also as text', async () => {
  const { ask, asked } = makeSearch();
  await ask({ search: {}, page: '3', limit: '20', sort: { cloudCoverage: 'asc' } });
  assert.equal(asked[0]?.offset, 40);
  assert.equal(asked[0]?.limit, 20);
  assert.deepEqual(asked[0]?.sort, { field: 'cloudCoverage', descending: false });
});

test('4.1 filters: range, one of, exact, with the coercions clients need', async () => {
  const { ask, asked } = makeSearch();
  await ask({
    collection: 'ignored',
    onAmazon: 'True',
    search: {
      date: { from: '2026-06-01T00:00:00Z', to: '2026-06-30' },
      cloudCoverage: '20',
      latitudeBand: ['T', 'U'],
      utmZone: { from: 31 },
    },
  });
  assert.deepEqual(asked[0]?.datasets[0]?.filters, [
    { field: 'onAmazon', kind: 'one-of', values: [true] },
    { field: 'date', kind: 'range', from: '2026-06-01', to: '2026-06-30' },
    { field: 'cloudCoverage', kind: 'one-of', values: [20] },
    { field: 'latitudeBand', kind: 'one-of', values: ['T', 'U'] },
    { field: 'utmZone', kind: 'range', from: 31 },
  ]);
});

test('4.1 shape: points and polygons with a relation', async () => {
  const { ask, asked } = makeSearch();
  await ask({ search: { shape: { type: 'Point', coordinates: [2.5, 42.5] } } });
  assert.deepEqual(asked[0]?.shape, {
    geometry: { type: 'Point', coordinates: [2.5, 42.5] },
    relation: 'intersects',
  });
  await ask({ search: { shape: box(0, 0, 1, 1), shapeRelation: 'CONTAINS' } });
  assert.deepEqual(asked[1]?.shape, { geometry: parseAreaGeometry(box(0, 0, 1, 1)), relation: 'contains' });
  await ask({ search: { shape: { type: 'Point', coordinates: [-181, 3, 250] } } });
  assert.deepEqual(asked[2]?.shape?.geometry, { type: 'Point', coordinates: [179, 3] }, 'a turn on');
});

test('4.1 G3 a shape over the antimeridian is split there, and never a belt around the world', async () => {
  const { ask, asked } = makeSearch();
  const ring = (...lons: number[]) => lons.map((lon, i) => [lon, i === 2 || i === 3 ? 49 : 47]);
  const ways = [
    ring(179, -179, -179, 179, 179),
    ring(179, 181, 181, 179, 179),
    ring(-181, -179, -179, -181, -181),
  ];
  for (const coordinates of ways) {
    const { status } = await ask({ search: { shape: { type: 'Polygon', coordinates: [coordinates] } } });
    assert.equal(status, 200);
  }
  for (const query of asked) {
    assert.deepEqual(query.shape?.geometry, {
      type: 'MultiPolygon',
      coordinates: [box(-180, 47, -179, 49).coordinates, box(179, 47, 180, 49).coordinates],
    });
  }
});

test('4.1 G2 shapes are refused as areas are, by the same rule and in the same words', async () => {
  const { refuse } = makeSearch();
  const wrong: [rule: string, ...rings: number[][][]][] = [
    [
      'area-self-crossing',
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
    [
      'area-ring-short',
      [
        [1, 1],
        [1, 1],
        [1, 1],
        [1, 1],
      ],
    ],
    [
      'area-spike',
      [
        [0, 0],
        [2, 0],
        [2, 2],
        [2, 1],
        [0, 1],
        [0, 0],
      ],
    ],
    [
      'area-no-area',
      [
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 0],
      ],
    ],
    [
      'area-hole-outside',
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
      [
        [5, 5],
        [6, 5],
        [6, 6],
        [5, 5],
      ],
    ],
    [
      'area-round-pole',
      [
        [-120, 80],
        [0, 80],
        [120, 80],
        [-120, 80],
      ],
    ],
  ];
  for (const [rule, ...coordinates] of wrong) {
    const shape = { type: 'Polygon', coordinates };
    const { code, error } = await refuse({ search: { shape } });
    assert.equal(code, rule);
    assert.throws(
      () => parseAreaGeometry(shape),
      ({ message }: Error) => error === `search.shape cannot be used. ${message}`,
    );
  }
});

test('4.1 several datasets: satellites is required, absent fields are ignored, hits name their dataset', async () => {
  const { ask, refuse, asked } = makeSearch();
  const path = '/api/lms/search/v2';
  const { body } = await ask({ search: { satellites: ['sentinel2', 'sentinel2'], noSuchField: 1 } }, path);
  assert.equal(body.results[0]?.satellite, 'sentinel2');
  assert.deepEqual(asked[0]?.datasets, [{ id: 'sentinel2', filters: [] }]);
  assert.equal((await refuse({ search: {} }, path)).code, 'no-satellites');
  assert.equal((await refuse({ search: { satellites: [7] } }, path)).code, 'bad-satellites');
});

test('4.1 several datasets: the field that names the dataset is filtered and sorted by as any other', async () => {
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

test('4.1 a hit shows the tile of its scene, and the upper left corner of it', async () => {
  const { ask } = makeSearch();
  const [hit] = (await ask({ search: {} })).body.results;
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG:8.9:4326' } };
  assert.deepEqual(hit?.tileGeometry, { ...box(1.9, 41.9, 3.1, 43.1), crs });
  assert.deepEqual(hit?.tileOrigin, { type: 'Point', coordinates: [1.9, 43.1], crs });
});

test('2.3 a scene without a picture of its provider has ours as its thumbnail, which can be filtered by', async () => {
  const { ask, asked } = makeSearch();
  const [hit] = (await ask({ search: {} })).body.results;
  const ours = 'http://swath.test/api/render/S2/thumb/31/T/DH/2026/6/21/0.png';
  assert.equal(hit?.thumbnail, ours);
  const theirs = 'https://data.example.com/preview.jpg';
  await ask({ search: { thumbnail: [ours, theirs] } });
  await ask({ search: { thumbnail: { from: ours, to: ours } } });
  const kept = 'S2/thumb/31/T/DH/2026/6/21/0.png';
  assert.deepEqual(
    asked.slice(1).map(({ datasets }) => datasets[0]?.filters),
    [
      [{ field: 'thumbnail', kind: 'one-of', values: [kept, theirs] }],
      [{ field: 'thumbnail', kind: 'range', from: kept, to: kept }],
    ],
  );
  assert.equal(toSearchFields(toScene(makeScene(21)))?.thumbnail, kept, 'what the catalog compares with');
  const fields = { ...makeScene(21).fields, thumbnail: theirs };
  assert.equal(toSearchFields(toScene(makeScene(21, { fields })))?.thumbnail, theirs);
});

test('4.1 a dataset may be a group: all its sensors are searched, each by the fields it has', async () => {
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
