import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../errors.ts';
import { describeExpressions } from './describe-expressions.ts';
import { testNames } from './testing/compute.ts';

const describe = (text: string) => describeExpressions(text, testNames);

test('letters stand for bands in order of appearance', () => {
  const { designators, expressions, bandIds, types, bands } = describe('(B1-B10)/(B4-B5),B1,B4');
  assert.deepEqual(designators, ['A', 'B', 'C', 'D']);
  assert.deepEqual(expressions, ['(A-B)/(C-D)', 'A', 'C']);
  assert.deepEqual(bandIds, ['B1', 'B10', 'B4', 'B5']);
  assert.deepEqual(types, ['band', 'band', 'band']);
  const first = { designator: 'A', bandId: 'B1', resolutionM: 10, scene: 'this', needsReflectance: false };
  assert.deepEqual(bands[0], first);
});

test('other spellings and roles name the same band; functions, numbers and NODATA stay', () => {
  const { expressions, bandIds, types } = describe(
    'where(less(B04, 2), NODATA, B4 ** 2 * pi) , nir + 1.50, less(B4,1)',
  );
  assert.deepEqual(expressions, ['where(less(A,2),NODATA,A**2*pi)', 'B+1.50', 'less(A,1)']);
  assert.deepEqual(bandIds, ['B4', 'B5']);
  assert.deepEqual(types, ['band', 'band', 'boolean']);
});

test('aliases are written out, in parentheses unless they are alone', () => {
  assert.deepEqual(describe('NDVI').expressions, ['(A-B)/(A+B)']);
  assert.deepEqual(describe('1-ndvi').expressions, ['1-((A-B)/(A+B))']);
  const { expressions, bands } = describe('ISTACK');
  assert.deepEqual(expressions, ['(A-B)/(A+B)', '2.5*(A-B)/(A+6.0*B-7.5*C+1.0)', '(A-B)/(A+B)']);
  assert.deepEqual(
    bands.map(({ bandId, needsReflectance }) => [bandId, needsReflectance]),
    [
      ['B5', true],
      ['B4', true],
      ['B2', true],
    ],
  );
});

test('a change has its own letters for the earlier scene', () => {
  const { expressions, bandIds, bands } = describe('PR_FD');
  assert.deepEqual(expressions, ['(A/(B*C))-(D/(E*F))']);
  assert.deepEqual(bandIds, ['B7', 'B5', 'B9', 'B7', 'B5', 'B9']);
  assert.deepEqual(
    bands.map(({ scene }) => scene),
    ['this', 'this', 'this', 'earlier', 'earlier', 'earlier'],
  );
  assert.deepEqual(describe('FILTERED').expressions, [
    'where(not_equal(H,3.0),where(greater((E-G)/(E+G),0.5),(A/(B*C))-(D/(E*F)),NODATA),NODATA)',
  ]);
  assert.deepEqual(describe('2*PR_FD').expressions, ['2*((A/(B*C))-(D/(E*F)))']);
});

test('invalid expressions are refused with their position', () => {
  assert.throws(
    () => describe('B4+Q'),
    (error) => isSwathError(error) && error.code === 'unknown-band' && error.details.position === 3,
  );
});
