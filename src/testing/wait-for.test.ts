import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor, whenHolds } from './wait-for.ts';

test('an assertion is repeated until it holds, and gives its value', async () => {
  let count = 0;
  const value = await whenHolds(() => {
    assert.ok(++count >= 3);
    return count;
  });
  assert.equal(value, 3);
});

test('what never holds is thrown as the last assertion said it', async () => {
  let count = 0;
  const never = whenHolds(() => assert.fail(`look ${++count}`), 0, 1);
  await assert.rejects(never, { code: 'ERR_ASSERTION', message: `look ${count}` });
});

test('an error that is no failed assertion is thrown at once', async () => {
  let count = 0;
  const broken = whenHolds(() => {
    count++;
    throw new TypeError('broken');
  });
  await assert.rejects(broken, TypeError);
  assert.equal(count, 1);
});

test('an asynchronous check is repeated less often the longer it is waited for, and another one is not', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  /** The pauses before the checks, with a clock that moves by each pause. */
  const listPauses = async (isOver: () => boolean | Promise<boolean>): Promise<readonly number[]> => {
    const pauses: number[] = [];
    const timer = t.mock.method(globalThis, 'setTimeout', (done: () => void, ms: number) => {
      pauses.push(ms);
      nowMs += ms;
      done();
    });
    await waitFor(isOver);
    timer.mock.restore();
    return pauses;
  };
  let left = 40;
  const slowing = await listPauses(async () => --left === 0);
  assert.deepEqual([slowing[0], slowing.at(-1)], [20, 100]);
  assert.deepEqual(
    slowing,
    slowing.toSorted((a, b) => a - b),
  );
  left = 40;
  const steady = await listPauses(() => --left === 0);
  assert.deepEqual(new Set(steady), new Set([20]));
});
