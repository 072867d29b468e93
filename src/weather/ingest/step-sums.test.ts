import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileTotal } from './step-sums.ts';
import { toStepSums } from './step-sums.ts';
import type { SumTotals, TotalPeriod } from './sum-periods.ts';

const HOUR_MS = 3_600_000;
const SPANS_MS = [1, 3, 6, 12].map((hours) => hours * HOUR_MS);

/** Totals of other files, in memory. */
function makeMemory(): SumTotals {
  const stored = new Map<string, { readonly period: TotalPeriod; readonly total: Float32Array }>();
  const toKey = ({ startMs, endMs }: TotalPeriod): string => `${startMs} ${endMs}`;
  return {
    remember: (period, total) => void stored.set(toKey(period), { period, total }),
    findNear: async (endMs) =>
      [...stored.values()].map(({ period }) => period).filter((one) => one.endMs !== endMs),
    read: async (period) => stored.get(toKey(period))!.total,
  };
}

/** Rain of each hour; the total from one hour to another is exact. */
const rainAt = (hour: number): number => ((hour * 7) % 5) / 4;
const rainOf = (from: number, to: number): number => {
  let sum = 0;
  for (let hour = from; hour < to; hour++) sum += rainAt(hour);
  return sum;
};
const total = (from: number, to: number): FileTotal => ({
  startMs: from * HOUR_MS,
  endMs: to * HOUR_MS,
  read: async () => Float32Array.of(rainOf(from, to)),
});

async function run(given: readonly FileTotal[], memory = makeMemory(), spansMs = SPANS_MS) {
  const sums: Record<string, number> = {};
  let totals = 0;
  for await (const one of toStepSums(given, { totals: memory, spansMs, onField() {} })) {
    if (one.kind === 'total') totals += 1;
    else {
      const [from, to] = [one.startMs / HOUR_MS, one.endMs / HOUR_MS];
      assert.equal(one.values[0], rainOf(from, to), `${from} to ${to}`);
      sums[`${from}-${to}`] = one.values[0]!;
    }
  }
  return { sums: Object.keys(sums), totals };
}

const hours = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, i) => from + i);

test('daily totals become hourly sums, and each day starts again', async () => {
  const given = hours(0, 48).map((hour) => total(24 * Math.floor(hour / 24), hour + 1));
  const { sums, totals } = await run(given, makeMemory(), [HOUR_MS]);
  assert.deepEqual(
    sums,
    hours(0, 48).map((hour) => `${hour}-${hour + 1}`),
  );
  // The last of the file, after which the sum could go on.
  assert.equal(totals, 1);
});

test('files cut at midnight work in either order', async () => {
  const [first, second] = [
    hours(0, 23).map((hour) => total(0, hour + 1)),
    [total(0, 24), ...hours(24, 30).map((hour) => total(24, hour + 1))],
  ];
  for (const files of [
    [first, second],
    [second, first],
  ]) {
    const memory = makeMemory();
    const found = [];
    for (const file of files) found.push(...(await run(file, memory, [HOUR_MS])).sums);
    assert.deepEqual(
      found.toSorted(),
      hours(0, 30)
        .map((hour) => `${hour}-${hour + 1}`)
        .toSorted(),
    );
  }
});

test('a missing total makes a gap, never a sum of two hours', async () => {
  const given = [1, 2, 4, 5, 9].map((hour) => total(0, hour));
  assert.deepEqual((await run(given, makeMemory(), [HOUR_MS])).sums, ['0-1', '1-2', '4-5']);
  // Models go from steps of one hour to steps of three.
  assert.deepEqual((await run([1, 2, 3, 6, 9].map((hour) => total(0, hour)))).sums, [
    ...['0-1', '1-2', '2-3', '3-6', '6-9'],
  ]);
});

test('run totals are preferred to buckets, and buckets are used where a run total is missing', async () => {
  const whole = [3, 6, 9, 12].map((hour) => total(0, hour));
  const buckets = [total(0, 3), total(0, 6), total(6, 9), total(6, 12)];
  assert.deepEqual((await run([...whole, ...buckets])).sums, ['0-3', '3-6', '6-9', '9-12']);
  assert.deepEqual((await run(buckets)).sums, ['0-3', '3-6', '6-9', '9-12']);
  assert.deepEqual((await run([total(0, 15), total(12, 15)])).sums, ['12-15']);
});

test('the first bucket of a run is also its total, and is used once', async () => {
  const memory = makeMemory();
  const first = await run([total(0, 3), total(0, 3)], memory);
  assert.deepEqual(first, { sums: ['0-3'], totals: 1 });
  assert.deepEqual((await run([total(0, 6), total(0, 6)], memory)).sums, ['3-6']);
});

test('files with one step each give the same sums in order and backwards', async () => {
  const files = [1, 2, 3, 6, 9].map((hour) => [total(0, hour)]);
  const wanted = ['0-1', '1-2', '2-3', '3-6', '6-9'];
  const forward = makeMemory();
  const found = [];
  for (const file of files) found.push(...(await run(file, forward)).sums);
  assert.deepEqual(found, wanted);
  const backward = makeMemory();
  const late = [];
  for (const file of files.toReversed()) late.push(...(await run(file, backward)).sums);
  // Sums of more steps come first and are replaced at their end, by the ones that are wanted.
  const byEnd = new Map(late.map((sum) => [sum.split('-')[1], sum]));
  assert.deepEqual([...byEnd.values()].toSorted(), wanted);
});

test('sums of single hours need no other totals', async () => {
  const given = hours(0, 10).map((hour) => total(hour, hour + 1));
  assert.deepEqual(await run(given, makeMemory(), [HOUR_MS]), {
    sums: hours(0, 10).map((hour) => `${hour}-${hour + 1}`),
    totals: 1,
  });
});
