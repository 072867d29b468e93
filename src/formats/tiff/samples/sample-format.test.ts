import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { packedRowBytes, reverseBits, unpackSamples, widenHalves } from './sample-format.ts';

const typeOf = (bits: number) => (bits < 8 ? 'uint8' : bits < 16 ? 'uint16' : 'uint32');

test('samples of every depth are restored, and rows start at whole bytes', () => {
  const rows = fc.record({
    bits: fc.integer({ min: 1, max: 31 }).filter((bits) => bits !== 8 && bits !== 16),
    rowLength: fc.integer({ min: 1, max: 9 }),
    values: fc.array(fc.nat(2 ** 31 - 1), { minLength: 27, maxLength: 27 }),
  });
  fc.assert(
    fc.property(rows, ({ bits, rowLength, values }) => {
      const samples = values.slice(0, 3 * rowLength).map((value) => value % 2 ** bits);
      const text = [0, 1, 2].map((row) => {
        const line = samples.slice(row * rowLength, (row + 1) * rowLength);
        const digits = line.map((value) => value.toString(2).padStart(bits, '0')).join('');
        return digits.padEnd(packedRowBytes(rowLength, bits) * 8, '1');
      });
      const bytes = Uint8Array.from(text.join('').match(/.{8}/g)!, (byte) => Number.parseInt(byte, 2));
      const how = { bits, rowLength, rows: 3, type: typeOf(bits), littleEndian: true } as const;
      assert.deepEqual([...unpackSamples(bytes, how)], samples);
    }),
  );
});

test('samples of 24 bits are swapped in big-endian files', () => {
  const how = { bits: 24, rowLength: 2, rows: 1, type: 'uint32' } as const;
  const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6);
  assert.deepEqual([...unpackSamples(bytes, { ...how, littleEndian: true })], [0x010203, 0x040506]);
  assert.deepEqual([...unpackSamples(bytes, { ...how, littleEndian: false })], [0x030201, 0x060504]);
});

test('reversing bits twice restores them', () => {
  const bytes = new Uint8Array(256).map((_, i) => i);
  assert.deepEqual([...reverseBits(Uint8Array.of(1, 128, 0b1101_0000))], [128, 1, 0b0000_1011]);
  assert.deepEqual(reverseBits(reverseBits(bytes)), bytes);
});

test('every 16-bit float has its standard value', () => {
  const all = new Uint16Array(65_536).map((_, i) => i);
  const wide = widenHalves(all);
  for (const half of all) {
    const sign = half < 32_768 ? 1 : -1;
    const exponent = (half >> 10) & 31;
    const fraction = (half & 1023) / 1024;
    const special = fraction === 0 ? sign * Infinity : Number.NaN;
    const value = exponent === 0 ? sign * fraction * 2 ** -14 : sign * (1 + fraction) * 2 ** (exponent - 15);
    assert.ok(Object.is(wide[half], exponent === 31 ? special : value), String(half));
  }
});
