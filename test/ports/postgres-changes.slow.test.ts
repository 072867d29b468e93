/** Changes that PostgreSQL reports to all processes, and the caches that rely on them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import type { Store } from '../../src/adapters/store/index.ts';
import { rememberLookups } from '../../src/adapters/store/index.ts';
import type { ChangeKind } from '../../src/adapters/store/store.ts';
import type { ToldCount } from '../../src/async/index.ts';
import { makeScene } from '../../src/catalog/testing/make-scene.ts';
import { makeDem, makeDemFile } from '../../src/terrain/testing/fake-dem-store.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import { makeSchemaName, postgresUrl, withClient } from './postgres-schema.ts';

const KINDS: readonly ChangeKind[] = [
  'keys',
  'sessions',
  'scenes',
  'scene-names',
  'known-scenes',
  'known-scene-names',
  'recipes',
  'dems',
  'areas',
  'colormaps',
];

const key = {
  id: 'a1',
  label: '',
  role: 'order',
  ratePerMinute: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  revokedAt: null,
  parent: null,
} as const;

const AREA = { ref: 'r', digest: 'd', feature: '{}', geometry: '{}', owner: 'a1', bytes: 4 };

/** Two nodes on one database, and what the second is told. */
async function openNodes(url: string) {
  const schema = makeSchemaName();
  const [one, two] = [await openPostgresStore(url, { schema }), await openPostgresStore(url, { schema })];
  const told: string[] = [];
  for (const kind of KINDS) {
    two.changes(kind).watch((ids) => told.push(`${kind} ${ids === null ? '*' : ids.join(',')}`));
  }
  await waitFor(() => two.changes('keys').heard() !== null);
  return {
    schema,
    one,
    two,
    /** Reports of one change; the last of them is that of a key, which was made after it. */
    async reportsOf(change: (store: Store) => Promise<unknown>): Promise<readonly string[]> {
      told.length = 0;
      await change(one);
      await one.keys.revoke(key.id, '2026-02-01T00:00:00.000Z');
      await waitFor(() => told.includes('keys a1'));
      return told.filter((report) => report !== 'keys a1');
    },
    query: (sql: string) => withClient(url, schema, (client) => client.query(sql)),
    async close() {
      await Promise.all([one.close(), two.close()]);
      await withClient(url, schema, (client) => client.query(`DROP SCHEMA ${schema} CASCADE`));
    },
  };
}

function changeTests(url: string): void {
  test('PostgreSQL: each change of cached data is reported to all nodes, with its ids', async (t) => {
    const { one, reportsOf, query, close } = await openNodes(url);
    t.after(close);
    await one.keys.insert(key, 'hash');
    for (const tokenHash of ['one', 'two']) {
      const [createdAt, expiresAt] = [key.createdAt, '2026-01-02T00:00:00.000Z'];
      await one.sessions.insert({ tokenHash, keyId: 'a1', stateHash: tokenHash, createdAt, expiresAt });
    }
    const many = Array.from({ length: 150 }, (_, i) => makeScene((i % 28) + 1, { viewId: `S2/many/${i}` }));
    const [first] = many;
    const expected: readonly (readonly [string, (store: Store) => Promise<unknown>, readonly string[]])[] = [
      ['a session that ends', ({ sessions }) => sessions.remove('one'), ['sessions one']],
      ['sessions of a person', ({ sessions }) => sessions.removeAll('a1'), ['sessions two']],
      ['new scenes', ({ scenes }) => scenes.putMany(many), ['scene-names *']],
      ['equal scenes', ({ scenes }) => scenes.putMany(many), ['scene-names *']],
      [
        'one replaced scene',
        ({ scenes }) => scenes.put({ ...makeScene(1, { viewId: 'S2/many/0' }), sunElevationDeg: 1 }),
        ['scene-names *', 'scenes S2/many/0'],
      ],
      [
        'more than a report names',
        ({ scenes }) => scenes.putMany(many.map((scene) => ({ ...scene, sunElevationDeg: 2 }))),
        ['scene-names *', 'scenes *'],
      ],
      ['a removed scene', ({ scenes }) => scenes.remove(first?.viewId ?? ''), ['scenes S2/many/0']],
      ['a scene that nobody has', ({ scenes }) => scenes.remove('S2/none'), []],
      ['an elevation model', ({ dems }) => dems.putDem(makeDem('a')), ['dems *']],
      ['its files', ({ dems }) => dems.putFiles([makeDemFile('a', 0, 0)]), ['dems *']],
      ['its end', ({ dems }) => dems.removeDem('a'), ['dems *']],
      ['a new area', ({ areas }) => areas.put(AREA, { areas: 9, bytes: 999 }), []],
      ['an area removed', ({ areas }) => areas.remove('r', 'a1'), ['areas r']],
      [
        'a colormap removed',
        async ({ colormaps }) => {
          await colormaps.put({ id: 'c', content: { colors: [] } as never, owner: 'a1' }, 9);
          await colormaps.remove('c', 'a1');
        },
        ['colormaps c'],
      ],
      [
        'scenes deleted by hand',
        () => query(`DELETE FROM scenes WHERE view_id = 'S2/many/1'`),
        ['scenes S2/many/1'],
      ],
      ['a table that is emptied', () => query('TRUNCATE scenes'), ['scenes *']],
    ];
    for (const [name, change, reports] of expected) {
      assert.deepEqual([...new Set(await reportsOf(change))].toSorted(), reports, name);
    }
  });

  test('PostgreSQL: caches with a TTL of an hour forget what another node changes', async (t) => {
    const { one, two, close } = await openNodes(url);
    t.after(close);
    const cached = rememberLookups(two, { nowMs: () => performance.now(), freshMs: 3_600_000, outageMs: 0 });
    const share = { id: 'f'.repeat(32), expiresAt: null, ratePerMinute: 60 };
    const recipe = {
      owner: key.id,
      id: 'a'.repeat(32),
      name: 'Fields',
      content: { scenes: { kind: 'scene', viewId: 'S2/x' }, bands: 'B04', query: {} },
      createdAt: key.createdAt,
      share,
    } as const;
    await one.keys.insert(key, 'hash');
    await one.recipes.put(recipe, 9);
    const scene = await one.scenes.put(makeScene(1));
    assert.equal((await cached.keys.findByHash('hash'))?.revokedAt, null);
    assert.equal((await cached.keys.findById(key.id))?.revokedAt, null);
    assert.ok(await cached.recipes.findShared(share.id));
    assert.deepEqual(await cached.scenes.findByViewId(scene.viewId), scene);
    assert.deepEqual(await cached.scenes.findByName(scene.dataset, scene.sceneId), scene);
    assert.deepEqual(await cached.dems.list(), []);

    await one.keys.revoke(key.id, '2026-02-01T00:00:00.000Z');
    await waitFor(async () => (await cached.keys.findByHash('hash'))?.revokedAt !== null);
    assert.notEqual((await cached.keys.findById(key.id))?.revokedAt, null);
    await one.recipes.change(recipe.id, key.id, { share: null });
    await waitFor(async () => (await cached.recipes.findShared(share.id)) === null);
    const second = await one.scenes.put({ ...makeScene(1), sunElevationDeg: 1 });
    await waitFor(async () => (await cached.scenes.findByViewId(scene.viewId))?.version === second.version);
    assert.equal((await cached.scenes.findByName(scene.dataset, scene.sceneId))?.version, second.version);
    const newer = { ...makeScene(1), viewId: `${scene.viewId}-newer` };
    await one.scenes.put(newer);
    const named = await one.scenes.findByName(scene.dataset, scene.sceneId);
    await waitFor(
      async () => (await cached.scenes.findByName(scene.dataset, scene.sceneId))?.viewId === named?.viewId,
    );
    await one.scenes.remove(scene.viewId);
    await waitFor(async () => (await cached.scenes.findByViewId(scene.viewId)) === null);
    await one.dems.putDem(makeDem('a'));
    await one.dems.putFiles([makeDemFile('a', 0, 0)]);
    await waitFor(async () => (await cached.dems.list())[0]?.fileCount === 1);
  });

  test('PostgreSQL: after a lost connection reports start again, and tasks are polled', async (t) => {
    const { two, schema, query, close } = await openNodes(url);
    t.after(close);
    const events: string[] = [];
    const stop = two.tasks.watch(({ kind }) => events.push(kind));
    t.after(stop);
    const before = two.changes('keys').heard();
    assert.ok(before);
    const told: (readonly string[] | null)[] = [];
    two.changes('scenes').watch((ids) => told.push(ids));
    await query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'swath listens to ${schema}'`,
    );
    await waitFor(() => (two.changes('keys').heard()?.fromMs ?? 0) > before.untilMs);
    assert.deepEqual(events, ['queued', 'over']);
    const scene = await two.scenes.put(makeScene(1));
    await two.scenes.remove(scene.viewId);
    await waitFor(() => told.length > 0);
    assert.deepEqual(told, [[scene.viewId]]);
  });

  test('PostgreSQL: a name is locked by one process at a time, until it releases the lock or ends', async (t) => {
    const { one, two, close } = await openNodes(url);
    t.after(close);
    const lock = await one.tryLock('demo');
    assert.ok(lock);
    assert.equal(await two.tryLock('demo'), null);
    await (await two.tryLock('first key'))?.release();
    await lock.release();
    const next = await two.tryLock('demo');
    assert.ok(next);
    await next.release();
  });

  test('PostgreSQL: a store that nobody watches opens no connection for reports', async (t) => {
    const { one, close } = await openNodes(url);
    t.after(close);
    await one.ping();
    assert.equal(one.changes('keys').heard(), null);
  });

  test('nodes exchange their counts, for any number of names; foreign messages are ignored', async (t) => {
    const { schema, one, two, query, close } = await openNodes(url);
    t.after(close);
    const [heard, own]: [ToldCount[], ToldCount[]] = [[], []];
    two.countNews.hear((counts) => void heard.push(...counts));
    one.countNews.hear((counts) => void own.push(...counts));
    for (const junk of ['', 'junk', '{}', '["x",["requests","a",-1],["requests",1,1],"requests",null]'])
      await query(`SELECT pg_notify('${schema}_counts', '${junk}')`);
    const counts = Array.from({ length: 500 }, (_, n) => ({
      of: 'guests',
      name: `2001:db8:85a3:8d3:1319:8a2e:370:${n}`,
      count: n + 1,
    }));
    await one.countNews.tell([{ of: 'guests', name: 'x'.repeat(10_000), count: 1 }, ...counts]);
    await waitFor(() => heard.length >= counts.length);
    assert.deepEqual(heard, counts);
    await two.countNews.tell([{ of: 'requests', name: 'a1', count: 3 }]);
    await waitFor(() => own.length > 0);
    assert.deepEqual(own, [{ of: 'requests', name: 'a1', count: 3 }], 'a node does not hear itself');
  });
}

if (postgresUrl !== undefined) changeTests(postgresUrl);
else test('PostgreSQL', { skip: 'TEST_DATABASE_URL is not set; see CONTRIBUTING.md' }, () => {});
