import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SceneQuery } from '../../../catalog/index.ts';
import { makeScene } from '../../../catalog/testing/make-scene.ts';
import { MAX_LAYOUTS } from '../../sql/hit-pages.ts';
import { openSqliteStore } from '../index.ts';
import { openDatabase } from '../schema/migrate.ts';

const scenes = [1, 2, 3].map((i) => makeScene(i));
const query: SceneQuery = {
  datasets: [...new Set(scenes.map(({ dataset }) => dataset))].map((id) => ({ id, filters: [] })),
  sort: { field: 'date', descending: true },
  offset: 0,
  limit: 10,
  withFiles: true,
};

/** Lists the scenes of a store whose database was changed by these statements before it was opened, or after. */
async function listAfter(
  changes: string,
  putFirst = true,
): Promise<{ readonly listed: unknown[]; readonly columns: unknown[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'swath-files-'));
  const put = async (): Promise<void> => {
    const store = openSqliteStore(folder);
    await store.scenes.putMany(scenes);
    await store.close();
  };
  try {
    if (putFirst) await put();
    const database = openDatabase(join(folder, 'swath.db'));
    database.exec(changes);
    database.close();
    if (!putFirst) await put();
    const store = openSqliteStore(folder);
    const { hits } = await store.scenes.searchHits(query);
    const named = await Promise.all(hits.map(({ viewId }) => store.scenes.findHit?.(viewId)));
    assert.deepEqual(named, hits);
    await store.close();
    const after = openDatabase(join(folder, 'swath.db'));
    const columns = after.prepare('SELECT files FROM records ORDER BY number').all();
    after.close();
    return { listed: [...hits], columns: columns.map(({ files }) => files) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const right = await listAfter('');

test('files are read from records that were written before there was a column of them', async () => {
  assert.equal(right.listed.length, 3);
  assert.ok(right.columns.every((column) => typeof column === 'string'));
  const bare = await listAfter('UPDATE records SET files = NULL');
  assert.deepEqual(bare.listed, right.listed);
});

test('a column that belongs to another version of its record is not believed', async () => {
  const wrong = "substr(files, 17, 24) || '1,2,3,4'";
  const old = await listAfter(`UPDATE records SET files = 'fedcba9876543210' || ${wrong}`);
  assert.deepEqual(old.listed, right.listed);
  // The places of the column are what is shown where its version is right: so the version counts.
  const changed = await listAfter(`UPDATE records SET files = substr(files, 1, 16) || ${wrong}`);
  assert.notDeepEqual(changed.listed, right.listed);
});

test('a database that has as many layouts as it may keep stores scenes without a column', async () => {
  const full = await listAfter(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_LAYOUTS})
     INSERT INTO file_layouts SELECT 'layout ' || i, '{}' FROM n`,
    false,
  );
  assert.deepEqual(full.columns, [null, null, null]);
  const toFiles = ({ listed }: { readonly listed: unknown[] }) =>
    listed.map((hit) => (hit as { files: unknown }).files);
  assert.deepEqual(toFiles(full), toFiles(right));
});
