import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ByteSource, FilePart } from './byte-source.ts';
import { readHeader } from './byte-source.ts';
import { makeKnownBytes, packHeader, parseHeader } from './header-store.ts';

const RECORD = {
  state: '{"size":9007199254740000,"etag":"\\"ü\\""}',
  parts: [
    { offset: 0, bytes: Uint8Array.of(1, 2, 3) },
    { offset: 2 ** 52, bytes: Uint8Array.of(4) },
  ],
};

test('a record is read as it was written, also with offsets beyond 32 bits', () => {
  const packed = packHeader(RECORD);
  assert.ok(packed !== null);
  assert.deepEqual(parseHeader(Uint8Array.from(packed)), RECORD);
  const empty = packHeader({ state: '', parts: [] });
  assert.ok(empty !== null);
  assert.deepEqual(parseHeader(Uint8Array.from(empty)), { state: '', parts: [] });
});

test('a record that is too large is not stored; truncated, longer and random bytes are not a record', () => {
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

const FILE = new Uint8Array(100_000).map((_, i) => (i * 7) % 251);
const part = (offset: number, length: number): FilePart => ({
  offset,
  bytes: FILE.slice(offset, offset + length),
});

test('parts that touch or overlap are joined, and bytes are found only within one part', () => {
  const known = makeKnownBytes([part(50, 10), part(0, 20), part(15, 10), part(25, 5), part(70, 0)]);
  assert.deepEqual(
    known.parts.map(({ offset, bytes }) => [offset, bytes.length]),
    [
      [0, 30],
      [50, 10],
    ],
  );
  assert.equal(known.byteLength, 40);
  assert.deepEqual(known.find(10, 20), FILE.slice(10, 30));
  assert.deepEqual(known.find(52, 8), FILE.slice(52, 60));
  for (const [offset, length] of [
    [10, 21],
    [30, 1],
    [49, 2],
    [55, 6],
    [-1, 2],
  ] as const) {
    assert.equal(known.find(offset, length), null, `${length} from ${offset}`);
  }
  assert.equal(makeKnownBytes([]).find(0, 1), null);
});

/** A source that counts its reads. */
function makeSource(more: Partial<ByteSource> = {}) {
  const reads: (readonly [number, number])[] = [];
  const source: ByteSource = {
    id: 'a file',
    version: 'one',
    size: FILE.length,
    async read(offset, length) {
      reads.push([offset, length]);
      return FILE.slice(offset, offset + length);
    },
    close: async () => {},
    ...more,
  };
  return { source, reads };
}

const openAny = async (headed: ByteSource): Promise<string> => {
  assert.deepEqual(await headed.read(4, 8), FILE.slice(4, 12));
  assert.deepEqual(await headed.read(90_000, 10), FILE.slice(90_000, 90_010));
  return 'opened';
};

test('the start of a file is read in one piece, and the other bytes its reader needs are stored with it', async () => {
  const stored: FilePart[] = [];
  const { source, reads } = makeSource({ storeHeader: (parts) => stored.push(...parts) });
  assert.equal(await readHeader(source, openAny), 'opened');
  assert.deepEqual(reads, [
    [0, 65_536],
    [90_000, 10],
  ]);
  assert.deepEqual(stored, [part(90_000, 10)]);
});

test('no header is stored for a file that is not an image', async () => {
  const broken = makeSource({ storeHeader: () => assert.fail() });
  await assert.rejects(readHeader(broken.source, () => Promise.reject(new Error('not an image'))));
});
