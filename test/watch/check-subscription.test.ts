import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import { makeCheckSubscription } from '../../src/watch/check-subscription.ts';
import { makeDryRun } from '../../src/watch/dry-run.ts';
import { makeWatchedWorld, toRun, toSubscription } from '../../src/watch/testing/watched-world.ts';

/** A store in a folder that goes when the test ends. */
function openStore(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'swath-watch-'));
  const store = openSqliteStore(folder);
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}

const JULY = { from: '2026-07-01', to: '2026-07-31' };

const toFired = (
  events: readonly { fieldName: string | null; acquiredAt: string; compared: number | null }[],
) => events.map(({ fieldName, acquiredAt, compared }) => [fieldName, acquiredAt.slice(0, 10), compared]);

test('a check measures the past that it needs, silently, and then what is new, oldest first', async (t) => {
  const store = openStore(t);
  const { watches } = store;
  const world = makeWatchedWorld({
    '2026-05-20': [1, 1],
    '2026-06-20': [0.75, 0.75],
    '2026-06-25': [0.25, undefined],
    '2026-07-05': [0.25, 0.25],
    '2026-07-10': [0, 0.25],
  });
  const subscription = toSubscription();
  await watches.put(subscription, 10);
  const check = makeCheckSubscription({ ...world.deps, store: watches });
  const first = await check(subscription, JULY, toRun());
  assert.deepEqual(first, { scenes: 2, failed: 0, fired: 2, isWhole: true });
  assert.deepEqual(
    world.measured,
    ['2026-06-20', '2026-06-25', '2026-07-05', '2026-07-10'],
    'not that of May',
  );
  const feed = () => watches.listEvents(subscription.id, { after: 0, limit: 100 });
  assert.deepEqual(toFired(await feed()), [
    ['Field 2', '2026-07-05', 0.75],
    ['Field 1', '2026-07-10', 0.25],
  ]);
  // Only what is new is measured.
  world.measured.length = 0;
  assert.deepEqual(await check(subscription, JULY, toRun()), {
    scenes: 0,
    failed: 0,
    fired: 0,
    isWhole: true,
  });
  world.add('2026-07-15', 0, 0);
  world.add('2026-07-07', 0, 0.25);
  assert.equal((await check(subscription, JULY, toRun())).fired, 2);
  assert.deepEqual(world.measured, ['2026-07-07', '2026-07-15'], 'also one that comes in late');
  assert.deepEqual(toFired(await feed()).slice(2), [
    ['Field 1', '2026-07-07', 0.25],
    ['Field 2', '2026-07-15', 0.25],
  ]);
});

test('a check that was killed goes on where it was, and tells nothing twice', async (t) => {
  const store = openStore(t);
  const { watches } = store;
  const days = ['2026-07-01', '2026-07-05', '2026-07-09', '2026-07-13'];
  const world = makeWatchedWorld(Object.fromEntries(days.map((day) => [day, [0.5, 0.5]])));
  const subscription = toSubscription({ condition: { kind: 'every' } });
  await watches.put(subscription, 10);
  let killed = 0;
  for (let left = 1; ; left += 1) {
    let until = left;
    const check = makeCheckSubscription({
      ...world.deps,
      store: {
        ...watches,
        // Dies before or after a scene is stored.
        async commit(...args) {
          until -= 1;
          if (until === 0) throw new Error('killed');
          const isStored = await watches.commit(...args);
          until -= 1;
          if (until === 0) throw new Error('killed');
          return isStored;
        },
      },
    });
    try {
      await check(subscription, JULY, toRun());
      break;
    } catch {
      killed += 1;
    }
  }
  assert.ok(killed >= 2);
  const feed = await watches.listEvents(subscription.id, { after: 0, limit: 100 });
  assert.deepEqual(
    feed.map(({ fieldName, acquiredAt }) => `${acquiredAt.slice(0, 10)} ${fieldName}`),
    days.flatMap((day) => [`${day} Field 1`, `${day} Field 2`]),
  );
});

test('two processes that check at once tell everything once', async (t) => {
  const store = openStore(t);
  const { watches } = store;
  const days = Array.from({ length: 9 }, (_, n) => `2026-07-1${n}`);
  const world = makeWatchedWorld(Object.fromEntries(days.map((day) => [day, [0.5]])));
  const subscription = toSubscription({ condition: { kind: 'every' } });
  await watches.put(subscription, 10);
  const check = makeCheckSubscription({ ...world.deps, store: watches });
  const ends = await Promise.all([1, 2, 3].map(() => check(subscription, JULY, toRun())));
  assert.equal(
    ends.reduce((sum, { fired }) => sum + fired, 0),
    days.length,
  );
  const feed = await watches.listEvents(subscription.id, { after: 0, limit: 100 });
  assert.deepEqual(
    feed.map(({ acquiredAt }) => acquiredAt.slice(0, 10)),
    days,
  );
});

test('a scene that cannot be read does not hold up others, and is tried again', async (t) => {
  const store = openStore(t);
  const { watches } = store;
  const world = makeWatchedWorld({ '2026-07-05': [0.5], '2026-07-10': [0.5] });
  const subscription = toSubscription({ condition: { kind: 'every' } });
  await watches.put(subscription, 10);
  const check = makeCheckSubscription({ ...world.deps, store: watches });
  world.broken.add('2026-07-05');
  assert.deepEqual(await check(subscription, JULY, toRun()), {
    scenes: 1,
    failed: 1,
    fired: 1,
    isWhole: true,
  });
  world.broken.clear();
  assert.deepEqual(await check(subscription, JULY, toRun()), {
    scenes: 1,
    failed: 0,
    fired: 1,
    isWhole: true,
  });
});

test('a catalog that did not answer fails the check: its scenes are not missed', async () => {
  const world = makeWatchedWorld({ '2026-07-05': [0.5] });
  const dryRun = makeDryRun({
    ...world.deps,
    scenes: {
      async searchHits(query) {
        const page = await world.deps.scenes.searchHits(query);
        const problem = { code: 'catalog-down', message: 'The catalog does not answer.' };
        const note = { catalog: 'a', dataset: 'b', found: 0, foundBy: 'at-least', problem } as const;
        return { ...page, catalogs: [note] };
      },
    },
  });
  await assert.rejects(dryRun(toSubscription(), JULY, toRun()), { code: 'catalog-incomplete' });
  assert.deepEqual(world.measured, []);
});

test('a dry run says what a year would have told, and stores nothing', async () => {
  const world = makeWatchedWorld({
    '2025-07-01': [0.5],
    '2025-07-05': [0.75],
    '2025-07-09': [0.75],
    '2026-07-02': [0.75],
    '2026-07-05': [0.25],
  });
  const condition = {
    kind: 'drop',
    by: 0.25,
    against: { kind: 'normal', years: 1, aroundDays: 10 },
  } as const;
  const dryRun = makeDryRun(world.deps);
  const days = { from: '2026-01-01', to: '2026-12-31' };
  const found = await dryRun(toSubscription({ condition }), days, toRun());
  assert.deepEqual(toFired(found.events), [['Field 1', '2026-07-05', 0.75]]);
  assert.deepEqual([found.scenes, found.failed, found.isCut], [2, 0, false]);
});

test('a check that lost its subscription to another process stops', async () => {
  const world = makeWatchedWorld({ '2026-07-05': [0.5], '2026-07-10': [0.5] });
  const dryRun = makeDryRun(world.deps);
  const run = { ...toRun(), onScene: async () => false };
  const found = await dryRun(toSubscription({ condition: { kind: 'every' } }), JULY, run);
  assert.equal(found.scenes, 1);
});

test('the condition applies to each expression, and each has events of its own', async (t) => {
  const { watches } = openStore(t);
  const world = makeWatchedWorld({
    '2026-06-28': [0.375, 0.75],
    '2026-07-05': [0.5, 0.25],
    '2026-07-10': [0.5, 0.25],
  });
  const { value } = toSubscription();
  const subscription = toSubscription({
    value: { ...value, expressions: ['NDVI', 'NDMI'] },
    condition: { kind: 'above', limit: 0.4, repeats: false },
  });
  await watches.put(subscription, 10);
  const check = makeCheckSubscription({ ...world.deps, store: watches });
  assert.equal((await check(subscription, JULY, toRun())).fired, 1);
  assert.deepEqual(world.measured, ['2026-06-28', '2026-07-05', '2026-07-10'], 'each scene once for both');
  const toSeen = (events: readonly { fieldName: string | null; expression: string; value: number }[]) =>
    events.map(({ fieldName, expression, value: seen }) => [fieldName, expression, seen]);
  const feed = await watches.listEvents(subscription.id, { after: 0, limit: 100 });
  // Twice the value: the second expression was above the limit before.
  assert.deepEqual(toSeen(feed), [['Field 1', 'NDVI', 0.5]]);
  const every = toSubscription({ ...subscription, id: 'b'.repeat(32), condition: { kind: 'every' } });
  await watches.put(every, 10);
  await check(every, { from: '2026-07-05', to: '2026-07-05' }, toRun());
  const all = await watches.listEvents(every.id, { after: 0, limit: 100 });
  assert.deepEqual(toSeen(all), [
    ['Field 1', 'NDVI', 0.5],
    ['Field 2', 'NDVI', 0.25],
    ['Field 1', 'NDMI', 1],
    ['Field 2', 'NDMI', 0.5],
  ]);
  assert.equal(new Set(all.map(({ id }) => id)).size, 4);
});
