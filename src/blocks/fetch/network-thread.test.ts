import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { makeArenaHandle } from '../../storage/index.ts';
import { waitFor } from '../../testing/wait-for.ts';
import type { WindowRequest } from '../band-file.ts';
import { makeBlockCache } from '../cache/index.ts';
import { makeCountersMemory } from './fetch-counters.ts';
import type { FetchRequest } from './fetch-protocol.ts';
import { startNetworkThread } from './network-thread.ts';

const nothing: FetchRequest = { windows: [], owner: 'me', lane: 'tile' };
const deadly: FetchRequest = { ...nothing, windows: [{} as WindowRequest] };

function start() {
  const exited: number[] = [];
  let crashes = 0;
  const thread = startNetworkThread({
    script: new URL('./testing/dying-worker.ts', import.meta.url),
    settings: {
      files: { dataDir: '/nowhere' },
      blocks: makeBlockCache(2 ** 20).handle,
      arena: makeArenaHandle(2 ** 20),
      readingBytes: 2 ** 20,
      counters: makeCountersMemory(),
    },
    onExit: (threadId) => exited.push(threadId),
    onCrash: () => {
      crashes += 1;
    },
  });
  return { thread, exited, crashes: () => crashes };
}

test('a thread that dies fails no job: nothing is fetched, and another thread takes over', async () => {
  const { thread, exited, crashes } = start();
  assert.deepEqual((await thread.fetch(nothing)).offer, { files: [] });
  const lost = [thread.fetch(deadly), thread.fetchAhead([{} as WindowRequest])];
  const [first] = await Promise.all(lost);
  assert.equal(first?.offer, null);
  assert.equal(crashes(), 1);
  assert.equal(exited.length, 1);
  // Until the next one has started nothing is fetched, and ports are refused.
  const { port1, port2 } = new MessageChannel();
  const refused = new Promise((resolve) => port1.once('close', resolve));
  thread.connect(port2);
  await refused;
  await waitFor(async () => (await thread.fetch(nothing)).offer !== null);
  await thread.close();
  assert.equal(crashes(), 1, 'an end on purpose is no crash');
});

test('a caller that leaves waits no longer', async () => {
  const { thread } = start();
  await assert.rejects(thread.fetch(nothing, AbortSignal.abort()), { tag: 'cancelled' });
  const leaving = new AbortController();
  const left = assert.rejects(thread.fetch(nothing, leaving.signal), { tag: 'cancelled' });
  leaving.abort();
  await left;
  await thread.close();
});
