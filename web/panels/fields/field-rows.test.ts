import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field } from '../../api/fields.ts';
import { colorOf, NO_VALUE, toScale } from './field-colors.ts';
import type { FieldRow } from './field-rows.ts';
import { ALL_ROWS, chooseRows, namesOf, revisionOf, toRow, toSparkline } from './field-rows.ts';

const makeField = (name: string, more: Partial<Field> = {}): Field => ({
  id: name,
  name,
  group: null,
  crop: null,
  sownOn: null,
  hectares: 1,
  box: [0, 0, 1, 1],
  version: 1,
  updatedAt: '2026-01-01T00:00:00Z',
  lastValues: [],
  ...more,
});

const makeRow = (name: string, values: readonly number[], more: Partial<Field> = {}): FieldRow =>
  toRow(
    makeField(name, more),
    'NDVI',
    new Map([[name, values.map((value, i) => ({ date: `2026-06-${10 + i}`, value }))]]),
  );

const namesIn = (rows: readonly FieldRow[]): string => rows.map(({ field }) => field.name).join(' ');

test('a row has the last value and its change; without a series, the last value from a subscription', () => {
  const row = makeRow('a', [0.2, 0.5, 0.4]);
  assert.equal(row.last?.date, '2026-06-12');
  assert.equal(row.change?.toFixed(3), '-0.100');
  const told = makeField('b', {
    lastValues: [{ expression: 'NDVI', value: 0.7, date: '2026-05-01' }],
  });
  assert.deepEqual([toRow(told, 'NDVI', null).last?.value, toRow(told, 'NDVI', null).change], [0.7, null]);
  assert.equal(toRow(told, 'NDMI', null).last, null);
});

test('rows are filtered by text, crop and group, and sorted with empty ones last', () => {
  const rows = [
    makeRow('Field 10', [0.1, 0.3], { crop: 'maize', hectares: 4 }),
    makeRow('Field 9', [], { crop: 'wheat', group: 'North', hectares: 9 }),
    makeRow('Long acre', [0.8, 0.2], { crop: 'wheat', hectares: 2 }),
  ];
  const choose = (choice: object) => namesIn(chooseRows(rows, { ...ALL_ROWS, ...choice }, 'en'));
  assert.equal(choose({}), 'Field 9 Field 10 Long acre');
  assert.equal(choose({ text: ' FIELD' }), 'Field 9 Field 10');
  assert.equal(choose({ crop: 'wheat' }), 'Field 9 Long acre');
  assert.equal(choose({ group: 'North' }), 'Field 9');
  assert.equal(choose({ sort: 'value' }), 'Long acre Field 10 Field 9');
  assert.equal(choose({ sort: 'value', isDescending: true }), 'Field 10 Long acre Field 9');
  assert.equal(choose({ sort: 'change' }), 'Long acre Field 10 Field 9');
  assert.equal(choose({ sort: 'hectares', isDescending: true }), 'Field 9 Field 10 Long acre');
  const fields = rows.map(({ field }) => field);
  assert.deepEqual(namesOf(fields, 'crop', 'en'), ['maize', 'wheat']);
});

test('a sparkline spans from the left to the right edge and from the bottom to the top', () => {
  const { values } = makeRow('a', [0, 1, 0.5]);
  assert.equal(toSparkline(values, 10, 4), '0.0,4.0 5.0,0.0 10.0,2.0');
});

test('the revision of a list changes with each of its fields', () => {
  const [one, other] = [makeField('a'), makeField('b')];
  assert.notEqual(revisionOf([one]), revisionOf([one, other]));
  assert.notEqual(revisionOf([one]), revisionOf([{ ...one, updatedAt: '2026-02-01T00:00:00Z' }]));
});

test('a scale has round ends; a scale of changes has zero in its middle', () => {
  const rows = [makeRow('a', [0.9, 0.31]), makeRow('b', [0.5, 0.62]), makeRow('c', [])];
  assert.deepEqual(toScale(rows, 'value'), { ...toScale(rows, 'value'), min: 0.3, max: 0.65 });
  const change = toScale(rows, 'change');
  assert.deepEqual([change?.min, change?.max], [-0.6, 0.6]);
  assert.equal(colorOf(0, change), '#f5f5f5');
  assert.equal(colorOf(-9, change), '#8c510a');
  assert.equal(colorOf(null, change), NO_VALUE);
  assert.equal(toScale(rows, 'none'), null);
  assert.equal(toScale([makeRow('d', [])], 'value'), null);
});
