import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { casesOf } from '../../../testing/test-size.ts';
import { deflateSteadily } from './deflate.ts';
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
  return Uint16Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * amplitude);
  });
}

test('bytes come back from zlib and from our own inflate', () => {
  check(Uint8Array.of(7));
  check(new Uint8Array(300_000));
  check(new Uint8Array(65_536).fill(255));
  // nothing before the stream may be repeated, also when what lay in the memory there looks alike
  for (let first = 0; first < 256; first += 51) check(new Uint8Array(1_000).fill(first));
  const runOverBlocks = new Uint8Array(200_000);
  runOverBlocks.set([1, 2, 3], 100_000);
  check(runOverBlocks);
});

test('what cannot be compressed is stored, and larger by its headers alone', () => {
  const noise = new Uint8Array(toNoise(150_000, 65_536).buffer);
  const stored = check(noise);
  assert.ok(stored.length > noise.length && stored.length < noise.length + 64, String(stored.length));
});

test('any bytes come back', () => {
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

test('the stream of known bytes is known, on every machine', () => {
  const stored = check(new Uint8Array(toNoise(65_536, 300).buffer));
  assert.equal(
    createHash('sha256').update(stored).digest('hex'),
    '55d63d5b50b89e784c86773877df071c652b4aaaabbd95c9f3303bc6edcc94ea',
  );
});
