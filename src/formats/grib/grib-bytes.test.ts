import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  getIbmFloat,
  getSigned8,
  getSigned16,
  getSigned24,
  getSigned32,
  SPARE_BYTES,
  toView,
  unpackNumbers,
  unpackValues,
} from './grib-bytes.ts';
import { BitWriter } from './testing/encode-numbers.ts';

const spare = (bytes: Uint8Array): Uint8Array => Buffer.concat([bytes, new Uint8Array(SPARE_BYTES)]);

test('numbers of every width are extracted, at the start and after other bits', () => {
  for (let bits = 1; bits <= 32; bits++) {
    const numbers = Array.from({ length: 37 }, (_, i) => Math.floor((2 ** bits - 1) * ((i * 0.37) % 1)));
    numbers[5] = 2 ** bits - 1;
    const writer = new BitWriter();
    for (const number of numbers) writer.put(number, bits);
    const values = unpackValues(spare(writer.toBytes()), bits, 37, { reference: 0, binary: 1, decimal: 1 });
    assert.deepEqual([...values], numbers.map(Math.fround), `${bits}`);
    for (const before of [1, 3, 7]) {
      const shifted = new BitWriter().put(0, before);
      for (const number of numbers) shifted.put(number, bits);
      assert.deepEqual(
        [...unpackNumbers(spare(shifted.toBytes()), before, bits, 37)],
        numbers,
        `${bits}, ${before}`,
      );
    }
  }
});

test('a value is the reference plus the scaled number, divided by the power of ten', () => {
  // 0x5 and 0xa of four bits: (10 + 5 · 0.5) / 100 and (10 + 10 · 0.5) / 100.
  const scaling = { reference: 10, binary: 0.5, decimal: 0.01 };
  assert.deepEqual(
    [...unpackValues(spare(Uint8Array.of(0x5a)), 4, 2, scaling)],
    [0.125, 0.15].map(Math.fround),
  );
  assert.deepEqual([...unpackValues(spare(new Uint8Array()), 0, 2, scaling)], [0.1, 0.1].map(Math.fround));
  assert.throws(() => unpackValues(spare(Uint8Array.of(0x5a)), 4, 3, scaling), { code: 'grib-damaged' });
});

test('signs are leading bits, and floats of edition 1 are powers of 16', () => {
  const view = toView(Uint8Array.of(0x80, 0x00, 0x00, 0x05, 0x7f));
  assert.deepEqual([getSigned8(view, 0), getSigned8(view, 4)], [0, 127]);
  assert.deepEqual([getSigned16(view, 0), getSigned24(view, 1), getSigned32(view, 0)], [0, 5, -5]);
  // 118.625 is 0x76.A0 = 0.76A0 · 16².
  assert.equal(getIbmFloat(toView(Uint8Array.of(0x42, 0x76, 0xa0, 0x00)), 0), 118.625);
  assert.equal(getIbmFloat(toView(Uint8Array.of(0xc2, 0x76, 0xa0, 0x00)), 0), -118.625);
  assert.equal(getIbmFloat(toView(Uint8Array.of(0x40, 0x80, 0, 0)), 0), 0.5);
  assert.equal(getIbmFloat(toView(new Uint8Array(4)), 0), 0);
});
