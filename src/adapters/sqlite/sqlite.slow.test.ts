import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { toScene, toSearchFields } from '../../catalog/index.ts';
import { box, makeScene } from '../../catalog/testing/make-scene.ts';
import type { AreaGeometry, LonLat } from '../../geo/index.ts';
import { geometryBounds } from '../../geo/index.ts';
import { inspectSqliteStore, lockDirectory, openSqliteStore, prepareDirectory } from './index.ts';
import { defineMigrationFunctions } from './schema/migrate.ts';
import { migrations } from './schema/migrations.ts';

const made: string[] = [];
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});
function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'swath-sqlite-'));
  made.push(directory);
  return directory;
}

test('a second server cannot use a data directory until the first releases it', () => {
  const directory = makeDirectory();
  const lock = lockDirectory(directory);
  assert.throws(() => lockDirectory(directory), {
    code: 'store-locked',
    message: new RegExp(`process ${process.pid}.*${directory}`),
  });
  lock.release();
  lockDirectory(directory).release();
});

test('a file that is not a database is refused with a message and not changed', () => {
  const directory = makeDirectory();
  const path = join(directory, 'swath.db');
  writeFileSync(path, 'not a database, but somebody may need it'.repeat(200));
  const before = readFileSync(path);
  assert.throws(() => openSqliteStore(directory), {
    code: 'store-corrupt',
    message: /damaged.*Nothing was changed/,
  });
  assert.throws(() => inspectSqliteStore(directory), { code: 'store-corrupt' });
  assert.deepEqual(readFileSync(path), before);
});

test('the inspection finds damage inside a database', async () => {
  const directory = makeDirectory();
  await openSqliteStore(directory).close();
  const path = join(directory, 'swath.db');
  const bytes = readFileSync(path);
  bytes.fill(0xff, 2048, 12_288);
  writeFileSync(path, bytes);
  const damage = (): readonly string[] => {
    try {
      return inspectSqliteStore(directory).damage;
    } catch (error) {
      return [(error as Error).message];
    }
  };
  assert.ok(damage().length > 0);
});

test('a database of a newer program is refused and not changed', async () => {
  const directory = makeDirectory();
  await openSqliteStore(directory).close();
  const database = new DatabaseSync(join(directory, 'swath.db'));
  database.exec('PRAGMA user_version = 999');
  database.close();
  assert.throws(() => openSqliteStore(directory), { code: 'store-newer', message: /newer Swath/ });
});

test('a directory that cannot be created is refused with a message', () => {
  const file = join(makeDirectory(), 'file');
  writeFileSync(file, '');
  assert.throws(() => prepareDirectory(join(file, 'data')), {
    code: 'data-not-writable',
    message: /SWATH_DATA/,
  });
});

/** Runs a program that writes until it is killed, at another moment in each round; returns the acknowledged names. */
async function killInTheMiddle(
  what: 'keys' | 'scenes',
  directory: string,
  round: number,
): Promise<readonly string[]> {
  const pattern = JSON.stringify(makeScene(1));
  const path = new URL('./testing/write-until-killed.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [path, what, directory, String(round), pattern], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    if (text.split('\n').length > 20 + round * 30) child.kill('SIGKILL');
  });
  const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)));
  assert.equal(signal, 'SIGKILL');
  return text.split('\n').slice(0, -1);
}

test('kill -9 during writes of keys loses no acknowledged key', async () => {
  const directory = makeDirectory();
  let acknowledged: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    acknowledged = acknowledged.concat(await killInTheMiddle('keys', directory, round));
    const store = openSqliteStore(directory);
    const stored = new Set((await store.keys.list()).map(({ id }) => id));
    await store.close();
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
    );
    assert.deepEqual(inspectSqliteStore(directory).damage, []);
  }
  assert.ok(acknowledged.length > 100);
});

test('kill -9 during writes of scenes keeps every acknowledged batch, and every batch complete', async () => {
  const directory = makeDirectory();
  let acknowledged: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    acknowledged = acknowledged.concat(await killInTheMiddle('scenes', directory, round));
    const store = openSqliteStore(directory);
    const stored = new Map<string, number>();
    for await (const { sceneId } of store.scenes.list()) stored.set(sceneId, (stored.get(sceneId) ?? 0) + 1);
    assert.deepEqual([...new Set(stored.values())], [5]);
    const { found } = await store.scenes.searchHits({
      datasets: [{ id: 'sentinel2', filters: [] }],
      shape: { geometry: { type: 'Point', coordinates: [2.5, 42.5] }, relation: 'intersects' },
      sort: { field: 'date', descending: true },
      offset: 0,
      limit: 1,
    });
    assert.equal(found, stored.size * 5, 'the boxes belong to the scenes');
    await store.close();
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
    );
    assert.deepEqual(inspectSqliteStore(directory).damage, []);
  }
});

test('a database of the first schema version is migrated to the newest with all its scenes', async () => {
  const directory = makeDirectory();
  const old = new DatabaseSync(join(directory, 'swath.db'));
  old.exec(`${migrations[0]}; PRAGMA user_version = 1`);
  const scenes = [makeScene(7), makeScene(8, { footprint: box(179, 0, 182, 2) })].map(toScene);
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

  const store = openSqliteStore(directory);
  for (const scene of scenes) assert.deepEqual(await store.scenes.findByViewId(scene.viewId), scene);
  const at = async (lon: number, lat: number) => {
    const { hits } = await store.scenes.searchHits({
      datasets: [{ id: 'sentinel2', filters: [{ field: 'cloudCoverage', kind: 'range', from: 7 }] }],
      shape: { geometry: { type: 'Point', coordinates: [lon, lat] }, relation: 'intersects' },
      sort: { field: 'date', descending: true },
      offset: 0,
      limit: 10,
    });
    return hits.map(({ viewId }) => viewId);
  };
  assert.deepEqual(await at(2.5, 42.5), [scenes[0]?.viewId]);
  assert.deepEqual(await at(-179, 1), [scenes[1]?.viewId]);
  assert.deepEqual(await store.scenes.putMany([makeScene(7)]), ['unchanged'], 'versions stay the same');
  await store.close();
  assert.deepEqual(inspectSqliteStore(directory).damage, []);
});

test('a store that is closed during a write finishes the write', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'swath-close-'));
  const program = fileURLToPath(new URL('./testing/close-while-writing.ts', import.meta.url));
  const child = spawn(process.execPath, [program, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  assert.deepEqual([status, said], [0, 'closed\n']);
  rmSync(directory, { recursive: true });
});

test('areas and colormaps from before owners were recorded stay without an owner', async () => {
  const directory = makeDirectory();
  const step = migrations.findIndex((sql) => sql.includes('CREATE TABLE colormap_owners'));
  const old = new DatabaseSync(join(directory, 'swath.db'));
  defineMigrationFunctions(old);
  for (const sql of migrations.slice(0, step)) old.exec(sql);
  old.exec(`INSERT INTO areas (ref, digest, feature, geometry) VALUES ('r', 'd', '{"old": 1}', '{}');
    INSERT INTO colormaps VALUES ('c', '{"colors": []}'); PRAGMA user_version = ${step}`);
  old.close();

  const { areas, colormaps, close } = openSqliteStore(directory);
  assert.equal((await areas.find('r'))?.feature, '{"old": 1}');
  assert.equal(await areas.remove('r', 'key'), false);
  assert.equal((await areas.usage()).size + (await colormaps.usage()).size, 0);
  const content = await colormaps.find('c');
  assert.deepEqual(content, { colors: [] });
  assert.equal(await colormaps.put({ id: 'c', content: content as never, owner: 'key' }, 1), null);
  assert.equal(await colormaps.remove('c', 'key'), true);
  assert.ok(await colormaps.find('c'), 'somebody may still use it');
  await close();
});

test('a long search does not block the calling thread', async () => {
  const directory = makeDirectory();
  const store = openSqliteStore(directory);
  const scenes = Array.from({ length: 3000 }, (_, i) => makeScene(1, { viewId: `S2/${i}`, sceneId: `${i}` }));
  await store.scenes.putMany(scenes);
  const ring = Array.from({ length: 5000 }, (_, i): LonLat => {
    const angle = (i / 5000) * 2 * Math.PI;
    return [2.5 + 0.4 * Math.cos(angle), 42.5 + 0.4 * Math.sin(angle)];
  });
  const shape: AreaGeometry = { type: 'Polygon', coordinates: [[...ring, ring[0] as LonLat]] };
  const hard = store.scenes.searchHits({
    datasets: [{ id: 'sentinel2', filters: [] }],
    shape: { geometry: shape, relation: 'contains' },
    sort: { field: 'date', descending: true },
    offset: 0,
    limit: 1,
  });
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 1);
  const { found } = await hard;
  clearInterval(ticking);
  assert.equal(found, 3000);
  assert.ok(turns > 2, `${turns} turns of the event loop`);
  await store.close();
});

test('a scene changed by another process is seen at once, although scenes are cached', async () => {
  const directory = makeDirectory();
  const [ours, theirs] = [openSqliteStore(directory), openSqliteStore(directory)];
  const before = await ours.scenes.put(makeScene(5));
  assert.deepEqual(await ours.scenes.findByViewId(before.viewId), before);
  const changed = await theirs.scenes.put(makeScene(5, { sunElevationDeg: 1 }));
  assert.deepEqual(await ours.scenes.findByViewId(before.viewId), changed);
  const again = await ours.scenes.put(makeScene(5, { sunElevationDeg: 2 }));
  assert.deepEqual(await ours.scenes.findByViewId(before.viewId), again);
  await ours.close();
  await theirs.close();
});
