import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Asset, NewScene, Scene } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { sourceBroken, tooBusy } from '../../errors.ts';
import type { SceneFiles } from '../../ingest/index.ts';
import { withStamps } from '../../ingest/index.ts';
import { makeFileWatch } from './file-watch.ts';

const asset = makeScene(21).assets.B04 as Asset;
const AT = { B04: 'scenes/B04.tif', B03: 'scenes/B03.tif' } as const;

/** A watch over a scene of two files whose states a test decides. */
function makeWatch(stamps: Partial<Record<string, string>>) {
  const recorded = (href: string): Partial<Asset> => {
    const stamp = stamps[href];
    return stamp === undefined ? {} : { stamps: [stamp] };
  };
  const first = toScene(
    makeScene(21, {
      assets: {
        B04: { ...asset, href: AT.B04, ...recorded(AT.B04) },
        B03: { ...asset, href: AT.B03, ...recorded(AT.B03) },
      },
    }),
  );
  const world = {
    nowMs: 0,
    disk: new Map<string, string>([
      [AT.B04, 'a'],
      [AT.B03, 'b'],
    ]),
    stored: first as Scene | null,
    looks: 0,
    reads: 0,
    writes: 0,
    events: [] as string[],
    /** What reading the headers gives; by default the files fit. */
    read: async (scene: Scene): Promise<SceneFiles> =>
      withStamps(scene, (href) => world.disk.get(href) ?? null),
  };
  const watch = makeFileWatch({
    scenes: {
      findByViewId: async () => world.stored,
      async replace(scene: NewScene, version: string) {
        if (world.stored?.version !== version) return null;
        world.writes += 1;
        world.stored = toScene(scene);
        return world.stored;
      },
    },
    async readStamp(href) {
      world.looks += 1;
      return world.disk.get(href) ?? null;
    },
    async renewFiles(scene) {
      world.reads += 1;
      return world.read(scene);
    },
    nowMs: () => world.nowMs,
    onRenewed: () => world.events.push('renewed'),
    onUnfit: () => world.events.push('unfit'),
    onFailure: () => world.events.push('failure'),
  });
  return { world, watch, first };
}

const known = { [AT.B04]: 'a', [AT.B03]: 'b' };
const unfit = () => sourceBroken('source-changed', 'Another image.');

test('files are checked before the first use, and then once in five seconds in the background', async () => {
  const { world, watch, first } = makeWatch(known);
  assert.equal(await watch.check(first), first);
  assert.equal(world.looks, 2);
  for (world.nowMs = 0; world.nowMs < 5_000; world.nowMs += 1_000) await watch.check(first);
  assert.equal(world.looks, 2);
  await Promise.all([watch.check(first), watch.check(first)]);
  await setImmediate();
  assert.equal(world.looks, 4);
  assert.deepEqual([world.reads, world.writes, world.events], [0, 0, []]);
});

test('after a file is replaced, every use more than five seconds later gets the new record', async () => {
  const { world, watch, first } = makeWatch(known);
  await watch.check(first);
  world.disk.set(AT.B04, 'new');
  world.nowMs = 4_999;
  assert.equal(await watch.check(first), first);
  await setImmediate();
  assert.equal(world.reads, 0);
  world.nowMs = 5_000;
  await watch.check(first);
  await setImmediate();
  const { stored } = world;
  assert.notEqual(stored?.version, first.version);
  assert.deepEqual(stored?.assets.B04?.stamps, ['new']);
  // Those who still hold the old record get the new one too.
  assert.equal((await watch.check(first)).version, stored?.version);
  assert.equal(await watch.check(stored as Scene), stored);
  assert.deepEqual([world.reads, world.writes, world.events], [1, 1, ['renewed']]);
});

test('after a minute without use, or in a new process, a replaced file is noticed at the first use', async () => {
  const { world, watch, first } = makeWatch(known);
  world.disk.set(AT.B04, 'new');
  assert.deepEqual((await watch.check(first)).assets.B04?.stamps, ['new']);
  world.nowMs = 60_000;
  world.disk.set(AT.B03, 'newer');
  const stored = world.stored as Scene;
  assert.deepEqual((await watch.check(stored)).assets.B03?.stamps, ['newer']);
});

test('once a change is noticed every caller waits for the new record', async () => {
  const { world, watch, first } = makeWatch(known);
  await watch.check(first);
  world.disk.set(AT.B04, 'new');
  const reading = Promise.withResolvers<void>();
  const { read } = world;
  world.read = async (scene) => {
    await reading.promise;
    return read(scene);
  };
  world.nowMs = 5_000;
  await watch.check(first);
  await setImmediate();
  const waiting = [watch.check(first), watch.check(first)];
  await setImmediate();
  reading.resolve();
  const versions = (await Promise.all(waiting)).map(({ version }) => version);
  assert.deepEqual(versions, [world.stored?.version, world.stored?.version]);
  assert.notEqual(versions[0], first.version);
  assert.equal(world.reads, 1);
});

test('another image is refused until it is replaced again, and reported once', async () => {
  const { world, watch, first } = makeWatch(known);
  await watch.check(first);
  const { read } = world;
  world.read = async () => {
    throw unfit();
  };
  world.disk.set(AT.B04, 'other');
  for (const nowMs of [100_000, 106_000, 112_000, 200_000]) {
    world.nowMs = nowMs;
    await watch.check(first).catch(() => {});
    await setImmediate();
    await assert.rejects(watch.check(first), { tag: 'source-broken', code: 'source-changed' });
  }
  assert.deepEqual([world.reads, world.events], [1, ['unfit']]);
  // The one before comes back: its record is right again.
  world.disk.set(AT.B04, 'a');
  world.nowMs = 300_000;
  assert.equal(await watch.check(first), first);
  world.read = read;
  world.disk.set(AT.B04, 'fits');
  world.nowMs = 400_000;
  assert.deepEqual((await watch.check(first)).assets.B04?.stamps, ['fits']);
});

test('an ingest of the scene applies at once, whatever was refused before', async () => {
  const { world, watch, first } = makeWatch(known);
  world.read = async () => {
    throw unfit();
  };
  world.disk.set(AT.B04, 'other');
  await assert.rejects(watch.check(first), { code: 'source-changed' });
  const ingested = toScene({ ...first, ...withStamps(first, (href) => world.disk.get(href) ?? null) });
  world.stored = ingested;
  assert.equal(await watch.check(ingested), ingested);
});

test('a record that another process has changed meanwhile is not overwritten', async () => {
  const { world, watch, first } = makeWatch(known);
  const other = toScene({ ...first, cloudPercent: 77, ...withStamps(first, () => 'new') });
  world.disk.set(AT.B04, 'new').set(AT.B03, 'new');
  const { read } = world;
  world.read = async (scene) => {
    world.stored = other;
    return read(scene);
  };
  assert.equal(await watch.check(first), other);
  assert.deepEqual([world.writes, world.stored], [0, other]);
});

test('a failed read is retried after five seconds', async () => {
  const { world, watch, first } = makeWatch(known);
  const { read } = world;
  world.read = async () => {
    throw tooBusy('too-busy', 'No room.');
  };
  world.disk.set(AT.B04, 'new');
  await assert.rejects(watch.check(first), { code: 'too-busy' });
  await assert.rejects(watch.check(first), { code: 'too-busy' });
  assert.equal(world.reads, 1);
  world.read = read;
  world.nowMs = 5_000;
  await watch.check(first).catch(() => {});
  await setImmediate();
  assert.deepEqual((await watch.check(first)).assets.B04?.stamps, ['new']);
  assert.deepEqual(world.events, ['renewed']);
});

test('records without file states get them with the first check, once; missing and remote files stay unchanged', async () => {
  const { world, watch, first } = makeWatch({});
  world.disk.delete(AT.B03);
  const stamped = await watch.check(first);
  assert.deepEqual([stamped.assets.B04?.stamps, stamped.assets.B03?.stamps], [['a'], undefined]);
  assert.deepEqual([world.writes, world.reads], [1, 0]);
  for (const nowMs of [70_000, 140_000]) {
    world.nowMs = nowMs;
    await watch.check(stamped);
  }
  assert.equal(world.writes, 1);
});

test('if a thread finds another file, the headers are read, also those of remote files', async () => {
  const { world, watch, first } = makeWatch(known);
  await watch.check(first);
  world.disk.clear();
  world.read = async (scene) => withStamps(scene, () => 'etag 2');
  await Promise.all([watch.renew(first), watch.renew(first)]);
  await watch.renew(first);
  assert.deepEqual((await watch.check(first)).assets.B04?.stamps, ['etag 2']);
  assert.equal(world.reads, 1);
});

test('a remote file that is another image is refused for a minute, and then checked again', async () => {
  const { world, watch, first } = makeWatch(known);
  world.disk.clear();
  await watch.check(first);
  world.read = async () => {
    throw unfit();
  };
  await assert.rejects(watch.renew(first), { code: 'source-changed' });
  for (const nowMs of [10_000, 20_000, 50_000]) {
    world.nowMs = nowMs;
    await assert.rejects(watch.check(first), { code: 'source-changed' });
    await setImmediate();
  }
  assert.equal(world.reads, 1);
  world.read = async (scene) => withStamps(scene, () => 'repaired');
  world.nowMs = 115_000;
  assert.deepEqual((await watch.check(first)).assets.B04?.stamps, ['repaired']);
  assert.deepEqual(world.events, ['unfit', 'renewed']);
});

test('an unwritable catalog costs no picture, and the record that it would contain is used', async () => {
  for (const read of ['a', 'new']) {
    const { world, first } = makeWatch(read === 'a' ? {} : known);
    const watch = makeFileWatch({
      scenes: { findByViewId: async () => first, replace: () => Promise.reject(new Error('disk full')) },
      readStamp: async () => read,
      renewFiles: async (scene) => withStamps(scene, () => read),
      nowMs: () => 0,
      onRenewed: () => {},
      onUnfit: () => {},
      onFailure: (error) => world.events.push((error as Error).message),
    });
    const used = await watch.check(first);
    assert.deepEqual(used.assets.B04?.stamps, [read]);
    assert.equal(used.version, toScene({ ...first, ...withStamps(first, () => read) }).version);
    assert.equal(await watch.check(first), used);
    assert.deepEqual(world.events, ['disk full']);
  }
});

test('a catalog that is slow to write does not delay requests', async () => {
  const { first } = makeWatch({});
  const slow = Promise.withResolvers<Scene | null>();
  const watch = makeFileWatch({
    scenes: { findByViewId: async () => other, replace: () => slow.promise },
    readStamp: async () => 'a',
    renewFiles: () => assert.fail('no header is read'),
    nowMs: () => 0,
    onRenewed: () => {},
    onUnfit: () => {},
    onFailure: (error) => assert.fail(String(error)),
  });
  const other = toScene({ ...first, cloudPercent: 77, ...withStamps(first, () => 'a') });
  assert.deepEqual((await watch.check(first)).assets.B04?.stamps, ['a']);
  // Somebody else was faster: that record counts as soon as it is known.
  slow.resolve(null);
  await setImmediate();
  assert.equal(await watch.check(first), other);
});
