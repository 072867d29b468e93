/** The same scenes as a STAC API. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { call, pathOf, sceneOf } from '../service.ts';

interface Item {
  readonly id: string;
  readonly collection: string;
  readonly stac_extensions: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, { readonly href: string; readonly 'proj:transform'?: unknown }>>;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}
interface Page {
  readonly features: readonly Item[];
  readonly numberMatched?: number;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

const STAC = '/stac';

/** Asks for JSON that must come. */
async function askJson<Body>(path: string, body?: object): Promise<Body> {
  const response = await call(path, body === undefined ? {} : { body });
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
  return (await response.json()) as Body;
}

/** Asks for what must be refused, in the shape of STAC; returns our code. */
async function askRefused(path: string, status: number, body?: object): Promise<string> {
  const response = await call(path, body === undefined ? {} : { body });
  assert.equal(response.status, status, path);
  const { code, description } = (await response.json()) as { code: string; description: string };
  assert.ok(description.length > 10);
  return code;
}

const search = (body: object): Promise<Page> => askJson<Page>(`${STAC}/search`, body);
const itemIdOf = (key: Parameters<typeof sceneOf>[0]): string => sceneOf(key).viewId.replaceAll('/', '_');

test('stac landing: the landing page links to all resources, and needs a key', async () => {
  const landing = await askJson<{ type: string; conformsTo: string[]; links: { rel: string }[] }>(STAC);
  assert.equal(landing.type, 'Catalog');
  for (const rel of ['self', 'root', 'conformance', 'data', 'search', 'service-desc', 'service-doc'])
    assert.ok(
      landing.links.some((link) => link.rel === rel),
      rel,
    );
  const { conformsTo } = await askJson<{ conformsTo: string[] }>(`${STAC}/conformance`);
  assert.deepEqual(conformsTo, landing.conformsTo);
  assert.equal((await call(STAC, { apiKey: null })).status, 401);
});

test('stac collections: one for each dataset that has scenes', async () => {
  const { collections } = await askJson<{ collections: { id: string }[] }>(`${STAC}/collections`);
  const wanted = new Set(
    (['s2', 'l2a', 'l8', 'l7', 'modis', 'cbers', 'naip', 's1'] as const).map((key) => sceneOf(key).dataset),
  );
  assert.deepEqual(new Set(collections.map(({ id }) => id)), wanted);
  assert.equal(await askRefused(`${STAC}/collections/landsat9`, 404), 'unknown-collection');
});

test('stac items: every scene is an item with its own address', async () => {
  for (const key of ['s2', 'l2a', 'l8', 'l7', 'modis', 'cbers', 'naip', 's1'] as const) {
    const { dataset, assets } = sceneOf(key);
    const item = await askJson<Item>(`${STAC}/collections/${dataset}/items/${itemIdOf(key)}`);
    assert.deepEqual([item.id, item.collection], [itemIdOf(key), dataset]);
    assert.deepEqual(
      Object.keys(item.assets)
        .filter((name) => name !== 'thumbnail')
        .sort(),
      Object.keys(assets).sort(),
    );
    const tilejson = item.links.find(({ rel }) => rel === 'tilejson')?.href ?? '';
    assert.match(tilejson, /^http/);
    // Links work without the key that the item was asked with.
    const linked = await call(new URL(tilejson).pathname, { apiKey: null });
    assert.equal(linked.status, 200, await linked.clone().text());
    const withKey = await askJson<{ bounds: unknown }>(
      `${STAC}/collections/${dataset}/items/${item.id}/tilejson.json`,
    );
    assert.deepEqual(((await linked.json()) as { bounds: unknown }).bounds, withKey.bounds, key);
  }
  const { dataset } = sceneOf('l8');
  assert.equal(
    await askRefused(`${STAC}/collections/${dataset}/items/${itemIdOf('s1')}`, 404),
    'unknown-item',
  );
  const radar = await askJson<Item>(`${STAC}/collections/sentinel1/items/${itemIdOf('s1')}`);
  assert.ok(Object.values(radar.assets).every((asset) => asset['proj:transform'] === undefined));
  assert.equal(radar.properties['sar:frequency_band'], 'C');
});

test('stac search: pages lead through all items once, and ids find one', async () => {
  const all = await search({ limit: 500 });
  const pages: string[] = [];
  let token: string | undefined;
  do {
    const page: Page = await search({ limit: 3, ...(token === undefined ? {} : { token }) });
    pages.push(...page.features.map(({ id }) => id));
    const next = page.links.find(({ rel }) => rel === 'next') as { body?: { token: string } } | undefined;
    token = next?.body?.token;
  } while (token !== undefined);
  assert.deepEqual(
    pages,
    all.features.map(({ id }) => id),
  );
  assert.equal(all.numberMatched, pages.length);
  assert.ok(pages.includes(itemIdOf('l8')) && pages.includes(itemIdOf('s1')));
  const one = await search({ ids: [itemIdOf('l8')], collections: ['landsat8'] });
  assert.deepEqual(
    one.features.map(({ id }) => id),
    [itemIdOf('l8')],
  );
});

test('stac filter: CQL2 in both forms and the query extension select the same scenes', async () => {
  const { cloudPercent } = sceneOf('l8');
  assert.ok(cloudPercent !== null);
  const ids = async (body: object) => (await search({ limit: 500, ...body })).features.map(({ id }) => id);
  const json = { op: '=', args: [{ property: 'eo:cloud_cover' }, cloudPercent] };
  const found = await ids({ filter: json });
  assert.ok(found.includes(itemIdOf('l8')));
  assert.deepEqual(
    await ids({ filter: `eo:cloud_cover = ${cloudPercent}`, 'filter-lang': 'cql2-text' }),
    found,
  );
  assert.deepEqual(await ids({ query: { 'eo:cloud_cover': { eq: cloudPercent } } }), found);
  assert.equal(
    await askRefused(`${STAC}/search`, 400, { filter: { op: 'nothing', args: [] } }),
    'bad-filter',
  );
});

test('stac files: assets are the files themselves, in ranges and without a key', async () => {
  const { dataset, assets } = sceneOf('l2a');
  const item = await askJson<Item>(`${STAC}/collections/${dataset}/items/${itemIdOf('l2a')}`);
  const bytes = readFileSync(pathOf(assets.B04?.href ?? ''));
  const href = item.assets.B04?.href ?? '';
  const whole = await fetch(href);
  assert.deepEqual(Buffer.from(await whole.arrayBuffer()), bytes);
  const part = await fetch(href, { headers: { range: 'bytes=8-15' } });
  assert.deepEqual([part.status, Buffer.from(await part.arrayBuffer())], [206, bytes.subarray(8, 16)]);
  assert.equal((await fetch(href.replace('/stac/files/', '/stac/files/x'))).status, 404);
});

test('stac aggregate: the aggregates equal those computed from the items', async () => {
  const { features } = await search({ limit: 250 });
  const names = ['total_count', 'datetime_max', 'collection_frequency'];
  const { aggregations } = await askJson<{
    aggregations: readonly { value?: unknown; buckets?: readonly { key: string; frequency: number }[] }[];
  }>(`${STAC}/aggregate?aggregations=${names.join()}`);
  const [total, newest, collections] = aggregations;
  assert.equal(total?.value, features.length);
  assert.equal(
    newest?.value,
    features
      .map(({ properties }) => String(properties.datetime))
      .sort()
      .at(-1),
  );
  const counted = new Map(collections?.buckets?.map(({ key, frequency }) => [key, frequency]));
  const groups = Map.groupBy(features, ({ collection }) => collection);
  assert.deepEqual(counted.size, groups.size);
  for (const [collection, all] of groups) assert.equal(counted.get(collection), all.length, collection);
  assert.equal(await askRefused(`${STAC}/aggregate?aggregations=mean`, 400), 'bad-aggregations');
});
