import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { MessagePort } from 'node:worker_threads';
import { MessageChannel } from 'node:worker_threads';
import { sourceBroken } from '../../errors.ts';
import type { ByteSource } from '../../sources/byte-source.ts';
import { makeArenaHandle, makeRangeMemory } from '../../sources/range-memory.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { makeOffers } from './offers.ts';
import type { ReadUse, ToNetwork } from './protocol.ts';
import { makeRelayedOpen } from './relayed-open.ts';
import { makeSharedSources, serveSources } from './shared-sources.ts';

const SIZE = 200_000;
const content = new Uint8Array(SIZE).map((_, i) => i % 251);
const ports: MessagePort[] = [];
after(() => {
  for (const port of ports) port.close();
});

/** A store of one file whose state, answers and failures the test decides. */
function makeStore() {
  const store = {
    version: '1',
    opened: 0,
    reads: [] as string[],
    read: (offset: number, length: number): Promise<Uint8Array> =>
      Promise.resolve(content.slice(offset, offset + length)),
  };
  const open = async (href: string): Promise<ByteSource> => {
    store.opened += 1;
    return {
      id: href,
      version: store.version,
      size: SIZE,
      async read(offset, length, signal) {
        store.reads.push(`${offset}+${length}`);
        const left = new Promise<never>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
        return Promise.race([store.read(offset, length), left]);
      },
      close: async () => {},
    };
  };
  return { ...store, open, state: store };
}

/** Leaves all further reads without an answer; resolves when one has come. */
function waitForRead(store: ReturnType<typeof makeStore>['state']): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  store.read = () => {
    resolve();
    return new Promise(() => {});
  };
  return promise;
}

/** Threads and the network thread, all on this one. */
function makeRelay(store = makeStore(), use: ReadUse = 'stored') {
  const arena = makeArenaHandle(2 ** 20);
  const memory = makeRangeMemory(arena);
  let sources = makeSharedSources(store.open, memory);
  /** As a new network thread does. */
  const forget = (): void => {
    sources = makeSharedSources(store.open, memory);
  };
  const network: MessagePort[] = [];
  /** Files that threads have opened and closed, in order. */
  const asked: ('open' | 'close')[] = [];
  const connect = (): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    network.push(port2);
    port2.on('message', ({ type }: ToNetwork) => {
      if (type === 'open' || type === 'close') asked.push(type);
    });
    serveSources(port2, sources, { use });
    return port1;
  };
  const offers = makeOffers(arena);
  const makeThread = () => makeRelayedOpen({ connect, offers });
  return { offers, makeThread, forget, sources, memory, network, asked, store: store.state };
}

test('a thread reads through the network thread, and opening a file returns its first bytes', async () => {
  const { makeThread, store } = makeRelay();
  const source = await makeThread().open('https://a/b.tif');
  assert.deepEqual([source.id, source.version, source.size], ['https://a/b.tif', '1', SIZE]);
  const reads = store.reads.length;
  assert.deepEqual(await source.read(10, 20), content.slice(10, 30));
  assert.equal(store.reads.length, reads);
  assert.deepEqual(await source.read(100_000, 5), content.slice(100_000, 100_005));
  await source.close();
});

test('a file that one thread has opened serves other threads in the state that the catalog knows, and no other', async () => {
  const { makeThread, store } = makeRelay();
  const [one, other] = [makeThread(), makeThread()];
  await one.openKnown('https://a/b.tif', '1');
  await other.openKnown('https://a/b.tif', '1');
  await other.openKnown('https://a/b.tif', '1 state-of-the-sidecar');
  await other.openKnown('https://a/b.tif', undefined);
  assert.equal(store.opened, 1);
  store.version = '2';
  assert.equal((await one.openKnown('https://a/b.tif', '2')).version, '2');
  assert.equal(store.opened, 2);
  await one.open('https://a/b.tif');
  assert.equal(store.opened, 3);
});

test('ranges in memory are copied: a thread may write into the bytes it gets', async () => {
  const { makeThread, memory, sources, store } = makeRelay();
  const shared = await sources.openKnown('https://a/b.tif', null);
  const range = { offset: 100_000, length: 4 };
  memory.reserve([range])!.store(shared, range, content.slice(100_000, 100_004));
  const source = await makeThread().openKnown('https://a/b.tif', undefined);
  const reads = store.reads.length;
  (await source.read(100_000, 4)).fill(0);
  assert.deepEqual(await source.read(100_000, 4), content.slice(100_000, 100_004));
  assert.equal(store.reads.length, reads);
});

test('a thread learns which bytes are in memory, without a read', async () => {
  const { makeThread, memory, sources, store } = makeRelay();
  const shared = await sources.openKnown('https://a/b.tif', null);
  const range = { offset: 100_000, length: 4 };
  memory.reserve([range])!.store(shared, range, content.slice(100_000, 100_004));
  const source = await makeThread().openKnown('https://a/b.tif', undefined);
  const reads = store.reads.length;
  const located = await source.locate?.([range, { offset: 150_000, length: 8 }]);
  assert.deepEqual(located, { memory: 4, disk: 0 });
  assert.equal(store.reads.length, reads);
});

test('bytes fetched for a job are read without a request, only in their state, and as long as they are held', async () => {
  const { makeThread, memory, sources, offers, store, network } = makeRelay();
  const shared = await sources.openKnown('https://a/b.tif', null);
  const range = { offset: 100_000, length: 4 };
  const hold = memory.reserve([range])!;
  const slice = hold.store(shared, range, content.slice(100_000, 100_004))!;
  const { id, version, size } = shared;
  const file = { href: 'https://a/b.tif', source: { id, version, size }, ranges: [{ ...range, slice }] };
  offers.begin({ files: [file] });
  const thread = makeThread();
  const source = await thread.openKnown('https://a/b.tif', '1');
  (await source.read(100_000, 4)).fill(0);
  assert.deepEqual(await source.read(100_000, 4), content.slice(100_000, 100_004));
  assert.deepEqual(await source.read(100_001, 2), content.slice(100_001, 100_003), 'a part of it');
  assert.equal(network.length, 0, 'nothing was asked');
  // Others are asked for; so is the same range once it is gone.
  assert.deepEqual(await source.read(100_001, 4), content.slice(100_001, 100_005));
  hold.release();
  memory.reserve([{ offset: 0, length: memory.budgetBytes }]);
  assert.deepEqual(await source.read(100_000, 4), content.slice(100_000, 100_004));
  store.version = '2';
  assert.equal((await thread.openKnown('https://a/b.tif', '2')).version, '2');
});

test('for a read longer than the fetched bytes only the rest is requested', async () => {
  const { makeThread, memory, sources, offers, store } = makeRelay();
  const { id, version, size, ...shared } = await sources.openKnown('https://a/b.tif', null);
  const range = { offset: 100_000, length: 400 };
  const slice = memory
    .reserve([range])!
    .store({ id, version, size, ...shared }, range, content.slice(100_000, 100_400))!;
  const file = { href: 'https://a/b.tif', source: { id, version, size }, ranges: [{ ...range, slice }] };
  offers.begin({ files: [file] });
  const source = await makeThread().openKnown('https://a/b.tif', '1');
  // A tile of JPEG 2000 that takes more bytes than the network thread had guessed.
  assert.deepEqual(await source.read(100_000, 1_000), content.slice(100_000, 101_000));
  assert.deepEqual(await source.read(100_300, 200), content.slice(100_300, 100_500));
  assert.deepEqual(store.reads.slice(-2), ['100400+600', '100400+100']);
});

test('a failed read reaches the thread unchanged, and the file is opened again afterwards', async () => {
  const { makeThread, store } = makeRelay();
  const thread = makeThread();
  const source = await thread.openKnown('https://a/b.tif', '1');
  store.read = () => Promise.reject(sourceBroken('source-changed', 'It changed.'));
  await assert.rejects(source.read(100_000, 4), { tag: 'source-broken', code: 'source-changed' });
  store.read = (offset, length) => Promise.resolve(content.slice(offset, offset + length));
  await thread.openKnown('https://a/b.tif', '1');
  assert.equal(store.opened, 2);
});

test('a read ends when its caller disconnects', async () => {
  const { makeThread, store } = makeRelay();
  const source = await makeThread().open('https://a/b.tif');
  store.read = () => new Promise(() => {});
  const leaving = new AbortController();
  const left = assert.rejects(source.read(100_000, 4, leaving.signal), { tag: 'cancelled' });
  leaving.abort();
  await left;
  await assert.rejects(source.read(100_000, 4, leaving.signal), { tag: 'cancelled' });
});

test('a source survives the end of the network thread if the file is in the same state', async () => {
  const { makeThread, store, network, forget } = makeRelay();
  const source = await makeThread().open('https://a/b.tif');
  const reading = waitForRead(store);
  const lost = source.read(100_000, 4);
  await reading;
  forget();
  store.read = (offset, length) => Promise.resolve(content.slice(offset, offset + length));
  network[0]?.close();
  assert.deepEqual(await lost, content.slice(100_000, 100_004), 'the read is made again');
  assert.equal(network.length, 2);
  network[1]?.close();
  forget();
  store.version = '2';
  // Every read says so: bytes of the other state never come under the name of this one.
  for (let i = 0; i < 3; i += 1) await assert.rejects(source.read(100_000, 4), { code: 'source-changed' });
});

test('opening is retried too, but not if it ends the network thread each time', async () => {
  const { makeThread, store, network, forget } = makeRelay();
  const reading = waitForRead(store);
  const opened = makeThread().open('https://a/b.tif');
  await reading;
  forget();
  store.read = (offset, length) => Promise.resolve(content.slice(offset, offset + length));
  network[0]?.close();
  const source = await opened;
  assert.equal(source.version, '1');
  store.read = () => {
    network.at(-1)?.close();
    return new Promise(() => {});
  };
  await assert.rejects(source.read(100_000, 4), { code: 'network-thread-gone' });
  assert.ok(network.length <= 5, `${network.length} connections`);
});

/** A source that was opened by what was fetched, so that its first read opens the file. */
async function openOffered({ makeThread, offers }: ReturnType<typeof makeRelay>): Promise<ByteSource> {
  const source = { id: 'https://a/b.tif', version: '1', size: SIZE };
  offers.begin({ files: [{ href: 'https://a/b.tif', source, ranges: [] }] });
  return makeThread().openKnown('https://a/b.tif', '1');
}

test('concurrent reads open the file once, and a cancelled one does not end it for the others', async () => {
  const relay = makeRelay();
  const source = await openOffered(relay);
  const leaving = new AbortController();
  const left = assert.rejects(source.read(90_000, 4, leaving.signal), { tag: 'cancelled' });
  const reads = [100_000, 110_000, 120_000].map((offset) => source.read(offset, 4));
  leaving.abort();
  await left;
  assert.deepEqual(
    await Promise.all(reads),
    [100_000, 110_000, 120_000].map((offset) => content.slice(offset, offset + 4)),
  );
  assert.deepEqual(relay.asked, ['open']);
  await source.close();
  await waitFor(() => relay.asked.length === 2);
  assert.deepEqual(relay.asked, ['open', 'close']);
});

test('an unused file is closed: one in another state, and one that arrived after the close', async () => {
  const other = makeRelay();
  const replaced = await openOffered(other);
  other.store.version = '2';
  await assert.rejects(replaced.read(100_000, 4), { code: 'source-changed' });
  await waitFor(() => other.asked.length === 2);
  assert.deepEqual(other.asked, ['open', 'close']);

  const late = makeRelay();
  const source = await openOffered(late);
  const read = assert.rejects(source.read(100_000, 4), { code: 'source-unreadable' });
  await source.close();
  await read;
  await waitFor(() => late.asked.length === 2);
  assert.deepEqual(late.asked, ['open', 'close']);
  await assert.rejects(source.read(100_000, 4), { code: 'source-unreadable' });
  assert.equal(late.asked.length, 2);
});

test('bytes that are read once are found in memory, but not stored there', async () => {
  const relay = makeRelay(makeStore(), 'once');
  const { memory, sources, makeThread } = relay;
  const source = await makeThread().openKnown('https://a/b.tif', '1');
  const shared = await sources.openKnown('https://a/b.tif', '1');
  const range = { offset: 100_000, length: 4 };
  assert.deepEqual(await source.read(range.offset, range.length), content.slice(100_000, 100_004));
  assert.equal(memory.has(shared, range), false);
  await shared.read(range.offset, range.length);
  assert.equal(memory.has(shared, range), true);
  const { length } = relay.store.reads;
  await source.read(range.offset, range.length);
  assert.equal(relay.store.reads.length, length);
});

test('a range that several callers wait for is fetched once, and its bytes are lent to the first', async () => {
  const { sources, memory } = makeRelay();
  const source = await sources.openKnown('https://a/b.tif', '1');
  const range = { offset: 100_000, length: 4 };
  const seen: number[] = [];
  const leaving = new AbortController();
  const left = assert.rejects(
    sources.bring(
      source,
      range,
      (bytes) => {
        seen.push(bytes.length);
        memory.remember(source, range, bytes);
      },
      { signal: leaving.signal },
    ),
    { tag: 'cancelled' },
  );
  const second = sources.bring(source, range, () => assert.fail('read twice'));
  leaving.abort();
  await left;
  await second;
  assert.deepEqual(seen, [4]);
  assert.deepEqual(memory.find(source, range), content.slice(100_000, 100_004));
});
