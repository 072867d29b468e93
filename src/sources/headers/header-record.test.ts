import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packHeader, parseHeader } from './header-record.ts';

const RECORD = {
  state: '{"size":9007199254740000,"etag":"\\"ü\\""}',
  parts: [
    { offset: 0, bytes: Uint8Array.of(1, 2, 3) },
    { offset: 2 ** 52, bytes: Uint8Array.of(4) },
  ],
};

test('a record is read as it was written, offsets beyond 32 bits included', () => {
  const packed = packHeader(RECORD);
  assert.ok(packed !== null);
  assert.deepEqual(parseHeader(Uint8Array.from(packed)), RECORD);
  const empty = packHeader({ state: '', parts: [] });
  assert.ok(empty !== null);
  assert.deepEqual(parseHeader(Uint8Array.from(empty)), { state: '', parts: [] });
});

test('one that is too large is not stored; what is cut off, longer or senseless is none', () => {
  const large = { offset: 0, bytes: new Uint8Array(4 * 2 ** 20) };
  assert.equal(packHeader({ state: '', parts: [large] }), null);
  const packed = packHeader(RECORD);
  assert.ok(packed !== null);
  for (let length = 0; length < packed.length; length += 1) {
    assert.equal(parseHeader(Uint8Array.from(packed.subarray(0, length))), null, `${length} bytes`);
  }
  assert.equal(parseHeader(Uint8Array.of(...packed, 0)), null);
  assert.equal(parseHeader(new Uint8Array(100).fill(255)), null);
});
