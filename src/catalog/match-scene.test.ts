import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldFilter, FieldValue, NewScene } from './index.ts';
import { compareScenes, compareTexts, matchesFilters, toMatchedFields } from './match-scene.ts';
import { makeScene } from './testing/make-scene.ts';

const FIELDS = { cloud: 5, name: 'Élan', onAmazon: true, nothing: null } as const;

const range = (field: string, from?: FieldValue, to?: FieldValue): FieldFilter => ({
  field,
  kind: 'range',
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

const oneOf = (field: string, ...values: readonly FieldValue[]): FieldFilter => ({
  field,
  kind: 'one-of',
  values,
});

test('filters match values of their own type, with inclusive bounds, and all filters must match', () => {
  const cases: readonly (readonly [FieldFilter, boolean])[] = [
    [range('cloud', 5, 5), true],
    [range('cloud', 5.1), false],
    [range('cloud', undefined, 4.9), false],
    [range('cloud', null, 5), true],
    [range('cloud', '', undefined), false],
    [range('cloud', undefined, 'z'), false],
    [oneOf('cloud', '5'), false],
    [oneOf('cloud', 'x', null, 5), true],
    [oneOf('cloud'), false],
    [range('name', 'Z'), true],
    [range('name', undefined, 'z'), false],
    [oneOf('onAmazon', true), true],
    [oneOf('onAmazon', 1), true],
    [oneOf('onAmazon', 'true'), false],
    [range('onAmazon', 0, 1), true],
  ];
  for (const [filter, expected] of cases) {
    assert.equal(matchesFilters(FIELDS, [filter]), expected, JSON.stringify(filter));
  }
  assert.equal(matchesFilters(FIELDS, [range('cloud', 5), oneOf('onAmazon', true)]), true);
  assert.equal(matchesFilters(FIELDS, [range('cloud', 5), oneOf('onAmazon', false)]), false);
  assert.equal(matchesFilters(FIELDS, []), true);
});

test('null, absent and inherited fields match nothing', () => {
  for (const field of ['nothing', 'absent', 'constructor', '__proto__']) {
    assert.equal(matchesFilters(FIELDS, [oneOf(field, null, '', 0)]), false, field);
    assert.equal(matchesFilters(FIELDS, [range(field, undefined, 'z')]), false, field);
    assert.equal(matchesFilters(FIELDS, [range(field, -1)]), false, field);
  }
});

test('a filter ignores the case of A to Z, and of no other letters', () => {
  const folded = (value: string): boolean =>
    matchesFilters(FIELDS, [{ field: 'name', kind: 'one-of', values: [value], ignoresCase: true }]);
  assert.equal(folded('ÉLAN'), true);
  assert.equal(folded('élan'), false);
  assert.equal(matchesFilters(FIELDS, [oneOf('name', 'ÉLAN')]), false);
});

test('every scene has its dataset as satellite, whatever its own field of that name says', () => {
  const scene = makeScene(1, { fields: { satellite: 'other' } });
  assert.equal(matchesFilters(toMatchedFields(scene), [oneOf('satellite', 'sentinel2')]), true);
  assert.equal(matchesFilters(toMatchedFields(scene), [oneOf('satellite', 'other')]), false);
  assert.equal(toMatchedFields(scene).date, '2026-06-01');
});

test('numbers sort before strings, null and absent last in both directions, ties by scene id and view id', () => {
  const make = (viewId: string, sceneId: string, value?: FieldValue): NewScene =>
    makeScene(1, { viewId, sceneId, fields: value === undefined ? {} : { x: value } });
  const scenes = [
    make('text', '1', 'a'),
    make('astral', '1', '\u{1F6F0}'),
    make('replacement', '1', '\uFFFD'),
    make('absent', '1'),
    make('null', '1', null),
    make('ten', '1', 10),
    make('nine', '1', 9),
    make('true b', '2', true),
    make('true a', '2', true),
    make('one', '1', 1),
  ];
  const sorted = (descending: boolean, field = 'x') =>
    scenes
      .toSorted((a, b) => compareScenes(a, b, { field, descending }))
      .map(({ viewId }) => viewId)
      .join(', ');
  assert.equal(sorted(false), 'one, true a, true b, nine, ten, text, replacement, astral, absent, null');
  assert.equal(sorted(true), 'astral, replacement, text, ten, nine, one, true a, true b, absent, null');
  assert.equal(sorted(true, 'constructor'), sorted(false, 'constructor'));
});

test('scenes are sorted by their day, scene id and dataset too', () => {
  const [a, b] = [makeScene(2), makeScene(3, { dataset: 'landsat8' })];
  const order = (field: string): number => Math.sign(compareScenes(a, b, { field, descending: false }));
  assert.deepEqual([order('date'), order('sceneID'), order('satellite')], [-1, -1, 1]);
  const sameDay = { ...a, acquiredAt: '2026-06-03T23:00:00.000Z' };
  assert.ok(compareScenes(sameDay, b, { field: 'date', descending: true }) < 0, 'the scene id decides');
});

test('strings are compared by code point', () => {
  assert.ok(compareTexts('\uFFFD', '\u{1F6F0}') < 0, 'not by the halves of a pair');
  assert.ok(compareTexts('Z', 'a') < 0);
  assert.equal(compareTexts('é', 'é'), 0);
});
