/** Searches of live catalogs through the fake one, and what can go wrong there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SwathError } from '../errors.ts';
import type { LivePage } from './live-search.ts';
import { inSlices } from './live-search.ts';
import { earthSearch } from './presets/earth-search.ts';
import { sentinel2ByMgrs } from './presets/items-of.ts';
import { planetaryComputer } from './presets/planetary-computer.ts';
import { repeatPage } from './testing/fake-lies.ts';
import { STYLES } from './testing/fake-styles.ts';
import type { FilePlace } from './testing/made-item.ts';
import { makeItem } from './testing/make-item.ts';
import { callsOf, EVERYTHING, NEVER, startLive } from './testing/start-live.ts';

const daysOf = ({ hits }: LivePage): readonly string[] =>
  hits.map(({ acquiredAt }) => acquiredAt.slice(8, 10));

test('a search sends one request, and the same search again sends none', async (t) => {
  const { fake, search } = await startLive(t);
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
  const { fake, handlers } = await startLive(t, { items });
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

test('the catalog applies the filters it supports, and every hit is filtered here again', async (t) => {
  const { fake, search } = await startLive(t);
  const clouds = { field: 'cloudCoverage', kind: 'range', from: 10, to: 30 } as const;
  const page = await search({ filters: [clouds] });
  assert.deepEqual(daysOf(page), ['16', '11', '06']);
  assert.ok(JSON.stringify(fake.calls[0]?.body?.query).includes('eo:cloud_cover'));
  assert.equal(page.found, 3);
  const satellite = { field: 'gridSquare', kind: 'one-of', values: ['XX'] } as const;
  assert.deepEqual(daysOf(await search({ filters: [satellite] })), []);
});

test('a scene is found by its name alone, by searching the catalog for its tile and day', async (t) => {
  const { fake, search } = await startLive(t);
  const [first] = (await search({ limit: 1 })).hits;
  const name = { field: 'sceneID', kind: 'one-of', values: [first!.sceneId] } as const;
  const page = await search({ filters: [name] });
  assert.deepEqual(
    [page.hits.map(({ viewId }) => viewId), page.found, page.foundBy],
    [[first!.viewId], 1, 'counted'],
  );
  assert.match(String(callsOf(fake, 'search').at(-1)?.body?.datetime), /^2022-06-25T.*2022-06-27T/);
});

test('lists omit the images of items, which are most of their bytes', async (t) => {
  const { fake, search } = await startLive(t);
  const sent: unknown[] = [];
  fake.catalogFault = () => ({
    change(answer) {
      sent.push(...(answer.features as unknown[]));
      return answer;
    },
  });
  const { hits } = await search();
  assert.equal(sent.length, 6);
  for (const item of sent as readonly { readonly assets: object }[]) {
    const others = ['granule_metadata', 'tileinfo_metadata'];
    assert.deepEqual(Object.keys(item.assets).toSorted(), ['blue-jp2', ...others, 'thumbnail'].toSorted());
  }
  const whole = await search({ withFiles: true });
  assert.ok(Object.hasOwn((sent.at(-1) as { readonly assets: object }).assets, 'red'));
  assert.deepEqual(hits, whole.hits, 'hits have all that they have of whole items');
});

test('a search accepts a point and the relation of an area', async (t) => {
  const { search } = await startLive(t);
  const at = (lon: number, lat: number) =>
    ({ geometry: { type: 'Point', coordinates: [lon, lat] }, relation: 'intersects' }) as const;
  assert.equal((await search({ shape: at(2.2, 42.9) })).found, 6);
  assert.equal((await search({ shape: at(20, 42.9) })).found, 0);
});

test('if the catalog returns no count, hits are counted', async (t) => {
  const { fake, search } = await startLive(
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

test('a catalog that is down, cuts off or returns nonsense gives no hits, and the reason', async (t) => {
  const { fake, search } = await startLive(t);
  fake.catalogFault = () => ({ text: '<html>' });
  const nonsense = await search();
  assert.deepEqual([nonsense.hits.length, nonsense.found, nonsense.problem?.code], [0, 0, 'stac-bad-json']);
  fake.catalogFault = () => ({ status: 403 });
  assert.match((await search()).problem?.message ?? '', /status 403/);
  fake.catalogFault = () => null;
  assert.equal((await search()).problem, null, 'a failed search is not remembered');
});

test('a failing collection does not remove the hits of the other collections of its dataset', async (t) => {
  const { fake, search } = await startLive(
    t,
    {},
    { ...earthSearch, collections: [...earthSearch.collections, sentinel2ByMgrs('broken', 'sentinel2l2a')] },
  );
  fake.catalogFault = ({ body }) =>
    JSON.stringify(body?.collections) === '["broken"]' ? { status: 403 } : null;
  for (const limit of [2, 10]) {
    const page = await search({ limit });
    assert.deepEqual(daysOf(page), ['26', '21', '16', '11', '06', '01'].slice(0, limit));
    assert.match(page.problem?.message ?? '', /status 403/);
    assert.deepEqual([page.found, page.foundBy], [page.hits.length, 'at-least']);
  }
});

test('a page that ends with the last item promises no further scene', async (t) => {
  const style = { ...STYLES['earth-search'], matched: 'absent' } as const;
  const preset = {
    ...earthSearch,
    api: { filter: 'query', sort: true, fields: true, counts: false, maxItems: 6 },
  } as const;
  const { fake, search } = await startLive(t, { style }, preset);
  const page = await search({ limit: 6 });
  assert.deepEqual([page.hits.length, page.found, page.foundBy], [6, 6, 'counted']);
  const short = await search({ limit: 2, filters: [{ field: 'date', kind: 'range', from: '2022-01-01' }] });
  assert.deepEqual([short.hits.length, short.found, short.foundBy], [2, 6, 'counted']);
  assert.equal(callsOf(fake, 'search').length, 2);
});

test('a link to an empty page promises no scene', async (t) => {
  const style = { ...STYLES['earth-search'], matched: 'absent' } as const;
  const preset = {
    ...earthSearch,
    api: { filter: 'query', sort: true, fields: true, counts: false, maxItems: 6 },
  } as const;
  const { fake, search } = await startLive(t, { style }, preset);
  const linksToNothing = ({ body }: { readonly body: unknown }) => ({
    change: (answer: Readonly<Record<string, unknown>>) => {
      const isNext = JSON.stringify(body).includes('"page":2');
      const next = {
        rel: 'next',
        href: `${fake.url}/search`,
        method: 'POST',
        merge: true,
        body: { page: 2 },
      };
      return isNext ? { ...answer, features: [], links: [] } : { ...answer, links: [next] };
    },
  });
  fake.catalogFault = linksToNothing;
  const whole = await search({ limit: 6 });
  assert.deepEqual([whole.hits.length, whole.found, whole.foundBy, whole.problem], [6, 6, 'counted', null]);
  const calls = callsOf(fake, 'search').length;
  const short = await search({ limit: 2, filters: [{ field: 'date', kind: 'range', from: '2022-01-01' }] });
  assert.deepEqual([short.hits.length, short.found, short.foundBy], [2, 6, 'at-least']);
  assert.equal(
    callsOf(fake, 'search').length,
    calls + 1,
    'the last item of a page shows that there is one more',
  );
});

test('a catalog that asks for a long pause is busy, and the answer includes the duration', async (t) => {
  const { fake, search, resolve } = await startLive(t);
  fake.catalogFault = () => ({ status: 429, retryAfter: '600' });
  for (const limit of [1, 2]) {
    const { hits, problem } = await search({ limit });
    assert.deepEqual([hits.length, problem?.code], [0, 'catalog-busy']);
    assert.match(problem?.message ?? '', /asks for a pause of \d{3} seconds/);
  }
  await assert.rejects(
    resolve({ name: '31/T/DH/2022/6/21/0', viewId: 'S2L2A/31/T/DH/2022/6/21/0' }),
    ({ code, details }: SwathError) => code === 'catalog-unavailable' && Number(details.retryAfterS) > 100,
  );
  assert.equal(fake.calls.length, 1);
});

test('a catalog that takes too long is omitted', async (t) => {
  const slow = { ...earthSearch, limits: { ...earthSearch.limits, deadlineMs: 1 } };
  const { fake, search } = await startLive(t, {}, slow);
  fake.pause = () => new Promise(() => {});
  const page = await search();
  assert.deepEqual([page.hits.length, page.problem?.code], [0, 'catalog-slow']);
});

test('wrong counts, repeated items and links to another host do no harm', async (t) => {
  const { fake, search } = await startLive(t);
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

test('a catalog whose pages repeat is not read to the end', async (t) => {
  const { fake, search } = await startLive(t);
  const lie = repeatPage();
  fake.catalogFault = () => lie;
  const page = await search({ limit: 10 });
  assert.deepEqual([page.hits.length, page.problem?.code], [6, 'catalog-refused']);
  // Twenty items that were seen before are four pages.
  assert.equal(fake.calls.length, 5);
});

test('broken items are omitted, and the others stay', async (t) => {
  const { fake, search } = await startLive(t);
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
