import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import type { NetcdfFile } from './encode-netcdf.ts';
import { encodeNetcdf } from './encode-netcdf.ts';

const small: NetcdfFile = {
  dimensions: { y: 2, x: 3 },
  attributes: { title: 'A test' },
  variables: {
    x: { dimensions: ['x'], attributes: {}, values: Float64Array.of(1, 2, 3) },
    depth: {
      dimensions: ['y', 'x'],
      attributes: { units: 'cm', _FillValue: { float32: -9999 } },
      values: Float32Array.of(0.5, 1, 1.5, 2, 2.5, -9999),
    },
    flag: { dimensions: ['x'], attributes: {}, values: Int16Array.of(1, -2, 3) },
  },
};

test('the bytes follow the classic format', () => {
  const bytes = Buffer.from(encodeNetcdf(small));
  assert.equal(bytes.subarray(0, 4).toString('latin1'), 'CDF\u0001');
  // No records; a list of two dimensions, the first of which is "y" with length 2.
  assert.deepEqual(
    [4, 8, 12, 16, 24].map((at) => bytes.readInt32BE(at)),
    [0, 0x0a, 2, 1, 2],
  );
  assert.equal(bytes.subarray(20, 21).toString(), 'y');
  // The data stand at the end in the order of the variables, each padded to four bytes.
  const end = bytes.length;
  assert.deepEqual(
    [bytes.readInt16BE(end - 8), bytes.readInt16BE(end - 6), bytes.readInt16BE(end - 4)],
    [1, -2, 3],
  );
  assert.equal(bytes.readFloatBE(end - 8 - 24), 0.5);
  assert.equal(bytes.readDoubleBE(end - 8 - 24 - 24), 1);
});

test('values that do not fill their dimensions are refused', () => {
  const wrong = {
    ...small,
    variables: { x: { dimensions: ['x'], attributes: {}, values: Float32Array.of(1) } },
  };
  assert.throws(
    () => encodeNetcdf(wrong),
    (error) => isSwathError(error) && error.code === 'netcdf-length',
  );
  const unknown = {
    ...small,
    variables: { t: { dimensions: ['t'], attributes: {}, values: Float32Array.of(1) } },
  };
  assert.throws(
    () => encodeNetcdf(unknown),
    (error) => isSwathError(error) && error.code === 'netcdf-dimension',
  );
});
