import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import type { Checked, SendEvents, Subscription } from '../../src/watch/index.ts';
import { makeCheckSubscription, startSendingEvents, startWatching } from '../../src/watch/index.ts';
import { makeWatchedWorld, toSubscription } from '../../src/watch/testing/watched-world.ts';

/** A store in a folder that goes when the test ends. */
function openStore(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'swath-watching-'));
  const { watches, close } = openSqliteStore(folder);
  t.after(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });
  return watches;
}

const SCENES = { '2026-07-05': [0.5, 0.5], '2026-07-10': [0.5, 0.5] };
const every = toSubscription({ condition: { kind: 'every' } });

interface Watched {
  readonly isActive?: boolean;
  readonly world?: Pick<ReturnType<typeof makeWatchedWorld>, 'deps'>;
  readonly nowMs?: () => number;
}

const AUGUST_MS = Date.parse('2026-08-01');

/** Watches a world, a few milliseconds at a time; in August of that year. */
function watch(
  watches: ReturnType<typeof openStore>,
  { isActive = true, world, nowMs = () => AUGUST_MS + Math.round(performance.now()) }: Watched,
) {
  const failures: unknown[] = [];
  const checks: Checked[] = [];
  const watching = startWatching({
    store: watches,
    check: makeCheckSubscription({ ...(world ?? makeWatchedWorld(SCENES)).deps, store: watches }),
    toIntervalMs: () => 1,
    isActive: async () => isActive,
    ticketFor: (owner, signal) => ({ owner, lane: 'task', timeoutMs: 60_000, signal }),
    nowMs,
    leaseMs: 60_000,
    lookMs: 5,
    events: {
      onChecked: (_, checked) => void checks.push(checked),
      onFailure: (error) => void failures.push(error),
    },
  });
  return { watching, failures, checks };
}

test('subscriptions are checked again and again, and scenes that come in meanwhile are told', async (t) => {
  const watches = openStore(t);
  await watches.put(every, 10);
  const world = makeWatchedWorld(SCENES);
  const { watching } = watch(watches, { world });
  const countEvents = async () => (await watches.listEvents(every.id, { after: 0, limit: 100 })).length;
  await waitFor(async () => (await countEvents()) === 4);
  world.add('2026-07-15', 0.5);
  await waitFor(async () => (await countEvents()) === 5);
  await watching.stop();
  assert.deepEqual(world.measured, ['2026-07-05', '2026-07-10', '2026-07-15'], 'each once');
  assert.ok((await watches.find(every.id, every.owner))?.checkedAt?.startsWith('2026-08-01'));
});

test('a catalog that fails is asked again later, and nothing is taken for checked', async (t) => {
  const watches = openStore(t);
  await watches.put(every, 10);
  const world = makeWatchedWorld(SCENES);
  const failing = {
    ...world,
    deps: { ...world.deps, scenes: { searchHits: async () => Promise.reject(new Error('no answer')) } },
  };
  const { watching, failures } = watch(watches, { world: failing });
  await waitFor(() => failures.length > 0);
  await watching.stop();
  assert.equal((await watches.find(every.id, every.owner))?.checkedAt, null);
});

test('nothing is measured or sent for a key that was revoked', async (t) => {
  const watches = openStore(t);
  await watches.put(every, 10);
  const world = makeWatchedWorld(SCENES);
  const { watching } = watch(watches, { world, isActive: false });
  const later = Date.parse('2026-08-01') + 60_000;
  // Its check has ended when its turn is an hour later.
  await waitFor(async () => (await watches.leaseCheck({ nowMs: later, leaseMs: 1 })) === null);
  await watching.stop();
  assert.deepEqual(world.measured, []);
});

test('a long check of one owner delays no other, and an owner has one check at a time', async (t) => {
  const watches = openStore(t);
  const second = { ...every, id: 'b'.repeat(32) };
  const other = { ...every, id: 'c'.repeat(32), owner: 'key 2' };
  for (const one of [every, second, other]) await watches.put(one, 10);
  const world = makeWatchedWorld(SCENES);
  const held = Promise.withResolvers<void>();
  const begun: string[] = [];
  const deps: typeof world.deps = {
    ...world.deps,
    async listShapes(subscription) {
      begun.push(subscription.id);
      if (subscription.owner === every.owner) await held.promise;
      return world.deps.listShapes(subscription);
    },
  };
  const { watching } = watch(watches, { world: { deps } });
  const countEvents = async ({ id }: Subscription) =>
    (await watches.listEvents(id, { after: 0, limit: 100 })).length;
  await waitFor(async () => (await countEvents(other)) === 4);
  // The other owner's subscription is due again and again; the second one of the first owner is not begun.
  await waitFor(() => begun.filter((id) => id === other.id).length > 5);
  assert.deepEqual(
    begun.filter((id) => id !== other.id),
    [every.id],
  );
  held.resolve();
  await waitFor(async () => (await countEvents(second)) === 4 && (await countEvents(every)) === 4);
  await watching.stop();
});

test('a check that outlasts its turn goes on in the next one, and measures nothing twice', async (t) => {
  const watches = openStore(t);
  await watches.put(every, 10);
  const days = Array.from({ length: 6 }, (_, n) => `2026-07-${String(n + 10)}`);
  const world = makeWatchedWorld(Object.fromEntries(days.map((day) => [day, [0.5]])));
  world.broken.add('2026-07-12');
  let nowMs = AUGUST_MS;
  const deps: typeof world.deps = {
    ...world.deps,
    measureScene(...args) {
      nowMs += 31_000;
      return world.deps.measureScene(...args);
    },
  };
  const { watching, checks } = watch(watches, { world: { deps }, nowMs: () => nowMs });
  await waitFor(() => checks.some(({ isWhole }) => isWhole));
  world.broken.clear();
  nowMs += 3_600_000;
  await waitFor(() => checks.some(({ isWhole, failed }) => isWhole && failed === 0));
  await watching.stop();
  assert.deepEqual(checks.slice(0, 2), [
    { scenes: 2, failed: 0, fired: 2, isWhole: false },
    { scenes: 1, failed: 1, fired: 1, isWhole: false },
  ]);
  assert.deepEqual(world.measured.toSorted(), days, 'each once');
  const feed = await watches.listEvents(every.id, { after: 0, limit: 100 });
  assert.equal(feed.length, days.length);
});

interface Sent {
  readonly ids: readonly string[];
  readonly attempt: number;
}

function send(
  watches: ReturnType<typeof openStore>,
  { answer, isActive = true }: { readonly answer: () => string | null; readonly isActive?: boolean },
) {
  const sent: Sent[] = [];
  const errors: (string | null)[] = [];
  const sender: SendEvents = async ({ events, attempt }) => {
    sent.push({ ids: events.map(({ id }) => id), attempt });
    return answer();
  };
  const sending = startSendingEvents({
    store: watches,
    senders: { callback: sender, mail: null },
    isActive: async () => isActive,
    nowMs: Date.now,
    leaseMs: 60_000,
    firstDelayMs: 1,
    lookMs: 5,
    events: { onSent: (_, error) => void errors.push(error) },
  });
  return { sent, errors, stop: sending.stop };
}

/** A subscription with events that wait to be sent. */
async function fill(watches: ReturnType<typeof openStore>, delivery: Subscription['delivery']) {
  await watches.put({ ...every, delivery }, 10);
  const check = makeCheckSubscription({ ...makeWatchedWorld(SCENES).deps, store: watches });
  const ticket = { owner: every.owner, lane: 'task', timeoutMs: 60_000 } as const;
  const days = { from: '2026-07-01', to: '2026-07-31' };
  await check(every, days, { ticket, onScene: async () => true });
  return (await watches.listEvents(every.id, { after: 0, limit: 100 })).map(({ id }) => id);
}

test('events are sent until they arrive, in order and with the number of the attempt', async (t) => {
  const watches = openStore(t);
  const ids = await fill(watches, { callbackUrl: 'https://example.test/', mailTo: null });
  let refusals = 3;
  const { sent, stop } = send(watches, {
    answer() {
      refusals -= 1;
      return refusals >= 0 ? 'status 503' : null;
    },
  });
  const hasArrived = async (): Promise<boolean> =>
    ((await watches.listSending(every.id))[0]?.position ?? 0) === (await watches.lastPosition(every.id));
  await waitFor(hasArrived);
  await stop();
  assert.deepEqual(
    sent.map(({ attempt }) => attempt),
    [1, 2, 3, 4],
  );
  for (const one of sent) assert.deepEqual(one.ids, ids);
});

test('events wait for a way of sending that is not there, and for a key that works', async (t) => {
  const watches = openStore(t);
  await fill(watches, { callbackUrl: null, mailTo: 'a@example.test' });
  const { sent, errors, stop } = send(watches, { answer: () => null });
  await waitFor(() => errors.includes('not-available'));
  await stop();
  const other = openStore(t);
  await fill(other, { callbackUrl: 'https://example.test/', mailTo: null });
  const revoked = send(other, { answer: () => null, isActive: false });
  await waitFor(() => revoked.errors.includes('key-revoked'));
  await revoked.stop();
  assert.deepEqual([...sent, ...revoked.sent], []);
});
