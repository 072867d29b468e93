import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeLookups } from '../connection.ts';
import { openDatabase } from '../schema/migrate.ts';
import { makeDatabaseThread } from '../threads/database-threads.ts';
import { makeSqliteCoverageStore, makeSqliteIntensityStore } from './scene-stores.ts';

test('only the newest answers are stored, and storing one again makes it new', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'swath-store-'));
  const path = join(directory, 'swath.db');
  const database = openDatabase(path);
  const writer = makeDatabaseThread(path);
  t.after(async () => {
    await writer.close();
    database.close();
    await rm(directory, { recursive: true });
  });
  const store = makeSqliteIntensityStore(
    makeLookups(database, (error) => error),
    writer.ask,
    3,
  );
  const answer = { ranges: [{ band: 'B04', min: 1, max: 2 }], cloudPercent: null, isCorrected: false };
  for (const key of ['a', 'b', 'c', 'a', 'd']) await store.put(key, answer);
  const found = await Promise.all(['a', 'b', 'c', 'd'].map((key) => store.find(key)));
  assert.deepEqual(found, [answer, null, answer, answer]);
});

test('only the newest cells and masks are stored, and storing one again makes it new', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'swath-store-'));
  const path = join(directory, 'swath.db');
  const database = openDatabase(path);
  const thread = makeDatabaseThread(path);
  t.after(async () => {
    await thread.close();
    database.close();
    await rm(directory, { recursive: true });
  });
  const lookups = makeLookups(database, (error) => error);
  const store = makeSqliteCoverageStore({ database: lookups, read: thread.ask, write: thread.ask }, 3);
  const pixels = Uint8Array.of(1, 2);
  const keys = ['a', 'b', 'c', 'a', 'd', 'e'];
  for (const key of keys) await store.put([{ key, mask: 'null' }], [{ key, cell: 7, pixels }]);
  const left = ['a', 'd', 'e'];
  const cells = await store.findCells([...new Set(keys)].map((key) => ({ key, cells: [7] })));
  assert.deepEqual(cells.map(({ key }) => key).sort(), left);
  const masks = await store.findMasks([...new Set(keys)]);
  assert.deepEqual([...masks.keys()].sort(), left);
});
