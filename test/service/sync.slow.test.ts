/** `swath sync` as a person runs it: killed in the middle, repeated, refused; against the fake catalog. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import { makeItem } from '../../src/live/testing/make-item.ts';
import { startFake } from '../earth/live-service.ts';
import { makeSchemaName, postgresUrl, withClient } from '../ports/postgres-schema.ts';
import { runSwath } from '../support/start-swath.ts';

const BIN = fileURLToPath(new URL('../../bin/swath.js', import.meta.url));
const FLAGS = ['--disallow-code-generation-from-strings', '--disable-proto=delete'];

const DAYS = ['2022-04-07', '2022-05-07', '2022-05-22', '2022-06-06'];
const root = mkdtempSync(join(tmpdir(), 'swath-sync-command-'));
const fake = await startFake('earth-search', (place) =>
  DAYS.map((day) => makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day, cloud: 10 }, place)),
);
after(async () => {
  await fake[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

const catalogs = join(root, 'catalogs.json');
const { hosts, allowHttp, ports, privateNetworks } = fake.network;
const sources = { hosts, allowHttp, ports, privateNetworks };
writeFileSync(catalogs, JSON.stringify([{ preset: 'earth-search', url: fake.url, sources }]));
const area = join(root, 'area.geojson');
const ring = [
  [2.1, 42.8],
  [2.3, 42.8],
  [2.3, 43],
  [2.1, 43],
  [2.1, 42.8],
];
writeFileSync(area, JSON.stringify({ type: 'Polygon', coordinates: [ring] }));

const ARGS = ['sync', 'earth-search', '--area', area, '--since', '2022-04-01', '--until', '2022-06-30'];
const env = {
  SWATH_DATA: join(root, 'data'),
  SWATH_CATALOGS: catalogs,
  SWATH_CATALOG_CONTACT: 'maps@example.org',
};

const monthsAsked = (): readonly string[] =>
  fake.calls.flatMap(({ body }) => (body?.datetime === undefined ? [] : [String(body.datetime).slice(0, 7)]));

async function readViewIds(): Promise<readonly string[]> {
  const store = openSqliteStore(env.SWATH_DATA);
  try {
    const found: string[] = [];
    for await (const { viewId } of store.scenes.list()) found.push(viewId);
    return found;
  } finally {
    await store.close();
  }
}

/** Runs the command, and ends it with a signal when a file of this day is asked for. */
async function runUntil(day: string, signal: NodeJS.Signals, own: NodeJS.ProcessEnv = env) {
  fake.reset();
  const child = spawn(process.execPath, [...FLAGS, BIN, ...ARGS], {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const name = itemIdOf(day);
  let isSent = false;
  fake.pause = ({ kind, path }) => {
    if (kind !== 'file' || !path.includes(name)) return null;
    // Once: a second Ctrl-C ends a command at once.
    if (!isSent) child.kill(signal);
    isSent = true;
    // No answer, so that the window cannot be finished before the signal arrives.
    return new Promise(() => {});
  };
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const [status, ended] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.on('close', (code, by) => resolve([code, by])),
  );
  const asked = monthsAsked();
  fake.reset();
  return { status, ended, asked, out };
}

const itemIdOf = (day: string): string =>
  makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day, cloud: 10 }, fake.place).head.id;

test('a sync killed and stopped midway, repeated to the end, reads no finished month twice', async () => {
  const dry = await runSwath([...ARGS, '--dry-run'], env);
  assert.deepEqual(
    [dry.status, dry.stdout],
    [0, 'Dry run: 4 to add, 0 to replace, 0 unchanged (3 of 3 months).\n'],
  );
  const killed = await runUntil('2022-05-07', 'SIGKILL');
  assert.deepEqual([killed.ended, killed.asked], ['SIGKILL', ['2022-06', '2022-05']]);
  assert.deepEqual(await readViewIds(), ['S2L2A/31/T/DH/2022/6/6/0']);

  const stopped = await runUntil('2022-04-07', 'SIGINT');
  assert.deepEqual([stopped.status, stopped.asked], [1, ['2022-05', '2022-04']]);
  assert.match(stopped.out, /^Stopped before the end: 2 added/);

  const { status, stdout, stderr } = await runSwath(ARGS, env);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Done: 1 added, 0 replaced, 0 unchanged \(3 of 3 months, 2 of them before/);
  assert.deepEqual(monthsAsked(), ['2022-04']);
  assert.equal((await readViewIds()).length, 4);
  assert.ok(
    fake.calls.every(
      ({ kind, userAgent }) => kind === 'file' || /^Swath\/.*maps@example\.org/.test(userAgent),
    ),
  );

  fake.reset();
  const again = await runSwath([...ARGS, '--json'], env);
  assert.deepEqual([again.status, JSON.parse(again.stdout).totals.unchanged], [0, 4]);
  assert.ok(fake.calls.every(({ kind }) => kind === 'search'));
});

test('a sync stopped on one node is continued on another one of the same database', async (t) => {
  if (postgresUrl === undefined) return t.skip('TEST_DATABASE_URL is not set; see CONTRIBUTING.md');
  const name = makeSchemaName();
  const url = new URL(postgresUrl);
  await withClient(url.href, 'public', (client) => client.query(`CREATE DATABASE ${name}`));
  t.after(() =>
    withClient(url.href, 'public', (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)),
  );
  const own = new URL(url);
  own.pathname = `/${name}`;
  const nodeEnv = (node: string) => ({
    ...env,
    SWATH_DATABASE_URL: own.href,
    SWATH_DATA: join(root, node),
  });
  const killed = await runUntil('2022-05-07', 'SIGKILL', nodeEnv('one'));
  assert.deepEqual([killed.ended, killed.asked], ['SIGKILL', ['2022-06', '2022-05']]);
  const { status, stdout, stderr } = await runSwath(ARGS, nodeEnv('two'));
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Done: 3 added, 0 replaced, 0 unchanged \(3 of 3 months, 1 of them before/);
  assert.deepEqual(monthsAsked(), ['2022-05', '2022-04']);
  fake.reset();
  const again = await runSwath([...ARGS, '--json'], nodeEnv('one'));
  assert.deepEqual([again.status, JSON.parse(again.stdout).totals.unchanged], [0, 4]);
  assert.ok(fake.calls.every(({ kind }) => kind === 'search'));
  // While a node runs it, no other one does: as long as a connection has the lock, a second run is refused.
  const store = await openPostgresStore(own.href);
  t.after(() => store.close());
  const held = await withClient(own.href, 'swath', (client) =>
    client.query<{ sync: string }>('SELECT DISTINCT sync FROM sync_notes'),
  );
  const lock = await store.tryLock(`sync ${held.rows[0]?.sync}`);
  assert.ok(lock !== null);
  const refused = await runSwath(ARGS, nodeEnv('two'));
  assert.deepEqual([refused.status === 0, /is running already/.test(refused.stderr)], [false, true]);
  await lock.release();
});

test('a catalog that is down gives exit status 1 and what to do; finished work stays', async () => {
  fake.catalogFault = () => ({ status: 403 });
  const { status, stdout, stderr } = await runSwath(ARGS, env);
  assert.deepEqual([status, stdout.startsWith('Stopped before the end: 0 added')], [1, true]);
  assert.match(
    stderr,
    /Earth Search.*did not answer completely\. .*status 403\. What was done stays; run the same command/,
  );
  assert.equal((await readViewIds()).length, 4);
  fake.reset();
});

test('wrong arguments are refused with an explanation, exit status 2 and no request', async () => {
  fake.reset();
  const line = join(root, 'line.geojson');
  writeFileSync(line, JSON.stringify({ type: 'LineString', coordinates: ring }));
  const refuse = async (args: readonly string[], message: RegExp) => {
    const { status, stderr } = await runSwath(['sync', ...args], env);
    assert.equal(status, 2, stderr);
    assert.match(stderr, message);
  };
  const since = ['--since', '2022-04-01'];
  await refuse(
    ['mars', '--area', area, ...since],
    /no catalog "mars"\. Known: earth-search, planetary-computer/,
  );
  await refuse(
    ['earth-search', '--area', join(root, 'none.json'), ...since],
    /--area: the file .* does not exist/,
  );
  await refuse(['earth-search', '--area', line, ...since], /--area: the file .* is not an area\. /);
  await refuse(['earth-search', '--area', BIN, ...since], /--area: the file .* is not JSON/);
  await refuse(
    ['earth-search', '--area', area, '--since', '2999-01-01'],
    /--since 2999-01-01 is in the future/,
  );
  await refuse(
    ['earth-search', '--area', area, ...since, '--dataset', 'landsat8'],
    /earth-search does not have the dataset "landsat8"\. It has sentinel2l2a\./,
  );
  assert.deepEqual(fake.calls, []);
});
