/** Headers and ranges of remote files on disk: no request too many, never a wrong byte, nothing for the wrong reader. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ByteSource, NetworkSources } from '../../../src/sources/index.ts';
import { makeOpenSource, readHeader } from '../../../src/sources/index.ts';
import { HANG_MS, waitFor } from '../../../src/testing/wait-for.ts';
import type { CachedSources } from './cached-sources.ts';
import { listEntries, openCached, openFolders, RANGE_BYTES, toByte } from './cached-sources.ts';
import type { Behaviour, FaultyStore } from './faulty-store.ts';
import { behaveWell, startFaultyStore } from './faulty-store.ts';

const BYTES = new Uint8Array(1_000_000).map((_, i) => toByte(i));
const STAMP = `${BYTES.length}-"one"`;
/** After the first 64 KiB, which the first request brings. */
const FAR = 100_000;

const root = mkdtempSync(join(tmpdir(), 'swath-remote-caches-'));
after(() => rmSync(root, { recursive: true, force: true }));
let made = 0;

/** Sources on a data directory of their own. */
function makeSources(
  { origin }: FaultyStore,
  more: NetworkSources = {},
  rangeBytes = 2 ** 26,
): CachedSources {
  made += 1;
  const dataDir = join(root, String(made));
  mkdirSync(dataDir);
  return {
    dataDir,
    rangeBytes,
    network: {
      hosts: ['127.0.0.1'],
      allowHttp: true,
      ports: [Number(new URL(origin).port)],
      privateNetworks: ['127.0.0.0/8'],
      // What a busy machine may take.
      timeouts: { connectMs: HANG_MS, headersMs: HANG_MS, idleMs: HANG_MS, totalMs: HANG_MS },
      limits: { backoffMs: 5, totalMs: HANG_MS },
      ...more,
    },
  };
}

/** Reads what a format would need: the beginning, and a table further on. */
const openHeader = (source: ByteSource) =>
  readHeader(source, async (headed) => {
    assert.deepEqual(await headed.read(0, 100), BYTES.slice(0, 100));
    assert.deepEqual(await headed.read(900_000, 50), BYTES.slice(900_000, 900_050));
  });

/** What one process does: opens the file, reads its header and one range; once it is closed, all is on disk. */
async function readOnce(sources: CachedSources, url: string, stamp?: string): Promise<void> {
  const source = await openCached(sources)(url, undefined, { stamp });
  await openHeader(source);
  assert.deepEqual(await source.read(FAR, RANGE_BYTES), BYTES.slice(FAR, FAR + RANGE_BYTES));
  await source.close();
}

test('the next process opens and reads an ingested file without a request', async () => {
  await using store = await startFaultyStore(BYTES);
  const sources = makeSources(store);
  await readOnce(sources, store.url);
  assert.equal(store.seen.requests, 3, 'the first 64 KiB, the table, the range');
  await readOnce(sources, store.url, STAMP);
  assert.equal(store.seen.requests, 3);
  for (const path of ['remote-headers', 'range-cache'].flatMap((name) =>
    listEntries(sources.dataDir, name),
  )) {
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.doesNotMatch(
      readFileSync(path, 'latin1'),
      /127\.0\.0\.1|scene\.tif/,
      'no address is written down',
    );
  }
  assert.equal(listEntries(sources.dataDir, 'remote-headers').length, 1);
  const [header = ''] = listEntries(sources.dataDir, 'remote-headers');
  assert.ok(statSync(header).size < 66_000, 'the first 64 KiB and the table');
});

test('its first request states the expected file state', async () => {
  await using store = await startFaultyStore(BYTES);
  const sources = makeSources(store);
  await readOnce(sources, store.url);
  const wanted: (string | undefined)[] = [];
  store.behave(({ request, answerWell }) => {
    wanted.push(request.headers['if-match']);
    answerWell();
  });
  const source = await openCached(sources)(store.url, undefined, { stamp: STAMP });
  await openHeader(source);
  assert.deepEqual(await source.read(300_000, 10), BYTES.slice(300_000, 300_010));
  assert.deepEqual(wanted, ['"one"']);
});

test("without a stamp, or with another one, the store is queried; with one joined to a sidecar's it is not", async () => {
  await using store = await startFaultyStore(BYTES);
  const sources = makeSources(store);
  await readOnce(sources, store.url);
  const open = openCached(sources);
  const count = async (stamp?: string): Promise<number> => {
    const before = store.seen.requests;
    assert.equal((await open(store.url, undefined, { stamp })).version, STAMP);
    return store.seen.requests - before;
  };
  assert.equal(await count(), 1);
  assert.equal(await count(`${BYTES.length}-"two"`), 1);
  assert.equal(await count(`${STAMP}x`), 1);
  assert.equal(await count(`${STAMP} 77-"overviews"`), 0);
  assert.equal(await count(`77-"image" ${STAMP}`), 0);
});

for (const [how, behave] of [
  ['says so', ({ response }) => response.writeHead(412).end()],
  [
    'sends the new one',
    ({ response, headers, bytes, offset, length }) =>
      response.writeHead(206, { ...headers, etag: '"two"' }).end(bytes.subarray(offset, offset + length)),
  ],
  [
    'has a longer one',
    ({ response, headers, bytes, offset, length }) =>
      response
        .writeHead(206, { ...headers, 'content-range': `bytes ${offset}-${offset + length - 1}/2000000` })
        .end(bytes.subarray(offset, offset + length)),
  ],
] as const satisfies readonly (readonly [string, Behaviour])[]) {
  test(`after a file was replaced the store ${how}, and nothing of the old one is used again`, async () => {
    await using store = await startFaultyStore(BYTES);
    const sources = makeSources(store);
    await readOnce(sources, store.url);
    store.behave(behave);
    const source = await openCached(sources)(store.url, undefined, { stamp: STAMP });
    await openHeader(source);
    await assert.rejects(source.read(300_000, 10), { code: 'source-changed' });
    await assert.rejects(source.read(FAR, 10), { code: 'source-changed' }, 'not even what is on disk');
    assert.equal(source.isLost?.(), true);
    assert.deepEqual(listEntries(sources.dataDir, 'remote-headers'), []);
    assert.deepEqual(listEntries(sources.dataDir, 'range-cache'), []);
    store.behave(behaveWell);
    const before = store.seen.requests;
    await openCached(sources)(store.url, undefined, { stamp: STAMP });
    assert.equal(store.seen.requests, before + 1, 'the next one asks');
  });
}

test('a host, bucket or key that may no longer be used gets nothing from disk', async () => {
  await using store = await startFaultyStore(BYTES);
  const sources = makeSources(store);
  await readOnce(sources, store.url);
  for (const network of [
    { ...sources.network, hosts: ['example.org'] },
    { ...sources.network, ports: [443] },
    { ...sources.network, allowHttp: false },
  ]) {
    const open = openCached({ ...sources, network });
    await assert.rejects(open(store.url, undefined, { stamp: STAMP }), { code: 'bad-href' });
  }
  // The query of a signed address is a key.
  const before = store.seen.requests;
  await readOnce(sources, `${store.url}?signature=1`, STAMP);
  assert.equal(store.seen.requests, before + 3);

  const toS3 = (accessKeyId: string): CachedSources => ({
    ...sources,
    network: {
      ...sources.network,
      s3: [
        {
          buckets: ['scenes'],
          region: 'eu-central-1',
          endpoint: store.origin,
          pathStyle: true,
          credentials: { accessKeyId, secretAccessKey: 'secret' },
        },
      ],
    },
  });
  const ask = async (accessKeyId: string): Promise<number> => {
    const seen = store.seen.requests;
    await readOnce(toS3(accessKeyId), 's3://scenes/a.tif', STAMP);
    return store.seen.requests - seen;
  };
  assert.deepEqual([await ask('ONE'), await ask('ONE'), await ask('TWO')], [3, 0, 3]);
  await assert.rejects(openCached(sources)('s3://scenes/a.tif', undefined, { stamp: STAMP }), {
    code: 'bad-href',
  });
});

test('files whose states cannot be distinguished are not stored', async () => {
  await using store = await startFaultyStore(BYTES);
  const now = new Date();
  const ago = (seconds: number): string => new Date(now.getTime() - seconds * 1000).toUTCString();
  const answers = [
    { headers: {}, isStored: false },
    { headers: { 'last-modified': ago(59), date: now.toUTCString() }, isStored: false },
    { headers: { 'last-modified': ago(62), date: now.toUTCString() }, isStored: true },
    { headers: { etag: 'W/"weak"' }, isStored: true },
    { headers: { etag: `"${'x'.repeat(300)}"` }, isStored: false },
  ];
  for (const { headers: state, isStored } of answers) {
    store.behave(({ response, headers: { etag: _, ...headers }, bytes, offset, length }) => {
      response.writeHead(206, { ...headers, ...state }).end(bytes.subarray(offset, offset + length));
    });
    const sources = makeSources(store);
    const source = await openCached(sources)(store.url);
    await openHeader(source);
    await source.read(FAR, RANGE_BYTES);
    await source.close();
    assert.equal(
      listEntries(sources.dataDir, 'remote-headers').length,
      isStored ? 1 : 0,
      JSON.stringify(state),
    );
    const before = store.seen.requests;
    const again = await openCached(sources)(store.url, undefined, { stamp: source.version });
    await openHeader(again);
    assert.deepEqual(await again.read(FAR, RANGE_BYTES), BYTES.slice(FAR, FAR + RANGE_BYTES));
    assert.equal(store.seen.requests - before, isStored ? 0 : 3, JSON.stringify(state));
  }
});

test('an altered or truncated header or range on disk is requested again', async () => {
  await using store = await startFaultyStore(BYTES);
  const sources = makeSources(store);
  for (const folder of ['remote-headers', 'range-cache']) {
    for (const damage of [
      (path: string) =>
        writeFileSync(
          path,
          readFileSync(path).map((byte, i) => (i === 150 ? byte ^ 1 : byte)),
        ),
      (path: string) => truncateSync(path, 100),
      (path: string) => truncateSync(path, 0),
    ]) {
      await readOnce(sources, store.url, STAMP);
      const before = store.seen.requests;
      for (const path of listEntries(sources.dataDir, folder)) damage(path);
      await readOnce(sources, store.url, STAMP);
      assert.ok(store.seen.requests > before, folder);
    }
  }
});

test('an unwritable data directory costs requests, but causes no errors', async () => {
  await using store = await startFaultyStore(BYTES);
  const sources = makeSources(store);
  // A file instead of the folder fails for root too, who may write into a read-only folder.
  for (const folder of ['remote-headers', 'range-cache']) writeFileSync(join(sources.dataDir, folder), '');
  for (let i = 1; i <= 2; i += 1) {
    const source = await openCached(sources)(store.url, undefined, { stamp: STAMP });
    await openHeader(source);
    assert.deepEqual(await source.read(FAR, RANGE_BYTES), BYTES.slice(FAR, FAR + RANGE_BYTES));
    await source.close();
    assert.equal(store.seen.requests, 3 * i);
  }
});

const SCRIPT = fileURLToPath(new URL('read-until-killed.ts', import.meta.url));

function startReader(sources: CachedSources, url: string, rounds: number, start: number) {
  const args = [SCRIPT, JSON.stringify(sources), url, STAMP, String(rounds), String(start)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  return { child, ended: once(child, 'exit') };
}

test('processes killed while they write leave nothing that is read wrongly', async () => {
  await using store = await startFaultyStore(BYTES);
  // Room for half of the file: what is written also evicts.
  const sources = makeSources(store, {}, 512 * 1024);
  for (let kill = 0; kill < 3; kill += 1) {
    const { child, ended } = startReader(sources, store.url, 1_000_000, kill * 11);
    const before = store.seen.requests;
    await waitFor(() => store.seen.requests > before + 40 + 7 * kill, undefined, 1);
    child.kill('SIGKILL');
    assert.deepEqual(await ended, [null, 'SIGKILL']);
  }
  const entries = listEntries(sources.dataDir, 'range-cache');
  assert.ok(entries.length > 0);
  const { ended } = startReader(sources, store.url, 2, 0);
  assert.deepEqual(await ended, [0, null]);
});

test('two processes read and write one directory concurrently, within its bound', async () => {
  await using store = await startFaultyStore(BYTES);
  const sources = makeSources(store, {}, 512 * 1024);
  const readers = [0, 23].map((start) => startReader(sources, store.url, 10, start).ended);
  assert.deepEqual(await Promise.all(readers), [
    [0, null],
    [0, null],
  ]);
  const used = listEntries(sources.dataDir, 'range-cache').reduce(
    (sum, path) => sum + statSync(path).size,
    0,
  );
  assert.ok(used > 100_000 && used <= (512 * 1024 * 17) / 16, `${used} bytes`);
});

test('without folders nothing is stored', async () => {
  await using store = await startFaultyStore(BYTES);
  const { dataDir, network, rangeBytes } = makeSources(store);
  for (const folders of [{}, { ranges: openFolders({ dataDir, rangeBytes }).ranges }]) {
    const source = await makeOpenSource({ dataDir, network, ...folders })(store.url, undefined, {
      stamp: STAMP,
    });
    await openHeader(source);
    await source.close();
    assert.deepEqual(listEntries(dataDir, 'remote-headers'), []);
  }
});
