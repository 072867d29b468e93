import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewScene } from '../../catalog/index.ts';
import { box, makeScene } from '../../catalog/testing/make-scene.ts';
import { makeTestApp, READER_KEY, readerRecord, TEST_KEY } from '../testing/make-test-app.ts';
import type { StacLink } from './addresses.ts';
import { makeMadeCatalog } from './testing/made-catalog.ts';

/** What these tests read of documents. */
interface Doc {
  readonly [name: string]: unknown;
  readonly links: readonly StacLink[];
  readonly features: readonly Item[];
  readonly collections: readonly { readonly id: string }[];
}
interface Item {
  readonly id: string;
  readonly collection: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, { readonly href: string }>>;
  readonly links: readonly StacLink[];
}

interface TiledItem {
  readonly asset_templates: { readonly visual: { readonly href: string } };
  readonly stac_extensions: readonly string[];
  readonly properties: {
    readonly 'tiles:tile_matrix_links': {
      readonly WebMercatorQuad: { readonly url: string; readonly limits: Readonly<Record<string, object>> };
    };
    readonly 'tiles:tile_matrix_sets': {
      readonly WebMercatorQuad: {
        readonly tileMatrix: readonly { readonly identifier: string; readonly matrixWidth: number }[];
      };
    };
  };
}

/** The application over some scenes of June 2026. */
function makeStac(...more: readonly NewScene[]) {
  const days = Array.from({ length: 12 }, (_, i) => makeScene(i + 1));
  const catalog = makeMadeCatalog(...days, ...more);
  const app = makeTestApp({ scenes: catalog.scenes, records: [readerRecord] });
  const get = async (path: string, init: Parameters<typeof app.call>[1] = {}): Promise<Doc> => {
    const response = await app.call(path, init);
    assert.equal(response.status, 200, `${path} ${await response.clone().text()}`);
    return (await response.json()) as Doc;
  };
  const search = async (body: unknown): Promise<Doc> => {
    const response = await app.post('/stac/search', body);
    assert.equal(response.status, 200, await response.clone().text());
    return (await response.json()) as Doc;
  };
  const refuse = async (path: string): Promise<string> => {
    const response = await app.call(path);
    assert.equal(response.status, 400, path);
    return ((await response.json()) as { code: string }).code;
  };
  return { ...app, get, search, refuse, catalog };
}

const hrefOf = ({ links }: Pick<Doc, 'links'>, rel: string, method?: string): string =>
  links.find((link) => link.rel === rel && (method === undefined || link.method === method))?.href ?? '';

/** The path of one of our addresses. */
const pathOf = (href: string): string => href.replace('http://swath.test', '');

test('the links of the landing page lead to every resource', async () => {
  const { get } = makeStac();
  const landing = await get('/stac');
  assert.deepEqual([landing.type, landing.stac_version], ['Catalog', '1.1.0']);
  assert.equal(hrefOf(landing, 'self'), 'http://swath.test/stac');
  assert.equal(hrefOf(landing, 'search', 'POST'), 'http://swath.test/stac/search');
  const { conformsTo } = await get(pathOf(hrefOf(landing, 'conformance')));
  assert.deepEqual(conformsTo, landing.conformsTo);
  const { collections } = await get(pathOf(hrefOf(landing, 'data')));
  assert.deepEqual(
    collections.map(({ id }) => id),
    ['sentinel2'],
  );
  const collection = await get(pathOf(hrefOf(landing, 'child')));
  assert.equal(collection.id, 'sentinel2');
  assert.deepEqual(collection.extent, {
    spatial: { bbox: [[2, 42, 3, 43]] },
    temporal: { interval: [['2026-06-01T10:50:31.000Z', '2026-06-12T10:50:31.000Z']] },
  });
  assert.deepEqual((collection.summaries as { gsd: unknown }).gsd, [10, 20, 60]);
  const { features } = await get(pathOf(hrefOf(collection, 'items')));
  assert.equal(features.length, 10);
  const [item] = features;
  const alone = await get(pathOf(hrefOf(item as Item, 'self')));
  assert.deepEqual(alone as unknown, item);
  for (const rel of ['root', 'parent', 'collection']) await get(pathOf(hrefOf(item as Item, rel)));
  const tilejson = await get(pathOf(hrefOf(item as Item, 'tilejson')));
  assert.deepEqual(tilejson.tiles, [hrefOf(item as Item, 'xyz')]);
});

test('a tiled item has the tiles of its ground as an asset template, and all else of the item', async () => {
  const { get } = makeStac();
  const item = await get('/stac/collections/sentinel2/items/S2_31_T_DH_2026_6_1_0');
  const tiled = (await get(`${pathOf(hrefOf(item, 'self'))}/tiled.json`)) as unknown as TiledItem;
  const { asset_templates, properties, stac_extensions, ...others } = tiled;
  assert.deepEqual({ ...item, ...others }, item);
  assert.match(stac_extensions.at(-1) ?? '', /tiled-assets/);
  assert.equal(
    asset_templates.visual.href,
    'http://swath.test/ogc/collections/scene.S2_31_T_DH_2026_6_1_0/map/tiles/WebMercatorQuad/{TileMatrix}/{TileRow}/{TileCol}?f=jpeg',
  );
  const { tileMatrix } = properties['tiles:tile_matrix_sets'].WebMercatorQuad;
  const { url, limits } = properties['tiles:tile_matrix_links'].WebMercatorQuad;
  assert.equal(url, '#WebMercatorQuad');
  assert.deepEqual(
    tileMatrix.map(({ identifier }) => identifier),
    Object.keys(limits),
  );
  // From 2 to 3 degrees of longitude and from 42 to 43 of latitude; the tile of 2, 43 is 258/188 at zoom 9, as any slippy map has it.
  assert.deepEqual(limits['9'], {
    min_tile_col: 258,
    max_tile_col: 260,
    min_tile_row: 188,
    max_tile_row: 190,
  });
  assert.equal(tileMatrix.find(({ identifier }) => identifier === '9')?.matrixWidth, 512);
});

test('GET and POST find the same pages, and next links lead through all of them', async () => {
  const { get, search } = makeStac();
  const days = (doc: Doc) => doc.features.map(({ id }) => id.split('_')[6]);
  let page = await get('/stac/search?collections=sentinel2&limit=5&bbox=2.5,42.5,2.6,42.6');
  assert.equal(page.numberMatched, 12);
  const seen = [days(page)];
  for (let next = hrefOf(page, 'next'); next !== ''; next = hrefOf(page, 'next')) {
    page = await get(pathOf(next));
    seen.push(days(page));
  }
  assert.deepEqual(seen, [
    ['12', '11', '10', '9', '8'],
    ['7', '6', '5', '4', '3'],
    ['2', '1'],
  ]);
  const body = { collections: ['sentinel2'], limit: 5, bbox: [2.5, 42.5, 2.6, 42.6] };
  const first = await search(body);
  assert.deepEqual(days(first), seen[0]);
  const next = first.links.find(({ rel }) => rel === 'next');
  assert.deepEqual([next?.method, next?.merge], ['POST', true]);
  assert.deepEqual(days(await search({ ...body, ...(next?.body as object) })), seen[1]);
});

test('links begin with the public address of the service, and never contain a key', async () => {
  const { ask } = makeStac();
  const response = await ask(`http://maps.example/stac/search?limit=1&api_key=${TEST_KEY}`, {});
  const text = await response.text();
  assert.equal(response.headers.get('content-type'), 'application/geo+json');
  assert.ok(!text.includes(TEST_KEY));
  const page = JSON.parse(text) as Doc;
  assert.match(hrefOf(page, 'next'), /^http:\/\/maps\.example\/stac\/search\?limit=1&token=/);
  assert.match(hrefOf(page.features[0] as Item, 'self'), /^http:\/\/maps\.example\/stac\//);
});

test('conditions of all kinds narrow a search', async () => {
  const elsewhere = makeScene(20, { footprint: box(-60, -10, -59, -9) });
  const { get, search } = makeStac(elsewhere);
  const count = async (query: string) => (await get(`/stac/search?limit=100&${query}`)).features.length;
  assert.equal(await count('bbox=-60,-10,-59,-9'), 1);
  assert.equal(await count('bbox=-60,-10,0,-59,-9,10'), 1);
  assert.equal(await count('bbox=170,0,-170,1'), 0);
  assert.equal(await count('datetime=2026-06-02T00:00:00Z/2026-06-04T00:00:00Z'), 2);
  assert.equal(await count('datetime=2026-06-02T10:50:31Z'), 1);
  assert.equal(await count('datetime=../2026-06-02T10:50:30.999Z'), 1);
  assert.equal(await count('ids=S2_31_T_DH_2026_6_3_0,S2_31_T_DH_2026_6_4_0'), 2);
  assert.equal(await count('collections=landsat8'), 0);
  assert.equal(await count('collections=no-such-thing'), 0);
  assert.equal(await count(`filter=${encodeURIComponent("eo:cloud_cover <= 3 AND id <> 'x'")}`), 3);
  assert.equal(await count(`filter=${encodeURIComponent("id = 'S2_31_T_DH_2026_6_3_0'")}`), 1);
  assert.equal(await count(`query=${encodeURIComponent('{"eo:cloud_cover":{"gt":10}}')}`), 3);
  const point = { type: 'Point', coordinates: [2.5, 42.5] };
  assert.equal(await count(`intersects=${encodeURIComponent(JSON.stringify(point))}`), 12);
  const filter = { op: '>', args: [{ property: 'eo:cloud_cover' }, 11] };
  assert.equal((await search({ filter, intersects: point })).features.length, 1);
  assert.equal(
    (await search({ filter: 'eo:cloud_cover > 11', 'filter-lang': 'cql2-text' })).features.length,
    2,
  );
});

test('sortby and fields shape a page', async () => {
  const { get, search } = makeStac();
  const { features } = await get(
    '/stac/search?sortby=%2Bproperties.eo:cloud_cover&limit=2&fields=id,properties.gsd',
  );
  assert.deepEqual(
    features,
    [1, 2].map((day) => ({
      type: 'Feature',
      stac_version: '1.1.0',
      id: `S2_31_T_DH_2026_6_${day}_0`,
      collection: 'sentinel2',
      properties: { gsd: 10 },
    })),
  );
  const { features: without } = await search({
    sortby: [{ field: 'datetime', direction: 'asc' }],
    fields: { exclude: ['assets', 'properties.title'] },
    limit: 1,
  });
  assert.equal(without[0]?.id, 'S2_31_T_DH_2026_6_1_0');
  assert.ok(!('assets' in (without[0] as object)) && !('title' in (without[0]?.properties ?? {})));
});

test('an included field stays even if its parent is excluded', async () => {
  const { search } = makeStac();
  const fields = { include: ['properties.gsd', 'geometry'], exclude: ['properties', 'geometry', 'assets'] };
  const { features } = await search({ limit: 1, fields });
  const [item] = features as unknown as Record<string, unknown>[];
  assert.deepEqual(item?.properties, { gsd: 10 });
  assert.ok(item?.geometry !== undefined && item.links === undefined && item.assets === undefined);
});

test('an invalid request is refused with a code and a STAC description', async () => {
  const { refuse, call, post } = makeStac();
  for (const [query, code] of [
    ['limit=0', 'bad-limit'],
    ['limit=-1', 'bad-limit'],
    ['bbox=1,2,3', 'bad-bbox'],
    ['bbox=0,10,1,5', 'bad-bbox'],
    ['datetime=2026-06-01', 'bad-datetime'],
    ['datetime=../..', 'bad-datetime'],
    ['intersects=%7B%7D', 'bad-intersects'],
    ['intersects=[[[[', 'bad-intersects'],
    [
      'bbox=0,0,1,1&intersects=%7B%22type%22%3A%22Point%22%2C%22coordinates%22%3A%5B1%2C1%5D%7D',
      'several-areas',
    ],
    ['token=abc', 'bad-token'],
    ['sortby=geometry', 'bad-sortby'],
    ['sortby=datetime,id', 'bad-sortby'],
    ['filter=a%20b', 'bad-filter'],
    ['filter=TRUE&filter-lang=sql', 'bad-filter-lang'],
    ['filter=TRUE&filter-crs=EPSG:3857', 'bad-filter-crs'],
    ['query=%5B%5D', 'bad-query'],
    [`ids=${Array.from({ length: 101 }, (_, i) => i).join()}`, 'bad-ids'],
  ] as const)
    assert.equal(await refuse(`/stac/search?${query}`), code, query);
  const ring = Array.from({ length: 5_000 }, (_, i) => [i / 1e4, Math.abs(Math.sin(i))]);
  const outline = { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
  const long = await post('/stac/search', {
    filter: { op: 's_intersects', args: [{ property: 'geometry' }, outline] },
  });
  assert.match(
    ((await long.json()) as { description: string }).description,
    /send a large geometry as intersects/,
  );
  const missing = await call('/stac/collections/nothing');
  assert.equal(missing.status, 404);
  const body = (await missing.json()) as Record<string, unknown>;
  assert.deepEqual([body.code, body.description], ['unknown-collection', body.error]);
  assert.equal((await call('/stac/collections/sentinel2/items/x')).status, 404);
  assert.equal((await call('/stac', { key: null })).status, 401);
  assert.equal((await call('/stac/search', { key: READER_KEY })).status, 200);
});

test('a token of another sort order is refused, and a forged one does no harm', async () => {
  const { get, refuse } = makeStac();
  const token = new URL(hrefOf(await get('/stac/search?limit=1'), 'next')).searchParams.get('token') ?? '';
  assert.equal(await refuse(`/stac/search?sortby=datetime&token=${token}`), 'bad-token');
  const invent = (...parts: readonly unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const deep = invent('date', true, false, '2026-06-05T00:00:00Z', 'x', 'y', 'z', null, 999_999);
  assert.equal((await get(`/stac/search?limit=2&token=${deep}`)).features.length, 2);
  const wrong = invent('date', true, false, 'yesterday', 'x', 'y', 'z', null, 1);
  assert.equal(await refuse(`/stac/search?token=${wrong}`), 'bad-token');
});

test('assets have our addresses, and do not reveal where the files are stored', async () => {
  const { get } = makeStac();
  const item = await get('/stac/collections/sentinel2/items/S2_31_T_DH_2026_6_3_0');
  const text = JSON.stringify(item);
  assert.ok(!text.includes('scenes/test'), 'the path of a file is shown');
  assert.ok(!text.includes('swath:asset') && !text.includes('swath:origin'));
  const { assets, properties } = item as unknown as Item;
  assert.deepEqual(Object.keys(assets), ['B02', 'B03', 'B04', 'thumbnail']);
  assert.match(
    assets.B04?.href ?? '',
    /^http:\/\/swath\.test\/stac\/files\/[^/]+\/S2\/31\/T\/DH\/2026\/6\/3\/0\/B04\.tif$/,
  );
  assert.match(assets.thumbnail?.href ?? '', /\/api\/render\/thumbnails\//);
  assert.deepEqual(
    [properties.platform, properties.constellation, properties.instruments, properties['eo:cloud_cover']],
    ['sentinel-2a', 'sentinel-2', ['msi'], 3],
  );
});

test('collections can be found by place, time and words', async () => {
  const landsat = makeScene(9, {
    viewId: 'L8/LC80110312026160LGN00',
    dataset: 'landsat8',
    acquiredAt: '2026-06-09T10:00:00Z',
    footprint: box(-60, -10, -59, -9),
  });
  const { get, refuse } = makeStac(landsat);
  const find = async (query: string) =>
    (await get(`/stac/collections?${query}`)).collections.map(({ id }) => id);
  assert.deepEqual(await find(''), ['sentinel2', 'landsat8']);
  assert.deepEqual(await find('bbox=-61,-11,-58,-8'), ['landsat8']);
  assert.deepEqual(await find('datetime=2026-06-11T00:00:00Z/..'), ['sentinel2']);
  assert.deepEqual(await find('q=USGS,nothing'), ['landsat8']);
  const first = await get('/stac/collections?limit=1');
  assert.deepEqual([first.collections.map(({ id }) => id), first.numberMatched], [['sentinel2'], 2]);
  const second = await get(pathOf(hrefOf(first, 'next')));
  assert.deepEqual([second.collections.map(({ id }) => id), hrefOf(second, 'next')], [['landsat8'], '']);
  assert.equal(await refuse('/stac/collections?token=nothing'), 'bad-token');
  assert.equal(await refuse('/stac/collections?bbox=1'), 'bad-bbox');
  assert.equal(await refuse('/stac/collections?datetime=now'), 'bad-datetime');
  assert.equal(await refuse(`/stac/collections?q=${'x'.repeat(301)}`), 'bad-q');
});

test('queryables and sortables list the properties for filters and sorting', async () => {
  const { get } = makeStac();
  const { properties } = (await get('/stac/collections/sentinel2/queryables')) as unknown as {
    properties: Record<string, unknown>;
  };
  assert.ok('eo:cloud_cover' in properties && 'geometry' in properties);
  assert.ok(!('sat:orbit_state' in properties), 'Sentinel-2 has no such property');
  const sortables = (await get('/stac/sortables')) as unknown as { properties: Record<string, unknown> };
  for (const name of Object.keys(sortables.properties)) await get(`/stac/search?limit=1&sortby=-${name}`);
  const response = await makeStac().call('/stac/search?filter=cloud_cover%20%3C%2010');
  assert.equal(response.headers.get('x-ignored-parameters'), 'cloud_cover (did you mean eo:cloud_cover?)');
});

test('collections list how they can be drawn: map styles and recipes of the key', async () => {
  const { get } = makeStac();
  const collection = await get('/stac/collections/sentinel2');
  const renders = collection.renders as Record<string, Readonly<Record<string, unknown>>>;
  assert.deepEqual(renders.natural, { title: 'Natural (B04, B03, B02)', assets: ['B04', 'B03', 'B02'] });
  const { expression, ...ndvi } = renders.ndvi ?? {};
  assert.match(String(expression), /B08.*B04/);
  assert.deepEqual(ndvi, {
    title: ndvi.title,
    assets: ['B08', 'B04'],
    rescale: [[-1, 1]],
    colormap_name: 'rdylgn',
  });
  const [wmts] = collection.links.filter(({ rel }) => rel === 'wmts');
  assert.deepEqual(wmts?.['wmts:layer'], ['sentinel2']);
  assert.match(String(collection.stac_extensions), /render\/v2.*|web-map-links/);
  const { features } = await get('/stac/search?limit=1');
  const [layer] = features.flatMap(({ links }) => links.filter(({ rel }) => rel === 'wmts'));
  assert.equal(
    layer?.href,
    `http://swath.test/ogc/wmts?SERVICE=WMTS&REQUEST=GetCapabilities&LAYER=scene.${features[0]?.id}`,
  );
});

test('a recipe of the key is listed as a way to draw its datasets', async () => {
  const content = {
    scenes: { kind: 'search', sensors: ['S2'], period: '2026-06' },
    bands: '(B08-B04)/(B08+B04)',
    query: { MIN_MAX: '0,1', COLORMAP: 'viridis' },
  } as const;
  const recipe = { id: 'a'.repeat(32), name: 'Fields', content, owner: 'x', createdAt: '', share: null };
  const asked: string[] = [];
  const list = async (owner: string) => {
    asked.push(owner);
    return [
      recipe,
      {
        ...recipe,
        id: 'b'.repeat(32),
        content: { ...content, scenes: { ...content.scenes, sensors: ['L8'] } },
      },
    ];
  };
  const { scenes } = makeMadeCatalog(makeScene(1));
  const app = makeTestApp({ scenes, recipes: { list } as never });
  const { renders } = (await (await app.call('/stac/collections/sentinel2')).json()) as {
    renders: Record<string, unknown>;
  };
  assert.deepEqual(renders[`recipe.${'a'.repeat(32)}`], {
    title: 'Fields',
    assets: ['B08', 'B04'],
    expression: '(B08-B04)/(B08+B04)',
    rescale: [[0, 1]],
    colormap_name: 'viridis',
  });
  assert.equal(renders[`recipe.${'b'.repeat(32)}`], undefined);
  assert.equal(asked.length, 1);
});

test('words find items by name and by the description of their collections', async () => {
  const { get, search } = makeStac();
  const count = async (q: string): Promise<number> =>
    (await get(`/stac/search?limit=50&q=${encodeURIComponent(q)}`)).features.length;
  assert.equal(await count('COPERNICUS'), 12);
  assert.equal(await count('20260603'), 1);
  assert.equal(await count('20260603,20260604,nothing'), 2);
  assert.equal(await count('nothing'), 0);
  assert.equal((await search({ q: ['20260605'] })).features.length, 1);
});
