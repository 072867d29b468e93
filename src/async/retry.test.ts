import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { makePause, repeatByTimer, retry, sleep, takeTurn, toBackoffMs } from './retry.ts';

test('work is retried after the wait that its failure asks for, until it succeeds or the failure is final', async () => {
  const waits: number[] = [];
  const wait = async (durationMs: number): Promise<void> => void waits.push(durationMs);
  let tries = 0;
  const work = async (): Promise<string> => {
    tries += 1;
    if (tries < 3) throw new Error(`try ${tries}`);
    return 'done';
  };
  const toWaitMs = (_: unknown, count: number): number => count * 10;
  assert.equal(await retry(work, { toWaitMs, sleep: wait }), 'done');
  assert.deepEqual(waits, [10, 20]);
  tries = 0;
  const giveUp = (_: unknown, count: number): number | null => (count < 2 ? 0 : null);
  await assert.rejects(retry(work, { toWaitMs: giveUp, sleep: wait }), /try 2/);
});

test('an abort ends the wait for the next try', async () => {
  const leaver = new AbortController();
  const running = retry(() => Promise.reject(new Error('never')), {
    toWaitMs: () => 2 ** 30,
    signal: leaver.signal,
  });
  await new Promise(setImmediate);
  leaver.abort();
  await assert.rejects(running, { code: 'cancelled' });
});

test('a wait leaves no listener on its signal, and an aborted signal rejects it at once', async () => {
  const { signal } = new AbortController();
  await sleep(0, signal);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  await assert.rejects(sleep(2 ** 30, AbortSignal.abort(new Error('gone'))), /gone/);
});

test('backoff doubles up to its limit, and the wait is a random part of it', () => {
  const toMs = (tries: number, part: number): number =>
    toBackoffMs(tries, { firstMs: 100, maxMs: 500, random: () => part });
  assert.deepEqual(
    [0, 1, 2, 3].map((tries) => toMs(tries, 1)),
    [100, 200, 400, 500],
  );
  assert.equal(toMs(1, 0.25), 50);
});

test('a long loop that awaits its pauses lets other work run', async () => {
  let isAnswered = false;
  setImmediate(() => {
    isAnswered = true;
  });
  const pause = makePause();
  const endMs = performance.now() + 600_000;
  while (!isAnswered && performance.now() < endMs) await pause();
  assert.ok(isAnswered);
});

test('each turn of the event loop resumes one waiting loop, in order', async () => {
  const order: string[] = [];
  const wait = async (name: string): Promise<void> => {
    await takeTurn();
    order.push(name);
  };
  const all = Promise.all([wait('a'), wait('b'), wait('c')]);
  for (const expected of [[], ['a'], ['a', 'b'], ['a', 'b', 'c']]) {
    assert.deepEqual(order, expected);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
  await wait('d');
  assert.equal(order.at(-1), 'd');
});

test('work runs after each period until it is stopped', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let runs = 0;
  const stop = repeatByTimer(() => {
    runs += 1;
  }, 1_000);
  t.mock.timers.tick(999);
  assert.equal(runs, 0, 'not before the first period');
  t.mock.timers.tick(2_001);
  assert.equal(runs, 3);
  stop();
  t.mock.timers.tick(5_000);
  assert.equal(runs, 3);
});

test('the timer does not keep the process alive', () => {
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const stop = repeatByTimer(() => {}, 2 ** 30);
  const after = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  stop();
  assert.equal(after, before);
});
