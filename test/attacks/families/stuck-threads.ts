import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge, skip } from '../attack.ts';
import { watch } from '../bystander.ts';
import { nextTile, TILE } from '../demo-tiles.ts';
import { ask, countStatuses } from '../polite.ts';
import type { Keyring, Target } from '../target.ts';
import { createKeys } from '../target.ts';
import { toTestAttack } from '../test-attack.ts';
import { openRaw } from '../wire.ts';

/** Pixel threads that are held up. */
export const stuckThreads: Family = {
  name: 'stuck threads',
  attacks: [
    toTestAttack('../../src/pool/pool-faults.slow.test.ts', {
      name: 'crashing threads',
      severity: 'high',
      does: 'threads exit, throw outside of a job, run out of memory, loop forever and hoard memory while others wait',
      limit: 'the thread is replaced, its own job fails, the others continue',
    }),
    {
      name: 'a stopped upstream',
      severity: 'high',
      does: '12 tiles of a scene whose HTTP server accepts requests and does not answer, while another key requests tiles of local files',
      limit:
        '502, 503 or 504 within SWATH_RENDER_TIMEOUT_MS and 10 s of waiting; others are served, p95 ≤ 2 s',
      run: runStopped,
    },
    {
      name: 'clients that disconnect',
      severity: 'high',
      does: '24 clients request tiles of the stopped server and reset the connection after half a second',
      limit: 'their work is cancelled: no thread is busy 2 s later',
      run: runGone,
    },
    {
      name: 'a pipe instead of a file',
      severity: 'medium',
      does: 'a band file becomes a named pipe without a writer, and 8 tiles of it are requested',
      limit: '502 at once; other bands are drawn',
      run: runPipe,
    },
    {
      name: 'renders beyond their time limit',
      severity: 'medium',
      does: 'pictures of 2,048 × 2,048 pixels with a render timeout of 1 s, while another key requests tiles',
      limit:
        'SWATH_RENDER_TIMEOUT_MS: 504, the thread continues or is replaced; others get nine of ten tiles, p95 ≤ 3 s',
      run: runTooLong,
    },
  ],
};

const REMOTE_VIEW = 'S2L2A/10/U/EU/2026/6/22/1';
const remoteTile = (bands?: string): string => nextTile(bands).replace(DEMO_SCENE.viewId, REMOTE_VIEW);
/** Bands that are drawn first: their bytes are then in memory, while those of other bands are not. */
const OTHER_BANDS = 'B08';

/** A server over the demo with a second scene, whose files come from an HTTP server that can be stopped. */
async function startWithRemote({
  start,
  defer,
}: AttackContext): Promise<{ readonly server: Target; readonly keys: Keyring; stopUpstream(): void }> {
  let [isStopped, folder] = [false, ''];
  const upstream = createServer((request, response) => {
    if (!isStopped) serveFile(request, response, folder);
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as AddressInfo;
  defer(() => {
    upstream.closeAllConnections();
    upstream.close();
  });
  const sources = { hosts: ['127.0.0.1'], allowHttp: true, ports: [port], privateNetworks: ['127.0.0.0/8'] };

  const home = mkdtempSync(join(tmpdir(), 'swath-sources-'));
  defer(() => rmSync(home, { recursive: true, force: true }));
  const file = join(home, 'sources.json');
  writeFileSync(file, JSON.stringify(sources));
  let keys = {} as Keyring;
  const server = await start({
    // Without cached blocks, and with nothing read ahead, every tile has to be read again.
    env: { SWATH_SOURCES: file, SWATH_CACHE_MB: '0', SWATH_PREFETCH: 'off', SWATH_RANGE_CACHE: '0' },
    async prepare(dataDir) {
      folder = join(dataDir, DEMO_SCENE.folder);
      keys = await createKeys(dataDir);
      const store = openSqliteStore(dataDir);
      const scene = await store.scenes.findByViewId(DEMO_SCENE.viewId);
      if (scene === null) throw new Error('the demo scene is not there');
      const assets = Object.fromEntries(
        Object.entries(scene.assets).map(([band, asset]) => [
          band,
          { ...asset, href: `http://127.0.0.1:${port}/${asset.href.split('/').at(-1)}` },
        ]),
      );
      const { version: _, ...record } = scene;
      await store.scenes.put({
        ...record,
        viewId: REMOTE_VIEW,
        sceneId: 'S2B_tile_20260622_10UEU_1',
        assets,
      });
      await store.close();
    },
  });
  return {
    server,
    keys,
    stopUpstream() {
      isStopped = true;
    },
  };
}

function serveFile({ url = '/', headers }: IncomingMessage, response: ServerResponse, folder: string): void {
  const path = join(folder, url.slice(1).replaceAll(/[^A-Za-z0-9.]/g, ''));
  // A sidecar that is looked for.
  if (!existsSync(path)) {
    response.writeHead(404).end();
    return;
  }
  const bytes = readFileSync(path);
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const end = Math.min(bytes.length, to === '' ? bytes.length : Number(to) + 1);
  const common = { etag: '"demo"', 'accept-ranges': 'bytes', 'content-length': end - Number(from) };
  if (headers.range === undefined) response.writeHead(200, common);
  else response.writeHead(206, { ...common, 'content-range': `bytes ${from}-${end - 1}/${bytes.length}` });
  response.end(bytes.subarray(Number(from), end));
}

async function runStopped(context: AttackContext): Promise<Sight> {
  const { server, keys, stopUpstream } = await startWithRemote(context);
  const key = keys.alice;
  const before = await ask(server, remoteTile(OTHER_BANDS), { key });
  await ask(server, TILE, { key: keys.bob });
  stopUpstream();
  const bystander = { server, key: keys.bob, localAddress: undefined, tile: TILE, pauseMs: 50 };
  const { result: answers, report } = await watch(bystander, () =>
    Promise.all(Array.from({ length: 12 }, () => ask(server, remoteTile(), { key, timeoutMs: 30_000 }))),
  );
  const slowest = Math.max(...answers.map(({ ms }) => ms));
  const statuses = answers.map(({ status }) => status);
  const saw = `before ${before.status}; then ${countStatuses(statuses)} within ${(slowest / 1000).toFixed(1)} s; local tiles ${report.text}`;
  return judge(saw, {
    'drawn before': before.status === 200,
    '502, 503 or 504': statuses.every((status) => [502, 503, 504].includes(status)),
    // 10 s at most to wait for a thread, and as long to render.
    'within 21 s': slowest <= 21_000,
    'local tiles are served': report.isServed,
    'their p95 ≤ 2 s': report.tileP95 <= 2_000,
  });
}

async function runGone(context: AttackContext): Promise<Sight> {
  const { server, stopUpstream } = await startWithRemote(context);
  const key = context.keys.marked;
  await ask(server, remoteTile(OTHER_BANDS), { key });
  stopUpstream();
  const clients = Array.from({ length: 24 }, () => {
    const client = openRaw({ port: server.port });
    client.socket.write(`GET ${remoteTile()} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n\r\n`);
    return client;
  });
  await sleep(500);
  const during = await readPool(server);
  for (const { socket } of clients) socket.resetAndDestroy();
  const startedAt = performance.now();
  let after = await readPool(server);
  while (after.busy + after.waiting > 0 && performance.now() - startedAt < 12_000) {
    await sleep(100);
    after = await readPool(server);
  }
  const freeMs = performance.now() - startedAt;
  const tile = await ask(server, TILE, { key });
  const saw = `busy ${during.busy}, waiting ${during.waiting}; ${(freeMs / 1000).toFixed(1)} s after the clients had gone busy ${after.busy}, waiting ${after.waiting}, cancelled ${after.cancelled}; then a tile ${tile.status} in ${tile.ms.toFixed(0)} ms`;
  return judge(saw, {
    'threads were busy': during.busy > 0,
    'free within 2 s': freeMs <= 2_000 && after.busy + after.waiting === 0,
    'a tile within a second': tile.status === 200 && tile.ms < 1_000,
  });
}

/** What the metrics say of the pool. */
async function readPool(server: Target): Promise<{ busy: number; waiting: number; cancelled: number }> {
  const text = (await ask(server, '/metrics')).body.toString();
  const read = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  return {
    busy: read(/^swath_pool_busy\S* (\d+)/m) || read(/^swath_pool_threads\{[^}]*busy[^}]*\} (\d+)/m),
    waiting: read(/^swath_pool_(?:waiting|queue)\S* (\d+)/m),
    cancelled: read(/^swath_pool_jobs_total\{outcome="cancelled"\} (\d+)/m),
  };
}

async function runPipe({ start, keys }: AttackContext): Promise<Sight> {
  const server = await start();
  const path = join(server.dataDir, DEMO_SCENE.folder, 'B05.tif');
  rmSync(path);
  try {
    execFileSync('mkfifo', [path]);
  } catch {
    skip('this system has no mkfifo');
  }
  const key = keys.marked;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => ask(server, nextTile('B05'), { key, timeoutMs: 20_000 })),
  );
  const other = await ask(server, nextTile(), { key });
  const slowest = Math.max(...answers.map(({ ms }) => ms));
  const statuses = answers.map(({ status }) => status);
  return judge(
    `${countStatuses(statuses)} within ${slowest.toFixed(0)} ms; another band ${other.status} in ${other.ms.toFixed(0)} ms`,
    {
      '502 within 2 s': statuses.every((status) => status === 502) && slowest < 2_000,
      'other bands are drawn': other.status === 200,
    },
  );
}

async function runTooLong({ start }: AttackContext): Promise<Sight> {
  let keys = {} as Keyring;
  const server = await start({
    env: { SWATH_RENDER_TIMEOUT_MS: '1000' },
    async prepare(dataDir) {
      keys = await createKeys(dataDir);
    },
  });
  const key = keys.alice;
  for (const caller of [keys.alice, keys.bob]) await ask(server, TILE, { key: caller });
  const hard = '(B04**0.5+B03**0.5+B02**0.5)/(B08**0.5+B05**0.5+B06**0.5+B11**0.5+1)';
  const bystander = { server, key: keys.bob, localAddress: undefined, tile: TILE, pauseMs: 50 };
  const { result: answers, report } = await watch(bystander, () =>
    Promise.all(
      Array.from({ length: 4 }, async () => {
        const statuses: number[] = [];
        for (let i = 0; i < 2; i += 1) {
          const path = `${nextTile(encodeURI(hard))}&TILE_SIZE=2048,2048&RESAMPLE=lanczos`;
          statuses.push((await ask(server, path, { key, timeoutMs: 20_000 })).status);
        }
        return statuses;
      }),
    ),
  );
  const after = await ask(server, nextTile(), { key });
  const statuses = answers.flat();
  return judge(`${countStatuses(statuses)}; others ${report.text}; then a tile ${after.status}`, {
    '504 or done': statuses.every((status) => [200, 503, 504].includes(status)),
    'some past their time': statuses.includes(504),
    // A thread that was replaced takes a moment of its first render's second to start.
    'others get nine of ten tiles': report.tileShare >= 0.9,
    'their p95 ≤ 3 s': report.tileP95 <= 3_000,
    'a tile afterwards': after.status === 200,
  });
}
