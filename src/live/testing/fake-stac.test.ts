import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeGuardedFetch } from '../../net/index.ts';
import { makeCatalogClient } from '../catalog-client.ts';
import type { LiveCatalog } from '../live-catalog.ts';
import { startFakeStac } from './fake-stac.ts';
import type { StyleName } from './fake-styles.ts';
import type { FilePlace } from './made-item.ts';
import { makeItem } from './make-item.ts';

const DAYS = ['2022-06-01', '2022-06-06', '2022-06-11', '2022-06-16', '2022-06-21'];
/** Five days of a tile in France, and one tile over 180°. */
const makeItems = (place: FilePlace) => [
  ...DAYS.map((day, i) =>
    makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day, cloud: i * 10 }, place),
  ),
  makeItem('earth-search/sentinel-2-l2a', { tile: '1KAB', day: '2022-06-03', cloud: 50 }, place),
];

const fakes = {
  'earth-search': await startFakeStac({ items: makeItems }),
  'planetary-computer': await startFakeStac({ style: 'planetary-computer', items: makeItems }),
};
after(() => Promise.all(Object.values(fakes).map((fake) => fake[Symbol.asyncDispose]())));

type Page = Record<string, unknown> & {
  features: { id: string; properties: Record<string, unknown> }[];
  links: { rel: string; href: string; method?: string; body?: object }[];
};

async function post(style: keyof typeof fakes, body: object): Promise<Page> {
  const answer = await fetch(`${fakes[style].url}/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Page;
}

/** Days of the items that a search finds, in order. */
async function findDays(style: keyof typeof fakes, body: object): Promise<string[]> {
  const { features } = await post(style, { limit: 100, ...body });
  return features.map(({ properties }) => String(properties.datetime).slice(8, 10));
}

test('pages follow each other by POST and by GET, and contain each item once', async () => {
  for (const style of ['earth-search', 'planetary-computer'] satisfies StyleName[]) {
    for (const method of ['POST', 'GET']) {
      const ids: string[] = [];
      const address = `${fakes[style].url}/search`;
      let next: Page['links'][number] | undefined = {
        rel: 'next',
        ...(method === 'POST'
          ? { href: address, method, body: { collections: ['sentinel-2-l2a'], limit: 4 } }
          : { href: `${address}?collections=sentinel-2-l2a&limit=4` }),
      };
      let pages = 0;
      while (next !== undefined) {
        const answer = await fetch(next.href, {
          method: next.method ?? 'GET',
          ...(next.body === undefined ? {} : { body: JSON.stringify(next.body) }),
        });
        const page = (await answer.json()) as Page;
        ids.push(...page.features.map(({ id }) => id));
        assert.equal(page.numberMatched, style === 'earth-search' ? 6 : undefined);
        next = page.links.find(({ rel }) => rel === 'next');
        pages++;
      }
      assert.equal(pages, 2);
      assert.equal(new Set(ids).size, 6);
    }
  }
});

test('the client of live catalogs reads all pages', async () => {
  for (const fake of Object.values(fakes)) {
    const policy = { hosts: ['127.0.0.1'], ...fake.network };
    const catalog = { url: fake.url, api: null } as LiveCatalog;
    const client = makeCatalogClient(catalog, makeGuardedFetch({ policy }));
    const { signal } = new AbortController();
    assert.equal((await client.readApi(signal)).fields, true);
    const ids = new Set<unknown>();
    for await (const found of client.search({ collections: ['sentinel-2-l2a'], limit: 4 }, () => signal)) {
      if (found.kind === 'item') ids.add((found.value as { id: string }).id);
      else assert.equal(found.kind, 'total');
    }
    assert.equal(ids.size, 6);
  }
});

test('items can be searched by place, time, id, query and filter', async () => {
  const both = async (body: object, days: string[]) => {
    assert.deepEqual(await findDays('earth-search', body), days);
    assert.deepEqual(await findDays('planetary-computer', body), days);
  };
  const inFrance = ['21', '16', '11', '06', '01'];
  await both({ intersects: { type: 'Point', coordinates: [2.2, 42.9] } }, inFrance);
  await both({ bbox: [2, 42.5, 2.1, 42.6] }, inFrance);
  await both({ bbox: [20, 42.5, 21, 42.6] }, []);
  await both({ bbox: [179, -25, -178, -10] }, ['03']);
  await both({ datetime: '2022-06-05T00:00:00Z/2022-06-12T00:00:00Z' }, ['11', '06']);
  await both({ ids: ['S2A_31TDH_20220611_0_L2A', 'S2B_31TDH_20220611_0_L2A'] }, ['11']);
  await both({ query: { 'eo:cloud_cover': { lt: 20 } } }, ['06', '01']);
  await both({ query: { 'grid:code': { eq: 'MGRS-31TDH' } }, datetime: '../2022-06-03' }, ['01']);
  await both(
    { sortby: [{ field: 'properties.eo:cloud_cover', direction: 'desc' }], datetime: '2022-06-04/..' },
    ['21', '16', '11', '06'],
  );
});

test('the Planetary Computer applies filters, Earth Search ignores them', async () => {
  const cloud = { property: 'eo:cloud_cover' };
  const filters: [object, string[]][] = [
    [{ op: '<=', args: [cloud, 10] }, ['06', '01']],
    [{ op: 'between', args: [cloud, 15, 35] }, ['16', '11']],
    [{ op: 'in', args: [cloud, [0, 40]] }, ['21', '01']],
    [{ op: 'not', args: [{ op: 'like', args: [{ property: 'grid:code' }, 'MGRS-31%'] }] }, ['03']],
    [{ op: 'isNull', args: [cloud] }, []],
    [
      {
        op: 'or',
        args: [
          { op: '=', args: [cloud, 0] },
          { op: '>', args: [cloud, 45] },
        ],
      },
      ['03', '01'],
    ],
    [
      {
        op: 'and',
        args: [
          {
            op: 's_intersects',
            args: [{ property: 'geometry' }, { type: 'Point', coordinates: [2.2, 42.9] }],
          },
          { op: 't_intersects', args: [{ property: 'datetime' }, { interval: ['2022-06-20', '..'] }] },
        ],
      },
      ['21'],
    ],
  ];
  for (const [filter, days] of filters) {
    assert.deepEqual(await findDays('planetary-computer', { filter, 'filter-lang': 'cql2-json' }), days);
    assert.equal((await findDays('earth-search', { filter, 'filter-lang': 'cql2-json' })).length, 6);
  }
});

test('Earth Search omits properties that the fields parameter does not include', async () => {
  const fields = { include: ['properties.eo:cloud_cover'], exclude: ['assets', 'links'] };
  const [lean] = (await post('earth-search', { fields })).features;
  assert.deepEqual(Object.keys(lean!.properties), ['eo:cloud_cover', 'datetime']);
  assert.ok('geometry' in lean! && !('assets' in lean) && !('links' in lean));
  const [whole] = (await post('planetary-computer', { fields: { exclude: ['assets'] } })).features;
  assert.ok('grid:code' in whole!.properties && !('assets' in whole!));
});

test('an item has an ETag that changes with it', async () => {
  const fake = fakes['earth-search'];
  const { id } = (await post('earth-search', { limit: 1 })).features[0]!;
  const address = `${fake.url}/collections/sentinel-2-l2a/items/${id}`;
  const first = await fetch(address);
  const etag = first.headers.get('etag')!;
  assert.equal((await fetch(address, { headers: { 'if-none-match': etag } })).status, 304);
  const choice = { tile: '31TDH', day: '2022-06-21', cloud: 40, updated: '2026-01-01T00:00:00.000Z' };
  fake.replace(makeItem('earth-search/sentinel-2-l2a', choice, fake.place));
  const second = await fetch(address, { headers: { 'if-none-match': etag } });
  assert.equal(second.status, 200);
  assert.notEqual(second.headers.get('etag'), etag);
});
