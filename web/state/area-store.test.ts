import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAreaStore, parseStoredArea } from './area-store.ts';
import type { Area } from './drawing.ts';

const AREA: Area = {
  outline: {
    type: 'Polygon',
    coordinates: [
      [
        [1, 2],
        [3, 2],
        [3, 4],
        [1, 2],
      ],
    ],
  },
  name: 'North',
};

test('a stored area reads back, with its name', () => {
  const texts = new Map<string, string>();
  const areas = makeAreaStore(() => ({
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
  }));
  assert.equal(areas.readArea(), null);
  assert.equal(areas.storeArea(AREA), true);
  assert.deepEqual(areas.readArea(), AREA);
});

test('texts that are no area are none', () => {
  const bad = [
    '',
    '{',
    'null',
    '[]',
    '{"outline":7}',
    '{"outline":{"type":"Polygon","coordinates":[[[1,2]]]}}',
  ];
  for (const text of [null, ...bad]) assert.equal(parseStoredArea(text), null, text ?? 'nothing');
});

test('a browser without storage has none, and says so', () => {
  const areas = makeAreaStore(() => {
    throw new Error('switched off');
  });
  assert.equal(areas.readArea(), null);
  assert.equal(areas.storeArea(AREA), false);
});
