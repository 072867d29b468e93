import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Outline } from '../scenes/footprint.ts';
import type { Position } from './shape.ts';
import { toTidyOutline } from './shape.ts';
import { MAX_TEXT, parseLineText, parseOutlineText, toLineText, toOutlineText } from './shape-text.ts';

const SQUARE: readonly Position[] = [
  [1, 2],
  [3.5, 2],
  [3.5, 4.123456],
  [1, 2],
];
const HOLE: readonly Position[] = [
  [2, 2.1],
  [2.5, 2.1],
  [2.5, 2.2],
  [2, 2.1],
];

test('a polygon, one with a hole, and one of two parts read back the same', () => {
  const outlines: readonly Outline[] = [
    { type: 'Polygon', coordinates: [SQUARE] },
    { type: 'Polygon', coordinates: [SQUARE, HOLE] },
    { type: 'MultiPolygon', coordinates: [[SQUARE, HOLE], [HOLE]] },
  ];
  assert.equal(toOutlineText(outlines[0]!), '1,2;3.5,2;3.5,4.123456');
  for (const outline of outlines) assert.deepEqual(parseOutlineText(toOutlineText(outline)!), outline);
});

test('every tidy outline survives a round trip, also across the antimeridian', () => {
  const position = fc.tuple(
    fc.double({ min: 170, max: 190, noNaN: true }),
    fc.double({ min: -89, max: 89, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(position, { minLength: 3, maxLength: 20 }), (ring) => {
      const outline = toTidyOutline({ type: 'Polygon', coordinates: [ring] });
      if (outline !== null) assert.deepEqual(parseOutlineText(toOutlineText(outline)!), outline);
    }),
  );
});

test('a line reads back the same', () => {
  const line: readonly Position[] = [
    [179.5, 1],
    [180.5, -1.25],
  ];
  assert.deepEqual(parseLineText(toLineText(line)!), line);
});

test('a shape too long for an address has no text', () => {
  const many = Array.from({ length: 400 }, (_, i): Position => [i / 1000 + 0.123456, 1.123456]);
  assert.equal(toLineText(many), null);
  assert.equal(toOutlineText({ type: 'Polygon', coordinates: [many] }), null);
});

test('hostile and mistyped strings are not read as shapes', () => {
  const bad = [
    '',
    ';',
    '~',
    '/',
    '1,2',
    '1,2;3,4',
    '1,2;3,4;1,2',
    '1,2;3,4;5',
    '1,2;3,4;5,6,7',
    '1,2;3,4;5,91',
    '1,2;3,4;541,6',
    '1,2;3,4;NaN,6',
    '1,2;3,4;1e3,6',
    '1,2;3,4;0x1,6',
    '1,2;3,4;<b>,6',
    '1,2;3,4;5,6~',
    '1,2;3,4;5,6/',
    '1,2;3,4;5,6.1234567',
    `1,2;3,4;${'5,6;'.repeat(MAX_TEXT)}5,6`,
  ];
  for (const text of bad) assert.equal(parseOutlineText(text), null, text.slice(0, 40));
  for (const text of ['', '1,2', '1,2;1,2', '1,2;x,3', '1,2;3,4~5,6'])
    assert.equal(parseLineText(text), null, text);
  fc.assert(
    fc.property(fc.string(), (text) => {
      parseOutlineText(text);
      parseLineText(text);
    }),
  );
});
