import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBand, sensors } from '../../sensors/index.ts';
import { chooseScale } from './choose-scale.ts';

const bandOf = (dataset: string, band: string) =>
  findBand(sensors.find((sensor) => sensor.dataset === dataset)!, band)!;
const plain = { scale: 1, offset: 0 };
const own = { scale: 0.5, offset: -3 };

test('a band without a scale of its own takes that of its file, and the report says so', () => {
  const { note, ...scale } = chooseScale(bandOf('naip', 'R'), { stated: plain, ofFile: own });
  assert.deepEqual(scale, own);
  assert.equal(note, 'R: CALIBRATE uses the scale 0.5 and offset -3 of its file.');
});

test("the product's metadata go before the file; a difference is reported, rounding is not", () => {
  const stated = { scale: 0.0001, offset: 0 };
  const band = bandOf('modis', 'B01');
  const { note, ...scale } = chooseScale(band, { stated, ofFile: own });
  assert.deepEqual(scale, stated);
  assert.match(note ?? '', /^B01: .* 0\.5 and offset -3 .* not used: .* say 0\.0001 and 0/);
  const rounded = { scale: Math.fround(0.0001), offset: 0 };
  assert.deepEqual(chooseScale(band, { stated, ofFile: rounded }), { ...stated, note: null });
});

test('bits, and rules that need the stored numbers, are never scaled', () => {
  for (const [dataset, band] of [
    ['landsat8', 'BQA'],
    ['landsat8', 'B4'],
    ['cbers4mux', 'BAND7'],
    ['sentinel1', 'VV'],
  ] as const) {
    const { note, ...scale } = chooseScale(bandOf(dataset, band), { stated: plain, ofFile: own });
    assert.deepEqual([scale, note?.includes('not used')], [plain, true], `${dataset} ${band}`);
  }
});

test('a scale that makes no sense is ignored', () => {
  for (const ofFile of [plain, { scale: 0, offset: 1 }, { scale: Number.NaN, offset: 0 }])
    assert.deepEqual(chooseScale(bandOf('naip', 'R'), { stated: plain, ofFile }), { ...plain, note: null });
});
