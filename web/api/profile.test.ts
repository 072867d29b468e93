import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfile } from './profile.ts';

const BODY = {
  length_m: 100,
  min: 5,
  max: 9,
  ascent_m: 4,
  descent_m: 0,
  points: [
    { distance_m: 0, lat: 1, lon: 2, elevation: 5 },
    { distance_m: 100, lat: 1.1, lon: 2.1, elevation: null },
  ],
};

test('a profile is read, with gaps where the height is unknown', () => {
  assert.deepEqual(parseProfile(BODY), {
    lengthM: 100,
    minM: 5,
    maxM: 9,
    ascentM: 4,
    descentM: 0,
    points: [
      { distanceM: 0, lon: 2, lat: 1, elevationM: 5 },
      { distanceM: 100, lon: 2.1, lat: 1.1, elevationM: null },
    ],
  });
  const unknown = parseProfile({ ...BODY, min: null, max: null });
  assert.deepEqual([unknown?.minM, unknown?.maxM], [null, null]);
});

test('other answers give null', () => {
  const bad = [
    null,
    7,
    {},
    { ...BODY, points: [] },
    { ...BODY, length_m: 'x' },
    { ...BODY, points: [{}, {}] },
  ];
  for (const body of bad) assert.equal(parseProfile(body), null, JSON.stringify(body));
});
