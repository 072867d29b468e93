/**
 * The effect of affinity by scene at a load balancer: three nodes on one PostgreSQL behind nginx draw tiles of twelve scenes,
 * sent to any node in turn, and to the node of their scene. Counts blocks that nodes have decoded, and pictures that they found
 * in their caches; no time is measured. Needs nginx and PostgreSQL: `npm run bench -- affinity`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import type { Scene } from '../../src/catalog/index.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import { makeRandom } from '../../test/faults/tasks/random.ts';
import { startPostgres } from '../../test/ports/postgres-cluster.ts';
import { DEMO_SCENE, makeDemoData } from '../../test/support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../../test/support/demo-grid.ts';
import type { RunningSwath } from '../../test/support/start-swath.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../../test/support/start-swath.ts';

const NODES = 3;
const SCENES = 12;
/** Rounds over all tiles: as many people who look at the same maps. */
const ROUNDS = 3;

const home = mkdtempSync(join(tmpdir(), 'swath-affinity-'));
const scenesFolder = join(home, 'scenes');

/** The configuration that deploy/cluster has, for the ports of these nodes; or nodes in turn. */
function writeNginx(port: number, nodes: readonly RunningSwath[], isByScene: boolean): string {
  const deployed = readFileSync('deploy/cluster/nginx.conf', 'utf8');
  const servers = nodes.map(({ url }) => `server ${new URL(url).host};`).join(' ');
  const path = join(home, `nginx-${isByScene}.conf`);
  const text = deployed
    .replace(/server api-1[\s\S]*?(?=keepalive)/, `${servers} `)
    .replace(isByScene ? /$^/ : 'hash $scene consistent;', '')
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('access_log /dev/stdout short;', 'access_log off;');
  writeFileSync(path, `daemon off; pid ${home}/nginx.pid; error_log stderr;\n${text}`);
  return path;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Sums of a counter over all nodes. */
async function readCounts(nodes: readonly RunningSwath[], name: string): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { url } of nodes) {
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const [, outcome = '', count] of text.matchAll(
      new RegExp(`^${name}\\{outcome="(\\w+)"\\} (\\d+)`, 'gm'),
    ))
      sums[outcome] = (sums[outcome] ?? 0) + Number(count);
  }
  return sums;
}

/** Copies the scene with its files: equal files would be one in the caches. */
async function addScenes(url: string): Promise<readonly string[]> {
  const env = { SWATH_DATABASE_URL: url, SWATH_SOURCES: scenesFolder, SWATH_DATA: join(home, 'ingest') };
  const { status, stderr } = await runSwath(['ingest', 'folder', scenesFolder], env);
  if (status !== 0) throw new Error(stderr);
  const store = await openPostgresStore(url);
  const scene = (await store.scenes.findByViewId(DEMO_SCENE.viewId)) as Scene;
  const viewIds: string[] = [];
  for (let n = 0; n < SCENES; n += 1) {
    const folder = `product-${n}`;
    cpSync(join(scenesFolder, 'product'), join(scenesFolder, folder), {
      recursive: true,
      preserveTimestamps: true,
    });
    const moved = JSON.parse(
      JSON.stringify(scene).replaceAll('/scenes/product/', `/scenes/${folder}/`),
    ) as Scene;
    const viewId = DEMO_SCENE.viewId.replace(/21\/1$/, `21/${n + 2}`);
    await store.scenes.put({ ...moved, viewId, sceneId: `${scene.sceneId}_${n}` });
    viewIds.push(viewId);
  }
  await store.close();
  return viewIds;
}

/** Nobody asks for the same tiles in the same turns; the orders are the same for both ways. */
function shuffle(paths: readonly string[], round: number): readonly string[] {
  const random = makeRandom(round + 1);
  return paths
    .map((path) => ({ path, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ path }) => path);
}

async function measure(isByScene: boolean, url: string, paths: readonly string[]) {
  await using stack = new AsyncDisposableStack();
  const env = {
    ...ONE_THREAD,
    SWATH_DATABASE_URL: url,
    SWATH_SOURCES: scenesFolder,
    SWATH_RESULTS: join(home, 'results'),
    SWATH_TILE_CACHE: '256',
    SWATH_DEMO: 'off',
    SWATH_ROLES: 'api',
  };
  const nodes: RunningSwath[] = [];
  for (let n = 0; n < NODES; n += 1)
    nodes.push(stack.use(await startSwath({ dataDir: join(home, `node-${isByScene}-${n}`), env })));
  const port = await findFreePort();
  const nginx = spawn('nginx', ['-c', writeNginx(port, nodes, isByScene)], { stdio: 'inherit' });
  stack.defer(async () => {
    const ended = once(nginx, 'exit');
    nginx.kill('SIGTERM');
    await ended;
  });
  const base = `http://127.0.0.1:${port}`;
  await waitFor(() =>
    fetch(`${base}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const before = await readCounts(nodes, 'swath_blocks_total');
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const path of shuffle(paths, round)) {
      const answer = await fetch(`${base}${path}`, { headers: { 'x-api-key': SERVICE_KEY } });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  }
  const blocks = await readCounts(nodes, 'swath_blocks_total');
  const tiles = await readCounts(nodes, 'swath_tile_cache_total');
  return {
    decoded: (blocks.misses ?? 0) - (before.misses ?? 0),
    requests: ROUNDS * paths.length,
    found: tiles.hits ?? 0,
  };
}

const cluster = await startPostgres();
if (cluster === null) throw new Error('PostgreSQL is not installed here');
try {
  const demo = await makeDemoData();
  const tiles = listDemoTiles(await readDemoGrid(demo), 15).inside.slice(0, 12);
  mkdirSync(join(home, 'results'), { mode: 0o700 });
  mkdirSync(scenesFolder);
  cpSync(join(demo, DEMO_SCENE.folder), join(scenesFolder, 'product'), {
    recursive: true,
    preserveTimestamps: true,
  });
  rmSync(demo, { recursive: true });
  const viewIds = await addScenes(cluster.url);
  const paths = tiles.flatMap((zxy) => viewIds.map((viewId) => `/api/render/${viewId}/B04,B03,B02/${zxy}`));
  console.log(`${NODES} nodes, ${SCENES} scenes, ${tiles.length} tiles each, ${ROUNDS} times`);
  for (const isByScene of [false, true]) {
    const { decoded, requests, found } = await measure(isByScene, cluster.url, paths);
    const share = Math.round((100 * found) / requests);
    const way = isByScene ? 'by scene' : 'in turn';
    console.log(
      `${way}: ${decoded} blocks decoded; ${found} of ${requests} pictures found in a cache (${share} %)`,
    );
  }
} finally {
  cluster.stop();
  rmSync(home, { recursive: true, force: true });
}
