import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoreState } from '../adapters/store/index.ts';
import { makeReadiness } from './health.ts';

function makeWatched() {
  const now: { ms: number; pixels: boolean; store: StoreState } = {
    ms: 0,
    pixels: true,
    store: { reads: 'ok', writes: 'ok' },
  };
  const stopping = new AbortController();
  const readiness = makeReadiness({
    readStore: async () => now.store,
    arePixelsWell: () => now.pixels,
    stopping: stopping.signal,
    nowMs: () => now.ms,
    outageMs: 60_000,
  });
  const read = async () => {
    const { ready, degraded } = await readiness.read();
    return { ready, degraded };
  };
  return { now, readiness, stopping, read };
}

test('a store that cannot be written leaves us ready for reading', async () => {
  const { now, read, readiness } = makeWatched();
  assert.deepEqual(await read(), { ready: true, degraded: false });
  now.store = { reads: 'ok', writes: 'failed' };
  now.ms = 3_600_000;
  assert.deepEqual(await read(), { ready: true, degraded: true });
  assert.deepEqual((await readiness.read()).checks, { store: 'ok', writes: 'failed', pool: 'ok' });
});

test('a store that does not answer leaves us ready for as long as its answers are remembered', async () => {
  const { now, read } = makeWatched();
  now.store = { reads: 'failed', writes: 'failed' };
  assert.deepEqual(await read(), { ready: true, degraded: true });
  now.ms = 59_999;
  assert.deepEqual(await read(), { ready: true, degraded: true });
  now.ms = 60_000;
  assert.deepEqual(await read(), { ready: false, degraded: false });
  now.store = { reads: 'ok', writes: 'ok' };
  assert.deepEqual(await read(), { ready: true, degraded: false });
  now.store = { reads: 'failed', writes: 'failed' };
  assert.deepEqual(await read(), { ready: true, degraded: true }, 'another outage');
});

test('without pixel threads, while something is waited for, and at the end we are not ready', async () => {
  const { now, read, readiness, stopping } = makeWatched();
  now.pixels = false;
  assert.deepEqual(await read(), { ready: false, degraded: false });
  now.pixels = true;
  readiness.waitFor('the first demo scene');
  assert.deepEqual(await read(), { ready: false, degraded: false });
  readiness.waitFor(null);
  stopping.abort();
  assert.deepEqual(await read(), { ready: false, degraded: false });
});
