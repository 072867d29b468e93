import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { openTestStore } from '../../src/adapters/sqlite/testing/test-store.ts';
import { makeCheckSubscription } from '../../src/watch/check-subscription.ts';
import { makeDryRun } from '../../src/watch/dry-run.ts';
import type { WatchedMosaic } from '../../src/watch/subscription.ts';
import { makeWatchedWorld, toRun, toSubscription } from '../../src/watch/testing/watched-world.ts';

/** A store for one test. */
function openStore(t: TestContext) {
  const { store, close } = openTestStore();
  t.after(close);
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

/** The highest values of a period. */
const toMosaic = (every: WatchedMosaic['every'], more: Partial<WatchedMosaic> = {}): WatchedMosaic => ({
  every,
  graceDays: 2,
  composition: {
    selection: { kind: 'highest', by: 'NDVI' },
    masked: { clouds: true, cirrus: true, shadows: true },
    dilateM: 0,
    featherPx: 0,
  },
  isRanked: false,
  maxCloudPercent: null,
  ...more,
});

const ofMosaic = (
  mosaic: WatchedMosaic,
  more: Partial<ReturnType<typeof toSubscription>> = {},
): ReturnType<typeof toSubscription> => {
  const subscription = toSubscription(more);
  return { ...subscription, value: { ...subscription.value, mosaic } };
};

const toTold = (
  events: readonly {
    fieldName: string | null;
    value: number;
    acquiredAt: string;
    mosaic?: { period: string; viewIds: readonly string[] };
  }[],
) =>
  events.map(({ fieldName, value, acquiredAt, mosaic }) => [
    fieldName,
    value,
    acquiredAt.slice(0, 10),
    mosaic?.period,
    mosaic?.viewIds,
  ]);

test('weeks are judged when they are over, against the week before, and again when a scene joins them', async (t) => {
  const { watches } = openStore(t);
  const world = makeWatchedWorld({
    '2026-06-30': [0.75, 0.75],
    '2026-07-02': [0.5, undefined],
    '2026-07-07': [0.25, 0.75],
    '2026-07-09': [0.375, undefined],
    '2026-07-15': [0, 0],
  });
  let now = '2026-07-14T23:59:59.000Z';
  const subscription = ofMosaic(toMosaic({ kind: 'week' }), { since: '2026-07-07' });
  await watches.put(subscription, 10);
  const check = makeCheckSubscription({ ...world.deps, store: watches, now: () => new Date(now) });
  const days = { from: '2026-07-07', to: '2026-07-31' };
  const none = { scenes: 0, failed: 0, fired: 0, isWhole: true };
  assert.deepEqual(await check(subscription, days, toRun()), none, 'the grace of the week is not over');
  now = '2026-07-15T00:00:00.000Z';
  assert.deepEqual(await check(subscription, days, toRun()), { ...none, scenes: 1, fired: 1 });
  assert.deepEqual(world.measured, ['2026-W27 1,2,3,4,5,6', '2026-W28 1,2,3,4,5,6']);
  const feed = async () => toTold(await watches.listEvents(subscription.id, { after: 0, limit: 100 }));
  const first = ['Field 1', 0.375, '2026-07-09', '2026-W28', ['S2L2A/2026-07-07', 'S2L2A/2026-07-09']];
  assert.deepEqual(await feed(), [first]);
  assert.deepEqual(await check(subscription, days, toRun()), none, 'nothing is new');

  // A late scene shows only some fields: the others keep their values, and nothing is told twice.
  world.measured.length = 0;
  world.shown.set('2026-07-08', [2, 3]);
  world.add('2026-07-08', undefined, 0.25, 0.75);
  assert.deepEqual(await check(subscription, days, toRun()), { ...none, scenes: 1 });
  assert.deepEqual(world.measured, ['2026-W28 2,3']);
  now = '2026-07-22T00:00:00.000Z';
  assert.equal((await check(subscription, days, toRun())).fired, 2, 'both are at 0 in the week after');
  assert.deepEqual((await feed()).slice(1), [
    ['Field 1', 0, '2026-07-15', '2026-W29', ['S2L2A/2026-07-15']],
    ['Field 2', 0, '2026-07-15', '2026-W29', ['S2L2A/2026-07-15']],
  ]);
  // A scene that joins a week may make a condition true that was not.
  world.add('2026-07-16', undefined, undefined, 0.25);
  await check(subscription, days, toRun());
  assert.deepEqual((await feed()).slice(3), [
    ['Field 3', 0.25, '2026-07-16', '2026-W29', ['S2L2A/2026-07-16']],
  ]);
});

test('a scene that is removed from the catalog does not have its period judged again', async (t) => {
  const { watches } = openStore(t);
  const world = makeWatchedWorld({ '2026-07-07': [0.5], '2026-07-09': [0.5] });
  const subscription = ofMosaic(toMosaic({ kind: 'week' }), { condition: { kind: 'every' } });
  await watches.put(subscription, 10);
  const check = makeCheckSubscription({ ...world.deps, store: watches });
  assert.equal((await check(subscription, JULY, toRun())).fired, 1);
  world.remove('2026-07-09');
  assert.equal((await check(subscription, JULY, toRun())).scenes, 0);
});

test('the last days are judged with each day that has a scene, and a limit is told once', async (t) => {
  const { watches } = openStore(t);
  const world = makeWatchedWorld({
    '2026-07-01': [0.75, 0.25],
    '2026-07-05': [0.5, 0.25],
    '2026-07-09': [0.25, 0.25],
    '2026-07-13': [0.25, 0.75],
  });
  const subscription = ofMosaic(toMosaic({ kind: 'days', days: 6 }), {
    condition: { kind: 'below', limit: 0.4, repeats: false },
  });
  await watches.put(subscription, 10);
  const check = makeCheckSubscription({ ...world.deps, store: watches });
  assert.deepEqual(await check(subscription, JULY, toRun()), {
    scenes: 4,
    failed: 0,
    fired: 2,
    isWhole: true,
  });
  assert.deepEqual(toTold(await watches.listEvents(subscription.id, { after: 0, limit: 100 })), [
    ['Field 2', 0.25, '2026-07-01', '2026-06-26..2026-07-01', ['S2L2A/2026-07-01']],
    ['Field 1', 0.25, '2026-07-13', '2026-07-08..2026-07-13', ['S2L2A/2026-07-09', 'S2L2A/2026-07-13']],
  ]);
  // A late scene is a part of the days that end with it and of those after.
  world.measured.length = 0;
  world.add('2026-07-08', 0.5);
  await check(subscription, JULY, toRun());
  assert.deepEqual(
    world.measured.map((name) => name.split(' ')[0]),
    ['2026-07-03..2026-07-08', '2026-07-04..2026-07-09', '2026-07-08..2026-07-13'],
  );
});

test('a mosaic that cannot be made is tried again, and a dry run judges months against the normal', async () => {
  const world = makeWatchedWorld({
    '2023-06-10': [0.75],
    '2024-06-10': [0.75],
    '2025-06-10': [0.5],
    '2026-06-03': [0.125],
    '2026-06-20': [0.25],
    '2026-07-20': [0],
  });
  const against = { kind: 'normal', years: 3, aroundDays: 10 } as const;
  const subscription = ofMosaic(toMosaic({ kind: 'month' }), {
    condition: { kind: 'drop', by: 0.5, against },
  });
  const dryRun = makeDryRun(world.deps);
  const days = { from: '2026-01-01', to: '2026-07-31' };
  const found = await dryRun(subscription, days, toRun());
  assert.deepEqual([found.scenes, found.isOfMosaics], [1, true], 'the grace of July is not over');
  assert.deepEqual(toTold(found.events), [
    ['Field 1', 0.25, '2026-06-20', '2026-06', ['S2L2A/2026-06-03', 'S2L2A/2026-06-20']],
  ]);
  assert.deepEqual(found.events[0]?.compared, 0.75);
  world.broken.add('2026-06');
  const { scenes, failed } = await dryRun(subscription, days, toRun());
  assert.deepEqual([scenes, failed], [0, 1]);
});
