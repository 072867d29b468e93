/** Many requests that wait for a store that hangs: they take neither memory nor the time of others. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { waitFor } from '../../../src/testing/wait-for.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import { runSwath } from '../../support/start-swath.ts';
import type { FaultyStore } from './faulty-store.ts';
import type { ImageService } from './image-service.ts';
import { startImageService } from './image-service.ts';
import { askTile } from './served-scenes.ts';

const [LOCAL_DAY, HANGING_DAY] = [1, 2];
/**
 * The front door lets 24 renders a thread in, shared by keys of which one more could always come: 96 by six are 16 for
 * each of four keys, and the service key draws local pictures. Eight requests for a picture are one render.
 */
const THREADS = 4;
const KEYS = 4;
const PICTURES = 16;
const SAME = 8;
const WAITING = KEYS * PICTURES * SAME;
/** Local pictures of a round, and rounds with and without waiting requests, in turns: the machine may be busy. */
const DRAWN = 15;
const ROUNDS = 3;
/** A machine on which the store is given up in each of so many rounds is too slow to compare times. */
const MOST_ROUNDS = 12;

let service: ImageService;
let store: FaultyStore;
let swath: RunningSwath;
const keys: string[] = [];

before(async () => {
  const env = { SWATH_THREADS: String(THREADS), SWATH_CONNECTIONS_PER_ADDRESS: '1000' };
  service = await startImageService({ localDay: LOCAL_DAY, days: HANGING_DAY, env });
  ({ store, swath } = service);
  // Headers are answered: the pictures wait for their blocks.
  store.behave(({ offset, answerWell }) => {
    if (offset === 0) answerWell();
  });
  for (let i = 0; i < KEYS; i += 1) {
    const { stdout } = await runSwath(['keys', 'create'], { SWATH_DATA: service.dataDir });
    keys.push(/apk\.[0-9a-f]+/.exec(stdout)?.[0] ?? assert.fail(stdout));
  }
});

after(() => service[Symbol.asyncDispose]());

async function readMetric(name: string): Promise<number> {
  const text = await (await fetch(`${swath.url}/metrics`)).text();
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? assert.fail(`no ${name}`);
  return Number(value);
}

const readMb = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${swath.process.pid}/status`, 'utf8'))?.[1]) / 1024;

async function drawLocal(): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < DRAWN; i += 1) {
    const startedAt = performance.now();
    assert.equal((await askTile(swath.url, LOCAL_DAY)).status, 200);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Whether a picture was given up because its store failed, and not refused for want of room. */
const isGivenUp = (code: string): boolean => code.startsWith('source-') || code === 'render-timeout';

/** Asks for pictures of the hanging store; the result ends the waiting. */
async function startWaiting() {
  const leaving = new AbortController();
  const answered: string[] = [];
  const requests = keys.flatMap((key, owner) =>
    Array.from({ length: PICTURES * SAME }, async (_, i) => {
      const tile = `17/${66_640 + (i % PICTURES)}/${48_438 + owner}`;
      const { code } = await askTile(swath.url, HANGING_DAY, { key, tile, signal: leaving.signal });
      answered.push(String(code));
    }),
  );
  for (const request of requests) request.catch(() => {});
  await waitFor(async () => answered.length > 0 || (await readMetric('swath_connections')) >= WAITING);
  return {
    answered,
    async end(): Promise<void> {
      leaving.abort();
      await Promise.allSettled(requests);
      await waitFor(async () => (await readMetric('swath_connections')) < WAITING / 4);
    },
  };
}

test(`${WAITING} requests that wait for a hanging store take little memory, and do not delay others`, async (t) => {
  await drawLocal();
  const beforeMb = readMb();
  /** Medians without and with waiting requests, in milliseconds, of each round. */
  const compared: (readonly [alone: number, meanwhile: number])[] = [];
  const isFine = ([alone, meanwhile]: readonly [number, number]): boolean => meanwhile <= 3 * alone + 10;
  const isOver = (): boolean => compared.length >= ROUNDS && compared.some(isFine);
  for (let round = 0; round < MOST_ROUNDS && !isOver(); round += 1) {
    const quiet = await drawLocal();
    const seen = store.seen.requests;
    const { answered, end } = await startWaiting();
    await waitFor(() => store.seen.requests > seen);
    const drawn = await drawLocal();
    const fetchedMb = (await readMetric('swath_fetch_memory_bytes')) / 2 ** 20;
    assert.ok(fetchedMb <= 128, `${fetchedMb} MiB of bytes`);
    const grownMb = readMb() - beforeMb;
    assert.ok(grownMb < 300, `${grownMb} MiB more`);
    const refused = answered.filter((code) => !isGivenUp(code));
    assert.deepEqual(refused, [], 'none is refused');
    // A store that hangs is given up after some seconds: on a busy machine that may be before the last local picture.
    if (answered.length === 0) compared.push([toMedian(quiet), toMedian(drawn)]);
    await end();
  }
  if (compared.length === 0) return t.diagnostic('too slow to compare times');
  // The best round: a busy machine may hold up the pictures of any one.
  const told = compared.map(
    ([alone, meanwhile]) => `${meanwhile} ms with waiting requests, ${alone} ms without`,
  );
  assert.ok(compared.some(isFine), told.join('; '));
});

test('a caller whose requests wait for a hanging store still gets pictures of this machine', async () => {
  const leaving = new AbortController();
  // Twice what one key may have drawn at once.
  const waiting = Array.from({ length: 24 * THREADS }, (_, i) =>
    askTile(swath.url, HANGING_DAY, {
      tile: `17/${66_640 + (i % 16)}/${48_444 + Math.floor(i / 16)}`,
      signal: leaving.signal,
    }),
  );
  const settled = Promise.allSettled(waiting);
  await waitFor(async () => (await readMetric('swath_connections')) >= waiting.length);
  await drawLocal();
  leaving.abort();
  const refused = (await settled).filter(({ status }) => status === 'fulfilled');
  for (const result of refused)
    assert.ok(result.status === 'fulfilled' && isGivenUp(String(result.value.code)), 'given up, not refused');
});

const toMedian = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
