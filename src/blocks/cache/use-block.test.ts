import assert from 'node:assert/strict';
import { test } from 'node:test';
import { letTurnsPass } from '../../testing/let-turns-pass.ts';
import { joinBlockCache, makeBlockCache } from './block-cache.ts';
import { isPatternBlock, makePatternBlock, toKey } from './testing/pattern-block.ts';
import { makeUseBlock } from './use-block.ts';

const { signal } = new AbortController();
/** Longer than a busy machine holds anything up: no test here waits in vain. */
const PATIENCE_MS = 600_000;

/** A block that is read when the test says so. */
function makeSlowRead(number: number, samples = 100) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let reads = 0;
  const read = async () => {
    reads += 1;
    await promise;
    return makePatternBlock(number, samples);
  };
  return { read, finish: resolve, fail: reject, countReads: () => reads };
}

function openCache() {
  const { handle, stats } = makeBlockCache(2 ** 20);
  const join = (threadId: number) => makeUseBlock(joinBlockCache(handle, threadId, PATIENCE_MS));
  return { join, stats };
}

test('equal reads in flight in one thread are one read, and later ones come from the cache', async () => {
  const { join, stats } = openCache();
  const useBlock = join(1);
  const { read, finish, countReads } = makeSlowRead(5);
  const seen: boolean[] = [];
  const wish = { key: toKey(5), rows: 1, signal, read };
  const all = [1, 2, 3].map(() => useBlock(wish, (block) => void seen.push(isPatternBlock(5, block))));
  finish();
  await Promise.all(all);
  await useBlock(wish, (block) => void seen.push(isPatternBlock(5, block)));
  assert.deepEqual(seen, [true, true, true, true]);
  assert.equal(countReads(), 1);
  assert.deepEqual([stats().hits, stats().misses], [1, 1]);
});

test('a thread that wants a block which another thread reads waits for it', async () => {
  const { join } = openCache();
  const [ours, theirs] = [makeSlowRead(5), makeSlowRead(5)];
  let seen = 0;
  const first = join(1)({ key: toKey(5), rows: 1, signal, read: theirs.read }, () => {});
  const second = join(2)({ key: toKey(5), rows: 1, signal, read: ours.read }, () => {
    seen += 1;
  });
  await letTurnsPass();
  assert.equal(seen, 0);
  theirs.finish();
  await Promise.all([first, second]);
  assert.deepEqual([seen, theirs.countReads(), ours.countReads()], [1, 1, 0]);
});

test('when the other thread fails or cannot store the block, the waiting thread reads it', async () => {
  const { join } = openCache();
  const [a, b] = [join(1), join(2)];
  const [failing, fine] = [makeSlowRead(5), makeSlowRead(5)];
  const first = a({ key: toKey(5), rows: 1, signal, read: failing.read }, () => {});
  const second = b({ key: toKey(5), rows: 1, signal, read: fine.read }, () => {});
  failing.fail(new Error('the disk is gone'));
  fine.finish();
  await assert.rejects(first, /the disk is gone/);
  await second;
  assert.equal(fine.countReads(), 1);

  const [large, again] = [makeSlowRead(6, 2 ** 20), makeSlowRead(6, 2 ** 20)];
  large.finish();
  again.finish();
  let seen = 0;
  const use = () => {
    seen += 1;
  };
  await Promise.all([
    a({ key: toKey(6), rows: 1, signal, read: large.read }, use),
    b({ key: toKey(6), rows: 1, signal, read: again.read }, use),
  ]);
  assert.deepEqual([seen, large.countReads(), again.countReads()], [2, 1, 1]);
});

test('a failure is not cached', async () => {
  const useBlock = openCache().join(1);
  const broken = async () => {
    throw new Error('once');
  };
  await assert.rejects(
    useBlock({ key: toKey(5), rows: 1, signal, read: broken }, () => {}),
    /once/,
  );
  let isRight = false;
  const read = async () => makePatternBlock(5, 10);
  await useBlock({ key: toKey(5), rows: 1, signal, read }, (block) => {
    isRight = isPatternBlock(5, block);
  });
  assert.equal(isRight, true);
});

test('a caller that gives up leaves the read to the others, and does not wait for another thread', async () => {
  const { join } = openCache();
  const useBlock = join(1);
  const slow = makeSlowRead(5);
  const leaving = new AbortController();
  const wish = { key: toKey(5), rows: 1, read: slow.read };
  const left = useBlock({ ...wish, signal: leaving.signal }, () => {});
  const stays = useBlock({ ...wish, signal }, () => {});
  const elsewhere = join(2)({ ...wish, signal: leaving.signal }, () => {});
  leaving.abort();
  await assert.rejects(left, { tag: 'cancelled' });
  await assert.rejects(elsewhere, { tag: 'cancelled' });
  slow.finish();
  await stays;
  assert.equal(slow.countReads(), 1);
});

test('leased memory is released once, when the last of its readers is done, and never before', async () => {
  // Without room in the cache all of them read the same memory.
  const useBlock = makeUseBlock(joinBlockCache(makeBlockCache(0).handle, 1));
  const { read, finish } = makeSlowRead(5);
  const events: string[] = [];
  const leasing = async () => ({ ...(await read()), release: () => void events.push('released') });
  const wish = { key: toKey(5), rows: 1, signal, read: leasing };
  const leaving = new AbortController();
  const all = [
    useBlock(wish, () => void events.push('first')),
    useBlock({ ...wish, signal: leaving.signal }, () => void events.push('left')),
    useBlock(wish, () => {
      events.push('second');
      throw new Error('a reader that fails');
    }),
    useBlock(wish, () => void events.push('third')),
  ];
  leaving.abort();
  finish();
  const results = await Promise.allSettled(all);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(events, ['first', 'second', 'third', 'released']);
});

test('a block that is not worth caching is read and not stored, but used from the cache if it is there', async () => {
  const { join, stats } = openCache();
  const useBlock = join(1);
  const [once, again] = [makeSlowRead(5), makeSlowRead(5)];
  once.finish();
  again.finish();
  let seen = 0;
  const show = (): void => {
    seen += 1;
  };
  const wish = { key: toKey(5), rows: 1, signal };
  await useBlock({ ...wish, read: once.read, isCached: false }, show);
  await useBlock({ ...wish, read: once.read, isCached: false }, show);
  assert.deepEqual([once.countReads(), stats().usedBytes], [2, 0]);
  await useBlock({ ...wish, read: again.read }, show);
  await useBlock({ ...wish, read: once.read, isCached: false }, show);
  assert.deepEqual([once.countReads(), again.countReads(), seen], [2, 1, 4]);
});

test('a helping read skips blocks that are cached or read by another thread', async () => {
  const { join } = openCache();
  const theirs = makeSlowRead(5);
  const first = join(1)({ key: toKey(5), rows: 1, signal, read: theirs.read }, () => {});
  await letTurnsPass();
  const ours = makeSlowRead(5);
  const wish = { key: toKey(5), rows: 1, signal, read: ours.read, isHelp: true };
  await join(2)(wish, () => assert.fail('nothing to show'));
  theirs.finish();
  await first;
  assert.equal(ours.countReads(), 0);
  const other = makeSlowRead(6);
  other.finish();
  await join(2)({ ...wish, key: toKey(6), read: other.read }, () => {});
  assert.equal(other.countReads(), 1);
});
