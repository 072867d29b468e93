import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { makeArenaHandle } from '../../sources/index.ts';
import { makeBlockCache } from '../cache/block-cache.ts';
import type { WindowRequest } from '../image-files.ts';
import { startNetworkThread } from './network-thread.ts';
import type { FetchRequest } from './protocol.ts';
import { makeCountersMemory } from './serve-fetches.ts';

const nothing: FetchRequest = { windows: [], owner: 'me', lane: 'tile' };
const deadly: FetchRequest = { ...nothing, windows: [{} as WindowRequest] };

function start(makeCounters: () => SharedArrayBuffer = makeCountersMemory) {
  const exited: number[] = [];
  let crashes = 0;
  const thread = startNetworkThread({
    script: new URL('./testing/dying-worker.ts', import.meta.url),
    settings: {
      files: { dataDir: '/nowhere' },
      blocks: makeBlockCache(2 ** 20).handle,
      arena: makeArenaHandle(2 ** 20),
      readingBytes: 2 ** 20,
      // Read whenever a thread is started.
      get counters() {
        return makeCounters();
      },
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
  // Until the next one has started nothing is fetched, and ports wait for it.
  const { port1, port2 } = new MessageChannel();
  port1.postMessage('asked too early');
  thread.connect(port2, 'stored');
  assert.equal((await thread.fetch(nothing)).offer, null);
  const [answer] = await once(port1, 'message');
  assert.equal(answer, 'asked too early');
  port1.close();
  assert.notEqual((await thread.fetch(nothing)).offer, null);
  await thread.close();
  assert.equal(crashes(), 1, 'closing a thread does not count as a crash');
});

test('a thread that cannot be started is started later', async () => {
  let starts = 0;
  const { thread, crashes } = start(() => {
    starts += 1;
    if (starts === 2) throw new Error('no threads left');
    return makeCountersMemory();
  });
  await thread.fetch(deadly);
  const { port1, port2 } = new MessageChannel();
  port1.postMessage('asked too early');
  thread.connect(port2, 'stored');
  await once(port1, 'message');
  port1.close();
  assert.deepEqual([starts, crashes()], [3, 2]);
  await thread.close();
});

test('ports that wait for the next thread are closed with all threads, and later ones are closed at once', async () => {
  const { thread } = start();
  await thread.fetch(deadly);
  const waiting = new MessageChannel();
  const refused = once(waiting.port1, 'close');
  thread.connect(waiting.port2, 'stored');
  await thread.close();
  await refused;
  const late = new MessageChannel();
  const refusedToo = once(late.port1, 'close');
  thread.connect(late.port2, 'stored');
  await refusedToo;
});

test('a caller that disconnects stops waiting', async () => {
  const { thread } = start();
  await assert.rejects(thread.fetch(nothing, AbortSignal.abort()), { tag: 'cancelled' });
  const leaving = new AbortController();
  const left = assert.rejects(thread.fetch(nothing, leaving.signal), { tag: 'cancelled' });
  leaving.abort();
  await left;
  await thread.close();
});
