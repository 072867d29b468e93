import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNodataText, toNodataText, toStoredNodata } from './nodata.ts';

test('nodata is what pixels can hold', () => {
  assert.equal(toStoredNodata(255, 'uint8'), 255);
  assert.equal(toStoredNodata(256, 'uint8'), null);
  assert.equal(toStoredNodata(-1, 'uint16'), null);
  assert.equal(toStoredNodata(-32_768, 'int16'), -32_768);
  assert.equal(toStoredNodata(0.5, 'int16'), null);
  assert.equal(toStoredNodata(Number.NaN, 'int16'), null);
  assert.ok(Object.is(toStoredNodata(-0, 'uint8'), 0));
  assert.equal(toStoredNodata(0.1, 'float32'), Math.fround(0.1));
  assert.ok(Number.isNaN(toStoredNodata(Number.NaN, 'float32')));
  assert.equal(toStoredNodata(-Infinity, 'float32'), -Infinity);
  assert.equal(toStoredNodata(-128, 'int8'), -128);
  assert.equal(toStoredNodata(128, 'int8'), null);
  assert.equal(toStoredNodata(2 ** 32 - 1, 'uint32'), 2 ** 32 - 1);
  assert.equal(toStoredNodata(-(2 ** 31), 'int32'), -(2 ** 31));
  assert.equal(toStoredNodata(2 ** 60, 'uint64'), 2 ** 60);
  assert.equal(toStoredNodata(-1, 'uint64'), null);
  assert.equal(toStoredNodata(0.1, 'float64'), 0.1);
  assert.equal(toStoredNodata(-1.7976931348623157e308, 'float64'), -1.7976931348623157e308);
});

test('the largest float, written with fewer digits than it has, is still the largest float', () => {
  assert.equal(toStoredNodata(-3.40282346638529e38, 'float32'), -3.4028234663852886e38);
  assert.equal(toStoredNodata(3.5e38, 'float32'), null);
});

test('text and value go back and forth', () => {
  for (const value of [0, -9999, 0.1, 1e-7, -3.4028234663852886e38, Infinity, -Infinity, Number.NaN]) {
    assert.ok(Object.is(parseNodataText(toNodataText(value)), value), String(value));
  }
});

test('text of other programs is parsed, and text without a number is ignored', () => {
  for (const [text, value] of [
    [' -9999 ', -9999],
    ['-9999.0', -9999],
    ['+1.5E+03', 1500],
    ['-nan', Number.NaN],
    ['NaN', Number.NaN],
    ['-INF', -Infinity],
    ['', null],
    ['0x10', null],
    ['none', null],
    ['1,5', null],
    ['12abc', null],
  ] as const) {
    assert.ok(Object.is(parseNodataText(text), value), text);
  }
});
