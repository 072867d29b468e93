import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { makeQuiet } from './quiet.ts';

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

/** Whether a promise is settled by now. */
async function isOver(waiting: Promise<void>): Promise<boolean> {
  const open = Symbol('open');
  return (await Promise.race([waiting, Promise.resolve(open)])) !== open;
}

test('a wait ends after a quiet time without an event', async () => {
  const quiet = makeQuiet({ quietMs: 50 });
  assert.ok(await isOver(quiet.wait(1_000)), 'no event yet');
  quiet.disturb();
  const waiting = quiet.wait(1_000);
  mock.timers.tick(40);
  quiet.disturb();
  mock.timers.tick(40);
  assert.equal(await isOver(waiting), false);
  mock.timers.tick(10);
  await waiting;
  assert.ok(await isOver(quiet.wait(1_000)), 'it stays quiet');
});

test('hurry ends all waits until the next event', async () => {
  const quiet = makeQuiet({ quietMs: 50 });
  quiet.disturb();
  const waiting = [quiet.wait(1_000), quiet.wait(1_000)];
  quiet.hurry();
  await Promise.all(waiting);
  assert.ok(await isOver(quiet.wait(1_000)));
  quiet.disturb();
  assert.equal(await isOver(quiet.wait(1_000)), false);
});

test('a wait ends at its limit when it is never quiet', async () => {
  const quiet = makeQuiet({ quietMs: 50 });
  quiet.disturb();
  const waiting = quiet.wait(100);
  for (let i = 0; i < 3; i += 1) {
    mock.timers.tick(30);
    quiet.disturb();
  }
  assert.equal(await isOver(waiting), false);
  mock.timers.tick(10);
  await waiting;
  assert.equal(await isOver(quiet.wait(100)), false, 'the next one waits again');
});
