import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toStored } from './encode-mosaic-part.ts';

const shared = {
  floats: (...values: number[]) => {
    const array = new Float32Array(new SharedArrayBuffer(4 * values.length));
    array.set(values);
    return array;
  },
  bytes: (...values: number[]) => {
    const array = new Uint8Array(new SharedArrayBuffer(values.length));
    array.set(values);
    return array;
  },
  words: (...values: number[]) => {
    const array = new Uint16Array(new SharedArrayBuffer(2 * values.length));
    array.set(values);
    return array;
  },
};

const pixels = {
  channels: [shared.floats(0.4, 70_000, -3, 12.5, Number.NaN, 7)],
  mask: shared.bytes(1, 1, 1, 1, 1, 0),
  sources: shared.words(1, 2, 3, 300, 5, 6),
};
const all = { start: 0, end: 6 };

test('integers are rounded into their range, and a measured value is never stored as a hole', () => {
  const [values, sources] = toStored(pixels, all, { type: 'uint16', nodata: 0 });
  assert.deepEqual([...values!], [1, 65_535, 1, 13, 0, 0]);
  assert.deepEqual([...sources!], [1, 2, 3, 300, 5, 0]);
});

test('floats stay unchanged, and pixels without a value are nodata in all bands', () => {
  const [values, sources] = toStored(pixels, { start: 2, end: 6 }, { type: 'float32', nodata: -9999 });
  assert.deepEqual([...values!], [-3, 12.5, -9999, -9999]);
  assert.deepEqual([...sources!], [3, 300, 5, -9999]);
});
