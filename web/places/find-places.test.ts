import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frame, spots } from '../../world/setting.ts';
import { toUtm } from '../shapes/utm.ts';
import { en } from '../texts/en.ts';
import { DEMO_PLACES, findDemoPlaces } from './find-places.ts';

test('the places of the demo world are where it has them', () => {
  assert.deepEqual(
    DEMO_PLACES.map(({ name }) => (name === 'valley' ? 'farm' : name)).toSorted(),
    Object.keys(spots).toSorted(),
  );
  for (const { name, lon, lat } of DEMO_PLACES) {
    const spot = spots[name === 'valley' ? 'farm' : name];
    const [x, y] = toUtm({ number: 10, isNorth: true }, lon, lat);
    assert.ok(Math.hypot(x - frame.west - spot.x, frame.north - y - spot.y) < 20, name);
  }
});

test('they are found by the words of their names, and all of them without a query', () => {
  assert.equal(findDemoPlaces(' ', en.places.demo).length, DEMO_PLACES.length);
  assert.deepEqual(
    findDemoPlaces('FIRE', en.places.demo).map(({ name }) => name),
    ['fire'],
  );
  assert.deepEqual(findDemoPlaces('xyz', en.places.demo), []);
});
