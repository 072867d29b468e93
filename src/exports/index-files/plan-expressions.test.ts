import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { planFileExpressions } from './plan-expressions.ts';

const sensor = sensorByAbbreviation('S2') as Sensor;
const isCode = (code: string) => (error: unknown) => isSwathError(error) && error.code === code;
const describe = (text: string) => planFileExpressions(text, sensor).descriptions;

test('each expression is a band, described by its text', () => {
  assert.deepEqual(describe('ndvi'), ['ndvi']);
  assert.deepEqual(describe('B04, maximum(B03,B02) ,(B08-B04)/(B08+B04)'), [
    'B04',
    'maximum(B03,B02)',
    '(B08-B04)/(B08+B04)',
  ]);
  assert.deepEqual(describe('ISTACK, B04'), ['NDVI', 'NDWI', 'NDSI', 'B04']);
  const { tree, descriptions } = planFileExpressions('B02,B03,B04,B08,NDVI', sensor);
  assert.equal(tree.outputs.length, descriptions.length);
});

test('ten expressions are a file, eleven are none', () => {
  const times = (count: number) => Array.from({ length: count }, (_, i) => `B04*${i + 1}.0`).join();
  assert.equal(describe(times(10)).length, 10);
  assert.throws(() => describe(times(11)), isSwathError);
});

test('expressions without bands and those of whole windows are refused', () => {
  assert.throws(() => describe('1.0+2'), isCode('no-band'));
  assert.throws(() => describe('B04, 3.0'), isCode('no-band'));
  assert.throws(() => describe('unwrap(B04)'), isCode('needs-window'));
  assert.throws(() => describe('B99'), isSwathError);
});
