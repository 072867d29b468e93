/** Open searches that several callers share, with a catalog in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCancelled } from '../async/index.ts';
import type { CatalogClient } from './catalog-client.ts';
import { makeItemMemory } from './item-memory.ts';
import type { LiveQuery } from './live-search.ts';
import { inSlices, makeLiveSearch } from './live-search.ts';
import { earthSearch } from './presets/earth-search.ts';
import { atProvider } from './testing/made-item.ts';
import { makeItem } from './testing/make-item.ts';

const EVERYTHING: LiveQuery = {
  dataset: 'sentinel2l2a',
  filters: [],
  sort: { field: 'date', descending: true },
  offset: 0,
  limit: 10,
  withFiles: false,
};

const NEVER = new AbortController().signal;

/** The item that is so many days older than the newest. */
function itemOf(i: number): unknown {
  const day = new Date(Date.UTC(2024, 11, 31 - i)).toISOString().slice(0, 10);
  const { head } = makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day, cloud: 1 }, atProvider);
  return head;
}

interface World {
  readonly items: number;
  readonly mostHits?: number;
  /** Called before each page; the promise holds it up. */
  readonly beforePage?: (number: number) => Promise<void> | undefined;
}

/** A search of a catalog with so many items, on a clock that stands still. */
function makeWorld({ items, mostHits = 10_000, beforePage = () => undefined }: World) {
  const pages: number[] = [];
  const deadlines: AbortController[] = [];
  const state = { nowMs: 0 };
  const client = {
    catalog: { ...earthSearch, collections: earthSearch.collections.slice(0, 1) },
    readApi: async () => earthSearch.api!,
    async *search({ limit }: { readonly limit: number }, currentSignal: () => AbortSignal) {
      yield { kind: 'total', total: items } as const;
      for (let from = 0; from < items; from += limit) {
        pages.push(limit);
        await untilAborted(beforePage(from / limit + 1), currentSignal());
        for (let i = from; i < Math.min(items, from + limit); i++) {
          yield { kind: 'item', value: itemOf(i), location: { kind: 'url', url: '' } } as const;
        }
      }
    },
  } as unknown as CatalogClient;
  const search = makeLiveSearch({
    clients: new Map([['sentinel2l2a', client]]),
    memory: makeItemMemory(),
    nowMs: () => state.nowMs,
    mostHits,
    startDeadline() {
      const deadline = new AbortController();
      deadlines.push(deadline);
      return deadline.signal;
    },
  });
  const passDeadline = (i: number): void =>
    deadlines[i]!.abort(new DOMException('It took too long.', 'TimeoutError'));
  return { search, pages, passDeadline, state };
}

/** Waits as a request does: until it is answered or given up. */
function untilAborted(wait: Promise<void> | undefined, signal: AbortSignal): Promise<void> | undefined {
  if (wait === undefined) return undefined;
  const abort = Promise.withResolvers<never>();
  if (signal.aborted) abort.reject(toCancelled(signal.reason));
  signal.addEventListener('abort', () => abort.reject(toCancelled(signal.reason)), { once: true });
  return Promise.race([wait, abort.promise]);
}

/** A page that never comes, and the moment in which it is asked for. */
function makeStuckPage(stuck: number) {
  const asked = Promise.withResolvers<void>();
  const beforePage = (number: number): Promise<void> | undefined => {
    if (number !== stuck) return undefined;
    asked.resolve();
    return new Promise<void>(() => {});
  };
  return { beforePage, asked: asked.promise };
}

test('a long page of a catalog that stops answering is read once, with what there was and one reason', async () => {
  const { beforePage, asked } = makeStuckPage(2);
  const { search, pages, passDeadline, state } = makeWorld({ items: 1_000, beforePage });
  const answer = inSlices(search)({ ...EVERYTHING, limit: 500 }, NEVER);
  await asked;
  // The deadline of work that needs all scenes is longer than a search stays open.
  state.nowMs += 70_000;
  passDeadline(0);
  const { hits, problem } = await answer;
  assert.deepEqual([hits.length, new Set(hits.map(({ viewId }) => viewId)).size], [200, 200]);
  assert.equal(problem?.code, 'catalog-slow');
  assert.equal(pages.length, 2, 'nothing was asked for again');
});

test('whoever joins a search that is late gets the same reason, and whoever asks later a new search', async () => {
  const { beforePage, asked } = makeStuckPage(1);
  const { search, pages, passDeadline } = makeWorld({ items: 10, beforePage });
  const [first, second] = [search(EVERYTHING, NEVER), search(EVERYTHING, NEVER)];
  await asked;
  passDeadline(0);
  assert.equal((await first).problem?.code, 'catalog-slow');
  assert.deepEqual((await second).problem, (await first).problem);
  const third = search(EVERYTHING, NEVER);
  passDeadline(2);
  await third;
  assert.equal(pages.length, 2);
});

test('a caller that goes away does not end the search of another', async () => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let isFirst = true;
  const { search } = makeWorld({
    items: 10,
    beforePage() {
      if (!isFirst) return undefined;
      isFirst = false;
      asked.resolve();
      return held.promise;
    },
  });
  const gone = new AbortController();
  const [first, second] = [search(EVERYTHING, gone.signal), search(EVERYTHING, NEVER)];
  await asked.promise;
  gone.abort(new Error('gone'));
  await assert.rejects(first, /gone/);
  const page = await second;
  assert.deepEqual([page.hits.length, page.problem], [10, null]);
});

test('hits that were read need not wait for those that another caller wants', async () => {
  const { beforePage, asked } = makeStuckPage(2);
  const { search, passDeadline } = makeWorld({ items: 400, beforePage });
  const long = search({ ...EVERYTHING, limit: 400 }, NEVER);
  await asked;
  assert.equal((await search(EVERYTHING, NEVER)).hits.length, 10);
  passDeadline(0);
  await long;
});

test('a search that began with small pages does not read a long one in small pages', async () => {
  const { search, pages } = makeWorld({ items: 600 });
  await search({ ...EVERYTHING, limit: 1 }, NEVER);
  const page = await search({ ...EVERYTHING, limit: 500 }, NEVER);
  assert.equal(page.hits.length, 500);
  assert.deepEqual(pages, [1, 200, 200, 200]);
});

test('what lies beyond the bound of a search is not left out in silence', async () => {
  const { search } = makeWorld({ items: 130, mostHits: 100 });
  const last = await search({ ...EVERYTHING, offset: 90, limit: 10 }, NEVER);
  assert.deepEqual([last.hits.length, last.found, last.problem], [10, 130, null]);
  const beyond = await search({ ...EVERYTHING, offset: 100, limit: 100 }, NEVER);
  assert.deepEqual([beyond.hits.length, beyond.found], [0, 130]);
  assert.equal(beyond.problem?.code, 'catalog-too-long');
});
