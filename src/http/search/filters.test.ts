import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAreaGeometry } from '../../areas/index.ts';
import { box } from '../../catalog/testing/make-scene.ts';
import { makeSearch } from './testing/make-search.ts';

test('filters are ranges, lists or exact values, with the coercions that clients need', async () => {
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
    { field: 'latitudeBand', kind: 'one-of', values: ['T', 'U'], ignoresCase: true },
    { field: 'utmZone', kind: 'range', from: 31 },
  ]);
});

test('lists too long for a database are refused, however they are spread over fields and datasets', async () => {
  const { refuse, ask } = makeSearch();
  const list = Array.from({ length: 500 }, (_, i) => `x${i}`);
  const search = { sceneID: list, satelliteName: list, awsPath: list, productName: list };
  const many = [
    'sentinel2',
    'sentinel2l2a',
    'landsat7',
    'landsat8',
    'landsat9',
    'cbers4',
    'landsat5',
    'landsat4',
    'naip',
  ];
  const error = await refuse({ search: { ...search, satellites: many } }, '/api/lms/search/v2');
  assert.equal(error.code, 'list-too-long');
  assert.equal((await ask({ search })).status, 200);
});

test('a shape is a point or a polygon with a relation', async () => {
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

test('a shape across the antimeridian is split there, and never becomes a belt around the world', async () => {
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

test('shapes are refused by the same rules and with the same messages as areas', async () => {
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

test('polygons of a shape may overlap or be equal: a search covers the ground of all of them', async () => {
  const { ask, asked } = makeSearch();
  const boxes = [box(0, 0, 2, 2), box(1, 1, 3, 3), box(0, 0, 2, 2)];
  const shape = { type: 'MultiPolygon', coordinates: boxes.map(({ coordinates }) => coordinates) };
  assert.equal((await ask({ search: { shape } })).status, 200);
  const { geometry } = asked[0]?.shape ?? {};
  assert.ok(geometry?.type === 'MultiPolygon');
  assert.equal(geometry.coordinates.length, 3);
  assert.throws(() => parseAreaGeometry(shape), { code: 'area-polygons-overlap' }, 'areas are still refused');
});
