/** Live catalogs through the fake one: searches, look-ups, and everything that can go wrong between. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { SwathError } from '../errors.ts';
import type { LiveCatalog } from './live-catalog.ts';
import type { LivePage, LiveQuery } from './live-search.ts';
import { inSlices } from './live-search.ts';
import { earthSearch } from './presets/earth-search.ts';
import { planetaryComputer } from './presets/planetary-computer.ts';
import type { NamedScene } from './resolve-scene.ts';
import { makeLiveHandlers } from './serve-live.ts';
import { repeatPage } from './testing/fake-lies.ts';
import type { FakeStac, FakeStacOptions } from './testing/fake-stac.ts';
import { startFakeStac } from './testing/fake-stac.ts';
import type { FilePlace } from './testing/made-item.ts';
import { makeItem } from './testing/make-item.ts';

const DAYS = ['2022-06-01', '2022-06-06', '2022-06-11', '2022-06-16', '2022-06-21', '2022-06-26'];

const makeItems = (place: FilePlace) =>
  DAYS.map((day, i) => makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day, cloud: i * 10 }, place));

const NEVER = new AbortController().signal;

/** The fake behind a preset, and what the thread would answer. */
async function start(t: TestContext, options: FakeStacOptions = {}, preset: LiveCatalog = earthSearch) {
  const fake = await startFakeStac({ items: makeItems, ...options });
  t.after(() => fake[Symbol.asyncDispose]());
  const sources = fake.network;
  const catalog = { ...preset, url: fake.url, sources };
  const handlers = makeLiveHandlers({
    catalogs: [catalog],
    files: { dataDir: mkdtempSync(join(tmpdir(), 'swath-live-')), network: sources },
  });
  const search = async (query: Partial<LiveQuery> = {}): Promise<LivePage> =>
    (await handlers.search({ ...EVERYTHING, ...query }, NEVER)) as LivePage;
  const resolve = async (
    named: Partial<NamedScene>,
    earlier: Parameters<typeof handlers.resolve>[0]['earlier'] = null,
  ) => {
    const found = await handlers.resolve(
      { named: { dataset: 'sentinel2l2a', name: '', viewId: null, ...named }, earlier },
      NEVER,
    );
    return found as Exclude<typeof found, { transfer: unknown }>;
  };
  return { fake, search, resolve, handlers };
}

const EVERYTHING: LiveQuery = {
  dataset: 'sentinel2l2a',
  filters: [],
  sort: { field: 'date', descending: true },
  offset: 0,
  limit: 10,
  withFiles: false,
};

const daysOf = ({ hits }: LivePage): readonly string[] =>
  hits.map(({ acquiredAt }) => acquiredAt.slice(8, 10));

const callsOf = (fake: FakeStac, kind: string) => fake.calls.filter((call) => call.kind === kind);

const VIEW_ID = 'S2L2A/31/T/DH/2022/6/21/0';
const NAMED = { name: '31/T/DH/2022/6/21/0', viewId: VIEW_ID };

test('a search is one request, and the same search again none', async (t) => {
  const { fake, search } = await start(t);
  const page = await search({ limit: 2 });
  assert.deepEqual(daysOf(page), ['26', '21']);
  assert.deepEqual([page.found, page.foundBy, page.problem], [6, 'stated', null]);
  assert.deepEqual(daysOf(await search({ limit: 2 })), ['26', '21']);
  assert.equal(fake.calls.length, 1);
  assert.equal(fake.calls[0]?.body?.limit, 2);
  assert.deepEqual(daysOf(await search({ limit: 2, offset: 2 })), ['16', '11']);
  assert.deepEqual(daysOf(await search({ limit: 2, offset: 4 })), ['06', '01']);
  assert.deepEqual(daysOf(await search({ limit: 2, offset: 6 })), []);
});

test('a long page crosses between threads in slices, and is read once', async (t) => {
  const day = (i: number) => new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10);
  const items = (place: FilePlace) =>
    Array.from({ length: 250 }, (_, i) =>
      makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day: day(i), cloud: 1 }, place),
    );
  const { fake, handlers } = await start(t, { items });
  const limits: number[] = [];
  const search = inSlices(async (query, signal) => {
    limits.push(query.limit);
    return (await handlers.search(query, signal)) as LivePage;
  });
  const { hits, found } = await search({ ...EVERYTHING, offset: 20, limit: 210 }, NEVER);
  assert.deepEqual([hits.length, new Set(hits.map(({ viewId }) => viewId)).size, found], [210, 210, 250]);
  assert.deepEqual(limits, [100, 100, 10]);
  assert.equal(hits[0]?.acquiredAt.slice(0, 10), day(229));
  assert.equal(callsOf(fake, 'search').length, 2, 'pages of the catalog');
});

test('filters that the catalog has are asked there, and every hit is filtered here', async (t) => {
  const { fake, search } = await start(t);
  const clouds = { field: 'cloudCoverage', kind: 'range', from: 10, to: 30 } as const;
  const page = await search({ filters: [clouds] });
  assert.deepEqual(daysOf(page), ['16', '11', '06']);
  assert.ok(JSON.stringify(fake.calls[0]?.body?.query).includes('eo:cloud_cover'));
  assert.equal(page.found, 3);
  const satellite = { field: 'gridSquare', kind: 'one-of', values: ['XX'] } as const;
  assert.deepEqual(daysOf(await search({ filters: [satellite] })), []);
});

test('a point and the relation of an area', async (t) => {
  const { search } = await start(t);
  const at = (lon: number, lat: number) =>
    ({ geometry: { type: 'Point', coordinates: [lon, lat] }, relation: 'intersects' }) as const;
  assert.equal((await search({ shape: at(2.2, 42.9) })).found, 6);
  assert.equal((await search({ shape: at(20, 42.9) })).found, 0);
});

test('without a count of the catalog, hits are counted', async (t) => {
  const { fake, search } = await start(
    t,
    { style: 'planetary-computer' },
    {
      ...planetaryComputer,
      collections: earthSearch.collections,
    },
  );
  const page = await search({ limit: 2 });
  assert.deepEqual([page.found, page.foundBy], [6, 'counted']);
  assert.ok(Number(fake.calls[0]?.body?.limit) > 2);
});

test('a catalog that is down, cuts off, or answers nonsense: no hits, and the reason', async (t) => {
  const { fake, search } = await start(t);
  fake.catalogFault = () => ({ text: '<html>' });
  const nonsense = await search();
  assert.deepEqual([nonsense.hits.length, nonsense.found, nonsense.problem?.code], [0, 0, 'stac-bad-json']);
  fake.catalogFault = () => ({ status: 403 });
  assert.match((await search()).problem?.message ?? '', /status 403/);
  fake.catalogFault = () => null;
  assert.equal((await search()).problem, null, 'a failed search is not remembered');
});

test('a catalog that takes too long is left out', async (t) => {
  const slow = { ...earthSearch, limits: { ...earthSearch.limits, deadlineMs: 1 } };
  const { fake, search } = await start(t, {}, slow);
  fake.pause = () => new Promise(() => {});
  const page = await search();
  assert.deepEqual([page.hits.length, page.problem?.code], [0, 'catalog-slow']);
});

test('a catalog that lies about its count, repeats items, or links to another host', async (t) => {
  const { fake, search } = await start(t);
  fake.catalogFault = () => ({
    change: (answer) => ({ ...answer, numberMatched: 1, context: { matched: 1 } }),
  });
  const lying = await search({ limit: 4 });
  assert.deepEqual([lying.hits.length, lying.foundBy], [4, 'at-least']);
  assert.ok(lying.found >= 4);

  fake.catalogFault = () => ({
    change: (answer) => ({
      ...answer,
      features: (answer.features as unknown[]).flatMap((one) => [one, one]),
    }),
  });
  const newest = { field: 'date', kind: 'range', from: '2022-01-01' } as const;
  assert.equal((await search({ limit: 9, filters: [newest] })).hits.length, 6);

  fake.catalogFault = () => ({
    change: (answer) => ({
      ...answer,
      links: [{ rel: 'next', href: 'http://169.254.169.254/latest', method: 'GET' }],
    }),
  });
  const oldest = { field: 'date', kind: 'range', to: '2023-01-01' } as const;
  const astray = await search({ limit: 8, filters: [oldest] });
  assert.deepEqual([astray.hits.length, astray.problem?.code], [6, 'stac-other-host']);
});

test('a catalog whose pages repeat is not asked for all of them', async (t) => {
  const { fake, search } = await start(t);
  const lie = repeatPage();
  fake.catalogFault = () => lie;
  const page = await search({ limit: 10 });
  assert.deepEqual([page.hits.length, page.problem?.code], [6, 'catalog-refused']);
  // Twenty items that were seen before are four pages.
  assert.equal(fake.calls.length, 5);
});

test('broken items are left out, and the others stay', async (t) => {
  const { fake, search } = await start(t);
  const deep = JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`);
  fake.catalogFault = () => ({
    change: (answer) => ({
      ...answer,
      features: [
        null,
        { type: 'Feature' },
        { type: 'Feature', id: 'x', properties: {}, geometry: deep, collection: 'sentinel-2-l2a' },
        ...(answer.features as unknown[]),
      ],
    }),
  });
  assert.equal((await search()).hits.length, 6);
});

test('a scene that nobody has asked for is found by its view id, with the headers of its files', async (t) => {
  const { fake, resolve } = await start(t);
  const found = await resolve(NAMED);
  assert.ok(found !== null && found !== 'unchanged');
  assert.equal(found.scene.viewId, VIEW_ID);
  assert.equal(found.catalog, 'earth-search');
  assert.ok(found.itemUrl.startsWith(`${fake.url}/collections/sentinel-2-l2a/items/S2`));
  const red = found.scene.assets.B04;
  assert.ok(red !== undefined && red.overviews.length > 0 && red.stamps !== undefined);
  assert.equal(callsOf(fake, 'search').length, 1);
});

test('after a search, the item itself is asked for', async (t) => {
  const { fake, search, resolve } = await start(t);
  await search();
  fake.calls.length = 0;
  assert.ok((await resolve(NAMED)) !== null);
  assert.deepEqual([callsOf(fake, 'search').length, callsOf(fake, 'item').length], [0, 1]);
});

test('after a search for whole items, nothing but files is asked for', async (t) => {
  const { fake, search, resolve } = await start(t);
  await search({ withFiles: true });
  fake.calls.length = 0;
  assert.ok((await resolve(NAMED)) !== null);
  assert.deepEqual([...new Set(fake.calls.map(({ kind }) => kind))], ['file']);
});

test('a scene is found by its other names; one that does not exist is null', async (t) => {
  const { resolve, search } = await start(t);
  const [hit] = (await search()).hits;
  for (const name of [hit!.sceneId, hit!.productId!]) {
    const found = await resolve({ name });
    assert.ok(found !== null && found !== 'unchanged', name);
    assert.equal(found.scene.viewId, hit!.viewId);
  }
  assert.equal(await resolve({ name: '31/T/DH/2022/6/22/0', viewId: 'S2L2A/31/T/DH/2022/6/22/0' }), null);
  assert.equal(await resolve({ name: 'nonsense' }), null);
});

test('an item that has not changed is not read again, and one that has is', async (t) => {
  const { fake, resolve } = await start(t);
  const first = await resolve(NAMED);
  assert.ok(first !== null && first !== 'unchanged');
  const earlier = { itemState: first.itemState, fingerprint: first.scene.origin?.fingerprint ?? '' };
  fake.calls.length = 0;
  assert.equal(await resolve(NAMED, earlier), 'unchanged');
  assert.equal(callsOf(fake, 'file').length, 0);
  fake.replace(
    makeItem(
      'earth-search/sentinel-2-l2a',
      { tile: '31TDH', day: '2022-06-21', cloud: 41, updated: '2026-01-01T00:00:00.000Z' },
      fake.place,
    ),
  );
  const second = await resolve(NAMED, earlier);
  assert.ok(second !== null && second !== 'unchanged');
  assert.equal(second.scene.cloudPercent, 41);
});

test('whether an item has changed is asked at its source, also if a search has read it before', async (t) => {
  const { fake, search, resolve } = await start(t);
  await search({ withFiles: true });
  const first = await resolve(NAMED);
  assert.ok(first !== null && first !== 'unchanged');
  fake.calls.length = 0;
  const earlier = { itemState: first.itemState, fingerprint: first.scene.origin?.fingerprint ?? '' };
  assert.equal(await resolve(NAMED, earlier), 'unchanged');
  assert.equal(callsOf(fake, 'item').length, 1);
});

test('a catalog that does not answer is an error that passes; files that are gone are one that stays', async (t) => {
  const { fake, resolve } = await start(t);
  fake.catalogFault = () => ({ status: 403 });
  await assert.rejects(resolve(NAMED), { tag: 'unavailable', code: 'catalog-unavailable' });
  fake.catalogFault = () => null;
  fake.fileFault = () => ({ status: 404 });
  await assert.rejects(resolve(NAMED), ({ tag, message }: SwathError) => {
    assert.equal(tag, 'source-broken');
    assert.match(message, /^B01: /);
    assert.ok(!message.includes('127.0.0.1'), 'no address');
    return true;
  });
});

test('an item that refers to other hosts, to this machine or to its network is refused, and nothing is contacted', async (t) => {
  for (const href of [
    'http://169.254.169.254/latest/meta-data',
    'http://localhost/x.tif',
    'https://example.org/x.tif',
    'file:///etc/passwd',
    's3://somebodys-bucket/x.tif',
  ]) {
    const { fake, resolve } = await start(t);
    fake.catalogFault = ({ kind }) =>
      kind === 'file'
        ? null
        : {
            change: (answer) =>
              JSON.parse(JSON.stringify(answer, (key, value) => (key === 'href' ? href : value))) as Record<
                string,
                unknown
              >,
          };
    await assert.rejects(
      resolve(NAMED),
      {
        tag: 'not-allowed',
        message:
          'The item of this scene refers to files that are not where the files of its catalog may lie.',
      },
      href,
    );
    assert.equal(callsOf(fake, 'file').length, 0, href);
  }
});
