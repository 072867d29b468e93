import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoreState } from '../adapters/store/index.ts';
import { makeReadiness } from './health.ts';

function makeWatched() {
  const now: { ms: number; pixels: boolean; store: StoreState; unreached: number | null } = {
    unreached: null,
    ms: 0,
    pixels: true,
    store: { reads: 'ok', writes: 'ok' },
  };
  const stopping = new AbortController();
  const readiness = makeReadiness({
    readStore: async () => now.store,
    arePixelsWell: () => now.pixels,
    countUnreached: () => now.unreached,
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

test('a node that cannot write its store stays ready for reading', async () => {
  const { now, read, readiness } = makeWatched();
  assert.deepEqual(await read(), { ready: true, degraded: false });
  now.store = { reads: 'ok', writes: 'failed' };
  now.ms = 3_600_000;
  assert.deepEqual(await read(), { ready: true, degraded: true });
  assert.deepEqual((await readiness.read()).checks, { store: 'ok', writes: 'failed', pool: 'ok' });
});

test('a node whose store does not answer stays ready as long as its cached answers last', async () => {
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

test('a node is not ready without pixel threads, while it waits for something, or during shutdown', async () => {
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

test('unreadable places are counted, but the node stays ready', async () => {
  const { now, readiness } = makeWatched();
  assert.equal((await readiness.read()).unreached_places, null);
  now.unreached = 0;
  assert.equal((await readiness.read()).checks.files, 'ok');
  now.unreached = 2;
  const { ready, degraded, checks, unreached_places } = await readiness.read();
  assert.deepEqual([ready, degraded, checks.files, unreached_places], [true, false, 'failed', 2]);
});
