import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRowPlaces } from './find-turned.ts';

const at = (lon: number, lat: number) => ({ west: lon, east: lon + 0.01, south: lat, north: lat + 0.01 });

function find(places: readonly (readonly [lon: number, lat: number])[]): readonly number[] {
  const gathered = makeRowPlaces();
  for (const [i, [lon, lat]] of places.entries()) gathered.add(i + 1, at(lon, lat));
  return gathered.findTurned();
}

/** Fields of one district. */
const district = Array.from({ length: 2_000 }, (_, i) => [11 + (i % 50) / 100, 48 + i / 10_000] as const);

test('a row that would be among the others with its axes swapped is found', () => {
  assert.deepEqual(find([...district, [48.1, 11.2], [11.1, 48.05], [48.15, 11.4]]), [2_001, 2_003]);
});

test('distant rows, and rows of a uniform file, are not reported as swapped', () => {
  // Another farm of the same owner, in another country.
  assert.deepEqual(find([...district, [-60, -30], [48.1, 30]]), []);
  assert.deepEqual(find(district.map(([lon, lat]) => [lat, lon])), []);
  // Where longitude and latitude are alike, swapping changes nothing.
  assert.deepEqual(find(Array.from({ length: 100 }, (_, i) => [45 + i / 100, 45.5] as const)), []);
  // Fields all over a continent.
  assert.deepEqual(find(Array.from({ length: 100 }, (_, i) => [i * 0.5, 60 - i * 0.5] as const)), []);
  assert.deepEqual(
    find([
      [48, 11],
      [11, 48],
      [11, 48],
    ]),
    [],
  );
});
