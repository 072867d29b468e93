import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Subscription, WatchEvent, WatchedScene } from '../../src/watch/index.ts';
import { openReadings, packReadings } from '../../src/watch/index.ts';
import type { OpenStore, StoreUnderTest } from './store-contract.ts';

const idOf = (n: number): string => n.toString(16).padStart(32, '0');

const make = (n: number, more: Partial<Subscription> = {}): Subscription => ({
  owner: 'key 1',
  id: idOf(n),
  name: `Subscription ${n}`,
  ground: { kind: 'group', group: 'north' },
  value: {
    datasets: ['sentinel2l2a'],
    expressions: ['NDVI', 'NDMI'],
    maxCloudPercent: 20,
    minDataPercent: 80,
  },
  condition: { kind: 'drop', by: 0.2, against: { kind: 'last', withinDays: 60 } },
  delivery: { callbackUrl: null, mailTo: null },
  isPaused: false,
  createdAt: '2026-07-01T00:00:00.000Z',
  since: '2026-07-01',
  checkedAt: null,
  ...more,
});

const toScene = (n: number, day = '2026-07-05'): WatchedScene => ({
  viewId: `S2L2A/10/U/EU/2026/7/${n}/0`,
  day,
  sources: [],
  readings: [packReadings([{ fieldId: 'ffffffffffffffff', value: n }]), packReadings([])],
});

const toEvent = (n: number): WatchEvent => ({
  id: `event ${n}`,
  fieldId: '00000000000000a1',
  fieldName: `Föld ${n}`,
  externalId: null,
  viewId: 'S2L2A/10/U/EU/2026/7/5/0',
  sceneId: 'scene',
  dataset: 'sentinel2l2a',
  acquiredAt: '2026-07-05T19:00:00.000Z',
  expression: 'NDVI',
  value: 0.25,
  compared: 0.75,
});

const AT = '2026-07-05T20:00:00.000Z';
const putMany = async ({ watches }: StoreUnderTest, ...subscriptions: readonly Subscription[]) => {
  for (const one of subscriptions) assert.deepEqual(await watches.put(one, 100), { kind: 'stored' });
};

/** What every WatchStore promises. */
export function watchStoreContract(name: string, open: OpenStore): void {
  test(`${name} watches: a subscription is found complete by its owner, listed, changed and removed`, async () => {
    const store = await open();
    const first = make(1, {
      name: "Föld '; -- \u{1F33E}",
      ground: { kind: 'fields', ids: ['00000000000000a1'] },
      delivery: { callbackUrl: 'https://example.test/?a=ü', mailTo: 'a@example.test' },
    });
    await putMany(store, first, make(2), make(3, { owner: 'key 2' }));
    const again = await store.reopen();
    assert.deepEqual(await again.watches.find(first.id, 'key 1'), first);
    for (const [id, owner] of [
      [first.id, 'key 2'],
      ['', 'key 1'],
      ['a\u0000', 'key 1'],
    ] as const)
      assert.equal(await again.watches.find(id, owner), null);
    assert.deepEqual(await again.watches.list('key 1'), [first, make(2)]);
    const changed = await again.watches.change(idOf(2), 'key 1', { isPaused: true });
    assert.deepEqual(changed, make(2, { isPaused: true }));
    assert.equal(await again.watches.change(idOf(3), 'key 1', { name: 'x' }), null, 'it is not theirs');
    assert.deepEqual(await again.watches.put(make(4), 2), { kind: 'full', subscriptions: 2 });
    assert.equal(await again.watches.remove(idOf(3), 'key 1'), false);
    assert.equal(await again.watches.remove(idOf(1), 'key 1'), true);
    assert.equal(await again.watches.removeAll('key 1'), 1);
    assert.deepEqual(await again.watches.list('key 1'), []);
    await again.close();
  });

  test(`${name} watches: the area of one is found with it, and omitted from lists`, async () => {
    const store = await open();
    const ring = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ] as const;
    const ground = { kind: 'area', area: { type: 'MultiPolygon', coordinates: [[ring]] } } as const;
    await putMany(store, make(1, { ground }));
    assert.deepEqual(await store.watches.find(idOf(1), 'key 1'), make(1, { ground }));
    const leased = await store.watches.leaseCheck({ nowMs: 1_000, leaseMs: 1_000 });
    assert.deepEqual(leased?.subscription.ground, ground);
    const empty = { kind: 'area', area: { type: 'MultiPolygon', coordinates: [] } } as const;
    assert.deepEqual(await store.watches.list('key 1'), [make(1, { ground: empty })]);
    await store.close();
  });

  test(`${name} watches: concurrent puts do not exceed the limit together`, async () => {
    const store = await open();
    const puts = await Promise.all(Array.from({ length: 12 }, (_, n) => store.watches.put(make(n), 5)));
    assert.equal(puts.filter(({ kind }) => kind === 'stored').length, 5);
    await store.close();
  });

  test(`${name} watches: a scene and its events are stored once, and read by days and positions`, async () => {
    const store = await open();
    await putMany(store, make(1), make(2));
    const [id, other] = [idOf(1), idOf(2)];
    const commit = (n: number, events: readonly WatchEvent[], day?: string) =>
      store.watches.commit(id, toScene(n, day), { events, at: AT });
    assert.equal(await commit(5, [toEvent(1), toEvent(2)]), true);
    assert.equal(await commit(5, [toEvent(3)]), false, 'another process was faster');
    assert.equal(await commit(6, [toEvent(2), toEvent(4)], '2026-07-06'), true);
    assert.equal(await commit(7, [], '2025-07-06'), true);
    assert.equal(await store.watches.commit(idOf(9), toScene(5), { events: [toEvent(1)], at: AT }), false);
    const feed = await store.watches.listEvents(id, { after: 0, limit: 10 });
    assert.deepEqual(
      feed.map((event) => event.id),
      ['event 1', 'event 2', 'event 4'],
    );
    assert.deepEqual(feed[0], { ...toEvent(1), position: feed[0]?.position, madeAt: AT });
    const after = feed[0]?.position ?? 0;
    assert.deepEqual(await store.watches.listEvents(id, { after, limit: 1 }), feed.slice(1, 2));
    assert.equal(await store.watches.lastPosition(id), feed.at(-1)?.position);
    assert.equal(await store.watches.lastPosition(other), 0);
    const viewIds = [toScene(5).viewId, toScene(6).viewId, toScene(8).viewId, 'a'];
    const known = new Map(viewIds.slice(0, 2).map((viewId) => [viewId, []]));
    assert.deepEqual(await store.watches.findMeasured(id, viewIds), known);
    assert.deepEqual(await store.watches.findMeasured(other, viewIds), new Map());
    const measured = await store.watches.listMeasured(id, { from: '2026-07-05', to: '2026-07-06' });
    assert.deepEqual(
      measured.map(({ readings }) => readings.map((one) => openReadings(one).count)),
      [
        [1, 0],
        [1, 0],
      ],
    );
    assert.deepEqual(measured[0], toScene(5));
    await store.watches.prune({ day: '2026-01-01', madeAt: '2026-07-06' });
    assert.deepEqual(await store.watches.listEvents(id, { after: 0, limit: 10 }), []);
    assert.deepEqual(await store.watches.listMeasured(id, { from: '2000-01-01', to: '2025-12-31' }), []);
    await commit(8, [toEvent(5)]);
    const [later] = await store.watches.listEvents(id, { after: 0, limit: 10 });
    assert.ok((later?.position ?? 0) > (feed.at(-1)?.position ?? 0), 'positions do not begin again');
    await store.close();
  });

  test(`${name} watches: a period is replaced when it has other scenes, and its events stay`, async () => {
    const store = await open();
    const { watches } = store;
    await putMany(store, make(1));
    const id = idOf(1);
    const toPeriod = (n: number, ...sources: readonly string[]): WatchedScene => ({
      ...toScene(n, '2026-07-26'),
      viewId: '2026-W30',
      sources,
    });
    const mosaic = { period: '2026-W30', viewIds: ['a/1', 'b/2'] };
    const event: WatchEvent = { ...toEvent(1), mosaic };
    const commit = (scene: WatchedScene, ...events: readonly WatchEvent[]) =>
      watches.commit(id, scene, { events, at: AT });
    assert.equal(await commit(toPeriod(1, 'a/1'), event), true);
    assert.equal(await commit(toPeriod(2, 'a/1'), toEvent(2)), false, 'another process was faster');
    const again = toPeriod(3, 'a/1', 'b/2');
    assert.equal(await commit(again, event, toEvent(3)), true);
    const found = await watches.findMeasured(id, ['2026-W30', '2026-W31']);
    assert.deepEqual(found, new Map([['2026-W30', ['a/1', 'b/2']]]));
    const days = { from: '2026-07-26', to: '2026-07-26' };
    assert.deepEqual(await watches.listMeasured(id, days), [again]);
    const feed = await watches.listEvents(id, { after: 0, limit: 10 });
    assert.deepEqual(
      feed.map((one) => [one.id, one.mosaic]),
      [
        ['event 1', mosaic],
        ['event 3', undefined],
      ],
    );
    await store.close();
  });

  test(`${name} watches: more events than fit into one statement have positions in order`, async () => {
    const store = await open();
    await putMany(store, make(1));
    const events = Array.from({ length: 1_203 }, (_, n) => toEvent(n));
    await store.watches.commit(idOf(1), toScene(5), { events, at: AT });
    const feed = await store.watches.listEvents(idOf(1), { after: 0, limit: 2_000 });
    assert.deepEqual(
      feed.map((event) => event.id),
      events.map((event) => event.id),
    );
    assert.ok(feed.every((event, i) => i === 0 || event.position > (feed[i - 1]?.position ?? 0)));
    await store.close();
  });

  test(`${name} watches: checks are leased in turn, by one process at a time`, async () => {
    const store = await open();
    const { watches } = store;
    await putMany(store, make(1), make(2, { isPaused: true }), make(3));
    const lease = (nowMs: number) => watches.leaseCheck({ nowMs, leaseMs: 1_000 });
    const both = await Promise.all([lease(5_000), lease(5_000), lease(5_000)]);
    const [first, second, ...none] = both.toSorted((a, b) =>
      (a?.subscription.id ?? 'z') < (b?.subscription.id ?? 'z') ? -1 : 1,
    );
    assert.equal(first?.subscription.id, idOf(1));
    assert.equal(second?.subscription.id, idOf(3));
    assert.deepEqual(none, [null]);
    const toRef = (leased: typeof first) => ({
      id: leased?.subscription.id ?? '',
      token: leased?.token ?? '',
    });
    assert.equal(await watches.endCheck(toRef(first), { checkedAt: AT, nextAtMs: 9_000 }), true);
    assert.equal((await watches.find(idOf(1), 'key 1'))?.checkedAt, AT);
    assert.equal(await watches.renewCheck(toRef(second), 8_000), true);
    assert.equal(await lease(7_000), null);
    const lapsed = await lease(8_000);
    assert.equal(lapsed?.subscription.id, idOf(3));
    assert.equal(await watches.renewCheck(toRef(second), 9_000), false, 'another process has it');
    assert.equal(await watches.endCheck(toRef(second), { checkedAt: AT, nextAtMs: 0 }), false);
    assert.equal(await watches.endCheck(toRef(lapsed), { checkedAt: null, nextAtMs: 20_000 }), true);
    assert.equal((await watches.find(idOf(3), 'key 1'))?.checkedAt, null);
    assert.equal((await lease(9_000))?.subscription.id, idOf(1));
    await watches.change(idOf(2), 'key 1', { isPaused: false });
    assert.equal((await lease(9_000))?.subscription.id, idOf(2), 'after a pause it is due at once');
    await store.close();
  });

  test(`${name} watches: excluded owners wait for their turn`, async () => {
    const store = await open();
    const { watches } = store;
    await putMany(store, make(1), make(2), make(3, { owner: 'key 2' }));
    const lease = async (...exceptOwners: readonly string[]) =>
      (await watches.leaseCheck({ nowMs: 5_000, leaseMs: 1_000, exceptOwners }))?.subscription.id ?? null;
    assert.equal(await lease(), idOf(1));
    assert.equal(await lease('key 1'), idOf(3));
    assert.equal(await lease('key 1', 'key 2'), null);
    assert.equal(await lease('key 2'), idOf(2));
    await store.close();
  });

  test(`${name} watches: events are sent in order, and again until they have arrived`, async () => {
    const store = await open();
    const { watches } = store;
    const delivery = { callbackUrl: 'https://example.test/', mailTo: null };
    await putMany(store, make(1, { delivery }), make(2));
    const lease = (nowMs: number) => watches.leaseSending({ nowMs, leaseMs: 1_000, maxEvents: 2 });
    assert.equal(await lease(1_000), null);
    for (const id of [idOf(1), idOf(2)])
      await watches.commit(id, toScene(5), { events: [1, 2, 3].map(toEvent), at: AT });
    const sending = await lease(1_000);
    assert.deepEqual(
      sending?.events.map((event) => event.id),
      ['event 1', 'event 2'],
    );
    assert.equal(sending?.subscription.id, idOf(1));
    assert.equal(await lease(1_500), null, 'it is leased, and the other has no receiver');
    const ref = { id: idOf(1), channel: 'callback', token: sending?.token ?? '' } as const;
    const failed = { kind: 'failed', error: 'timed-out', retryAtMs: 3_000 } as const;
    assert.equal(await watches.endSending(ref, failed), true);
    assert.equal(await watches.endSending(ref, failed), false);
    assert.equal(await lease(2_999), null);
    const position = sending?.events[0]?.position ?? 0;
    assert.deepEqual(await watches.listSending(idOf(1)), [
      {
        channel: 'callback',
        position: 0,
        attempts: 1,
        nextAttemptAt: new Date(3_000).toISOString(),
        lastError: 'timed-out',
      },
    ]);
    const again = await lease(3_000);
    assert.equal(again?.attempts, 1);
    assert.deepEqual(again?.events, sending?.events);
    await watches.endSending({ ...ref, token: again?.token ?? '' }, { kind: 'arrived', position });
    assert.deepEqual(
      (await lease(3_000))?.events.map((event) => event.id),
      ['event 2', 'event 3'],
    );
    // A receiver that comes later gets what comes later.
    await watches.change(idOf(2), 'key 1', { delivery: { callbackUrl: null, mailTo: 'a@example.test' } });
    assert.equal(await lease(3_500), null);
    await watches.commit(idOf(2), toScene(6), { events: [toEvent(4)], at: AT });
    const mail = await lease(3_500);
    assert.equal(mail?.channel, 'mail');
    assert.deepEqual(
      mail?.events.map((event) => event.id),
      ['event 4'],
    );
    await store.close();
  });
}
