import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scene } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import type { KnownScene, KnownSceneStore } from './known-scene-store.ts';
import { makeKnownScenes } from './known-scenes.ts';
import type { EarlierState, Resolved } from './resolve-scene.ts';

const VIEW_ID = 'S2L2A/31/T/DH/2026/6/3/0';
const NAMED = { dataset: 'sentinel2l2a', name: '31/T/DH/2026/6/3/0', viewId: VIEW_ID };

const makeResolved = (cloudPercent = 3): Exclude<Resolved, null | 'unchanged'> => ({
  scene: makeScene(3, {
    viewId: VIEW_ID,
    dataset: 'sentinel2l2a',
    cloudPercent,
    origin: { fingerprint: 'f', processed: '' },
  }),
  catalog: 'earth-search',
  itemUrl: 'https://example.org/item',
  itemState: 'monday',
});

/** A table in memory that notes what is asked of it. */
function makeTable() {
  const rows = new Map<string, KnownScene>();
  const claims = new Map<string, string>();
  const done: string[] = [];
  const store: { -readonly [Name in keyof KnownSceneStore]: KnownSceneStore[Name] } = {
    findByViewId: async (viewId) => rows.get(viewId) ?? null,
    findByName: async () => null,
    async putMany(scenes, { heldUntil, released }) {
      const put = scenes.map(({ scene }) => scene.viewId).join();
      done.push(`put ${put}${heldUntil === undefined ? '' : ` until ${heldUntil}`}`);
      if (released !== undefined) claims.delete(released.viewId);
      return scenes.map(({ scene, ...rest }) => {
        const stored: Scene = toScene(scene);
        rows.set(scene.viewId, { ...rest, scene: stored });
        return stored;
      });
    },
    touch: async (viewIds) => void done.push(`touch ${viewIds.join()}`),
    hold: async (viewIds, until) => void done.push(`hold ${viewIds.join()} ${until}`),
    async confirm(viewId, checkedAt) {
      rows.set(viewId, { ...rows.get(viewId)!, checkedAt });
    },
    remove: async (viewId) => rows.delete(viewId),
    count: async () => rows.size,
    async claim(viewId, { owner }) {
      if ((claims.get(viewId) ?? owner) !== owner) return false;
      claims.set(viewId, owner);
      return true;
    },
    async release(viewId) {
      done.push(`release ${viewId}`);
      claims.delete(viewId);
    },
  };
  return { store, rows, claims, done };
}

function makeKnown(table: ReturnType<typeof makeTable>, options: { owner?: string; holdMs?: number } = {}) {
  const state = {
    now: Date.parse('2026-06-10T00:00:00Z'),
    resolved: makeResolved() as Resolved,
    asked: [] as (EarlierState | null)[],
    failures: [] as unknown[],
    /** Resolves when the look-up has gone to the source once more. */
    onResolve: () => {},
    onSleep: () => {},
  };
  const known = makeKnownScenes({
    store: table.store,
    async resolve(_, earlier) {
      state.asked.push(earlier);
      state.onResolve();
      return state.resolved;
    },
    max: 10,
    owner: options.owner ?? 'me',
    holdMs: options.holdMs ?? null,
    now: () => new Date(state.now),
    sleep: async () => state.onSleep(),
    onFailure: (error) => state.failures.push(error),
  });
  return { known, state };
}

test('a scene is resolved once and then known', async () => {
  const table = makeTable();
  const { known, state } = makeKnown(table);
  const first = await known.find(NAMED);
  assert.equal(first?.viewId, VIEW_ID);
  assert.deepEqual(await known.find(NAMED), first);
  assert.equal(state.asked.length, 1);
  assert.deepEqual(table.done, [`put ${VIEW_ID}`], 'the put notes its use, and releases the claim');
  assert.equal(table.claims.size, 0);
});

test('uses within a minute are noted once, and uses in one turn are written together', async () => {
  const table = makeTable();
  const { known, state } = makeKnown(table);
  const other = 'S2L2A/31/T/DH/2026/6/4/0';
  await known.find(NAMED);
  table.rows.set(other, {
    ...table.rows.get(VIEW_ID)!,
    scene: { ...(await known.find(NAMED))!, viewId: other },
  });
  table.done.length = 0;
  state.now += 60_000;
  const use = () => Promise.all([known.find(NAMED), known.find({ ...NAMED, viewId: other })]);
  await use();
  await use();
  await new Promise(setImmediate);
  assert.deepEqual(table.done, [`touch ${VIEW_ID},${other}`]);
});

test('a claim is released if the scene cannot be resolved or stored', async () => {
  for (const fault of ['resolve', 'put'] as const) {
    const table = makeTable();
    const { known, state } = makeKnown(table);
    const fail = () => {
      throw new Error('No.');
    };
    if (fault === 'resolve') state.onResolve = fail;
    else table.store.putMany = async () => fail();
    await assert.rejects(known.find(NAMED), /No\./);
    assert.deepEqual([table.claims.size, table.done], [0, [`release ${VIEW_ID}`]], fault);
  }
});

test('a scene that no catalog has is not stored', async () => {
  const table = makeTable();
  const { known, state } = makeKnown(table);
  state.resolved = null;
  assert.equal(await known.find(NAMED), null);
  assert.deepEqual([table.rows.size, table.claims.size], [0, 0]);
});

test('scenes of tasks are held before the task continues', async () => {
  const table = makeTable();
  const { known } = makeKnown(table, { holdMs: 3_600_000 });
  const { known: later, state } = makeKnown(table, { holdMs: 3_600_000 });
  await known.find(NAMED);
  assert.equal(
    table.done[0],
    `put ${VIEW_ID} until 2026-06-10T01:01:00.000Z`,
    'until the next hold may be noted',
  );
  state.now += 1_000;
  await later.find(NAMED);
  assert.equal(table.done[1], `hold ${VIEW_ID} 2026-06-10T01:01:01.000Z`);
});

test('a hold that could not be written is retried with the next use', async () => {
  const table = makeTable();
  await makeKnown(table).known.find(NAMED);
  table.done.length = 0;
  const { known } = makeKnown(table, { holdMs: 3_600_000 });
  const { hold } = table.store;
  table.store.hold = async () => {
    throw new Error('The disk is full.');
  };
  await assert.rejects(known.find(NAMED), /disk is full/);
  table.store.hold = hold;
  await known.find(NAMED);
  assert.match(table.done[0] ?? '', /^hold /);
});

test('a known scene is found by another name of its product without a request to its source', async () => {
  const table = makeTable();
  const { known, state } = makeKnown(table);
  const scene = await known.find(NAMED);
  const byProduct = { ...NAMED, name: 'S2A_PRODUCT', viewId: 'S2L2A/S2A_PRODUCT' };
  table.store.findByName = async (_, name) =>
    name === 'S2A_PRODUCT' ? (table.rows.get(VIEW_ID) ?? null) : null;
  assert.deepEqual(await known.find(byProduct), scene);
  assert.equal(state.asked.length, 1);
});

test('an item that was last seen long ago is checked in the background', async () => {
  const table = makeTable();
  const { known, state } = makeKnown(table);
  const before = await known.find(NAMED);
  state.now += 7 * 3_600_000;
  for (const [resolved, cloudPercent] of [
    ['unchanged', 3],
    [makeResolved(44), 44],
  ] as const) {
    state.resolved = resolved;
    const checked = new Promise<void>((resolve) => {
      state.onResolve = resolve;
    });
    assert.equal((await known.find(NAMED))?.cloudPercent, before?.cloudPercent);
    await checked;
    await new Promise(setImmediate);
    const row = table.rows.get(VIEW_ID);
    assert.equal(row?.scene.cloudPercent, cloudPercent);
    assert.equal(row.checkedAt, new Date(state.now).toISOString());
    state.now += 7 * 3_600_000;
  }
  assert.deepEqual(state.asked.at(-1), { itemState: 'monday', fingerprint: 'f' });
});

test('a failed check is not retried by every request', async () => {
  const table = makeTable();
  const { known, state } = makeKnown(table);
  await known.find(NAMED);
  state.now += 7 * 3_600_000;
  state.onResolve = () => {
    throw new Error('The files are gone.');
  };
  for (const [waitMs, asked] of [
    [0, 2],
    [60_000, 2],
    [600_000, 3],
  ] as const) {
    state.now += waitMs;
    await known.find(NAMED);
    await new Promise(setImmediate);
    assert.equal(state.asked.length, asked, `after ${waitMs} ms`);
  }
  assert.equal(state.failures.length, 2);
});

test('if another process has claimed a scene, this one waits for its result', async () => {
  const table = makeTable();
  const { known, state } = makeKnown(table, { owner: 'me' });
  table.claims.set(VIEW_ID, 'another');
  state.onSleep = () => {
    const { scene, ...rest } = makeResolved();
    table.rows.set(VIEW_ID, { ...rest, scene: toScene(scene), checkedAt: new Date(state.now).toISOString() });
  };
  assert.equal((await known.find(NAMED))?.viewId, VIEW_ID);
  assert.equal(state.asked.length, 0);
});

test('a scene that another process stores between lookup and claim is not requested again', async () => {
  const table = makeTable();
  const { known, state } = makeKnown(table, { owner: 'me' });
  const { claim } = table.store;
  table.store.claim = (viewId, options) => {
    const { scene, ...rest } = makeResolved();
    table.rows.set(VIEW_ID, { ...rest, scene: toScene(scene), checkedAt: new Date(state.now).toISOString() });
    return claim(viewId, options);
  };
  assert.equal((await known.find(NAMED))?.viewId, VIEW_ID);
  assert.equal(state.asked.length, 0);
  assert.equal(table.claims.size, 0);
});

test('a process that waits in vain queries the source itself', async () => {
  const table = makeTable();
  const { known, state } = makeKnown(table, { owner: 'me' });
  table.claims.set(VIEW_ID, 'another');
  state.onSleep = () => {
    state.now += 20_000;
  };
  assert.equal((await known.find(NAMED))?.viewId, VIEW_ID);
  assert.equal(state.asked.length, 1);
});

test('changed files of a known item replace its record if the record is still the same', async () => {
  const table = makeTable();
  const { known } = makeKnown(table);
  const { version, ...scene } = (await known.find(NAMED))!;
  const renewed = { ...scene, cloudPercent: 50 };
  assert.equal(await known.replace(renewed, 'another version'), null);
  assert.equal((await known.replace(renewed, version))?.cloudPercent, 50);
  assert.equal(table.rows.get(VIEW_ID)?.itemState, 'monday');
});
