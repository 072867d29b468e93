import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { isSwathError } from '../../errors.ts';
import { makeTestApp } from '../testing/make-test-app.ts';
import type { JsonSchema } from './json-schema.ts';
import { json } from './json-schema.ts';
import type { Parameter, ParameterDoc } from './parameters.ts';
import {
  choice,
  custom,
  decimal,
  defineParameters,
  flag,
  mapped,
  parseDay,
  parseDecimal,
  parseWhole,
  text,
  whole,
} from './parameters.ts';

const description = 'A parameter.';

const parameters = defineParameters({
  BINS: whole({ description, min: 2, max: 20, fallback: 5 }),
  AZIMUTH: decimal({ description, min: 0, max: 360, fallback: null }),
  CALIBRATE: flag({ description, fallback: false }),
  METHOD: choice({ description, names: ['cc', 'mean', 'all'], fallback: 'cc' }),
  STRETCH: choice({ description, names: ['auto', 'Natural'], ignoresCase: true, fallback: null }),
  mimetype: mapped({ description, values: { 'image/png': 'png', 'image/jpeg': 'jpeg' }, fallback: 'auto' }),
  NAME: text({ description, fallback: null }),
  PAIR: custom({
    description,
    schema: json.string({ pattern: /^\d,\d$/ }),
    rule: 'must be a pair.',
    read: (pair) => (/^\d,\d$/.test(pair) ? pair.split(',').map(Number) : null),
  }),
});

const read = (name: keyof typeof parameters, value?: string): unknown =>
  parameters[name].read(new Map(value === undefined ? [] : [[name, value]]));

/** The refusal of a text; null for one that is accepted. */
function refusalOf(parameter: { readonly parse: (text: string) => unknown }, value: string): string | null {
  try {
    parameter.parse(value);
    return null;
  } catch (error) {
    if (isSwathError(error)) return `${error.tag} ${error.code} ${error.message}`;
    throw error;
  }
}

test('a parameter is read from a query, and has its default if it is absent', () => {
  assert.deepEqual([read('BINS', '7'), read('BINS')], [7, 5]);
  assert.deepEqual([read('AZIMUTH', '1.5e2'), read('AZIMUTH')], [150, null]);
  assert.deepEqual(
    [read('CALIBRATE', 'TRUE'), read('CALIBRATE', '0'), read('CALIBRATE')],
    [true, false, false],
  );
  assert.deepEqual([read('METHOD', 'mean'), read('METHOD')], ['mean', 'cc']);
  assert.deepEqual([read('STRETCH', 'NATURAL'), read('STRETCH')], ['Natural', null]);
  assert.deepEqual([read('mimetype', 'image/png'), read('mimetype')], ['png', 'auto']);
  assert.deepEqual([read('NAME', ''), read('NAME')], ['', null]);
  assert.deepEqual(read('PAIR', '1,2'), [1, 2]);
});

test('a refusal names the parameter and its rule, and its code contains the name', () => {
  for (const [name, value, refusal] of [
    ['BINS', '21', 'bad-input bad-bins BINS must be a whole number from 2 to 20.'],
    ['BINS', '2.5', 'bad-input bad-bins BINS must be a whole number from 2 to 20.'],
    ['AZIMUTH', '-1', 'bad-input bad-azimuth AZIMUTH must be a number from 0 to 360.'],
    ['CALIBRATE', 'yes', 'bad-input bad-calibrate CALIBRATE must be true, 1, false or 0.'],
    ['METHOD', 'CC', 'bad-input bad-method METHOD must be one of cc, mean, all.'],
    ['STRETCH', 'x', 'bad-input bad-stretch STRETCH must be auto or Natural.'],
    ['mimetype', 'image/gif', 'bad-input bad-mimetype mimetype must be image/png or image/jpeg.'],
    ['PAIR', '1', 'bad-input bad-pair PAIR must be a pair.'],
  ] as const)
    assert.equal(refusalOf(parameters[name], value), refusal);
  assert.throws(() => parameters.PAIR.read(new Map()), { code: 'bad-pair' }, 'required');
});

test('a parameter may define the code, rule and kind of its refusal', () => {
  const { CLUSTERS_NO } = defineParameters({
    CLUSTERS_NO: whole({ description, min: 1, max: 2, code: 'odd', rule: 'is odd.', refuse: 'unsupported' }),
  });
  assert.equal(refusalOf(CLUSTERS_NO, '3'), 'unsupported odd CLUSTERS_NO is odd.');
});

test('the documentation says what is required and what is the default', () => {
  assert.equal(parameters.PAIR.required, true);
  assert.equal(parameters.BINS.required, false);
  assert.deepEqual(parameters.BINS.schema, { type: 'integer', minimum: 2, maximum: 20, default: 5 });
  assert.deepEqual(parameters.AZIMUTH.schema, { type: 'number', minimum: 0, maximum: 360 });
  assert.deepEqual(parameters.METHOD.schema, { type: 'string', enum: ['cc', 'mean', 'all'], default: 'cc' });
});

/** Texts of all kinds. */
const TEXTS = [
  ...[
    '',
    ' ',
    'x',
    '-',
    'NaN',
    'Infinity',
    '1e400',
    '٣',
    '%',
    '{',
    '{}',
    '-1',
    '1.5',
    'yes',
    'TRUE',
    'false',
  ],
  ...['0x10', '1e3', '0', '1', '2', '5', '-0.5', '+3', '.5', '5.', '007', '99', '123456789012345678'],
  ...['2,1', '1,2,3', '0,0', ',', '-1,1', '1,2,3,4', 'fff', '#ffffff', 'ffffff,000000', 'EPSG:4326', '4326'],
  ...['viridis', 'image/png', 'kmeans', 'cc', '2.1;2.4;4326', '0123456789abcdef0123456789abcdef'],
];

/** Whether a schema accepts a text: a number is written as JSON writes it. */
function isAccepted(schema: JsonSchema, value: string): boolean {
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  const isWritten = schema.type === 'integer' ? /^\d{1,15}$/ : /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
  if (isNumber && !isWritten.test(value)) return false;
  return z.fromJSONSchema(schema).safeParse(isNumber ? Number(value) : value).success;
}

/** Names of choices are read in any case, which a schema does not say. */
const isOtherCase = ({ enum: names }: JsonSchema, value: string): boolean =>
  Array.isArray(names) &&
  !names.includes(value) &&
  names.some((name) => String(name).toLowerCase() === value.toLowerCase());

test('the reader of every kind accepts what its schema accepts, and nothing else', () => {
  for (const [name, { schema, parse }] of Object.entries(parameters)) {
    for (const value of TEXTS) {
      if (isOtherCase(schema, value)) continue;
      const isRead = refusalOf({ parse }, value) === null;
      assert.equal(isRead, isAccepted(schema, value), `${name}=${value}`);
    }
  }
});

/** Read where it is known what they are for: colours by `color/`, names by who has what they name. */
const READ_ELSEWHERE = new Set([
  ...['COLORS', 'THRESHOLDS', 'PALETTE', 'COLORS_LIMIT', 'cropper_ref', 'within', 'after'],
  // Percentages of an intensity range: a rule about both leaves one end of each out.
  ...['min', 'max'],
]);

test('every parameter of every route has a reader, which refuses what its schema refuses, and reads its example', () => {
  const isRead = (doc: ParameterDoc): doc is Parameter<unknown> => 'parse' in doc;
  let [count, refused] = [0, 0];
  for (const { path, endpoint } of makeTestApp().routes) {
    for (const [name, doc] of Object.entries(endpoint.query ?? {})) {
      const address = `${name} of ${path}`;
      assert.ok(isRead(doc), address);
      count += 1;
      const reader = { parse: (value: string) => doc.parse(value, name) };
      if (doc.example !== undefined) {
        assert.equal(refusalOf(reader, doc.example), null, address);
        assert.ok(isAccepted(doc.schema, doc.example), address);
      }
      // Terrain reads mimetype by the format.
      if (READ_ELSEWHERE.has(name) || (name === 'mimetype' && path.includes('terrain'))) continue;
      for (const value of TEXTS) {
        if (isAccepted(doc.schema, value) || isOtherCase(doc.schema, value)) continue;
        assert.notEqual(refusalOf(reader, value), null, `${address} reads "${value}"`);
        refused += 1;
      }
    }
  }
  assert.ok(count > 50 && refused > 1_000, `${count} parameters, ${refused} refusals`);
});

test('a day is a calendar date, with or without a time after it', () => {
  for (const text of ['2026-06-21', ' 2026-06-21 ', '2026-06-21T00:00:00Z', '2026-06-21T00:00:00.000'])
    assert.equal(parseDay(text), '2026-06-21', text);
  assert.equal(parseDay('2024-02-29'), '2024-02-29');
});

test('anything else is not a day', () => {
  for (const value of ['2026-02-30', '2025-02-29', '2026-13-01', '2026-6-1', '21.06.2026', '2026/06/21', ''])
    assert.equal(parseDay(value), null, value);
  for (const value of [null, undefined, 20260621, ['2026-06-21'], {}]) assert.equal(parseDay(value), null);
});

test('every number that JSON writes can be sent back in a query', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.equal(parseDecimal(JSON.stringify(value)), value + 0);
    }),
    { examples: [[0.025520483031868935], [-0.0000012345678901234567], [123456789012345680000]] },
  );
});

test('nothing else is a number', () => {
  for (const text of [
    '',
    ' 1',
    '1 ',
    '0x10',
    '1_000',
    'Infinity',
    'NaN',
    '1e999',
    '1,5',
    '.',
    '-',
    '1'.repeat(22),
  ]) {
    assert.equal(parseDecimal(text), null, text);
  }
  for (const text of ['', '-1', '1.0', '1e3', '1'.repeat(16)]) assert.equal(parseWhole(text), null, text);
});
