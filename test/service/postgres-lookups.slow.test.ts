import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import type { Scene } from '../../src/catalog/index.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import type { PostgresCluster } from '../ports/postgres-cluster.ts';
import { startPostgres } from '../ports/postgres-cluster.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../support/demo-grid.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

let cluster: PostgresCluster | null = null;
let dataDir = '';
let tiles: readonly string[] = [];
before(async () => {
  cluster = await startPostgres();
  if (cluster === null) return;
  dataDir = await makeDemoData();
  const { inside } = listDemoTiles(await readDemoGrid(dataDir), 14);
  tiles = inside.map((zxy) => `/api/render/${DEMO_SCENE.viewId}/B04/${zxy}`);
  const [from, to] = [openSqliteStore(dataDir), await openPostgresStore(cluster.url)];
  for await (const scene of from.scenes.list()) await to.scenes.put(scene);
  await Promise.all([from.close(), to.close()]);
  // The contrast is measured and stored here, and not during the tiles that are counted.
  const service = await startCounted(0, cluster);
  assert.equal((await service.ask(tiles[0] ?? '')).status, 200);
  await service.stop();
});
after(() => {
  cluster?.stop();
  if (dataDir !== '') rmSync(dataDir, { recursive: true });
});

/** A service whose way to PostgreSQL is counted. */
async function startCounted(storeCacheMs: number, { url }: PostgresCluster) {
  const counted = new URL(url);
  const proxy = await startTcpProxy(Number(counted.port));
  counted.port = String(proxy.port);
  const env = {
    SWATH_DATABASE_URL: counted.href,
    SWATH_STORE_CACHE_MS: String(storeCacheMs),
    // Of its own: pictures of one test must not be found by the next.
    SWATH_TILE_CACHE: '0',
    // A worker asks for tasks now and then.
    SWATH_ROLES: 'api',
    ...ONE_THREAD,
  };
  const swath = await startSwath({ dataDir, env });
  return {
    proxy,
    async ask(path: string, key = SERVICE_KEY) {
      const response = await fetch(`${swath.url}${path}`, { headers: { 'x-api-key': key } });
      await response.arrayBuffer();
      return { status: response.status, etag: response.headers.get('etag') };
    },
    async stop() {
      await swath.stop();
      await proxy.close();
    },
  };
}

const createKey = async (url: string): Promise<string> =>
  (await runSwath(['keys', 'create'], { SWATH_DATABASE_URL: url, SWATH_DATA: dataDir })).stdout.trim();

/** Round trips of a tile that was not drawn before, of a scene that was: the fewest of three, because a slow machine forgets it in between. */
async function countRoundTrips(service: Awaited<ReturnType<typeof startCounted>>, key: string) {
  const [first = '', ...others] = tiles.slice(0, 4);
  assert.equal((await service.ask(first, key)).status, 200);
  const counts: number[] = [];
  for (const tile of others) {
    const before = service.proxy.countSent();
    assert.equal((await service.ask(tile, key)).status, 200);
    counts.push(service.proxy.countSent() - before);
  }
  return Math.min(...counts);
}

test('PostgreSQL: a tile of a scene in use makes no round trip', async (t) => {
  if (cluster === null) return t.skip('PostgreSQL is not installed here');
  const key = await createKey(cluster.url);
  // The longest time that can be set, so that a busy machine does not end it.
  const service = await startCounted(3_600_000, cluster);
  t.after(() => service.stop());
  assert.equal(await countRoundTrips(service, key), 0);
});

test('PostgreSQL: with SWATH_STORE_CACHE_MS=0 key and scene are read for each tile', async (t) => {
  if (cluster === null) return t.skip('PostgreSQL is not installed here');
  const key = await createKey(cluster.url);
  const service = await startCounted(0, cluster);
  t.after(() => service.stop());
  // A new connection of the pool sends more.
  assert.ok((await countRoundTrips(service, key)) >= 2);
});

test('PostgreSQL: a key revoked and a scene replaced elsewhere take effect here, however long look-ups are cached', async (t) => {
  if (cluster === null) return t.skip('PostgreSQL is not installed here');
  const key = await createKey(cluster.url);
  const service = await startCounted(3_600_000, cluster);
  t.after(() => service.stop());
  const store = await openPostgresStore(cluster.url);
  t.after(() => store.close());
  const [tile = ''] = tiles;
  const { etag } = await service.ask(tile, key);

  const scene = (await store.scenes.findByViewId(DEMO_SCENE.viewId)) as Scene;
  await store.scenes.put({ ...scene, sunElevationDeg: 12 });
  await waitFor(async () => (await service.ask(tile, key)).etag !== etag);

  const { id } = (await store.keys.list()).at(-1) ?? { id: '' };
  await store.keys.revoke(id, new Date().toISOString());
  await waitFor(async () => (await service.ask(tile, key)).status === 403);

  // A network that drops the connection without a word: reports are missed, and noticed to be missed.
  const next = await createKey(cluster.url);
  assert.equal((await service.ask(tile, next)).status, 200);
  const { id: nextId } = (await store.keys.list()).at(-1) ?? { id: '' };
  service.proxy.freeze();
  await store.keys.revoke(nextId, new Date().toISOString());
  service.proxy.heal();
  await waitFor(async () => (await service.ask(tile, next)).status === 403);
});
