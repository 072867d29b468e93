import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRandom } from '../stack/testing/put-scenes.ts';
import { makeTimeLeft } from './time-left.ts';

const KINDS = ['cover', 'measure', 'write'] as const;

/** Work as it is expected, and as it turns out. */
interface Part {
  readonly expectedMs: number;
  readonly tookMs: number;
}

interface Simulation {
  readonly parts: readonly Part[];
  readonly workers: number;
  readonly cover?: Part;
  readonly write?: Part;
  /** Parts that an earlier run has done. */
  readonly earlier?: number;
}

/** Windows of a part. */
const WINDOWS = 8;

/**
 * Runs work on a simulated clock: parts on several workers, window by window. Lists the shares at which there was an
 * estimate, and by how much the predicted end differs from the true one, as a share of the whole time.
 */
function simulate({ parts, workers, cover, write, earlier = 0 }: Simulation) {
  let nowMs = 5_000;
  const time = makeTimeLeft(KINDS, () => nowMs);
  if (cover !== undefined) time.plan('cover', cover.expectedMs);
  for (const { expectedMs } of parts) time.plan('measure', expectedMs);
  if (write !== undefined) time.plan('write', write.expectedMs);
  for (const { expectedMs } of parts.slice(0, earlier)) time.skip('measure', expectedMs);
  const estimates: { readonly share: number; readonly atMs: number; readonly leftMs: number }[] = [];
  const note = (): void => {
    const leftMs = time.leftMs();
    if (leftMs !== null) estimates.push({ share: time.share(), atMs: nowMs, leftMs });
  };
  if (cover !== undefined) {
    nowMs += cover.tookMs;
    time.add('cover', cover.expectedMs);
    note();
  }
  const startMs = nowMs;
  /** The part of each worker, the windows it has done, and when the next one ends. */
  const pending = parts.slice(earlier);
  const busy: { readonly part: Part; windows: number; nextMs: number }[] = [];
  const begin = (): void => {
    const part = pending.shift();
    if (part !== undefined) busy.push({ part, windows: 0, nextMs: nowMs + part.tookMs / WINDOWS });
  };
  for (let i = 0; i < workers; i += 1) begin();
  while (busy.length > 0) {
    const next = busy.reduce((one, other) => (other.nextMs < one.nextMs ? other : one));
    nowMs = next.nextMs;
    next.windows += 1;
    next.nextMs += next.part.tookMs / WINDOWS;
    time.add('measure', next.part.expectedMs / WINDOWS);
    note();
    if (next.windows < WINDOWS) continue;
    busy.splice(busy.indexOf(next), 1);
    begin();
  }
  for (let i = 0; write !== undefined && i < 10; i += 1) {
    nowMs += write.tookMs / 10;
    time.add('write', write.expectedMs / 10);
    note();
  }
  assert.ok(Math.abs(time.share() - 1) < 1e-9);
  const first = cover === undefined ? startMs : startMs - cover.tookMs;
  return estimates.map(({ share, atMs, leftMs }) => ({
    share,
    error: Math.abs(atMs + leftMs - nowMs) / (nowMs - first),
  }));
}

/** Checks that the end is predicted within 20 % as soon as a fifth of the work is done. */
function assertRight(name: string, estimates: ReturnType<typeof simulate>, fromShare = 0.2): void {
  assert.ok(
    estimates.some(({ share }) => share <= fromShare + 0.05),
    `${name}: there is an estimate in time`,
  );
  for (const { share, error } of estimates)
    if (share >= fromShare)
      assert.ok(error <= 0.2, `${name}: off by ${error.toFixed(2)} at ${share.toFixed(2)}`);
}

const times = (count: number, toPart: (i: number) => Part): readonly Part[] =>
  Array.from({ length: count }, (_, i) => toPart(i));

test('the end is predicted within 20 %: uneven parts, two workers, cold and warm first parts', () => {
  const random = makeRandom(7);
  /** Parts from 1 to 30 s, on a machine that is slower than expected, each as right as ±25 %. */
  const uneven = (slowness: (i: number) => number) =>
    times(40, (i) => {
      const expectedMs = 1_000 * (1 + 29 * random());
      return { expectedMs, tookMs: slowness(i) * expectedMs * (0.75 + 0.5 * random()) };
    });
  const cover = { expectedMs: 10_000, tookMs: 30_000 };
  const write = { expectedMs: 60_000, tookMs: 200_000 };
  for (const workers of [1, 2, 6]) {
    assertRight('even', simulate({ parts: uneven(() => 1), workers }));
    assertRight('slow machine', simulate({ parts: uneven(() => 3 * workers), workers, cover, write }));
    assertRight('cold first parts', simulate({ parts: uneven((i) => (i < 2 ? 5 : 1)), workers }));
    assertRight('warm first parts', simulate({ parts: uneven((i) => (i < 2 ? 0.1 : 1)), workers }));
  }
});

test('after a restart the share continues, and the end is predicted from the pace of the new run', () => {
  const parts = times(40, (i) => ({ expectedMs: 2_000, tookMs: i < 20 ? 2_000 : 9_000 }));
  const estimates = simulate({
    parts,
    workers: 2,
    earlier: 20,
    write: { expectedMs: 8_000, tookMs: 20_000 },
  });
  assert.ok((estimates[0]?.share ?? 0) > 0.45);
  assertRight('restart', estimates, 0.5);
});

test('parts that turn out to be empty do not make the others look fast', () => {
  let nowMs = 0;
  const time = makeTimeLeft(KINDS, () => nowMs);
  time.plan('measure', 20_000);
  for (let i = 0; i < 5; i += 1) {
    time.skip('measure', 1_000);
    nowMs += 2_000;
    time.add('measure', 1_000);
  }
  assert.equal(time.share(), 0.5);
  assert.equal(time.leftMs(), 20_000);
});

test('nothing is predicted from a hundredth of the work, nor from work of another kind alone', () => {
  let nowMs = 0;
  const time = makeTimeLeft(KINDS, () => nowMs);
  assert.equal(time.share(), 0);
  time.plan('cover', 1_000);
  time.plan('measure', 100_000);
  nowMs += 5_000;
  time.add('cover', 1_000);
  assert.equal(time.leftMs(), null);
  nowMs += 900;
  time.add('measure', 1_000);
  assert.equal(time.leftMs(), null);
  nowMs += 14_000;
  time.add('measure', 14_000);
  assert.equal(Math.round(time.leftMs() ?? 0), 85_000);
});
