/** Pictures of files on stores that misbehave: complete or an error, and no other picture waits for them. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import type { Asset } from '../../../src/catalog/index.ts';
import { makeScene } from '../../../src/catalog/testing/make-scene.ts';
import { createCog } from '../../../src/formats/index.ts';
import { waitFor } from '../../../src/testing/wait-for.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../../support/start-swath.ts';
import { FAULTS } from './faults.ts';
import type { Behaviour, FaultyStore } from './faulty-store.ts';
import { behaveWell, startFaultyStore } from './faulty-store.ts';

const root = mkdtempSync(join(tmpdir(), 'swath-fetched-'));
const SIZE = 1024;
const BANDS = ['B02', 'B03', 'B04'];
/** One scene for each fault, whose blocks no other test has read; then the local one, and one that hangs. */
const LOCAL_DAY = FAULTS.length + 1;
const HANGING_DAY = FAULTS.length + 2;

let store: FaultyStore;
let swath: RunningSwath;
let secondKey = '';

async function writeImage(path: string): Promise<void> {
  const cog = await createCog(path, {
    width: SIZE,
    height: SIZE,
    bandCount: 1,
    type: 'uint16',
    epsg: 32631,
    transform: [500_000, 10, 0, 4_700_000, 0, -10],
    nodata: 0,
    // Without a checksum, wrong bytes would be pixels.
    compression: 'none',
    predictor: 1,
    blockSize: 256,
  });
  await cog.writeRows([Uint16Array.from({ length: SIZE * SIZE }, (_, i) => 1 + (i % 3_000))], SIZE);
  await cog.finish();
}

const toScene = (day: number, toHref: (band: string) => string) => {
  const assets = Object.fromEntries(
    BANDS.map((band): [string, Asset] => [
      band,
      {
        ...(makeScene(1).assets.B04 as Asset),
        href: toHref(band),
        width: SIZE,
        height: SIZE,
        overviews: [{ width: SIZE / 2, height: SIZE / 2 }],
        scale: 1,
        offset: 0,
      },
    ]),
  );
  return makeScene(day, { assets });
};

before(async () => {
  const dataDir = join(root, 'data');
  mkdirSync(join(dataDir, 'scenes'), { recursive: true });
  const path = join(dataDir, 'scenes/image.tif');
  await writeImage(path);
  store = await startFaultyStore(readFileSync(path));
  const catalog = openSqliteStore(dataDir);
  for (let day = 1; day <= HANGING_DAY; day += 1) {
    const toHref =
      day === LOCAL_DAY ? () => 'scenes/image.tif' : (band: string) => `${store.url}?${day}-${band}`;
    await catalog.scenes.put(toScene(day, toHref));
  }
  await catalog.close();
  const sources = join(root, 'sources.json');
  const port = Number(new URL(store.origin).port);
  const network = { hosts: ['127.0.0.1'], allowHttp: true, ports: [port], privateNetworks: ['127.0.0.0/8'] };
  writeFileSync(sources, JSON.stringify(network));
  const { stdout } = await runSwath(['keys', 'create'], { SWATH_DATA: dataDir });
  secondKey = /apk\.[0-9a-f]+/.exec(stdout)?.[0] ?? '';
  swath = await startSwath({
    dataDir,
    env: { ...ONE_THREAD, SWATH_SOURCES: sources, SWATH_PREFETCH: 'off' },
  });
});

after(async () => {
  await swath.stop('SIGKILL');
  await store[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

/** A tile in the middle of the image. */
async function ask(
  day: number,
  { key = SERVICE_KEY, tile = '13/4165/3028', signal = null as AbortSignal | null } = {},
) {
  const url = `${swath.url}/api/render/S2/31/T/DH/2026/6/${day}/0/B04,B03,B02/${tile}?MIN_MAX=0,3000`;
  const answer = await fetch(url, { headers: { 'x-api-key': key }, signal });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const code = answer.ok ? null : ((JSON.parse(bytes.toString()) as { code?: string }).code ?? null);
  return { status: answer.status, code, bytes };
}

/** Headers are answered well: the fault is in the blocks. */
const inBlocks =
  (behave: Behaviour): Behaviour =>
  (request) =>
    request.offset === 0 ? request.answerWell() : behave(request);

const HANG: Behaviour = () => {};

test('a picture of a faulty store is an error, and complete once the store is well', {
  timeout: 1_200_000,
}, async () => {
  const local = await ask(LOCAL_DAY);
  assert.equal(local.status, 200);
  assert.ok(local.bytes.length > 1_000);
  for (const [i, { name, behave, code }] of FAULTS.entries()) {
    store.behave(inBlocks(behave));
    const failed = await ask(i + 1);
    assert.deepEqual([failed.status === 502 || failed.status === 504, failed.code], [true, code], name);
    store.behave(behaveWell);
    const { status, bytes } = await ask(i + 1);
    assert.equal(status, 200, name);
    assert.ok(bytes.equals(local.bytes), `${name}: another picture than that of the same local file`);
  }
});

test('a picture is complete although a store asks to wait, or breaks off now and then', async () => {
  let answers = 0;
  store.behave(({ response, request, answerWell, offset }) => {
    answers += 1;
    if (offset === 0 || answers % 5 !== 0) answerWell();
    else if (answers % 2 === 0) response.writeHead(503, { 'retry-after': '1' }).end();
    else request.socket.destroy();
  });
  const { status, bytes } = await ask(HANGING_DAY);
  store.behave(behaveWell);
  assert.equal(status, 200);
  assert.ok(bytes.equals((await ask(LOCAL_DAY)).bytes));
});

test('pictures of local files are drawn while those of a hanging store wait: their one thread is free', async () => {
  store.behave(inBlocks(HANG));
  const seen = store.seen.requests;
  const leaving = new AbortController();
  let isAnswered = false;
  // Blocks that no picture has needed yet.
  const hanging = ask(HANGING_DAY, { tile: '14/8332/6058', signal: leaving.signal }).finally(() => {
    isAnswered = true;
  });
  hanging.catch(() => {});
  await waitFor(() => store.seen.requests > seen);
  for (let i = 0; i < 5; i += 1) assert.equal((await ask(LOCAL_DAY)).status, 200);
  assert.equal(isAnswered, false, 'it still waits');
  leaving.abort();
  await assert.rejects(hanging);
  store.behave(behaveWell);
});

test('500 requests that wait for a hanging store take little memory, and none of the time of others', {
  timeout: 600_000,
}, async () => {
  const readMb = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${swath.process.pid}/status`, 'utf8'))?.[1]) / 1024;
  const measure = async (): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      const startedAt = performance.now();
      assert.equal((await ask(LOCAL_DAY, { key: secondKey })).status, 200);
      times.push(performance.now() - startedAt);
    }
    return times.toSorted((a, b) => a - b)[18]!;
  };
  await measure();
  const beforeMb = readMb();
  store.behave(inBlocks(HANG));
  const leaving = new AbortController();
  // Different pictures: equal ones would be one.
  const waiting = Array.from({ length: 500 }, (_, i) =>
    ask(HANGING_DAY, {
      tile: `17/${66_640 + (i % 25)}/${48_438 + Math.floor(i / 25)}`,
      signal: leaving.signal,
    }).catch(() => null),
  );
  const answered = await measure();
  assert.ok(answered < 5_000, `${answered} ms: a local picture waited for a store`);
  const grownMb = readMb() - beforeMb;
  assert.ok(grownMb < 300, `${grownMb} MiB more`);
  leaving.abort();
  await Promise.all(waiting);
  store.behave(behaveWell);
  const { status, bytes } = await ask(1);
  assert.equal(status, 200);
  assert.ok(bytes.equals((await ask(LOCAL_DAY)).bytes), 'and it goes on');
});
