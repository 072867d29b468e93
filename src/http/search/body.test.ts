import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { box } from '../../catalog/testing/make-scene.ts';
import { casesOf } from '../../testing/test-size.ts';
import { makeSearch, SEARCH } from './testing/make-search.ts';

test('page, limit and sort are read from numbers or strings', async () => {
  const { ask, asked } = makeSearch();
  await ask({ search: {}, page: '3', limit: '20', sort: { cloudCoverage: 'asc' } });
  assert.equal(asked[0]?.offset, 40);
  assert.equal(asked[0]?.limit, 20);
  assert.deepEqual(asked[0]?.sort, { field: 'cloudCoverage', descending: false });
});

test('a body without search, or no body at all, is a search without filters', async () => {
  const { ask, asked } = makeSearch();
  for (const body of ['', '{}', '{"search":null}', '{"limit":5}']) {
    assert.equal((await ask(body)).status, 200, body);
    assert.deepEqual(asked.at(-1)?.datasets, [{ id: 'sentinel2', filters: [] }], body);
  }
  assert.equal(asked.at(-1)?.limit, 5);
});

test('a list instead of the body or of search is refused, however long it is', async () => {
  const { refuse } = makeSearch();
  for (const length of [3, 10_000]) {
    const list = Array.from({ length }, (_, i) => [i, { name: 'x' }]);
    for (const [body, words] of [
      [list, /The body must be/],
      [{ search: list }, /"search" must be/],
    ] as const) {
      const { code, error } = await refuse(body);
      assert.equal(code, 'bad-body');
      assert.match(error, words);
    }
  }
});

test('enum values, sort directions and relations are case-insensitive', async () => {
  const { ask, asked } = makeSearch();
  await ask({ search: { passDirection: 'ascending' } }, '/api/lms/search/v2/sentinel1');
  await ask({ search: { dayOrNight: ['DAY', 'Night'] } }, '/api/lms/search/v2/landsat8');
  assert.deepEqual(
    asked.map(({ datasets }) => datasets[0]?.filters),
    [
      [{ field: 'passDirection', kind: 'one-of', values: ['ascending'], ignoresCase: true }],
      [{ field: 'dayOrNight', kind: 'one-of', values: ['DAY', 'Night'], ignoresCase: true }],
    ],
  );
  const shape = box(0, 0, 1, 1);
  await ask({ search: { shape, shapeRelation: 'contains' }, sort: { date: 'DESC' } });
  assert.deepEqual(asked.at(-1)?.sort, { field: 'date', descending: true });
  assert.equal(asked.at(-1)?.shape?.relation, 'contains');
  await ask({ search: { sceneID: 'S2A_x' } });
  assert.deepEqual(asked.at(-1)?.datasets[0]?.filters, [
    { field: 'sceneID', kind: 'one-of', values: ['S2A_x'] },
  ]);
});

test('the error for an unknown field suggests a similar one, or shape for a location', async () => {
  const { refuse } = makeSearch();
  const cases = {
    cloudCover: 'search.cloudCover is not a field of sentinel2. Did you mean cloudCoverage?',
    CLOUDCOVERAGE: 'search.CLOUDCOVERAGE is not a field of sentinel2. Did you mean cloudCoverage?',
    point:
      'search.point is not a field of sentinel2. For a location use shape: a GeoJSON Point, Polygon or MultiPolygon.',
    bbox: 'search.bbox is not a field of sentinel2. For a location use shape: a GeoJSON Point, Polygon or MultiPolygon.',
    constructor: 'search.constructor is not a field of sentinel2.',
  };
  for (const [name, sentence] of Object.entries(cases)) {
    const { code, error } = await refuse({ search: { [name]: 1 } });
    assert.deepEqual([code, error], ['unknown-field', sentence]);
  }
});

test('invalid values are 400, and the message names the field', async () => {
  const { refuse } = makeSearch();
  const wrong: [unknown, RegExp][] = [
    [{ search: 1 }, /"search"/],
    [{ search: [] }, /"search"/],
    [{ search: { tms: 'x' } }, /search\.tms/],
    [{ search: { view_id: 'x' } }, /search\.view_id/],
    [{ search: { constructor: 1 } }, /search\.constructor is not a field/],
    [{ search: { cloudCoverage: 'much' } }, /search\.cloudCoverage must hold a number/],
    [{ search: { cloudCoverage: '0x10' } }, /search\.cloudCoverage/],
    [{ search: { cloudCoverage: { from: 5, to: 1 } } }, /search\.cloudCoverage runs backwards/],
    [{ search: { cloudCoverage: {} } }, /search\.cloudCoverage/],
    [{ search: { cloudCoverage: { gt: 1 } } }, /search\.cloudCoverage/],
    [{ search: { cloudCoverage: null } }, /search\.cloudCoverage/],
    [{ search: { cloudCoverage: [[1]] } }, /search\.cloudCoverage/],
    [{ search: { date: '2026-02-30' } }, /search\.date must hold a date/],
    [{ search: { date: { from: 'yesterday' } } }, /search\.date/],
    [{ search: { processedL2A: 'maybe' } }, /search\.processedL2A/],
    [{ search: { processedL2A: { from: false, to: true } } }, /search\.processedL2A is true or false/],
    [{ search: { onAmazon: { from: 'true' } } }, /search\.onAmazon is true or false/],
    [{ search: {}, onAmazon: { to: 1 } }, /search\.onAmazon is true or false/],
    [{ search: { onAmazon: {} } }, /search\.onAmazon is true or false/],
    [{ search: { sceneID: Array.from({ length: 501 }, () => 'x') } }, /search\.sceneID lists more than 500/],
    [{ search: {}, limit: 0 }, /limit/],
    [{ search: {}, limit: 1001 }, /limit/],
    [{ search: {}, limit: 1.5 }, /limit/],
    [{ search: {}, page: -1 }, /page/],
    [{ search: {}, page: 101, limit: 1000 }, /page × limit/],
    [{ search: {}, sort: { nothing: 'asc' } }, /sort/],
    [{ search: {}, sort: { date: 'down' } }, /sort/],
    [{ search: {}, sort: { date: 'asc', sceneID: 'asc' } }, /sort/],
    [{ search: {}, fields: 'date' }, /fields/],
    [{ search: { shape: { type: 'Circle' } } }, /search\.shape/],
    [{ search: { shape: { type: 'Point', coordinates: [541, 0] } } }, /search\.shape/],
    [{ search: { shape: { type: 'Point', coordinates: [0, 91] } } }, /search\.shape/],
    [{ search: { satellites: ['sentinel2'] } }, /search\.satellites is not a field of sentinel2/],
    [{ search: { satellite: 'sentinel2' } }, /search\.satellite is not a field of sentinel2/],
    [{ search: {}, sort: { satellite: 'asc' } }, /sort/],
    [{ search: { shape: { type: 'Point', coordinates: ['2', '42'] } } }, /search\.shape/],
    [
      {
        search: {
          shape: {
            type: 'Polygon',
            coordinates: [
              [
                [0, 0],
                [1, 1],
                [0, 0],
              ],
            ],
          },
        },
      },
      /search\.shape/,
    ],
    [{ search: { shape: box(0, 0, 1, 1), shapeRelation: 'NEAR' } }, /search\.shapeRelation/],
    [{ search: { shape: box(0, 0, 1, 1), shapeRelation: { toString: 1 } } }, /search\.shapeRelation/],
    [{ search: { onAmazon: [{ toString: 1 }] } }, /search\.onAmazon/],
    [{ search: { sceneID: { from: { valueOf: 1 } } } }, /search\.sceneID/],
  ];
  for (const [body, words] of wrong) assert.match((await refuse(body)).error, words, JSON.stringify(body));
});

test('any JSON gets 200 or 400, or 404 for an unknown dataset', async () => {
  const { ask } = makeSearch();
  const names = fc.constantFrom(
    'search',
    'date',
    'cloudCoverage',
    'shape',
    'type',
    'coordinates',
    'from',
    'to',
    'sort',
    'page',
    'limit',
    'fields',
    'satellites',
    'toString',
    '__proto__',
    'shapeRelation',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(names, tie('value'), { maxKeys: 5 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(value, fc.constantFrom(SEARCH, '/api/lms/search/v2'), async (body, path) => {
      const { status, body: answer } = await ask({ search: body, ...(body as object) }, path);
      const { code } = answer as { code?: string };
      const isExpected = status === 200 || status === 400 || (status === 404 && code === 'unknown-dataset');
      assert.ok(isExpected, `${status}: ${JSON.stringify(body)}`);
    }),
    { numRuns: casesOf(500) },
  );
});
