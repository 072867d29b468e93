import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { makeScene } from '../../../catalog/testing/make-scene.ts';
import type { NewKnownScene } from '../../../live/index.ts';
import { inspectSqliteStore, openSqliteStore } from '../index.ts';
import { migrations } from '../schema/migrations.ts';

const makeKnown = (number: number): NewKnownScene => ({
  scene: makeScene(1, { viewId: `S2/${number}`, sceneId: `scene ${number}` }),
  catalog: 'planet',
  itemUrl: `https://catalog.example/${number}`,
  itemState: null,
  checkedAt: '2026-07-01T00:00:00.000Z',
});

const at = (second: number): string => new Date(Date.UTC(2026, 6, 2, 0, 0, second)).toISOString();

function makeDirectory(t: { after(work: () => void): void }): string {
  const directory = mkdtempSync(join(tmpdir(), 'swath-known-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

const ROUNDS = 24;
const BATCH = 50;

test('adding and removing known scenes needs no more disk space than the first ones did', async (t) => {
  const directory = makeDirectory(t);
  const store = openSqliteStore(directory);
  const database = new DatabaseSync(join(directory, 'swath.db'), { readOnly: true });
  const pages: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const batch = Array.from({ length: BATCH }, (_, i) => makeKnown(round * BATCH + i));
    await store.knownScenes.putMany(batch, { max: 4 * BATCH, usedAt: at(round) });
    // Some are used again and again, so that what goes lies scattered between what stays.
    const used = Array.from({ length: 10 }, (_, i) => `S2/${i * i}`);
    await store.knownScenes.touch(used, at(round));
    pages.push(Number(database.prepare('PRAGMA page_count').get()?.page_count));
  }
  database.close();
  assert.equal(await store.knownScenes.count(), 4 * BATCH);
  await store.close();
  const [settled, last] = [pages[7] as number, pages.at(-1) as number];
  assert.ok(last <= settled * 1.1, `pages after each round: ${pages.join(' ')}`);
  assert.deepEqual(inspectSqliteStore(directory).damage, []);
  assert.equal(inspectSqliteStore(directory).knownScenes, 4 * BATCH);
});

test('a database from before known scenes is inspected unchanged, and migrated when it is opened', async (t) => {
  const directory = makeDirectory(t);
  const path = join(directory, 'swath.db');
  const made = openSqliteStore(directory);
  const scene = await made.scenes.put(makeScene(3));
  await made.close();
  const step = migrations.findIndex((text) => text.includes('CREATE TABLE known_scenes'));
  assert.ok(step > 0);
  // Back to the version before: without the tables, indexes and columns of this step and of all that follow.
  const later = migrations.slice(step).join('\n');
  const tables = [...later.matchAll(/CREATE (?:VIRTUAL )?TABLE (\w+)/g)].map(([, name]) => name as string);
  const old = new DatabaseSync(path);
  for (const name of tables.toReversed()) old.exec(`DROP TABLE ${name}`);
  for (const [, name] of later.matchAll(/CREATE (?:UNIQUE )?INDEX (\w+)/g))
    old.exec(`DROP INDEX IF EXISTS ${name}`);
  for (const [, table = '', column] of later.matchAll(/ALTER TABLE (\w+) ADD COLUMN (\w+)/g)) {
    if (!tables.includes(table)) old.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
  old.exec(`DELETE FROM sqlite_stat1 WHERE tbl = 'known_scenes'; PRAGMA user_version = ${step}`);
  old.close();
  assert.deepEqual(
    [inspectSqliteStore(directory)].map(({ schemaVersion, scenes, knownScenes }) => [
      schemaVersion,
      scenes,
      knownScenes,
    ]),
    [[step, 1, 0]],
  );
  const store = openSqliteStore(directory);
  assert.deepEqual(await store.scenes.findByViewId(scene.viewId), scene);
  await store.knownScenes.putMany([makeKnown(1)], { max: 1, usedAt: at(1) });
  assert.equal((await store.knownScenes.findByViewId('S2/1'))?.itemUrl, 'https://catalog.example/1');
  await store.close();
});
