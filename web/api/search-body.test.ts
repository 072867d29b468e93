import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLAIN_QUERY } from '../state/search-state.ts';
import { toSearch } from './search-body.ts';

const allDatasets = ['a', 'b'];

test('a plain query searches all datasets and nothing more', () => {
  assert.deepEqual(toSearch({ query: PLAIN_QUERY, bounds: [0, 0, 1, 1], allDatasets }), {
    satellites: allDatasets,
  });
});

test('dates, clouds, datasets and a point are filters; a single day takes precedence over the range', () => {
  const query = {
    ...PLAIN_QUERY,
    from: '2026-01-01',
    maxCloudPercent: 20,
    datasets: ['b'],
    where: { kind: 'point', point: { lat: 42, lon: 2 } },
  } as const;
  assert.deepEqual(toSearch({ query, bounds: null, allDatasets }), {
    satellites: ['b'],
    date: { from: '2026-01-01' },
    cloudCoverage: { to: 20 },
    shape: { type: 'Point', coordinates: [2, 42] },
  });
  const { date } = toSearch({ query: { ...query, day: '2026-06-21' }, bounds: null, allDatasets });
  assert.deepEqual(date, { from: '2026-06-21', to: '2026-06-21' });
});

test('the chosen area is the shape; without one nothing is filtered', () => {
  const query = { ...PLAIN_QUERY, where: { kind: 'area' } } as const;
  const area = {
    type: 'Polygon',
    coordinates: [
      [
        [1, 2],
        [3, 2],
        [3, 4],
        [1, 2],
      ],
    ],
  } as const;
  assert.deepEqual(toSearch({ query, bounds: null, area, allDatasets }).shape, area);
  assert.equal(toSearch({ query, bounds: null, area: null, allDatasets }).shape, undefined);
});

test('a map view is a box, normalised to one turn, and no filter when it shows the whole earth', () => {
  const query = { ...PLAIN_QUERY, where: { kind: 'view' } } as const;
  const cornersOf = (bounds: readonly [number, number, number, number]) =>
    (toSearch({ query, bounds, allDatasets }).shape as { coordinates: number[][][] } | undefined)
      ?.coordinates[0];
  assert.deepEqual(cornersOf([1, 42, 3, 43])?.slice(0, 3), [
    [1, 42],
    [3, 42],
    [3, 43],
  ]);
  assert.deepEqual(cornersOf([361, 42, 363, 43])?.[1], [3, 42]);
  assert.deepEqual(cornersOf([179, -10, 181, 10])?.slice(0, 2), [
    [179, -10],
    [-179, -10],
  ]);
  assert.equal(cornersOf([-200, -80, 200, 80]), undefined);
});
