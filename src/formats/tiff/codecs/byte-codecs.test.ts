import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';
import { getHeapStatistics } from 'node:v8';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { runTimed } from '../../../testing/run-timed.ts';
import { casesOf } from '../../../testing/test-size.ts';
import { whenHolds } from '../../../testing/wait-for.ts';
import { decodeLzw, decodePackBits, deflateSteadily } from './byte-codecs.ts';
import { inflateBytes } from './inflate.ts';

const check = (bytes: Uint8Array): Uint8Array => {
  const stored = deflateSteadily(bytes);
  assert.deepEqual(new Uint8Array(inflateSync(stored)), bytes);
  assert.deepEqual(inflateBytes(stored, bytes.length), bytes);
  return stored;
};

/** Numerical Recipes' generator: the same noise everywhere. */
function toNoise(count: number, amplitude: number): Uint16Array {
  let state = 1;
  return new Uint16Array(count).map(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * amplitude);
  });
}

test('zlib and our own inflate restore the bytes', () => {
  check(Uint8Array.of(7));
  check(new Uint8Array(300_000));
  check(new Uint8Array(65_536).fill(255));
  // nothing before the stream may be repeated, also when what lay in the memory there looks alike
  for (let first = 0; first < 256; first += 51) check(new Uint8Array(1_000).fill(first));
  const runOverBlocks = new Uint8Array(200_000);
  runOverBlocks.set([1, 2, 3], 100_000);
  check(runOverBlocks);
});

test('incompressible bytes are stored, and grow only by their headers', () => {
  const noise = new Uint8Array(toNoise(150_000, 65_536).buffer);
  const stored = check(noise);
  assert.ok(stored.length > noise.length && stored.length < noise.length + 64, String(stored.length));
});

test('any bytes are restored', () => {
  const runs = fc.array(fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 600 })), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(runs, (parts) => {
      check(Uint8Array.from(parts.flatMap(([value, count]) => new Array<number>(count).fill(value))));
    }),
    { numRuns: casesOf(60) },
  );
});

test('known bytes give a known stream on every machine', () => {
  const stored = check(new Uint8Array(toNoise(65_536, 300).buffer));
  assert.equal(
    createHash('sha256').update(stored).digest('hex'),
    '55d63d5b50b89e784c86773877df071c652b4aaaabbd95c9f3303bc6edcc94ea',
  );
});

/** A plain encoder: as TIFF 6.0 describes it, or as it was before, lowest bit first and one code later. */
function encodeLzw(bytes: Uint8Array, old = false, clears = true): Uint8Array {
  const out: number[] = [];
  let table = new Map<string, number>();
  let next = 258;
  let width = 9;
  let bits = 0n;
  let bitCount = 0;
  const put = (code: number) => {
    bits = old ? bits | (BigInt(code) << BigInt(bitCount)) : (bits << BigInt(width)) | BigInt(code);
    bitCount += width;
    for (; bitCount >= 8; bitCount -= 8) {
      out.push(Number((old ? bits : bits >> BigInt(bitCount - 8)) & 255n));
      bits = old ? bits >> 8n : bits & ((1n << BigInt(bitCount - 8)) - 1n);
    }
  };
  const codeOf = (word: string) => (word.length === 1 ? word.charCodeAt(0) : table.get(word)!);
  put(256);
  let word = '';
  for (const byte of bytes) {
    const longer = word + String.fromCharCode(byte);
    if (longer.length === 1 || table.has(longer)) {
      word = longer;
      continue;
    }
    put(codeOf(word));
    if (next < 4096) table.set(longer, next++);
    if (next + (old ? 0 : 1) > 1 << width && width < 12) width++;
    if (next === 4094 && clears) {
      put(256);
      table = new Map();
      next = 258;
      width = 9;
    }
    word = String.fromCharCode(byte);
  }
  if (word !== '') {
    put(codeOf(word));
    next++;
    if (next + (old ? 0 : 1) > 1 << width && width < 12) width++;
  }
  put(257);
  if (bitCount > 0) out.push(Number(old ? bits : bits << BigInt(8 - bitCount)) & 255);
  return Uint8Array.from(out);
}

const samples = fc.oneof(
  fc.uint8Array({ maxLength: 600 }),
  // few letters make long strings and codes that are used while they are made
  fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 3000 }).map((letters) => Uint8Array.from(letters)),
);

for (const old of [false, true]) {
  test(`output of ${old ? 'the old' : 'a plain'} encoder decodes unchanged`, () => {
    fc.assert(
      fc.property(samples, (bytes) => {
        fc.pre(bytes.length > 0);
        assert.deepEqual(decodeLzw(encodeLzw(bytes, old), bytes.length), bytes);
      }),
      { numRuns: casesOf(60) },
    );
  });

  for (const clears of [true, false]) {
    test(`a full table is ${clears ? 'cleared' : 'used as it is'}, ${old ? 'old' : 'new'} style`, () => {
      const noise = new Uint8Array(40_000).map((_, i) => (Math.imul(i, 2_654_435_761) >>> 24) ^ (i >> 7));
      assert.deepEqual(decodeLzw(encodeLzw(noise, old, clears), noise.length), noise);
    });
  }
}

test('the example in section 13 of TIFF 6.0 is decoded', () => {
  // 7 7 7 8 8 7 7 6 6 becomes clear 7 258 8 8 258 6 6 end
  const codes = [256, 7, 258, 8, 8, 258, 6, 6, 257].map((code) => code.toString(2).padStart(9, '0')).join('');
  const stored = Uint8Array.from(codes.match(/.{1,8}/g)!, (part) => Number.parseInt(part.padEnd(8, '0'), 2));
  assert.deepEqual([...decodeLzw(stored, 9)], [7, 7, 7, 8, 8, 7, 7, 6, 6]);
});

test('runs of any period, whose strings are used while they are built, are copied completely', () => {
  for (let period = 1; period <= 40; period++) {
    const run = new Uint8Array(3000).map((_, i) => 200 - (i % period));
    assert.deepEqual(decodeLzw(encodeLzw(run), run.length), run, `period ${period}`);
  }
});

test('the result has its own buffer, which the next block does not change', () => {
  const first = decodeLzw(encodeLzw(Uint8Array.of(1, 2, 3)), 3);
  assert.equal(first.buffer.byteLength, 3);
  decodeLzw(encodeLzw(Uint8Array.of(7, 8, 9)), 3);
  assert.deepEqual([...first], [1, 2, 3]);
});

test('memory of large blocks is released', async () => {
  const session = new Session();
  session.connect();
  const countHeldBytes = async () => {
    await session.post('HeapProfiler.collectGarbage');
    return getHeapStatistics().external_memory;
  };
  const stored = encodeLzw(Uint8Array.of(1, 2, 3));
  const held = await countHeldBytes();
  for (let i = 0; i < 3; i++) assert.equal(decodeLzw(stored, 60 * 1024 * 1024).length, 3);
  // Buffers are released by a thread of their own, some time after the collection that found them.
  await whenHolds(async () => {
    const grown = (await countHeldBytes()) - held;
    assert.ok(grown < 20 * 1024 * 1024, `${grown} bytes more than before`);
  });
  session.disconnect();
  assert.deepEqual([...decodeLzw(stored, 3)], [1, 2, 3]);
});

test('a bomb stops at the size of the block', async () => {
  const bomb = encodeLzw(new Uint8Array(200_000));
  const { result, tookMs } = await runTimed(() => decodeLzw(bomb, 1000), 20);
  assert.equal(result.length, 1000);
  assert.ok(tookMs < 20, `took ${tookMs} ms`);
});

test('invalid codes are refused, and a truncated stream is short', () => {
  // clear, then 300, which was never defined
  assert.throws(() => decodeLzw(Uint8Array.of(0x80, 0x4b, 0), 10));
  // a first code after a clear that would repeat nothing
  assert.throws(() => decodeLzw(Uint8Array.of(0x80, 0x40, 0x80), 10));
  const stored = encodeLzw(new Uint8Array(100).map((_, i) => i));
  for (let end = 0; end < stored.length - 3; end++) {
    assert.ok(decodeLzw(stored.subarray(0, end), 100).length < 100, `cut at ${end}`);
  }
});

test('random bytes give at most the size of the block, or an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        assert.ok(decodeLzw(bytes, 500).length <= 500);
      } catch (error) {
        assert.match(String(error), /LZW code/);
      }
    }),
  );
});

test('the example of the standard is decoded: literals, runs and a byte without meaning', () => {
  const stored = [
    0xfe, 0xaa, 0x02, 0x80, 0x00, 0x2a, 0x80, 0xfd, 0xaa, 0x03, 0x80, 0x00, 0x2a, 0x22, 0xf7, 0xaa,
  ];
  const expected = [
    ...Array(3).fill(0xaa),
    0x80,
    0,
    0x2a,
    ...Array(4).fill(0xaa),
    0x80,
    0,
    0x2a,
    0x22,
    ...Array(10).fill(0xaa),
  ];
  assert.deepEqual([...decodePackBits(Uint8Array.from(stored), 24)], expected);
});

test('runs stop at the size of the block', () => {
  assert.deepEqual([...decodePackBits(Uint8Array.of(0x81, 7, 0x81, 7), 5)], [7, 7, 7, 7, 7]);
});

test('a truncated stream is refused or short', () => {
  assert.throws(() => decodePackBits(Uint8Array.of(5, 1, 2), 6));
  assert.throws(() => decodePackBits(Uint8Array.of(0xfe), 6));
  assert.equal(decodePackBits(Uint8Array.of(0xfe, 1), 6).length, 3);
});
