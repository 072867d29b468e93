import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply, Seen } from '../testing/ingest-items.ts';
import { startFakeCatalog } from '../testing/ingest-items.ts';
import { makeFetchJson } from './fetch-json.ts';
import { readAddress } from './read-address.ts';
import type { Found, SourceLimits, StacFilters } from './source.ts';
import { SOURCE_LIMITS } from './source.ts';

const nothing: StacFilters = { bbox: null, date: null, maxCloudPercent: null, limit: null, collections: [] };
const one: StacFilters = { ...nothing, collections: ['naip'] };

interface Run {
  readonly answer: (seen: Seen, base: string) => Reply;
  readonly path?: string;
  readonly filters?: StacFilters;
  readonly limits?: Partial<SourceLimits>;
}

/** All that the source of a fake catalog yields, and the requests it received. */
async function readAll({ answer, path = '/search', filters = one, limits = {} }: Run) {
  const catalog = await startFakeCatalog(answer);
  const waits: number[] = [];
  const all = { ...SOURCE_LIMITS, ...limits };
  const sleep = async (durationMs: number) => void waits.push(durationMs);
  const fetchJson = makeFetchJson({ fetch: catalog.fetch, maxBytes: all.maxBytes, sleep });
  const found: Found[] = [];
  try {
    for await (const next of readAddress(catalog.base + path, { fetchJson, limits: all, filters })) {
      found.push(next);
    }
  } finally {
    await catalog.stop();
  }
  const ids = found.flatMap((next) => (next.kind === 'item' ? [(next.value as { id: string }).id] : []));
  const faults = found.flatMap((next) => (next.kind === 'fault' ? [next.code] : []));
  return { ids, faults, found, seen: catalog.seen, waits };
}

const page = (from: number, links: object[] = [], more: object = {}) => ({
  type: 'FeatureCollection',
  features: [from, from + 1].map((number) => ({ type: 'Feature', id: `i${number}`, assets: {} })),
  links,
  ...more,
});

test('pages linked by address', async () => {
  const { ids, seen, found } = await readAll({
    answer({ method, query }, base) {
      if (method === 'POST') return { status: 405 };
      const at = Number(query.get('token') ?? 0);
      const next = { rel: 'next', href: `${base}/search?token=${at + 2}&limit=2` };
      return page(at, at < 4 ? [{ rel: 'self', href: base }, next] : [], { numberMatched: 6 });
    },
  });
  assert.deepEqual(ids, ['i0', 'i1', 'i2', 'i3', 'i4', 'i5']);
  assert.deepEqual(
    seen.map(({ method }) => method),
    ['POST', 'GET', 'GET', 'GET'],
  );
  assert.equal(seen[1]?.query.get('collections'), 'naip');
  assert.deepEqual(found[0], { kind: 'total', total: 6 });
});

test('pages linked by request body, whole or merged with the first', async () => {
  for (const merge of [true, false]) {
    const { ids, seen } = await readAll({
      filters: { ...one, bbox: [1, 2, 3, 4], date: { from: '2020-01-01', to: null }, maxCloudPercent: 20 },
      answer({ body }, base) {
        const at = Number(body.token ?? 0);
        const next = {
          rel: 'next',
          method: 'POST',
          href: `${base}/search`,
          ...(merge ? { merge, body: { token: at + 2 } } : { body: { ...body, token: at + 2 } }),
        };
        return page(at, at < 4 ? [next] : []);
      },
    });
    assert.equal(ids.length, 6);
    assert.deepEqual(seen[2]?.body, {
      limit: 100,
      collections: ['naip'],
      bbox: [1, 2, 3, 4],
      datetime: '2020-01-01T00:00:00Z/..',
      query: { 'eo:cloud_cover': { lte: 20 } },
      token: 4,
    });
  }
});

test('a server that cannot filter clouds is searched without that filter', async () => {
  const { ids, seen } = await readAll({
    filters: { ...one, maxCloudPercent: 20 },
    answer: ({ body }) => ('query' in body ? { status: 400 } : page(0)),
  });
  assert.deepEqual([ids.length, seen.length], [2, 2]);
});

test('temporary failures are retried after the time that the server names', async () => {
  let requests = 0;
  const { ids, waits } = await readAll({
    answer() {
      requests++;
      if (requests === 1) return { status: 429, headers: { 'retry-after': '7' } };
      return requests === 2 ? { status: 503 } : page(0);
    },
  });
  assert.equal(ids.length, 2);
  assert.equal(waits[0], 7_000);
  assert.ok(waits[1]! <= 1_000);
});

test('a server that keeps failing gets no more than five requests', async () => {
  let requests = 0;
  const answer = () => {
    requests++;
    return { status: 500 };
  };
  await assert.rejects(readAll({ answer }), { code: 'stac-answer', details: { status: 500 } });
  // Neither another method nor another body helps against a 500.
  assert.equal(requests, 5);
});

test('a later page that cannot be read ends the source and is reported; earlier items stay', async () => {
  const faulty: [string, (base: string) => Reply][] = [
    ['stac-answer', () => ({ status: 404 })],
    ['stac-no-items', () => ({ type: 'Catalog' })],
    ['stac-no-items', () => ({ type: 'FeatureCollection', features: 'many' })],
    ['stac-loop', (base) => page(2, [{ rel: 'next', href: `${base}/search?token=1` }])],
    ['stac-other-host', () => page(2, [{ rel: 'next', href: 'https://elsewhere.example/search' }])],
    ['stac-other-host', () => page(2, [{ rel: 'next', href: 'file:///etc/passwd' }])],
  ];
  for (const [code, second] of faulty) {
    const { ids, faults, found } = await readAll({
      answer: ({ query }, base) =>
        query.has('token') ? second(base) : page(0, [{ rel: 'next', href: `${base}/search?token=1` }]),
    });
    assert.deepEqual(ids.slice(0, 2), ['i0', 'i1']);
    assert.deepEqual(faults, [code]);
    assert.equal(found.at(-1)?.kind === 'fault' && (found.at(-1) as { ends?: true }).ends, true);
  }
});

test('pages are limited in number and size, and so are empty pages in a row', async () => {
  const endless = (full: boolean) => (seen: Seen, base: string) => {
    const at = Number(seen.query.get('token') ?? 0);
    const next = { rel: 'next', href: `${base}/search?token=${at + 1}` };
    return full ? page(at, [next]) : { type: 'FeatureCollection', features: [], links: [next] };
  };
  const many = await readAll({ answer: endless(true), limits: { maxPages: 3 } });
  assert.deepEqual([many.ids.length, many.faults], [6, ['stac-too-many-pages']]);
  const empty = await readAll({ answer: endless(false) });
  assert.deepEqual([empty.seen.length, empty.faults], [5, ['stac-loop']]);
  const large = readAll({
    answer: () => page(0, [], { more: 'x'.repeat(5_000) }),
    limits: { maxBytes: 2_000 },
  });
  await assert.rejects(large, { code: 'source-too-long', message: /^The catalog sent more/ });
});

test('a landing page leads to its search, a collection of an API to its items', async () => {
  const landing = await readAll({
    path: '/',
    answer: ({ path }, base) =>
      path === '/'
        ? {
            type: 'Catalog',
            links: [{ rel: 'search', href: `${base}/find/search`, method: 'POST' }],
          }
        : page(0),
  });
  assert.deepEqual(
    landing.seen.map(({ method, path }) => `${method} ${path}`),
    ['GET /', 'POST /find/search'],
  );
  const collection = await readAll({
    path: '/collections/naip',
    filters: { ...nothing, limit: 5 },
    answer: ({ path }) =>
      path.endsWith('/items')
        ? page(0)
        : { type: 'Collection', links: [{ rel: 'items', href: './naip/items' }] },
  });
  assert.deepEqual(collection.ids, ['i0', 'i1']);
  assert.equal(collection.seen[1]?.query.get('limit'), '5');
});

test('an API is never searched without a filter', async () => {
  await assert.rejects(readAll({ answer: () => page(0), filters: nothing }), { code: 'stac-everything' });
});

test('every document of a static catalog is read once, even in a cycle; other hosts are not followed', async () => {
  const { ids, faults, seen } = await readAll({
    path: '/catalog.json',
    filters: nothing,
    answer({ path }) {
      if (path === '/catalog.json') {
        return {
          type: 'Catalog',
          links: [
            { rel: 'self', href: './catalog.json' },
            { rel: 'child', href: './a/collection.json' },
            { rel: 'child', href: 'http://169.254.169.254/latest' },
            { rel: 'item', href: './gone.json' },
          ],
        };
      }
      if (path === '/a/collection.json') {
        const links = ['../catalog.json', './x.json', './x.json', './list.json'];
        return { type: 'Collection', links: links.map((href) => ({ rel: 'item', href })) };
      }
      if (path === '/a/x.json') return { type: 'Feature', id: 'x', assets: {} };
      return path === '/a/list.json' ? page(7) : { status: 404 };
    },
  });
  assert.deepEqual(ids.toSorted(), ['i7', 'i8', 'x']);
  assert.deepEqual(faults.toSorted(), ['stac-answer', 'stac-other-host']);
  assert.equal(seen.length, 5);
});

test('a static catalog is limited in depth and in documents', async () => {
  const answer = ({ path }: Seen) => {
    const at = Number(path.slice(1).replace('.json', ''));
    return { type: 'Catalog', links: [{ rel: 'child', href: `${at + 1}.json` }] };
  };
  const deep = await readAll({ path: '/0.json', filters: nothing, answer });
  assert.deepEqual(deep.faults, ['stac-too-deep']);
  const wide = await readAll({ path: '/0.json', filters: nothing, answer, limits: { maxDocuments: 5 } });
  assert.deepEqual([wide.faults, wide.seen.length], [['stac-too-many-documents'], 5]);
});

test('JSON that is neither a catalog nor an item is an error at once', async () => {
  const bad = { path: '/x.json', filters: nothing };
  await assert.rejects(readAll({ ...bad, answer: () => ({ hello: 1 }) }), { code: 'stac-no-catalog' });
  await assert.rejects(readAll({ ...bad, answer: () => ({ status: 404 }) }), { code: 'stac-answer' });
});
