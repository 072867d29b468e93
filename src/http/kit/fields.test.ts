import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { isSwathError } from '../../errors.ts';
import type { Field } from './fields.ts';
import {
  choice,
  defineFields,
  describe,
  findUnknownKeys,
  flag,
  number,
  requiredText,
  text,
  texts,
  toObjectSchema,
  unread,
} from './fields.ts';
import { json } from './json-schema.ts';

const fields = defineFields({
  view_id: requiredText({ description: 'The scene.' }),
  name_alias: text({ max: 5 }),
  bands: texts({ max: 3 }),
  merge: flag({ fallback: true }),
  days: number({ min: 1, max: 14, isWhole: true, fallback: 14 }),
  px_size: number({ min: 0.5, max: 100, fallback: null, rule: 'must be from 0.5 to 100 metres.' }),
  step: choice({ names: ['day', 'hour'], fallback: 'day' }),
  geometry: unread(json.any()),
});

test('fields are read as programs send them: null and empty strings count as absent, numbers may be strings', () => {
  const sent = { view_id: 'S2/1', name_alias: null, bands: 'B1, 2', merge: '0', days: '7', step: '' };
  const values = Object.entries(fields).map(([name, { read }]) => [name, read(sent)]);
  assert.deepEqual(Object.fromEntries(values), {
    view_id: 'S2/1',
    name_alias: null,
    bands: ['B1', '2'],
    merge: false,
    days: 7,
    px_size: null,
    step: 'day',
    geometry: null,
  });
});

const refusalOf = (field: Field<unknown>, value: unknown, name = 'field'): string | null => {
  try {
    field.parse(value, name);
    return null;
  } catch (error) {
    if (isSwathError(error)) return `${error.tag} ${error.code} ${error.message}`;
    throw error;
  }
};

test('a refusal names the field and its rule, and its code contains the name', () => {
  for (const [name, value, refusal] of [
    ['view_id', ' ', 'bad-view-id view_id is required, and must be a text.'],
    ['name_alias', 'abcdef', 'bad-name-alias name_alias must be a text of up to 5 characters.'],
    ['bands', [{}], 'bad-bands bands must be a list of texts.'],
    ['bands', '1,2,3,4', 'bad-bands bands must have at most 3 items; it has 4.'],
    ['merge', ['1'], 'bad-merge merge must be true, 1, false or 0.'],
    ['days', 1.5, 'bad-days days must be a whole number from 1 to 14.'],
    ['days', 'x', 'bad-days days must be a number.'],
    ['px_size', 0, 'bad-px-size px_size must be from 0.5 to 100 metres.'],
    ['step', 'week', 'bad-step step must be one of day, hour.'],
  ] as const)
    assert.equal(refusalOf(fields[name], value, name), `bad-input ${refusal}`);
});

const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, 1, 3, -1, 1.5, 14, 15, 256, 1e9, [], {}, [1], ['x'], [null], [[1]], { a: 1 }],
  ...['', 'x', '1', '0', '-1', '1.5', 'day', 'hour', 'week', 'true', 'False', ['1', 2], ['a', 'b', 'c', 'd']],
];

test('a field refuses what its schema refuses, and accepts what it accepts except strings of out-of-range numbers', () => {
  for (const [name, field] of Object.entries(fields)) {
    const schema = z.fromJSONSchema(field.schema);
    for (const value of VALUES) {
      const isAccepted = schema.safeParse(value).success;
      const refusal = refusalOf(field, value, name);
      const address = `${name} of ${JSON.stringify(value)}`;
      if (!isAccepted) assert.notEqual(refusal, null, address);
      else if (typeof value !== 'string') assert.equal(refusal, null, address);
    }
  }
});

test('the schema of an object contains those of its fields and lists the required ones', () => {
  const { view_id, step } = fields;
  assert.deepEqual(toObjectSchema({ view_id, step: describe(step, 'Of rows.') }), {
    type: 'object',
    properties: {
      view_id: { type: 'string', maxLength: 2_048, pattern: '\\S', description: 'The scene.' },
      step: {
        anyOf: [{ type: 'string', enum: ['day', 'hour', ''] }, { type: 'null' }],
        description: 'Of rows.',
      },
    },
    required: ['view_id'],
  });
});

test('unknown keys are found, also in nested objects, but not where any key is allowed', () => {
  const order = (type: string, name: string) =>
    json.object({ type: json.literal(type), params: json.object({ [name]: json.string() }) });
  const schema = json.oneOf([order('a', 'bands'), order('b', 'index'), json.named('C', order('c', 'area'))]);
  const listUnknown = (body: unknown, of = schema): readonly string[] => {
    const found: string[] = [];
    findUnknownKeys(body, of, (key, known) => void found.push(`${key}: ${[...known].join()}`));
    return found;
  };
  assert.deepEqual(listUnknown({ type: 'a', params: { bands: 'x', index: 'y' }, more: 1 }), [
    'index: bands',
    'more: type,params',
  ]);
  assert.deepEqual(listUnknown({ type: 'c', params: { bands: 'x' } }), ['bands: area']);
  assert.deepEqual(listUnknown({ any: 1 }, json.map(json.any())), []);
  assert.deepEqual(listUnknown({ any: 1 }, json.object({ a: json.any() }, { isOpen: true })), []);
  assert.deepEqual(listUnknown([{ more: 1 }]), []);
});
