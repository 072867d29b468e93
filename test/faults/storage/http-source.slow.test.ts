import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../src/async/index.ts';
import type { SwathError } from '../../../src/errors.ts';
import type { NetworkSources } from '../../../src/sources/index.ts';
import { makeOpenSource } from '../../../src/sources/index.ts';
import { HANG_MS, waitFor } from '../../../src/testing/wait-for.ts';
import type { Fault } from './faults.ts';
import { FAULTS } from './faults.ts';
import type { Behaviour, FaultyStore } from './faulty-store.ts';
import { behaveWell, startFaultyStore } from './faulty-store.ts';

/** Larger than what the first read brings, so that the reads below are requests of their own. */
const BYTES = new Uint8Array(1_000_000).map((_, i) => (i * 7 + (i >> 8)) % 251);
/** Where the ranges of the tests begin: after the first 64 KiB. */
const FAR = 100_000;

/** For stores that answer: what a busy machine may take. */
const PATIENT = { connectMs: HANG_MS, headersMs: HANG_MS, idleMs: HANG_MS, totalMs: HANG_MS };
/** For stores that hang: each of these is waited for. */
const SHORT = { connectMs: 2_000, headersMs: 2_000, idleMs: 2_000, totalMs: 4_000 };
const timeoutsFor = ({ code }: Fault) => ({ timeouts: code === 'source-timed-out' ? SHORT : PATIENT });
/** Far more than a slow machine adds to a time-out, and less than a patient reader waits. */
const SLACK_MS = HANG_MS / 2;

const makeOpen = (stores: readonly FaultyStore[], more: NetworkSources = {}, clock?: Clock) =>
  makeOpenSource({
    ...(clock ? { clock } : {}),
    dataDir: '/nowhere',
    network: {
      hosts: ['127.0.0.1'],
      allowHttp: true,
      ports: stores.map(({ origin }) => Number(new URL(origin).port)),
      privateNetworks: ['127.0.0.0/8'],
      timeouts: PATIENT,
      limits: { backoffMs: 5 },
      ...more,
    },
  });

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: SwathError) => {
      assert.equal(error.name, 'SwathError', String(error));
      assert.doesNotMatch(error.message, /127|scene\.tif|\d{3}/, 'a sentence for users names no address');
      // What the store answered tells a missing file from a refused one; answers do not show it.
      const { status, ...others } = error.details;
      assert.ok(status === undefined || typeof status === 'number');
      assert.deepEqual(others, {});
      return error.code;
    },
  );
}

test('the first request returns the header, later ranges are exact', async () => {
  await using store = await startFaultyStore(BYTES);
  const source = await makeOpen([store])(store.url);
  assert.equal(source.size, BYTES.length);
  assert.deepEqual(await source.read(0, 65536), BYTES.slice(0, 65536));
  assert.deepEqual(await source.read(65535, 1), BYTES.slice(65535, 65536));
  assert.equal(store.seen.requests, 1);
  assert.deepEqual(await source.read(65530, 10), BYTES.slice(65530, 65540));
  assert.deepEqual(await source.read(BYTES.length - 1, 1), BYTES.slice(-1));
  assert.equal((await source.read(BYTES.length, 0)).length, 0);
  assert.equal(store.seen.requests, 3);
  assert.ok(store.seen.connections <= 2, 'connections are reused');
  for (const [offset, length] of [
    [BYTES.length, 1],
    [-1, 1],
    [0, Number.MAX_SAFE_INTEGER],
    [Number.NaN, 1],
  ] as const) {
    assert.equal(await codeOf(source.read(offset, length)), 'source-short');
  }
  assert.equal(store.seen.requests, 3, 'nothing was asked for that cannot be there');
});

test('a file smaller than the first read, and an empty one, are read', async () => {
  await using small = await startFaultyStore(BYTES.subarray(0, 100));
  const source = await makeOpen([small])(small.url);
  assert.deepEqual(await source.read(0, 100), BYTES.slice(0, 100));
  assert.equal(small.seen.requests, 1);
  small.behave(({ response }) => response.writeHead(416, { 'content-range': 'bytes */0' }).end());
  assert.equal(await codeOf(makeOpen([small])(small.url)), 'source-gone');
});

test('reads issued together are merged and shared', async () => {
  await using store = await startFaultyStore(BYTES);
  const source = await makeOpen([store])(store.url);
  const offsets = [FAR, FAR + 5_000, FAR + 9_000, FAR, FAR + 200_000];
  const parts = await Promise.all(offsets.map((offset) => source.read(offset, 4_000)));
  parts.forEach((part, i) => {
    const offset = offsets[i] as number;
    assert.deepEqual(part, BYTES.slice(offset, offset + 4_000));
  });
  assert.equal(store.seen.requests, 1 + 2);
});

test('versions and ids distinguish files, and an id contains no signature', async () => {
  await using one = await startFaultyStore(BYTES, '"one"');
  await using two = await startFaultyStore(BYTES, '"two"');
  const open = makeOpen([one, two]);
  const [first, second] = [await open(one.url), await open(two.url)];
  assert.notEqual(first.version, second.version);
  const signed = await Promise.all(
    ['s1', 's2'].map((secret) => open(`${one.url}?X-Amz-Signature=${secret}`)),
  );
  assert.equal(new Set([first.id, second.id, ...signed.map(({ id }) => id)]).size, 4);
  assert.doesNotMatch(signed.map(({ id }) => id).join(), /Signature|s1|s2/);
});

test(`${FAULTS.length} faults while a file is read give their errors`, { concurrency: 8 }, async (t) => {
  assert.ok(FAULTS.length >= 12);
  for (const fault of FAULTS) {
    const { name, behave, code, tries } = fault;
    void t.test(name, async () => {
      await using store = await startFaultyStore(BYTES);
      const source = await makeOpen([store], timeoutsFor(fault))(store.url);
      const before = store.seen.requests;

      store.behave(behave);
      const startMs = performance.now();
      assert.equal(await codeOf(source.read(FAR, 50_000)), code);
      const tookMs = performance.now() - startMs;
      assert.ok(tookMs < SHORT.totalMs + SLACK_MS, `took ${Math.round(tookMs)} ms`);
      assert.equal(store.seen.requests - before, tries);

      store.behave(behaveWell);
      assert.deepEqual(
        await source.read(FAR, 50_000),
        BYTES.slice(FAR, FAR + 50_000),
        'nothing is remembered',
      );
    });
  }
});

test('the same faults are handled while a file is opened', { concurrency: 8 }, async (t) => {
  for (const fault of FAULTS.filter(({ code }) => code !== 'source-changed')) {
    const { name, behave, code } = fault;
    void t.test(name, async () => {
      await using store = await startFaultyStore(BYTES);
      store.behave(behave);
      assert.equal(await codeOf(makeOpen([store], timeoutsFor(fault))(store.url)), code);
      store.behave(behaveWell);
      assert.equal((await makeOpen([store])(store.url)).size, BYTES.length);
    });
  }
});

test('every fault at 5, 30 and 100 % gives right bytes or its error, never wrong bytes', {
  concurrency: 8,
}, async (t) => {
  const reads = 30;
  let seed = 20261115;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  for (const fault of FAULTS) {
    const { name, behave, code } = fault;
    void t.test(name, async () => {
      for (const rate of [0.05, 0.3, 1]) {
        await using store = await startFaultyStore(BYTES);
        const source = await makeOpen([store], timeoutsFor(fault))(store.url);
        store.behave((request) => (random() < rate ? behave(request) : request.answerWell()));
        let right = 0;
        await Promise.all(
          Array.from({ length: reads }, async (_, i) => {
            // Further apart than what is merged into one read.
            const offset = 66_000 + i * 30_000;
            const bytes = await source.read(offset, 500 + i).catch(async (error: unknown) => {
              const found = await codeOf(Promise.reject(error));
              assert.ok([code, 'source-resting', 'source-timed-out'].includes(found), found);
              return null;
            });
            if (bytes === null) return;
            right += 1;
            assert.deepEqual(bytes, BYTES.slice(offset, offset + 500 + i));
          }),
        );
        if (rate === 1) assert.equal(right, 0);
        else if (rate === 0.05) assert.ok(right > 0);
      }
    });
  }
});

test('a retry recovers from a transient failure', async (t) => {
  for (const { name, behave } of FAULTS.filter(({ tries }) => tries === 3)) {
    await t.test(name, async () => {
      await using store = await startFaultyStore(BYTES);
      const source = await makeOpen([store])(store.url);
      store.behave(inTurn([behave, behave, behaveWell]));
      assert.deepEqual(await source.read(FAR, 1_000), BYTES.slice(FAR, FAR + 1_000));
      assert.equal(store.seen.requests, 1 + 3);
    });
  }
});

/** One behaviour a request, the last one from then on. */
function inTurn(behaviours: readonly Behaviour[]): Behaviour {
  let turn = 0;
  return (request) => {
    behaviours[Math.min(turn, behaviours.length - 1)]?.(request);
    turn += 1;
  };
}

test('the wait that a store asks for is respected', async () => {
  await using store = await startFaultyStore(BYTES);
  const waitsMs: number[] = [];
  const sleep = async (ms: number) => void waitsMs.push(ms);
  const source = await makeOpen([store], {}, { nowMs: () => 0, sleep, random: () => 0.5 })(store.url);
  store.behave(inTurn([({ response }) => response.writeHead(429, { 'retry-after': '1' }).end(), behaveWell]));
  assert.deepEqual(await source.read(FAR, 100), BYTES.slice(FAR, FAR + 100));
  assert.deepEqual(waitsMs, [1_000]);
});

test('a store that fails 30 % of the time gets at most a tenth more calls than a healthy one', async () => {
  await using store = await startFaultyStore(BYTES);
  const source = await makeOpen([store], { limits: { backoffMs: 1 } })(store.url);
  let seed = 7;
  store.behave(({ response, request, answerWell }) => {
    seed = (seed * 16807) % 2147483647;
    const chance = seed / 2147483647;
    if (chance < 0.1) response.writeHead(500).end();
    else if (chance < 0.2) request.socket.resetAndDestroy();
    else if (chance < 0.3) response.writeHead(429).end();
    else answerWell();
  });
  const reads = 600;
  let right = 0;
  for (let round = 0; round < reads / 20; round += 1) {
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const offset = 66_000 + i * 45_000;
        const bytes = await source.read(offset, 100).catch(() => null);
        if (bytes === null) return;
        right += 1;
        assert.deepEqual(bytes, BYTES.slice(offset, offset + 100));
      }),
    );
  }
  const calls = store.seen.requests - 1;
  assert.ok(calls <= 1.1 * reads + 2, `${calls} requests for ${reads} reads`);
  assert.ok(right >= 0.7 * reads, `${right} of ${reads} reads`);
});

test('calls to a store that only fails are paused, and resume when it recovers', async () => {
  await using store = await startFaultyStore(BYTES);
  let nowMs = 0;
  const clock = { nowMs: () => nowMs, sleep: async () => {}, random: () => 0.5 };
  const source = await makeOpen([store], {}, clock)(store.url);
  store.behave(({ response }) => response.writeHead(503).end());
  const codes: string[] = [];
  for (let i = 0; i < 60; i += 1) codes.push(await codeOf(source.read(FAR, 100)));
  assert.equal(codes.at(-1), 'source-resting');
  assert.equal(store.seen.requests, 1 + 20);
  store.behave(behaveWell);
  assert.equal(await codeOf(source.read(FAR, 100)), 'source-resting');
  nowMs += 5_000;
  assert.equal((await source.read(FAR, 100)).length, 100);
});

test('a hung store blocks no other: each has its own slots', async () => {
  await using hung = await startFaultyStore(BYTES);
  await using well = await startFaultyStore(BYTES);
  const open = makeOpen([hung, well], { timeouts: PATIENT });
  const [first, second] = [await open(hung.url), await open(well.url)];
  hung.behave(() => {});
  const leaver = new AbortController();
  const stuck = Array.from({ length: 40 }, (_, i) =>
    codeOf(first.read(66_000 + i * 20_000, 10, leaver.signal)),
  );
  await waitFor(() => hung.seen.requests === 1 + 16);
  for (let i = 0; i < 40; i += 1) {
    assert.deepEqual(await second.read(FAR + i, 100), BYTES.slice(FAR + i, FAR + i + 100));
  }
  assert.equal(hung.seen.requests, 1 + 16, 'no more than 16 at a time');
  leaver.abort();
  for (const code of await Promise.all(stuck)) assert.equal(code, 'cancelled');
});

test('a caller that disconnects ends the request at the store', async () => {
  await using store = await startFaultyStore(BYTES);
  const source = await makeOpen([store], { timeouts: PATIENT })(store.url);
  const { promise: closed, resolve: noteClosed } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: noteArrived } = Promise.withResolvers<void>();
  store.behave(({ response }) => {
    response.on('close', () => noteClosed());
    noteArrived();
  });
  const leaver = new AbortController();
  const read = source.read(FAR, 100, leaver.signal);
  await arrived;
  leaver.abort();
  await assert.rejects(read, { tag: 'cancelled' });
  // Nothing else would end it: the store never answers, and the reader is patient.
  await closed;
});

test('a changed file can be opened again, with another version', async () => {
  await using store = await startFaultyStore(BYTES);
  const open = makeOpen([store]);
  const old = await open(store.url);
  const changed = BYTES.slice().reverse();
  store.behave(({ request, response, offset, length, headers }) => {
    if (request.headers['if-match'] === '"one"') response.writeHead(412).end();
    else
      response.writeHead(206, { ...headers, etag: '"new"' }).end(changed.subarray(offset, offset + length));
  });
  await assert.rejects(old.read(FAR, 100), { tag: 'source-broken', code: 'source-changed' });
  const fresh = await open(store.url);
  assert.notEqual(fresh.version, old.version);
  assert.deepEqual(await fresh.read(FAR, 100), changed.slice(FAR, FAR + 100));
});

test('without permission only the data directory is read, and a forbidden address says no more than a broken file', async () => {
  await using store = await startFaultyStore(BYTES);
  const bare = makeOpenSource({ dataDir: '/nowhere' });
  assert.equal(await codeOf(bare(store.url)), 'bad-href');
  for (const href of [
    store.url.replace('127.0.0.1', 'localhost'),
    'https://169.254.169.254/latest/meta-data/',
    'https://data.example/scene.tif',
    's3://bucket/scene.tif',
    'ftp://127.0.0.1/scene.tif',
    'file:///etc/passwd',
    '../scene.tif',
  ]) {
    assert.equal(await codeOf(makeOpen([store])(href)), 'bad-href', href);
  }
  assert.equal(store.seen.requests, 0);
});
