import assert from 'node:assert/strict';
import { test } from 'node:test';
import { letTurnsPass } from '../testing/let-turns-pass.ts';
import { workInOrder } from './in-order.ts';

/** Work that the test ends by hand. */
function makeSlowWork() {
  const ends: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const work = (item: number, signal: AbortSignal): Promise<number> => {
    signals.push(signal);
    return new Promise((resolve, reject) => {
      ends[item] = () => resolve(item);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
  return { ends, signals, work };
}

test('results come in the order of the items, whichever ends first, and the number in flight is bounded', async () => {
  const { ends, work } = makeSlowWork();
  const results = workInOrder([0, 1, 2, 3], { atOnce: 3, signal: undefined }, work);
  const first = results.next();
  await letTurnsPass();
  assert.equal(ends.length, 3);
  ends[2]!();
  ends[1]!();
  ends[0]!();
  assert.deepEqual([(await first).value, (await results.next()).value], [0, 1]);
  ends[3]!();
  assert.deepEqual([(await results.next()).value, (await results.next()).value], [2, 3]);
  assert.equal((await results.next()).done, true);
});

test('a failure, or a caller that stops, aborts the work in flight', async () => {
  const { ends, signals, work } = makeSlowWork();
  const results = workInOrder([0, 1, 2], { atOnce: 2, signal: undefined }, work);
  const first = results.next();
  await letTurnsPass();
  ends[0]!();
  await first;
  await results.return(undefined);
  assert.ok(signals.every((signal) => signal.aborted));

  const failing = workInOrder([0, 1], { atOnce: 2, signal: undefined }, async (item, signal) => {
    signals.push(signal);
    if (item === 0) throw new Error('broken');
    return new Promise<number>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  await assert.rejects(failing.next(), /broken/);
  assert.ok(signals.every((signal) => signal.aborted));
});

test("the caller's signal reaches the work", async () => {
  const controller = new AbortController();
  const { work } = makeSlowWork();
  const results = workInOrder([0], { atOnce: 1, signal: controller.signal }, work);
  const first = results.next();
  await letTurnsPass();
  controller.abort(new Error('enough'));
  await assert.rejects(first, /enough/);
});

test('the caller decides after each result whether another item begins', async () => {
  const begun: number[] = [];
  let wanted = 2;
  const results = workInOrder([0, 1, 2, 3, 4], { atOnce: () => wanted, signal: undefined }, async (item) =>
    begun.push(item),
  );
  for await (const _ of results) {
    wanted -= 1;
    if (wanted === 0) break;
  }
  assert.deepEqual(begun, [0, 1]);
});
