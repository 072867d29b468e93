import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SwathError } from '../../errors.ts';
import { unavailable } from '../../errors.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { makeStoreHealth } from './store-health.ts';

const full = unavailable('store-full', 'The disk is full.');
const away = unavailable('store-unavailable', 'The store does not answer.');

/** A store whose failures the test chooses, and the watch's log. */
function makeWatched(retryMs = 3_600_000) {
  const clock = { nowMs: 0 };
  const faults: { ping?: SwathError; look?: SwathError; write?: SwathError } = {};
  const lines: { level: string; text: string; code?: string; times_before?: number }[] = [];
  let writes = 0;
  const add = (level: string) => (fields: object, text: string) =>
    void lines.push({ level, text, ...fields });
  const health = makeStoreHealth({
    store: () => ({
      async ping() {
        if (faults.ping) throw faults.ping;
      },
      async checkWrites({ thoroughly }) {
        if (thoroughly) writes += 1;
        const fault = thoroughly ? faults.write : faults.look;
        if (fault) throw fault;
      },
    }),
    log: { info: add('info'), error: add('error') },
    nowMs: () => clock.nowMs,
    retryMs,
  });
  return { health, clock, faults, lines, countWrites: () => writes };
}

const WELL = { reads: 'ok', writes: 'ok' };

test('a store that works is inspected and not written', async (t) => {
  const { health, lines, countWrites } = makeWatched();
  t.after(health.stop);
  for (let i = 0; i < 3; i++) assert.deepEqual(await health.read(), WELL);
  assert.deepEqual([countWrites(), lines.length], [0, 0]);
});

test('after a failed write only a write that succeeds ends the failure', async (t) => {
  const { health, faults, lines } = makeWatched();
  t.after(health.stop);
  faults.write = full;
  health.report(full);
  // An inspection finds nothing wrong, as over a quota.
  assert.deepEqual(await health.read(), { reads: 'ok', writes: 'failed' });
  delete faults.write;
  assert.deepEqual(await health.read(), WELL);
  assert.deepEqual(
    lines.map(({ level, text }) => `${level}: ${text}`),
    ['error: the store fails', 'info: the store works again'],
  );
});

test('a failure that only an inspection finds is reported and logged before anyone tries to write', async (t) => {
  const { health, faults, lines } = makeWatched();
  t.after(health.stop);
  faults.look = full;
  assert.deepEqual(await health.read(), { reads: 'ok', writes: 'failed' });
  assert.deepEqual([lines[0]?.level, lines[0]?.code], ['error', 'store-full']);
});

test('a store that does not answer can be neither read nor written', async (t) => {
  const { health, faults } = makeWatched();
  t.after(health.stop);
  faults.ping = away;
  assert.deepEqual(await health.read(), { reads: 'failed', writes: 'failed' });
});

test('each cause is logged once a minute, with its number of repetitions', (t) => {
  const { health, clock, lines } = makeWatched();
  t.after(health.stop);
  for (let i = 0; i < 500; i++) health.report(full);
  health.report(away);
  clock.nowMs = 59_999;
  health.report(full);
  assert.deepEqual(
    lines.map(({ code }) => code),
    ['store-full', 'store-unavailable'],
  );
  clock.nowMs = 60_000;
  health.report(full);
  assert.deepEqual([lines.length, lines[2]?.code, lines[2]?.times_before], [3, 'store-full', 500]);
});

test('a failing store is checked again without a request', async (t) => {
  const { health, faults, lines } = makeWatched(1);
  t.after(health.stop);
  faults.write = full;
  health.report(full);
  await waitFor(() => lines.length >= 1);
  delete faults.write;
  await waitFor(() => lines.some(({ text }) => text === 'the store works again'));
});
