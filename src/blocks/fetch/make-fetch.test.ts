import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cancelled, sourceBroken } from '../../errors.ts';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import type { ByteSource, RangeMemory } from '../../sources/index.ts';
import { HEAD_BYTES, makeArenaHandle, makeRangeMemory, toArenaBytes } from '../../sources/index.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { makeOpenFiles } from '../image-files.ts';
import { toPlainWindow, writePlainImage } from '../testing/plain-image.ts';
import { makeFetch } from './make-fetch.ts';
import type { FetchRequest } from './protocol.ts';
import { makeReadingTurns } from './reading-turns.ts';
import { makeSharedSources } from './shared-sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'swath-fetch-'));
after(() => rmSync(folder, { recursive: true }));
const SIDE = 256;
const BLOCK = 64;
const BLOCK_BYTES = BLOCK * BLOCK;
/** Four jobs of two blocks each, with their headers. */
const FOUR_JOBS = 4 * (toArenaBytes(HEAD_BYTES) + 2 * toArenaBytes(BLOCK_BYTES));
let image: Uint8Array;

before(async () => {
  image = new Uint8Array(readFileSync(await writePlainImage(folder, { side: SIDE, block: BLOCK })));
});

interface Kit {
  readonly budgetBytes?: number;
  readonly readingBytes?: number;
  readonly isDecoded?: (number: number) => boolean;
  /** Collects the offsets that are read past the cache of the disk; without it there is none. */
  readonly once?: number[];
}

/** The fetching over a store whose block reads the test holds back and answers. */
function makeKit({ budgetBytes = 2 ** 20, readingBytes = 2 ** 20, isDecoded = () => false, once }: Kit = {}) {
  const asked: { offset: number; answer: (error?: Error) => void; signal: AbortSignal | undefined }[] = [];
  let opened = 0;
  const open = async (href: string): Promise<ByteSource> => {
    opened += 1;
    return {
      id: href,
      version: '1',
      size: image.length,
      close: async () => {},
      // Absent without caches.
      ...(once === undefined
        ? {}
        : {
            withBytes: async ({ offset, length }, use) => use(image.slice(offset, offset + length)),
            withBytesOnce: async ({ offset, length }, use) => {
              once.push(offset);
              return use(image.slice(offset, offset + length));
            },
          }),
      read: (offset, length, signal) =>
        new Promise((resolve, reject) => {
          const answer = (error?: Error): void =>
            error === undefined ? resolve(image.slice(offset, offset + length)) : reject(error);
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
          if (offset === 0 || length > BLOCK_BYTES) answer();
          else asked.push({ offset, answer, signal });
        }),
    };
  };
  const memory: RangeMemory = makeRangeMemory(makeArenaHandle(budgetBytes));
  const sources = makeSharedSources(open, memory);
  const files = makeOpenFiles({
    open: (href, signal, known) =>
      known === undefined ? sources.open(href, signal) : sources.openKnown(href, known.stamp ?? null, signal),
    jp2Decoder: makeJp2Decoder(),
  });
  const fetch = makeFetch({
    files,
    blocks: { has: ({ number }) => isDecoded(number) },
    memory,
    turns: makeReadingTurns({ leastBytes: readingBytes }),
    sources,
  });
  const seen = async (count: number): Promise<void> => {
    await waitFor(() => asked.length >= count);
  };
  return { fetch, asked, seen, memory, sources, openings: () => opened };
}

const toRequest = (href: string, blocks: number, more: Partial<FetchRequest> = {}): FetchRequest => ({
  owner: 'me',
  lane: 'tile',
  windows: [toPlainWindow(href, { width: blocks * BLOCK, height: BLOCK })],
  ...more,
});
const { signal } = new AbortController();

test('all blocks of all files are requested at once, and are in memory afterwards', async () => {
  const { fetch, asked, seen, memory, sources } = makeKit();
  const windows = ['https://a/1.tif', 'https://a/2.tif'].flatMap((href) => toRequest(href, 2).windows);
  const fetched = fetch({ ...toRequest('', 1), windows }, signal);
  await seen(4);
  for (const { answer } of asked) answer();
  const { offer, release } = await fetched;
  const source = await sources.openKnown('https://a/1.tif', null);
  const offset = asked[0]!.offset;
  assert.deepEqual(
    memory.find(source, { offset, length: BLOCK_BYTES }),
    image.slice(offset, offset + BLOCK_BYTES),
  );
  assert.deepEqual(
    offer.files.map(({ href, source: { version }, ranges }) => [href, version, ranges.length]),
    // The header and two blocks of each.
    [
      ['https://a/1.tif', '1', 3],
      ['https://a/2.tif', '1', 3],
    ],
  );
  // The headers were read by the opening.
  assert.equal(offer.broughtBytes, 4 * BLOCK_BYTES);
  release(false);
  // A second fetch of the same finds them.
  assert.equal((await fetch(toRequest('https://a/1.tif', 2), signal)).offer.broughtBytes, 0);
  assert.equal(asked.length, 4);
});

test('decoded blocks are not read', async () => {
  const { fetch, asked, seen } = makeKit({ isDecoded: (number) => number !== 1 });
  const fetched = fetch(toRequest('https://a/1.tif', 3), signal);
  await seen(1);
  asked[0]?.answer();
  await fetched;
  assert.equal(asked.length, 1);
});

test('memory is reserved before anything is read: tiles first, and nothing beyond the budget', async () => {
  const { fetch, asked, seen } = makeKit({ budgetBytes: FOUR_JOBS });
  // Each takes its whole share, a quarter of the memory: four fit.
  const running = ['1', '2', '3', '4'].map((name) => fetch(toRequest(`https://a/${name}`, 2), signal));
  await seen(8);
  const leaving = new AbortController();
  const task = fetch(toRequest('https://a/5', 2, { lane: 'task' }), signal);
  // Of a file that is open: it waits for memory and for nothing before.
  const left = fetch(toRequest('https://a/1', 2, { owner: 'other' }), leaving.signal);
  const tile = fetch(toRequest('https://a/6', 1, { owner: 'third' }), signal);
  await new Promise(setImmediate);
  leaving.abort(cancelled('cancelled', 'It left.'));
  await assert.rejects(left, { tag: 'cancelled' });
  for (const { answer } of asked) answer();
  const [first] = await Promise.all(running);
  assert.equal(asked.length, 8, 'nothing is read without memory');
  first?.release(false);
  // Of those that wait the tile goes first; the task then does not fit.
  await seen(9);
  asked[8]?.answer();
  const { release } = await tile;
  assert.equal(asked.length, 9);
  release(false);
  await seen(11);
  for (const { answer } of asked) answer();
  await task;
});

test('the disk keeps what tiles read, and not what tasks read', async () => {
  const once: number[] = [];
  const { fetch } = makeKit({ once });
  await fetch(toRequest('https://a/1.tif', 2), signal);
  assert.deepEqual(once, []);
  await fetch(toRequest('https://a/2.tif', 2, { lane: 'task' }), signal);
  assert.equal(once.length, 2);
});

test('one job holds at most a quarter of the memory; it reads the rest itself', async () => {
  const { fetch, asked, seen } = makeKit({ budgetBytes: FOUR_JOBS });
  const fetched = fetch(toRequest('https://a/1.tif', 4), signal);
  await seen(2);
  for (const { answer } of asked) answer();
  await fetched;
  assert.equal(asked.length, 2);
});

test('a failure names scene, band and block, ends the other reads, and frees the memory', async () => {
  const { fetch, asked, seen, memory, openings } = makeKit();
  const failing = fetch(toRequest('https://a/1.tif', 2), signal);
  await seen(2);
  asked[1]?.answer(sourceBroken('source-failing', 'It fails.'));
  await assert.rejects(failing, {
    tag: 'source-broken',
    code: 'source-failing',
    details: { where: 'scene B04 level 0, block 1/0' },
  });
  assert.equal(asked[0]?.signal?.aborted, true);
  const hold = memory.reserve([{ offset: 0, length: memory.budgetBytes }]);
  assert.ok(hold, 'all of it is free');
  hold.release();
  // The file may have been replaced: it is opened again.
  const again = fetch(toRequest('https://a/1.tif', 1), signal);
  await seen(3);
  asked[2]?.answer();
  await again;
  assert.equal(openings(), 2);
});

test('after a job fails its files are opened again, because the fetched bytes may be the reason', async () => {
  const { fetch, asked, seen, openings } = makeKit();
  for (const isFailed of [false, true, false]) {
    const count = asked.length;
    const fetched = fetch(toRequest('https://a/1.tif', 1), signal);
    if (openings() !== 1 || count === 0) await seen(count + 1);
    for (const { answer } of asked) answer();
    (await fetched).release(isFailed);
  }
  assert.deepEqual([openings(), asked.length], [2, 2]);
});

test('a file in another state than the catalog knows is reported as changed', async () => {
  const { fetch } = makeKit();
  const [window] = toRequest('https://a/1.tif', 1).windows;
  const windows = [{ ...window!, stamp: '2' }];
  await assert.rejects(fetch({ ...toRequest('', 1), windows }, signal), { code: 'source-changed' });
});

test('files are offered one by one as they complete, the last with all of them', async () => {
  const { fetch, asked, seen } = makeKit();
  const windows = ['https://a/1', 'https://a/2'].flatMap((href) => toRequest(href, 1).windows);
  const parts: string[] = [];
  const fetched = fetch({ ...toRequest('', 1), windows }, signal, ({ files }) =>
    parts.push(...files.map(({ href }) => href)),
  );
  await seen(2);
  asked[1]?.answer();
  await waitFor(() => parts.length === 1);
  asked[0]?.answer();
  const { offer } = await fetched;
  assert.deepEqual(parts, ['https://a/2']);
  assert.deepEqual(
    offer.files.map(({ href }) => href),
    ['https://a/1', 'https://a/2'],
  );
});

test('fetches from one origin take turns; fetches from another origin do not wait', async () => {
  const { fetch, asked, seen } = makeKit({ readingBytes: 2 * BLOCK_BYTES });
  const first = fetch(toRequest('https://a/1', 2), signal);
  await seen(2);
  const second = fetch(toRequest('https://a/2', 2), signal);
  const other = fetch(toRequest('https://b/1', 2), signal);
  await seen(4);
  for (const { answer } of asked) answer();
  await Promise.all([first, other]);
  await seen(6);
  for (const { answer } of asked) answer();
  await second;
});

test('tasks hold at most half of the memory', async () => {
  const { fetch, asked, seen } = makeKit({ budgetBytes: FOUR_JOBS });
  const tasks = ['1', '2', '3'].map((name) =>
    fetch(toRequest(`https://a/${name}`, 2, { lane: 'task' }), signal),
  );
  await seen(4);
  const tile = fetch(toRequest('https://a/4', 2), signal);
  await seen(6);
  for (const { answer } of asked) answer();
  const [done] = await Promise.all([tasks[0], tasks[1], tile]);
  assert.equal(asked.length, 6, 'the third waits for a share of its own');
  done?.release(false);
  await seen(8);
  for (const { answer } of asked) answer();
  await tasks[2];
});
