import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { parseStretch } from './contrast.ts';

const parse = (query: Record<string, string>) => parseStretch(new Map(Object.entries(query)));

const refusalOf = (query: Record<string, string>): string => {
  try {
    parse(query);
  } catch (error) {
    if (isSwathError(error)) return `${error.tag} ${error.code} ${error.message}`;
    throw error;
  }
  return 'none';
};

test('a query that says nothing, and auto, leave the contrast to the scene', () => {
  assert.deepEqual(parse({}), {});
  assert.deepEqual(parse({ STRETCH: 'auto' }), {});
});

test('natural colour and gamma are read, alone and together', () => {
  assert.deepEqual(parse({ STRETCH: 'natural' }), { isNatural: true });
  assert.deepEqual(parse({ STRETCH: 'Natural', GAMMA: '1.8' }), { isNatural: true, gamma: 1.8 });
  assert.deepEqual(parse({ GAMMA: '0.1', MIN_MAX: '0,1' }), { gamma: 0.1 });
});

test('wrong values and two ranges are refused with the parameter and the limit', () => {
  assert.match(refusalOf({ STRETCH: 'nice' }), /^bad-input bad-stretch STRETCH must be auto or natural/);
  for (const GAMMA of ['0', '0.09', '10.1', '-2', 'x', ''])
    assert.match(refusalOf({ GAMMA }), /^bad-input bad-gamma GAMMA must be a number from 0.1 to 10/);
  assert.match(refusalOf({ STRETCH: 'natural', MIN_MAX: '0,1' }), /^unsupported range-of-natural .*MIN_MAX/);
});
