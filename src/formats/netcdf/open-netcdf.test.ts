import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { makeMemorySource } from '../testing/memory-source.ts';
import { encodeNetcdf } from './encode-netcdf.ts';
import { openNetcdf } from './open-netcdf.ts';

const small = encodeNetcdf({
  dimensions: { t: 2, y: 2, x: 3 },
  attributes: { title: 'A test' },
  variables: {
    x: { dimensions: ['x'], attributes: { units: 'degrees_east' }, values: Float64Array.of(1, 2, 3) },
    depth: {
      dimensions: ['t', 'y', 'x'],
      attributes: { _FillValue: { float32: -9999 } },
      values: new Float32Array(12).map((_, i) => i / 4),
    },
    flag: { dimensions: ['x'], attributes: {}, values: Int16Array.of(1, -2, 3) },
  },
});

test('names, sizes, attributes and numbers read back unchanged', async () => {
  const file = await openNetcdf(makeMemorySource(small));
  assert.equal(file.attributes.get('title'), 'A test');
  assert.deepEqual(
    file.variables.map(({ name, dimensions, sizes }) => [name, dimensions, sizes]),
    [
      ['x', ['x'], [3]],
      ['depth', ['t', 'y', 'x'], [2, 2, 3]],
      ['flag', ['x'], [3]],
    ],
  );
  const [x, depth, flag] = file.variables;
  assert.deepEqual(depth!.attributes.get('_FillValue'), [-9999]);
  assert.deepEqual([...(await file.read(x!, { start: [0], count: [3] }))], [1, 2, 3]);
  assert.deepEqual([...(await file.read(flag!, { start: [1], count: [2] }))], [-2, 3]);
});

test('any part of an array can be read', async () => {
  const file = await openNetcdf(makeMemorySource(small));
  const depth = file.variables[1]!;
  for (const t of [0, 1]) {
    for (const y of [0, 1]) {
      for (const x of [0, 1, 2]) {
        for (let [n, m, k] = [1, 1, 1]; k <= 3 - x; [n, m, k] = [2 - t, 2 - y, k + 1]) {
          const got = await file.read(depth, { start: [t, y, x], count: [n, m, k] });
          const wanted: number[] = [];
          for (let a = t; a < t + n; a++)
            for (let b = y; b < y + m; b++)
              for (let c = x; c < x + k; c++) wanted.push((a * 6 + b * 3 + c) / 4);
          assert.deepEqual([...got], wanted);
        }
      }
    }
  }
});

/** A file of CDF-2 with two variables that grow, by the specification: the shorts of a record are padded. */
function makeRecords(records: number): Buffer {
  const int = (...values: number[]): Buffer => {
    const bytes = Buffer.alloc(4 * values.length);
    for (const [i, value] of values.entries()) bytes.writeInt32BE(value, 4 * i);
    return bytes;
  };
  const name = (text: string): Buffer => Buffer.concat([int(text.length), Buffer.from(text.padEnd(4, '\0'))]);
  const toHeader = (begin: number): Buffer =>
    Buffer.concat([
      Buffer.from('CDF\u0002', 'latin1'),
      int(records),
      int(0x0a, 2),
      ...[name('t'), int(0), name('x'), int(3)],
      int(0, 0),
      int(0x0b, 2),
      ...[name('a'), int(2, 0, 1), int(0, 0), int(3, 8), int(0, begin)],
      ...[name('b'), int(1, 0), int(0, 0), int(6, 8), int(0, begin + 8)],
    ]);
  const body = Buffer.alloc(2 * 16);
  for (const record of [0, 1]) {
    for (const i of [0, 1, 2]) body.writeInt16BE(10 * record + i, 16 * record + 2 * i);
    body.writeDoubleBE(record + 0.5, 16 * record + 8);
  }
  return Buffer.concat([toHeader(toHeader(0).length), body]);
}

test('record variables are stored record by record, also if their count is open', async () => {
  for (const records of [2, -1]) {
    const file = await openNetcdf(makeMemorySource(makeRecords(records)));
    const [a, b] = file.variables;
    assert.deepEqual(a!.sizes, [2, 3]);
    assert.deepEqual([...(await file.read(a!, { start: [0, 1], count: [2, 2] }))], [1, 2, 11, 12]);
    assert.deepEqual([...(await file.read(b!, { start: [0], count: [2] }))], [0.5, 1.5]);
  }
});

test('a file truncated at any byte is refused, or read as far as it goes', async () => {
  let read = 0;
  // The last two bytes are padding.
  for (let length = 0; length < small.length - 2; length++) {
    try {
      const file = await openNetcdf(makeMemorySource(small.subarray(0, length)));
      for (const variable of file.variables) {
        await file.read(variable, { start: variable.sizes.map(() => 0), count: variable.sizes });
        read += 1;
      }
      assert.fail(`cut at ${length}, nothing was noticed`);
    } catch (error) {
      assert.ok(isSwathError(error) && error.tag === 'source-broken', `${length}: ${error}`);
    }
  }
  assert.ok(read > 10);
});

test('a part outside the array, and a header that promises too much, are refused', async () => {
  const file = await openNetcdf(makeMemorySource(small));
  const depth = file.variables[1]!;
  for (const part of [
    { start: [0, 0, 1], count: [1, 1, 3] },
    { start: [-1, 0, 0], count: [1, 1, 1] },
    { start: [0, 0], count: [1, 1] },
  ]) {
    await assert.rejects(file.read(depth, part), { code: 'bad-part' });
  }
  const greedy = Buffer.from(makeRecords(2));
  greedy.writeInt32BE(0x7fffffff, 4);
  const records = await openNetcdf(makeMemorySource(greedy));
  await assert.rejects(records.read(records.variables[1]!, { start: [2 ** 30], count: [1] }), {
    code: 'netcdf-truncated',
  });
});
