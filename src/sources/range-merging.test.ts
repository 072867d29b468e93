import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sourceBroken } from '../errors.ts';
import { casesOf } from '../testing/test-size.ts';
import type { ByteSource } from './byte-source.ts';
import { planMergedReads, withRangeMerging, withSharedReads } from './range-merging.ts';

const BYTES = new Uint8Array(1000).map((_, i) => i % 251);

/** A source that the test answers by hand, and the reads it received. */
function makeSlowSource() {
  const reads: [number, number][] = [];
  const signals: AbortSignal[] = [];
  let fail = false;
  let ready: () => void = () => {};
  let gate = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const source: ByteSource = {
    id: 'slow',
    version: '1',
    size: BYTES.length,
    async read(offset, length, signal) {
      reads.push([offset, length]);
      if (signal) signals.push(signal);
      await gate;
      if (fail) throw sourceBroken('source-failing', 'It fails.');
      return BYTES.slice(offset, offset + length);
    },
    async close() {},
  };
  return {
    source,
    reads,
    signals,
    answer: (failing = false) => {
      fail = failing;
      ready();
      gate = Promise.resolve();
    },
  };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('reads issued together are merged, and each gets its own bytes', async () => {
  const { source, reads, answer } = makeSlowSource();
  const merged = withRangeMerging(source, { gapBytes: 10 });
  answer();
  const got = await Promise.all([
    merged.read(100, 10),
    Promise.resolve().then(() => merged.read(115, 5)),
    (async () => {
      await null;
      await null;
      return merged.read(500, 20);
    })(),
    merged.read(105, 3),
    merged.read(0, 0),
  ]);
  assert.deepEqual(reads, [
    [0, 0],
    [100, 20],
    [500, 20],
  ]);
  assert.deepEqual(
    got.map((bytes) => [bytes[0], bytes.length]),
    [
      [100, 10],
      [115, 5],
      [249, 20],
      [105, 3],
      [undefined, 0],
    ],
  );
});

test('the limits for the gap and the size of a group are exact', () => {
  const plan = (ranges: readonly (readonly [number, number])[], gapBytes: number, maxBytes: number) =>
    planMergedReads(
      ranges.map(([offset, length]) => ({ offset, length })),
      { gapBytes, maxBytes },
    ).map((group) => group.length);
  assert.deepEqual(
    plan(
      [
        [0, 10],
        [20, 10],
      ],
      10,
      1000,
    ),
    [2],
  );
  assert.deepEqual(
    plan(
      [
        [0, 10],
        [21, 10],
      ],
      10,
      1000,
    ),
    [1, 1],
  );
  assert.deepEqual(
    plan(
      [
        [0, 10],
        [10, 10],
      ],
      0,
      20,
    ),
    [2],
  );
  assert.deepEqual(
    plan(
      [
        [0, 10],
        [10, 11],
      ],
      0,
      20,
    ),
    [1, 1],
  );
  assert.deepEqual(
    plan(
      [
        [0, 500],
        [100, 10],
        [500, 1],
      ],
      0,
      20,
    ),
    [2, 1],
    'a range inside a large one adds no bytes',
  );
});

test('property: reads in any order return the right bytes', async () => {
  const range = fc
    .tuple(fc.nat(BYTES.length), fc.nat(BYTES.length))
    .map(([a, b]) => [Math.min(a, b), Math.abs(a - b)] as const);
  await fc.assert(
    fc.asyncProperty(
      fc.array(range, { maxLength: 12 }),
      fc.nat(100),
      fc.nat(300),
      async (ranges, gap, max) => {
        const { source, reads, answer } = makeSlowSource();
        answer();
        const merged = withRangeMerging(source, { gapBytes: gap, maxBytes: max });
        const got = await Promise.all(ranges.map(([offset, length]) => merged.read(offset, length)));
        got.forEach((bytes, i) => {
          const [offset, length] = ranges[i] as readonly [number, number];
          assert.deepEqual(bytes, BYTES.slice(offset, offset + length));
        });
        assert.ok(reads.length <= ranges.length);
      },
    ),
    { numRuns: casesOf(200) },
  );
});

test('a range past the end fails alone', async () => {
  const { source, answer } = makeSlowSource();
  answer();
  const merged = withRangeMerging(source);
  const [good, bad] = await Promise.allSettled([merged.read(990, 10), merged.read(991, 10)]);
  assert.equal(good.status, 'fulfilled');
  assert.equal((bad as PromiseRejectedResult).reason.code, 'source-short');
});

for (const [name, wrap] of [
  ['merged', (source: ByteSource) => withRangeMerging(source)],
  ['shared', withSharedReads],
] as const) {
  test(`${name}: a caller that disconnects does not end the read for the others`, async () => {
    const { source, reads, signals, answer } = makeSlowSource();
    const wrapped = wrap(source);
    const [leaver, stayer] = [new AbortController(), new AbortController()];
    const left = wrapped.read(10, 10, leaver.signal);
    const stayed = wrapped.read(10, 10, stayer.signal);
    await settle();
    leaver.abort();
    await assert.rejects(left, { tag: 'cancelled' });
    assert.equal(signals[0]?.aborted, false);
    answer();
    assert.equal((await stayed)[0], 10);
    assert.equal(reads.length, 1);
  });

  test(`${name}: the read is aborted when all callers have disconnected`, async () => {
    const { source, signals } = makeSlowSource();
    const wrapped = wrap(source);
    const leavers = [new AbortController(), new AbortController()];
    const left = leavers.map(({ signal }) => wrapped.read(10, 10, signal));
    await settle();
    for (const leaver of leavers) leaver.abort();
    for (const one of left) await assert.rejects(one, { tag: 'cancelled' });
    assert.equal(signals[0]?.aborted, true);
  });

  test(`${name}: a failure reaches all callers and is not cached`, async () => {
    const { source, reads, answer } = makeSlowSource();
    const wrapped = wrap(source);
    const both = [wrapped.read(10, 10), wrapped.read(10, 10)];
    await settle();
    answer(true);
    for (const one of both) await assert.rejects(one, { code: 'source-failing' });
    answer();
    assert.equal((await wrapped.read(10, 10))[0], 10);
    assert.equal(reads.length, 2);
  });
}

test('a caller after all others have disconnected starts a new read, and callers do not share memory', async () => {
  const { source, reads, answer } = makeSlowSource();
  const shared = withSharedReads(source);
  const leaver = new AbortController();
  const left = shared.read(10, 10, leaver.signal);
  leaver.abort();
  const fresh = [shared.read(10, 10), shared.read(10, 10)];
  await assert.rejects(left, { tag: 'cancelled' });
  answer();
  const [one, other] = await Promise.all(fresh);
  one?.fill(0);
  assert.equal(other?.[0], 10);
  assert.equal(reads.length, 2);
});

test('a read after the end of an equal one starts a new request: nothing is cached', async () => {
  const { source, reads, answer } = makeSlowSource();
  answer();
  const shared = withSharedReads(source);
  await shared.read(0, 4);
  await shared.read(0, 4);
  assert.equal(reads.length, 2);
});

test('all reads of a group use the bytes of one request, and one that throws does not affect the others', async () => {
  const { source, reads, answer } = makeSlowSource();
  const lent: ByteSource = {
    ...source,
    async withBytes({ offset, length }, use) {
      const bytes = await source.read(offset, length);
      const result = use(bytes);
      // The memory is reused.
      bytes.fill(0);
      return result;
    },
  };
  const merged = withRangeMerging(lent, { gapBytes: 10 });
  answer();
  const first = merged.withBytes!({ offset: 100, length: 10 }, (bytes) => bytes[0]);
  const failing = merged.withBytes!({ offset: 110, length: 10 }, () => {
    throw new Error('not for me');
  });
  const copied = merged.read(115, 5);
  assert.equal(await first, BYTES[100]);
  await assert.rejects(failing, /not for me/);
  assert.deepEqual(await copied, BYTES.slice(115, 120));
  assert.deepEqual(reads, [[100, 20]]);
});
