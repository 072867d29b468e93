import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants, deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { isSwathError } from '../../../errors.ts';
import { runTimed } from '../../../testing/run-timed.ts';
import { casesOf } from '../../../testing/test-size.ts';
import { decodeFloating, decodeHorizontalBytes } from '../samples/predictor.ts';
import { swapSamples } from '../samples/sample-format.ts';
import { makeNoise } from '../testing/make-noise.ts';
import type { InflatedRows, InflateRows } from './inflate.ts';
import { inflateBytes, inflateRows, toFirstByte } from './inflate.ts';

/** What zlib says: its bytes, or null when it refuses. */
function askZlib(stored: Uint8Array, expectedBytes: number): Uint8Array | null {
  try {
    const options = { maxOutputLength: expectedBytes, chunkSize: Math.max(64, expectedBytes + 1) };
    return new Uint8Array(inflateSync(stored, options));
  } catch {
    return null;
  }
}

function assertAsZlib(stored: Uint8Array, expectedBytes: number, what: string): void {
  const expected = askZlib(stored, expectedBytes);
  if (expected === null) {
    assert.throws(() => inflateBytes(stored, expectedBytes), /^Error: The zlib stream is damaged/, what);
  } else {
    assert.deepEqual(inflateBytes(stored, expectedBytes), expected, what);
  }
}

const LENGTH = 70_000;
const fill = (toByte: (i: number) => number) => new Uint8Array(LENGTH).map((_, i) => toByte(i));
const noise = makeNoise(LENGTH);
/** A few lows of 16-bit differences next to highs of 0 and 255: what predictor 2 leaves of a scene. */
const differences = fill((i) => (i % 2 === 0 ? noise[i]! & 31 : noise[i]! < 128 ? 0 : 255));
const kinds: Readonly<Record<string, Uint8Array>> = {
  noise,
  differences,
  zeros: new Uint8Array(LENGTH),
  'one byte': Uint8Array.of(7),
  nothing: new Uint8Array(0),
  'a slope': fill((i) => i >> 8),
  'rare bytes, whose codes are long': fill(
    (i) => Math.clz32(noise[i]! * 256 + noise[(i * 7) % LENGTH]!) ** 2,
  ),
  'far repeats': fill((i) => noise[i % 32_768]!),
};

for (const [kind, bytes] of Object.entries(kinds)) {
  test(`output of zlib decodes unchanged: ${kind}, all levels and strategies`, () => {
    for (let level = 0; level <= 9; level++) {
      assert.deepEqual(inflateBytes(deflateSync(bytes, { level }), bytes.length), bytes, `level ${level}`);
    }
    for (const name of ['Z_FIXED', 'Z_HUFFMAN_ONLY', 'Z_RLE', 'Z_FILTERED'] as const) {
      const stored = deflateSync(bytes, { strategy: constants[name] });
      assert.deepEqual(inflateBytes(stored, bytes.length), bytes, name);
    }
    for (const memLevel of [1, 9]) {
      assert.deepEqual(inflateBytes(deflateSync(bytes, { memLevel }), bytes.length), bytes, `${memLevel}`);
    }
  });
}

test('runs of any short period are repeated correctly, whatever their length', () => {
  for (let period = 1; period <= 40; period++) {
    for (const length of [period + 3, 2 * period + 17, 300, 1000]) {
      const run = new Uint8Array(length).map((_, i) => 200 - (i % period));
      assert.deepEqual(inflateBytes(deflateSync(run), length), run, `period ${period}, length ${length}`);
    }
  }
});

const text = new TextEncoder().encode('a block of pixels, a block of pixels');
const strategies = [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY];

test('a stream truncated at any byte is refused, as by zlib', () => {
  const bytes = differences.subarray(0, 700);
  for (const strategy of strategies) {
    for (const level of [0, 6]) {
      const stored = deflateSync(bytes, { strategy, level });
      for (let end = 0; end < stored.length; end++) {
        assert.throws(() => inflateBytes(stored.subarray(0, end), bytes.length), `cut at ${end}`);
      }
      assert.deepEqual(inflateBytes(Buffer.concat([stored, Buffer.alloc(9, 77)]), bytes.length), bytes);
    }
  }
});

test('any flipped bit gets the same verdict as from zlib', () => {
  const bytes = differences.subarray(0, 400);
  for (const strategy of strategies) {
    const stored = new Uint8Array(deflateSync(bytes, { strategy }));
    for (let bit = 0; bit < stored.length * 8; bit++) {
      const damaged = stored.slice();
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      assertAsZlib(damaged, bytes.length, `bit ${bit}`);
    }
  }
});

/** The same stream with the sum that its output has: so that what is wrong inside decides. */
function withRightSum(stored: Uint8Array): Uint8Array {
  const raw = (() => {
    try {
      // zlib's own decoder of the raw stream says what comes out, if anything does
      return inflateSync(Buffer.concat([stored.subarray(0, -4)]), { finishFlush: constants.Z_SYNC_FLUSH });
    } catch {
      return null;
    }
  })();
  if (raw === null) return stored;
  let [a, b] = [1, 0];
  for (const byte of raw) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(b * 65_536 + a);
  return Buffer.concat([stored.subarray(0, -4), sum]);
}

test('wrong codes, lengths and distances with a right checksum get the same verdict as from zlib', () => {
  const cases = fc.record({
    bytes: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
      fc
        .array(fc.integer({ min: 0, max: 3 }), { minLength: 20, maxLength: 900 })
        .map((v) => Uint8Array.from(v)),
    ),
    strategy: fc.constantFrom(...strategies),
    flips: fc.array(fc.nat({ max: 4_000 }), { minLength: 1, maxLength: 3 }),
    room: fc.integer({ min: -5, max: 300 }),
  });
  fc.assert(
    fc.property(cases, ({ bytes, strategy, flips, room }) => {
      const damaged = new Uint8Array(deflateSync(bytes, { strategy }));
      for (const flip of flips) damaged[2 + ((flip >> 3) % (damaged.length - 2))]! ^= 1 << (flip & 7);
      assertAsZlib(withRightSum(damaged), Math.max(1, bytes.length + room), 'damaged');
    }),
    { numRuns: casesOf(1500) },
  );
});

test('damage in the middle of long streams gets the same verdict as from zlib', () => {
  for (const strategy of strategies) {
    const stored = new Uint8Array(deflateSync(differences.subarray(0, 20_000), { strategy }));
    for (let flip = 0; flip < 120; flip++) {
      const damaged = stored.slice();
      damaged[2 + ((flip * 7919) % (stored.length - 6))]! ^= 1 << (flip & 7);
      assertAsZlib(withRightSum(damaged), 20_000 + (flip % 3) * 500, `flip ${flip}`);
    }
  }
});

test('random bytes after a header get the same verdict as from zlib', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), fc.nat({ max: 600 }), (bytes, expectedBytes) => {
      assertAsZlib(withRightSum(Uint8Array.of(0x78, 0x9c, ...bytes, 0, 0, 0, 0)), expectedBytes, 'random');
    }),
    { numRuns: casesOf(3000) },
  );
});

test('every pair of header bytes gets the same verdict as from zlib', () => {
  const stored = new Uint8Array(deflateSync(Uint8Array.of(1, 2, 3)));
  for (let header = 0; header < 65_536; header++) {
    // all that the sum of the two allows, and some that it does not
    if (header % 31 !== 0 && header % 257 !== 0) continue;
    stored[0] = header >> 8;
    stored[1] = header & 255;
    assertAsZlib(stored, 3, `header ${header}`);
  }
});

test('a megabyte of empty blocks is skipped quickly', async () => {
  // not the last, fixed codes, end of block: 0100000000, four times in five bytes
  const empty = Buffer.alloc(1_000_000, Uint8Array.of(0x02, 0x08, 0x20, 0x80, 0x00));
  const stored = Buffer.concat([Uint8Array.of(0x78, 0x9c), empty, deflateSync(text).subarray(2)]);
  assert.deepEqual(askZlib(stored, text.length), text);
  const { result, tookMs } = await runTimed(() => inflateBytes(stored, text.length), 150);
  assert.deepEqual(result, text);
  assert.ok(tookMs < 150, `took ${tookMs} ms`);
});

test('fewer bytes than expected are returned, more are refused', () => {
  const stored = deflateSync(differences);
  assert.deepEqual(inflateBytes(stored, LENGTH + 1000), differences);
  for (const fewer of [LENGTH - 1, LENGTH - 300, 1, 0]) {
    assert.throws(() => inflateBytes(stored, fewer), /more than the block/);
  }
});

test('the result has its own buffer, which the next stream does not change', () => {
  const first = inflateBytes(deflateSync(Uint8Array.of(1, 2, 3)), 3);
  assert.equal(first.buffer.byteLength, 3);
  inflateBytes(deflateSync(Uint8Array.of(7, 8, 9)), 3);
  assert.deepEqual([...first], [1, 2, 3]);
});

interface Case {
  readonly width: number;
  readonly rows: number;
  readonly bands: number;
  readonly bits: 8 | 16 | 32 | 64;
  readonly predictor: 1 | 2 | 3;
  readonly isSwapped: boolean;
  readonly level: number;
  readonly isSmooth: boolean;
}

/** A block as stored, and its pixels by way of the plain predictor in TypeScript. */
function makeBlock(one: Case) {
  const { width, rows, bands, bits, level } = one;
  const pixelBytes = (bands * bits) / 8;
  const rowBytes = width * pixelBytes;
  const raw = makeNoise(rowBytes * rows);
  // few different bytes make matches, many make literals
  if (one.isSmooth) for (let i = 0; i < raw.length; i++) raw[i]! &= i % 2 === 0 ? 7 : 1;
  const pixels = toPixels(raw.slice(), one);
  const stored = new Uint8Array(deflateSync(raw, { level }));
  const { predictor, isSwapped } = one;
  const how = { rowBytes, rows, sampleBytes: bits / 8, pixelBytes, predictor, isSwapped };
  return { stored, pixels, how };
}

function toPixels(bytes: Uint8Array, { bits, width, bands, predictor, isSwapped }: Case): Uint8Array {
  if (predictor === 3) return decodeFloating(bytes, width * bands, bands, bits / 8);
  if (isSwapped) swapSamples(bytes, bits / 8);
  if (predictor === 2) decodeHorizontalBytes(bytes, bits, width * bands, bands);
  return bytes;
}

/** Reads on to the wanted row, with only those stored bytes that it needs. */
function readOn(block: ReturnType<typeof makeBlock>, wanted: number, from: InflatedRows | null) {
  const firstByte = toFirstByte(from?.state ?? null);
  const job: InflateRows = {
    ...block.how,
    stored: block.stored.subarray(firstByte),
    firstByte,
    wanted,
    from,
  };
  return inflateRows(job);
}

const sizes = {
  width: fc.integer({ min: 1, max: 70 }),
  rows: fc.integer({ min: 1, max: 60 }),
  level: fc.constantFrom(0, 1, 6),
  isSmooth: fc.boolean(),
  isSwapped: fc.boolean(),
};

const cases: fc.Arbitrary<Case> = fc.oneof(
  fc.record({
    ...sizes,
    bands: fc.integer({ min: 1, max: 9 }),
    bits: fc.constantFrom(8, 16, 32, 64),
    predictor: fc.constantFrom(1, 2),
  }),
  // more than 16 bands are summed in another way; floats of 16 bits come whole
  fc.record({
    ...sizes,
    bands: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 16, max: 18 })),
    bits: fc.constantFrom(32, 64),
    predictor: fc.constant(3),
  }),
);

test('whole blocks of any size match the plain predictor', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const block = makeBlock(one);
      const { bytes, rowsReady, state } = readOn(block, one.rows, null);
      assert.deepEqual(bytes, block.pixels);
      assert.deepEqual([rowsReady, state], [one.rows, null]);
    }),
    { numRuns: casesOf(300) },
  );
});

test('rows read in several steps are the same, in the same memory, and returned rows are never written again', () => {
  fc.assert(
    fc.property(cases, fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }), (one, stops) => {
      const block = makeBlock(one);
      const { rowBytes } = block.how;
      let part: InflatedRows | null = null;
      for (const stop of [...stops.sort((a, b) => a - b), one.rows]) {
        const done: number = part?.rowsReady ?? 0;
        if (stop <= done || stop > one.rows) continue;
        // whatever stood in rows that were given out stays: even what is not theirs
        const before: Uint8Array = part?.bytes.slice(0, done * rowBytes) ?? new Uint8Array(0);
        const next = readOn(block, stop, part);
        if (part !== null) assert.equal(next.bytes, part.bytes);
        assert.deepEqual(next.bytes.subarray(0, before.length), before);
        assert.deepEqual(
          next.bytes.subarray(0, stop * rowBytes),
          block.pixels.subarray(0, stop * rowBytes),
          `to row ${stop}`,
        );
        assert.equal(next.rowsReady, stop);
        part = next;
      }
      assert.equal(part?.state, null);
    }),
    { numRuns: casesOf(400) },
  );
});

const scene: Case = {
  width: 256,
  rows: 256,
  bands: 1,
  bits: 16,
  level: 6,
  predictor: 2,
  isSwapped: false,
  isSmooth: true,
};

const heights: Case = { ...scene, bits: 32, predictor: 3 };

for (const [name, one] of Object.entries({ scene, heights })) {
  test(`a block larger than the window continues from every row, also in shared memory: ${name}`, () => {
    const block = makeBlock(one);
    const bytes = new Uint8Array(new SharedArrayBuffer(block.pixels.length));
    let part: InflatedRows = { bytes, rowsReady: 0, state: null };
    for (let row = 1; row <= one.rows; row++) part = readOn(block, row, part);
    assert.equal(part.bytes, bytes);
    assert.deepEqual(Uint8Array.from(bytes), block.pixels);
  });
}

test('continuing needs only the stored bytes from the current deflate block on', () => {
  const block = makeBlock({ ...scene, rows: 512 });
  const part = readOn(block, 400, null);
  assert.ok(toFirstByte(part.state) > block.stored.length / 2);
});

test('a wrong checksum is noticed when the last row is read, at once or in parts', () => {
  const block = makeBlock(scene);
  block.stored[block.stored.length - 1]! ^= 1;
  assert.throws(() => readOn(block, scene.rows, null), /its sum is wrong/);
  const part = readOn(block, 100, null);
  assert.throws(() => readOn(block, scene.rows, part), /its sum is wrong/);
});

test('damage after the wanted rows does not affect them, and damage before does', () => {
  const block = makeBlock(scene);
  const half = { ...block, stored: block.stored.subarray(0, block.stored.length / 2) };
  assert.deepEqual(readOn(half, 100, null).bytes.subarray(0, 51_200), block.pixels.subarray(0, 51_200));
  assert.throws(() => readOn(half, 200, null), /it is cut off/);
});

test('a stream that ends before the block is full is refused, wherever reading stops', () => {
  const block = makeBlock({ ...scene, rows: 20 });
  const longer = { ...block, how: { ...block.how, rows: 30 } };
  const isSize = (error: unknown) => isSwathError(error) && error.code === 'tiff-block-size';
  assert.throws(() => readOn(longer, 30, null), isSize);
  assert.throws(() => readOn(longer, 25, null), isSize);
  assert.throws(() => readOn(longer, 30, readOn(longer, 20, null)), isSize);
});

test('a state of another block is refused', () => {
  const block = makeBlock(scene);
  const part = readOn(block, 100, null);
  assert.ok(part.state);
  const { state } = part;
  for (const wrong of [
    { ...part, state: null },
    { ...part, rowsReady: 0 },
    { ...part, state: { ...state, outBytes: 0 } },
    { ...part, state: { ...state, outBytes: state.outBytes + 600 } },
    { ...part, state: { ...state, bit: block.stored.length * 8 + 1 } },
    { ...part, state: { ...state, bit: state.headerBit - 1 } },
  ]) {
    const stored = block.stored.subarray(toFirstByte(wrong.state));
    const job = { ...block.how, stored, firstByte: toFirstByte(wrong.state), wanted: 200, from: wrong };
    assert.throws(
      () => inflateRows(job),
      (error) => isSwathError(error) && error.code === 'bad-block-state',
    );
  }
});
