/** kill -9 in the middle of a migration: the database is as it was or as it should be, and the next start completes it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { migrations as postgresSteps } from '../../../src/adapters/postgres/schema/migrations.ts';
import { inspectSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import { migrations as sqliteSteps } from '../../../src/adapters/sqlite/schema/migrations.ts';
import { openStore } from '../../../src/app/open-store.ts';
import { toScene, toSearchFields } from '../../../src/catalog/index.ts';
import { makeScene } from '../../../src/catalog/testing/make-scene.ts';
import { geometryBounds } from '../../../src/geo/index.ts';
import { makeSchemaName, postgresUrl, withClient } from '../../ports/postgres-schema.ts';
import { newTask, ROOM } from '../../ports/tasks.ts';

const SCRIPT = fileURLToPath(new URL('./lone-migration.ts', import.meta.url));
const KEYS = 50;
/** A process that waits for another one to migrate comes this far, too. */
const EARLY = 3;
const scenes = Array.from({ length: 40 }, (_, i) => toScene(makeScene(i + 1)));

interface Database {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
}

/** Migrates in a process that dies after so many statements, or lives with 0: how it ended, and what it printed. */
async function migrate({ dataDir, databaseUrl }: Database, statements: number) {
  const child = spawn(process.execPath, [SCRIPT, dataDir, databaseUrl ?? '', String(statements)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    said += part;
  });
  const end = await new Promise<number | string | null>((resolve) =>
    child.on('close', (status, signal) => resolve(status ?? signal)),
  );
  return { end, sent: Number(said) };
}

/** Some of the numbers from 1 to `last`, with both ends, as far apart as `count` allows. */
const pick = (last: number, count: number): readonly number[] => [
  ...new Set(Array.from({ length: count }, (_, i) => 1 + Math.round((i * (last - 1)) / (count - 1)))),
];

/** Everything from before is there, and the store works. */
async function assertWhole(database: Database, hasScenes: boolean): Promise<void> {
  const store = await openStore(database);
  try {
    assert.equal((await store.keys.list()).length, KEYS);
    assert.equal(await store.scenes.count(), hasScenes ? scenes.length : 0);
    if (hasScenes)
      for (const scene of scenes) assert.deepEqual(await store.scenes.findByViewId(scene.viewId), scene);
    assert.equal(await store.knownScenes.count(), 0);
    const task = newTask();
    await store.tasks.create(task, ROOM, null);
    const [leased] = await store.tasks.lease({ worker: 'test', max: 1, leaseMs: 60_000 });
    assert.equal(leased?.task.id, task.id);
  } finally {
    await store.close();
  }
}

/** A database as the first version made it. */
function makeOldSqlite(dataDir: string): void {
  const old = new DatabaseSync(join(dataDir, 'swath.db'));
  old.exec(`PRAGMA journal_mode = WAL; ${sqliteSteps[0]}; PRAGMA user_version = 1`);
  for (let i = 0; i < KEYS; i += 1)
    old
      .prepare('INSERT INTO keys VALUES (?, ?, ?, ?, NULL, ?, NULL, NULL)')
      .run(`k${i}`, `hash ${i}`, 'a key', 'full', '2026-01-01T00:00:00.000Z');
  for (const [i, scene] of scenes.entries()) {
    const fields = toSearchFields(scene);
    old
      .prepare('INSERT INTO scenes VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(
        i + 1,
        scene.viewId,
        scene.sceneId,
        scene.dataset,
        String(fields.date),
        JSON.stringify(fields),
        JSON.stringify(scene),
      );
    const { west, east, south, north } = geometryBounds(scene.footprint);
    old.prepare('INSERT INTO scene_bounds VALUES (?, ?, ?, ?, ?)').run(i + 1, west, east, south, north);
  }
  old.close();
}

test('SQLite: a migration killed at any statement is completed by the next startup', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'swath-migrations-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const toDatabase = (name: string): Database => ({ dataDir: join(root, name), databaseUrl: null });
  const old = toDatabase('old');
  const copy = (name: string): Database => {
    cpSync(old.dataDir, join(root, name), { recursive: true });
    return toDatabase(name);
  };
  cpSync(mkdtempSync(join(root, 'empty-')), old.dataDir, { recursive: true });
  makeOldSqlite(old.dataDir);
  const { end, sent } = await migrate(copy('counted'), 0);
  assert.equal(end, 0);
  for (const statements of pick(sent, 8)) {
    const database = copy(`killed-${statements}`);
    assert.equal((await migrate(database, statements)).end, 'SIGKILL', `after ${statements}`);
    assert.deepEqual(inspectSqliteStore(database.dataDir).damage, [], `after ${statements}`);
    await assertWhole(database, true);
  }
  // Killed again and again after a few statements, it comes to its end all the same.
  const often = copy('often');
  let deaths = 0;
  while ((await migrate(often, Math.ceil(sent / 4))).end === 'SIGKILL') deaths += 1;
  assert.ok(deaths >= 2 && deaths <= sent, `${deaths} deaths`);
  await assertWhole(often, true);
  // Two programs that start at once, one of which is killed.
  const two = copy('two');
  const [killed, other] = await Promise.all([migrate(two, EARLY), migrate(two, 0)]);
  // One that begins when the other has finished finds nothing to do, and is not killed.
  assert.ok(killed.end === 'SIGKILL' || killed.end === 0, String(killed.end));
  assert.equal(other.end, 0);
  await assertWhole(two, true);
});

test('PostgreSQL: a migration killed at any statement is completed by the next startup', async (t) => {
  if (postgresUrl === undefined) return t.skip('no PostgreSQL here');
  const url = postgresUrl;
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-migrations-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  async function makeOld(): Promise<Database> {
    const name = makeSchemaName();
    await withClient(url, 'public', (client) => client.query(`CREATE DATABASE ${name}`));
    t.after(() => withClient(url, 'public', (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)));
    const own = new URL(url);
    own.pathname = `/${name}`;
    await withClient(own.href, 'swath', async (client) => {
      await client.query('CREATE EXTENSION postgis SCHEMA public; CREATE SCHEMA swath');
      await client.query(`CREATE TABLE swath.shape (version integer NOT NULL); ${postgresSteps[0]}`);
      await client.query('INSERT INTO swath.shape VALUES (1)');
      await client.query(
        `INSERT INTO keys SELECT 'k' || i, 'hash ' || i, 'a key', 'full', NULL, '2026-01-01T00:00:00.000Z', NULL, NULL
         FROM generate_series(1, ${KEYS}) AS i`,
      );
    });
    return { dataDir, databaseUrl: own.href };
  }
  const { end, sent } = await migrate(await makeOld(), 0);
  assert.equal(end, 0);
  for (const statements of pick(sent, 6)) {
    const database = await makeOld();
    assert.equal((await migrate(database, statements)).end, 'SIGKILL', `after ${statements}`);
    await assertWhole(database, false);
  }
  const two = await makeOld();
  const [killed, other] = await Promise.all([migrate(two, EARLY), migrate(two, 0)]);
  // One that begins when the other has finished finds nothing to do, and is not killed.
  assert.ok(killed.end === 'SIGKILL' || killed.end === 0, String(killed.end));
  assert.equal(other.end, 0);
  await assertWhole(two, false);
});
