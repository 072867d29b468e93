import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSearch } from './testing/make-search.ts';

test('filters: range, one of, exact, with the coercions clients need', async () => {
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

test('lists that no database could take are refused, however they are spread over fields and datasets', async () => {
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
