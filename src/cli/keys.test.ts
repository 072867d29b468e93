import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyRecord, Keys } from '../keys/index.ts';
import { makeAreas, makeColormaps, makeRecipes } from '../library/index.ts';
import {
  aRecipe,
  createArea,
  makeMemoryAreas,
  makeMemoryColormaps,
  makeMemoryRecipes,
  unlimitedAreas,
  unlimitedColormaps,
  unlimitedRecipes,
} from '../library/testing/memory-library.ts';
import { newTask, openTasks, ROOM } from '../tasks/testing/open-tasks.ts';
import { runKeys } from './keys.ts';
import { makeTerminal } from './terminal.ts';

const record = (id: string): KeyRecord => ({
  id,
  label: `label ${id}`,
  role: 'order',
  ratePerMinute: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  revokedAt: null,
  parent: null,
});
const triangle = (west: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, 0],
      [west + 1, 0],
      [west, 1],
      [west, 0],
    ],
  ],
});

async function makeStored() {
  const [areaStore, colormapStore] = [makeMemoryAreas().store, makeMemoryColormaps().store];
  const areas = makeAreas({ ...unlimitedAreas, store: areaStore });
  const colormaps = makeColormaps({ ...unlimitedColormaps, store: colormapStore });
  const recipeStore = makeMemoryRecipes().store;
  const recipes = makeRecipes({ ...unlimitedRecipes, store: recipeStore });
  for (const [owner, count] of [
    ['a1', 2],
    ['configured', 1],
  ] as const) {
    for (let i = 0; i < count; i++) await createArea(areas, triangle(i), owner);
    await colormaps.create({ colors: ['#000000', '#ffffff'] }, owner);
    await recipes.create({ ...aRecipe, owner });
  }
  // What a key has, by key.
  const stored = new Map([['a1', { fields: 3, bytes: 300 }]]);
  const fieldStore = {
    usage: async () => stored,
    async removeAll(owner: string) {
      const { fields = 0 } = stored.get(owner) ?? {};
      stored.delete(owner);
      return fields;
    },
  };
  const opened = await openTasks();
  const tasks = opened.store;
  for (const owner of ['a1', 'a1', 'b2']) await tasks.create(newTask({ owner }), ROOM);
  const revoked: string[] = [];
  const keys: Partial<Keys> = {
    list: async () => [record('a1'), record('b2')],
    revoke: async (id) => void revoked.push(id),
    create: async ({ label }) => ({ secret: 'apk.secret', record: { ...record('c3'), label } }),
  };
  let text = '';
  const out = {
    write(part: string) {
      text += part;
      return true;
    },
  };
  const deps = {
    keys: keys as Keys,
    callbackSecrets: {
      find: async (id: string) => `cbs.of ${id}`,
      rotate: async (id: string) => `cbs.new of ${id}`,
    },
    areas: areaStore,
    colormaps: colormapStore,
    recipes: recipeStore,
    fields: fieldStore,
    watches: { removeAll: async () => 0 },
    tasks,
    removeTasks: async (owner: string) => {
      const removed = await tasks.prune({ endedBefore: '9999', owner, max: 100 });
      return { tasks: removed.length };
    },
    terminal: makeTerminal({ out, err: out, noColor: true }),
  };
  const run = async (command: Parameters<typeof runKeys>[0]): Promise<string> => {
    text = '';
    await runKeys(command, deps);
    return text;
  };
  const dispose = (): Promise<void> => opened[Symbol.asyncDispose]();
  return { run, revoked, areaStore, colormapStore, recipeStore, tasks, [Symbol.asyncDispose]: dispose };
}

test('the list shows what each key has stored, also the configured one', async () => {
  await using stored = await makeStored();
  const { run } = stored;
  const [header, first, second, configured] = (await run({ name: 'keys list', json: false })).split('\n');
  assert.match(header ?? '', /AREAS +COLORMAPS +RECIPES +FIELDS +OPEN +RESULTS +STORED +LABEL$/);
  assert.match(first ?? '', /^a1 .* 2 +1 +1 +3 +2 +0 +0\.0 MiB +label a1$/);
  assert.match(second ?? '', /^b2 .* 0 +0 +0 +0 +1 +0 +0\.0 MiB +label b2$/);
  assert.match(configured ?? '', /^configured .* 1 +1 +1 +0 +0 +0 +0\.0 MiB +SWATH_API_KEY$/);
  const [json] = JSON.parse(await run({ name: 'keys list', json: true })) as { stored: { bytes: number } }[];
  assert.ok((json?.stored.bytes ?? 0) > 300);
  assert.deepEqual(
    { ...json?.stored, bytes: 0 },
    {
      areas: 2,
      colormaps: 1,
      recipes: 1,
      fields: 3,
      openTasks: 2,
      results: 0,
      bytes: 0,
    },
  );
});

test('revoking keeps what is stored, unless told to delete it', async () => {
  await using stored = await makeStored();
  const { run, revoked, areaStore, colormapStore, recipeStore, tasks } = stored;
  await run({ name: 'keys revoke', id: 'a1', deleteStored: false });
  assert.equal((await areaStore.usage()).get('a1')?.areas, 2);
  const said = await run({ name: 'keys revoke', id: 'a1', deleteStored: true });
  assert.match(
    said,
    /Revoked key a1\.\nDeleted what key a1 had stored: areas 2, colormaps 1, recipes 1, fields 3, subscriptions 0, tasks 2\./,
  );
  assert.deepEqual(revoked, ['a1', 'a1']);
  assert.deepEqual([...(await areaStore.usage()).keys()], ['configured']);
  assert.deepEqual(
    (await tasks.list({ limit: 9 })).map(({ owner, state }) => [owner, state]),
    [['b2', 'queued']],
    'those that waited are cancelled and gone',
  );
  assert.deepEqual([...(await colormapStore.usage()).keys()], ['configured'], 'it shared the colormap');
  assert.deepEqual([...(await recipeStore.usage()).keys()], ['configured']);
});

test('what any key has stored can be deleted, also for the configured key', async () => {
  await using stored = await makeStored();
  const { run, areaStore } = stored;
  await run({ name: 'keys delete-stored', id: 'configured' });
  assert.deepEqual([...(await areaStore.usage()).keys()], ['a1']);
  await assert.rejects(run({ name: 'keys delete-stored', id: 'zz' }), { code: 'unknown-key' });
});

test('the callback secret is shown with a new key and after a rotation, also for the configured key', async () => {
  await using stored = await makeStored();
  const created = await stored.run({
    name: 'keys create',
    label: 'x',
    expiresAt: null,
    ratePerMinute: null,
    role: 'order',
  });
  assert.match(created, /apk\.secret\n.*shown only this once: cbs\.of c3\n/s);
  for (const id of ['a1', 'configured']) {
    assert.match(
      await stored.run({ name: 'keys rotate-callback-secret', id }),
      new RegExp(`\ncbs.new of ${id}\n$`),
    );
  }
  await assert.rejects(stored.run({ name: 'keys rotate-callback-secret', id: 'nope' }), {
    code: 'unknown-key',
  });
});
