import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatByTimer } from './repeat.ts';

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
