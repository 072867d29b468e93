import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ByteWriter } from 'hyparquet-writer';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { readRuns } from './rle-runs.ts';

test('runs written by another program are read', () => {
  const run = fc.tuple(fc.nat(2 ** 17 - 1), fc.integer({ min: 1, max: 40 }));
  fc.assert(
    fc.property(
      fc.array(run, { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 1, max: 17 }),
      (runs, width) => {
        const values = runs.flatMap(([value, count]) => Array<number>(count).fill(value % 2 ** width));
        const writer = new ByteWriter();
        writeRleBitPackedHybrid(writer, values, width);
        assert.deepEqual([...readRuns(writer.getBytes(), width, values.length)], values);
      },
    ),
  );
});

test('a run that claims more than the rows is cut; runs that end too early are refused', () => {
  // 2^30 values of 1, in six bytes
  const long = Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x08, 1);
  assert.deepEqual([...readRuns(long, 1, 3)], [1, 1, 1]);
  assert.throws(() => readRuns(Uint8Array.of(2), 8, 1), RangeError);
  assert.throws(() => readRuns(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f), 8, 100), RangeError);
  assert.throws(() => readRuns(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff), 8, 1), RangeError);
  assert.throws(() => readRuns(new Uint8Array(9), 33, 1), RangeError);
  // Empty runs end with the bytes.
  assert.throws(() => readRuns(new Uint8Array(1_000), 0, 1), RangeError);
});
