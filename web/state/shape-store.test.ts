import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Area, Line } from './drawing.ts';
import { makeShapeStore, parseStoredArea, parseStoredLine } from './shape-store.ts';

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

const LINE: Line = {
  positions: [
    [1, 2],
    [3, 4],
  ],
  name: 'Path',
};

test('a stored area and a stored line read back, with their names', () => {
  const texts = new Map<string, string>();
  const shapes = makeShapeStore(() => ({
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
  }));
  assert.equal(shapes.readArea(), null);
  assert.equal(shapes.storeArea(AREA), true);
  assert.deepEqual(shapes.readArea(), AREA);
  assert.equal(shapes.readLine(), null);
  assert.equal(shapes.storeLine(LINE), true);
  assert.deepEqual(shapes.readLine(), LINE);
  assert.deepEqual(shapes.readArea(), AREA);
});

test('invalid stored shapes are ignored', () => {
  const bad = [
    '',
    '{',
    'null',
    '[]',
    '{"outline":7}',
    '{"outline":{"type":"Polygon","coordinates":[[[1,2]]]}}',
  ];
  const badLines = [
    '{"positions":[[1,2]]}',
    '{"positions":[[1,2],["3",4]]}',
    '{"positions":[[1,2],[3,null]]}',
  ];
  for (const text of [null, ...bad, ...badLines])
    assert.equal(parseStoredLine(text), null, text ?? 'nothing');
  for (const text of [null, ...bad]) assert.equal(parseStoredArea(text), null, text ?? 'nothing');
});

test('without browser storage nothing is stored, and the store says so', () => {
  const shapes = makeShapeStore(() => {
    throw new Error('switched off');
  });
  assert.equal(shapes.readArea(), null);
  assert.equal(shapes.storeArea(AREA), false);
  assert.equal(shapes.readLine(), null);
  assert.equal(shapes.storeLine(LINE), false);
});
