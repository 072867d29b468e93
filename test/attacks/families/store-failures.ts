import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../ports/postgres-cluster.ts';
import { DEMO_SCENE, makeDemoData } from '../../support/demo-data.ts';
import { runSwath } from '../../support/start-swath.ts';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge, skip } from '../attack.ts';
import { SEARCH, TILE } from '../demo-tiles.ts';
import { findFreePort } from '../free-port.ts';
import type { PoliteAnswer } from '../polite.ts';
import { ask, countStatuses } from '../polite.ts';
import type { Target } from '../target.ts';
import { isAboveInfo, readLog } from '../target.ts';
import { toTestAttack } from '../test-attack.ts';
import { readCode } from '../wire.ts';

/** A store that cannot be written, or is not there. */
export const storeFailures: Family = {
  name: 'store failures',
  attacks: [
    {
      name: 'disk full',
      severity: 'high',
      does: 'the disk of the data directory fills up, areas are posted, then space is free again',
      limit:
        '503 with Retry-After and a code, one line in the log, /readyz says degraded; reads continue; recovers without a restart',
      run: runDiskFull,
    },
    {
      name: 'database locked',
      severity: 'medium',
      does: 'another process holds the write lock of SQLite for 9 s while areas are posted',
      limit:
        'a bounded wait, then 503 with Retry-After and a code; reads continue; recovers without a restart',
      run: runLocked,
    },
    {
      name: 'read-only data directory',
      severity: 'medium',
      does: 'the server is started by a user without write permission for the data directory',
      limit: 'exit status 1 or 2 and a sentence with the reason, no stack',
      run: runReadOnly,
    },
    toTestAttack('../service/store-failures.slow.test.ts', {
      name: 'read-only store while it runs',
      severity: 'medium',
      does: 'the data directory of a running server becomes read-only, by its mount and by its permissions, and writable again',
      limit:
        '503 with Retry-After and a code, /readyz says degraded; reads continue; recovers without a restart',
    }),
    {
      name: 'PostgreSQL unreachable',
      severity: 'high',
      does: 'connections to PostgreSQL are cut and refused, then accepted again',
      limit:
        '503 with Retry-After and a code, few lines in the log, /readyz degraded or 503; recovers without a restart',
      run: (context) => runPostgres(context, 'refuse'),
    },
    {
      name: 'PostgreSQL hangs',
      severity: 'high',
      does: 'PostgreSQL accepts connections and does not answer',
      limit:
        '503 within 15 s (a statement has 10 s), a line in the log; /healthz answers at once; recovers without a restart',
      run: (context) => runPostgres(context, 'hang'),
    },
    toTestAttack('../faults/storage/postgres-full.slow.test.ts', {
      name: 'PostgreSQL without disk space',
      severity: 'high',
      does: 'the disk of the tables of PostgreSQL fills up while areas and tasks are posted, then space is free again',
      limit:
        '503 store-full with Retry-After; pictures of known scenes go on; /readyz says degraded; recovers without a restart, and every acknowledged task is done',
    }),
  ],
};

let serial = 0;
/** A new area that takes some pages of the database. */
function makeArea(): string {
  serial += 1;
  const geometry = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
  };
  return JSON.stringify({ type: 'Feature', properties: { serial, text: 'x'.repeat(15_000) }, geometry });
}

const postArea = (server: Target, key: string): Promise<PoliteAnswer> =>
  ask(server, '/api/render/cropper', { method: 'POST', key, body: makeArea(), timeoutMs: 20_000 });

const isPolite = ({ status, headers, body }: PoliteAnswer): boolean =>
  status === 503 &&
  headers['retry-after'] !== undefined &&
  readCode(body) !== '' &&
  readCode(body) !== 'internal';

const describe = (answers: readonly PoliteAnswer[]): string =>
  countStatuses(answers.map(({ status, body }) => (status === 200 ? 200 : `${status} ${readCode(body)}`)));

/** Reads that need no writing: a tile of bands whose contrast has not been computed yet, and a search. */
async function read(server: Target, key: string, band: string): Promise<readonly PoliteAnswer[]> {
  return [
    await ask(server, TILE, { key }),
    await ask(server, `/api/render/${DEMO_SCENE.viewId}/${band}/14/2621/5680`, { key }),
    await ask(server, SEARCH, { method: 'POST', key, body: '{"search":{}}' }),
  ];
}

async function retryUntil(isFine: () => Promise<boolean>, ms: number): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < ms) {
    if (await isFine()) return performance.now() - startedAt;
    await sleep(200);
  }
  return Number.POSITIVE_INFINITY;
}

async function runDiskFull({ start, keys, defer }: AttackContext): Promise<Sight> {
  const disk = mkdtempSync(join(tmpdir(), 'swath-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    rmSync(disk, { recursive: true });
    skip('a tmpfs of its own cannot be mounted here (that takes root)');
  }
  // The server is stopped before, by a cleaning that was added later.
  defer(() => {
    execFileSync('umount', ['-l', disk], { stdio: 'ignore' });
    rmSync(disk, { recursive: true, force: true });
  });
  const made = await makeDemoData();
  cpSync(made, join(disk, 'data'), { recursive: true });
  rmSync(made, { recursive: true });
  const server = await start({ dataDir: join(disk, 'data') });
  const key = keys.marked;
  const first = await postArea(server, key);
  const filler = join(disk, 'filler');
  try {
    for (;;) writeFileSync(filler, Buffer.alloc(2 ** 16), { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  const printed = server.output().length;
  const posted: PoliteAnswer[] = [];
  // The log that SQLite writes ahead has room for a few; the first refusal is where it begins.
  for (let i = 0; i < 400 && posted.filter(({ status }) => status !== 200).length < 20; i += 1) {
    posted.push(await postArea(server, key));
  }
  const refused = posted.filter(({ status }) => status !== 200);
  const reads = await read(server, key, 'B05');
  const ready = await ask(server, '/readyz');
  const lines = readLog(server.output().slice(printed)).filter(isAboveInfo).length;
  rmSync(filler);
  const recoveredMs = await retryUntil(async () => (await postArea(server, key)).status === 200, 10_000);
  const readyAgainMs = await retryUntil(async () => !says(await ask(server, '/readyz')), 10_000);
  const saw = `${posted.length - refused.length} stored, then ${describe(refused)}, ${lines} lines in the log; reads ${describe(reads)}; /readyz ${ready.status} ${ready.body.toString().slice(0, 120)}; well after ${toSeconds(recoveredMs)}`;
  return judge(saw, {
    'areas are stored before': first.status === 200,
    '503 with Retry-After and a code': refused.length > 0 && refused.every(isPolite),
    'one line in the log': lines >= 1 && lines <= 2,
    'reads go on': reads.every(({ status }) => status === 200),
    '/readyz says degraded': says(ready),
    'recovers within 10 s': Number.isFinite(recoveredMs) && Number.isFinite(readyAgainMs),
  });
}

/** Whether readiness reports a failure: not ready, degraded, or a check that is not ok. */
function says({ status, body }: PoliteAnswer): boolean {
  if (status !== 200) return true;
  const { degraded, checks } = JSON.parse(body.toString()) as {
    degraded?: boolean;
    checks: Record<string, string>;
  };
  return degraded === true || Object.values(checks).some((state) => state !== 'ok');
}
const toSeconds = (ms: number): string =>
  Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : 'more than 10 s';

async function runLocked({ start, keys }: AttackContext): Promise<Sight> {
  const server = await start();
  const key = keys.marked;
  const other = new DatabaseSync(join(server.dataDir, 'swath.db'));
  other.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
  const [posted, reads] = await Promise.all([
    Promise.all(Array.from({ length: 5 }, () => postArea(server, key))),
    read(server, key, 'B06'),
    sleep(9_000),
  ]);
  other.exec('ROLLBACK');
  other.close();
  const recoveredMs = await retryUntil(async () => (await postArea(server, key)).status === 200, 10_000);
  const slowest = Math.max(...posted.map(({ ms }) => ms));
  const slowestRead = Math.max(...reads.map(({ ms }) => ms));
  const saw = `${describe(posted)} within ${toSeconds(slowest)}; reads ${describe(reads)} within ${toSeconds(slowestRead)}; well after ${toSeconds(recoveredMs)}`;
  return judge(saw, {
    '503 with Retry-After and a code, or stored afterwards': posted.every(
      (one) => isPolite(one) || one.status === 200,
    ),
    'an answer within 10 s': slowest <= 10_500,
    'reads go on': reads.every(({ status, ms }) => status === 200 && ms < 3_000),
    'recovers within 10 s': Number.isFinite(recoveredMs),
  });
}

const BIN = fileURLToPath(new URL('../../../bin/swath.js', import.meta.url));

async function runReadOnly({ defer }: AttackContext): Promise<Sight> {
  if (process.platform === 'win32') skip('Windows has other rights');
  const dataDir = await makeDemoData();
  const setRights = (directory: number, file: number): void => {
    for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
      if (entry.isFile()) chmodSync(join(dataDir, entry.name), file);
    }
    chmodSync(dataDir, directory);
  };
  setRights(0o555, 0o444);
  defer(() => {
    setRights(0o755, 0o644);
    rmSync(dataDir, { recursive: true, force: true });
  });
  // Permissions do not apply to root: the user nobody starts the server then.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(process.execPath, [BIN, 'serve'], {
    ...nobody,
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH,
      SWATH_DATA: dataDir,
      SWATH_PORT: '0',
      SWATH_DEMO: 'off',
      SWATH_LOG_FORMAT: 'json',
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  const [status] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  if (/EACCES.*(swath\.js|src)|Cannot find module/.test(said)) skip('another user cannot read this checkout');
  const sentence = said.trim().split('\n').at(-1) ?? '';
  return judge(`exit status ${status}: ${sentence.slice(0, 200)}`, {
    'exit status 1 or 2': status === 1 || status === 2,
    'the reason in words': /writ|read-only|permission|rights/i.test(said) && !/\n\s+at /.test(said),
  });
}

/** A way to PostgreSQL that can be cut, as a network can. */
async function openWay(port: number) {
  let state: 'open' | 'refuse' | 'hang' = 'open';
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    client.on('error', () => {});
    sockets.add(client);
    client.on('close', () => sockets.delete(client));
    if (state === 'refuse') return void client.destroy();
    if (state === 'hang') return;
    const database = connect({ host: '127.0.0.1', port });
    database.on('error', () => client.destroy());
    client.on('close', () => database.destroy());
    database.on('close', () => client.destroy());
    client.on('data', (part: Buffer) => state === 'open' && database.write(part));
    database.on('data', (part: Buffer) => state === 'open' && client.write(part));
  });
  const ownPort = await findFreePort();
  server.listen(ownPort, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: ownPort,
    set(next: typeof state): void {
      state = next;
      // What hung has lost bytes: it cannot go on.
      if (next !== 'hang') for (const socket of sockets) socket.destroy();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function runPostgres({ start, keys, defer }: AttackContext, how: 'refuse' | 'hang'): Promise<Sight> {
  const cluster = await startPostgres();
  if (cluster === null) skip('PostgreSQL is not installed');
  defer(() => cluster.stop());
  const way = await openWay(Number(new URL(cluster.url).port));
  defer(way.close);
  const url = new URL(cluster.url);
  url.port = String(way.port);
  // The default, as operators have it.
  url.searchParams.delete('connect_timeout');
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-away-'));
  defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = { SWATH_DATABASE_URL: url.href };
  const made = await runSwath(['demo', '--small'], { ...env, SWATH_DATA: dataDir });
  if (made.status !== 0) {
    if (/PostGIS/i.test(made.stderr)) skip('PostGIS is not installed');
    throw new Error(made.stderr.slice(0, 300));
  }
  const server = await start({ dataDir, env });
  const key = keys.marked;
  const before = await read(server, key, 'B05');
  const printed = server.output().length;
  way.set(how);
  const searches = Array.from({ length: 10 }, () =>
    ask(server, SEARCH, { method: 'POST', key, body: '{"search":{}}', timeoutMs: 20_000 }),
  );
  await sleep(1_000);
  const health = await ask(server, '/healthz');
  const ready = await ask(server, '/readyz', { timeoutMs: 20_000 });
  const answers = await Promise.all([...searches, postArea(server, key)]);
  const lines = readLog(server.output().slice(printed)).filter(isAboveInfo).length;
  way.set('open');
  const recoveredMs = await retryUntil(
    async () => (await read(server, key, 'B06')).every(({ status }) => status === 200),
    15_000,
  );
  const slowest = Math.max(...answers.map(({ ms }) => ms));
  const saw = `before ${describe(before)}; then ${describe(answers)} within ${toSeconds(slowest)}, ${lines} lines in the log; /healthz ${health.status} in ${health.ms.toFixed(0)} ms, /readyz ${ready.status} ${ready.body.toString().slice(0, 100)}; well after ${toSeconds(recoveredMs)}`;
  return judge(saw, {
    'well before': before.every(({ status }) => status === 200),
    '503 with Retry-After and a code': answers.every(isPolite),
    'within 15 s': slowest <= 15_000,
    'few lines in the log': lines >= 1 && lines <= 6,
    '/healthz at once': health.status === 200 && health.ms < 500,
    '/readyz says so': says(ready),
    recovers: Number.isFinite(recoveredMs),
  });
}
