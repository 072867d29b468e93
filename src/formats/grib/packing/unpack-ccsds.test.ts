import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPARE_BYTES } from '../grib-bytes.ts';
import { unpackCcsds } from './unpack-ccsds.ts';

/** Bytes of bits that are written out, spaces apart. */
const toBytes = (bits: string): Uint8Array => {
  const all = bits.replaceAll(' ', '');
  const bytes = Array.from({ length: Math.ceil(all.length / 8) }, (_, i) =>
    Number.parseInt(all.slice(8 * i, 8 * i + 8).padEnd(8, '0'), 2),
  );
  return Buffer.concat([Uint8Array.from(bytes), new Uint8Array(SPARE_BYTES)]);
};
const plain = { bits: 4, blockSize: 8, interval: 4, flags: 0 };

test('blocks of every kind match values computed by hand', () => {
  const stored = '111 0001 0010 0011 0100 1111 0000 1000 1001';
  assert.deepEqual([...unpackCcsds(toBytes(stored), 8, plain)], [1, 2, 3, 4, 15, 0, 8, 9]);
  // One low bit each: halves as counts of zeros, then the low bits.
  const split = '010 1 1 01 01 001 001 0001 0001 0 1 0 1 0 1 0 1';
  assert.deepEqual([...unpackCcsds(toBytes(split), 8, plain)], [0, 1, 2, 3, 4, 5, 6, 7]);
  // Pairs along diagonals: 0 is (0,0), 1 is (1,0), 2 is (0,1), 4 is (1,1).
  const pairs = '000 1 1 01 001 00001';
  assert.deepEqual([...unpackCcsds(toBytes(pairs), 8, plain)], [0, 0, 1, 0, 0, 1, 1, 1]);
  // Two blocks of zeros, then one that is stored.
  const zeros = `000 0 01 ${stored}`;
  assert.deepEqual(
    [...unpackCcsds(toBytes(zeros), 24, plain)],
    [...new Array(16).fill(0), 1, 2, 3, 4, 15, 0, 8, 9],
  );
  // The fifth code is: all blocks that are left; the sixth one is five blocks.
  const rest = `000 0 00001 ${stored}`;
  assert.deepEqual([...unpackCcsds(toBytes(rest), 40, plain)].slice(31), [0, 1, 2, 3, 4, 15, 0, 8, 9]);
  const five = `000 0 000001 ${stored}`;
  const wide = { ...plain, interval: 8 };
  assert.deepEqual([...unpackCcsds(toBytes(five), 48, wide)].slice(39), [0, 1, 2, 3, 4, 15, 0, 8, 9]);
});

test('differences are unfolded: even ones go up, odd ones down, and larger ones in the only possible direction', () => {
  // The reference 5 leaves room for 5 below: 2 is +1, 1 is −1, 10 is +5, 9 is −5, and 11 can only be upwards, +6.
  const coding = { ...plain, flags: 8 };
  const bits = '111 0101 0010 0001 1010 0000 0000 0000 0000';
  // 5, 6, 5, 10, and so on.
  assert.deepEqual([...unpackCcsds(toBytes(bits), 8, coding)], [5, 6, 5, 10, 10, 10, 10, 10]);
  // From 5: −5 is 9; from 0 there is no room below: 3 is +3; from 3: 7 = 2·3 + 1 is +4; from 7: 15 is +8.
  const far = '111 0101 1001 0011 0111 1111 0000 0000 0000';
  assert.deepEqual([...unpackCcsds(toBytes(far), 8, coding)], [5, 0, 3, 7, 15, 15, 15, 15]);
  // From 15 there is no room above: 4 is −4.
  const down = '111 1111 0100 0000 0000 0000 0000 0000 0000';
  assert.deepEqual([...unpackCcsds(toBytes(down), 8, coding)], [15, 11, 11, 11, 11, 11, 11, 11]);
});

test('streams that end too early or run over are refused', () => {
  for (const bits of ['111 0001', '000 0 0000', '010 0000 0000 0000 0000'])
    assert.throws(() => unpackCcsds(toBytes(bits), 8, plain), { code: 'grib-damaged' }, bits);
  assert.throws(() => unpackCcsds(toBytes('000 0 0000 0000 01'), 80, plain), { code: 'grib-damaged' });
  assert.throws(() => unpackCcsds(toBytes(''), 8, { ...plain, blockSize: 0 }), { code: 'grib-damaged' });
  assert.throws(() => unpackCcsds(toBytes('0'), 8, { ...plain, flags: 1 }), { code: 'grib-ccsds' });
});
