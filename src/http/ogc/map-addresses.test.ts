import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { notFound } from '../errors.ts';
import { otherRecord, TEST_KEY } from '../testing/make-test-app.ts';
import { makeOgcApp } from './testing/make-ogc-app.ts';

interface Linked {
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

const SLOW_KEY = 'a-key-with-a-limit';
const slow = [
  createHash('sha256').update(SLOW_KEY).digest('hex'),
  { ...otherRecord[1], id: 's1', label: 'slow', ratePerMinute: 4 },
] as const;

type TestApp = ReturnType<typeof makeOgcApp>;

async function readLinks(app: TestApp, path: string, key: string | null = TEST_KEY) {
  const response = await app.call(path, { key });
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
  const { links } = (await response.json()) as Linked;
  return (rel: string): string =>
    (links.find((link) => link.rel === rel)?.href ?? assert.fail(rel)).replace('http://swath.test', '');
}

const toTile = (template: string): string =>
  template.replace('{z}', '9').replace('{x}', '259').replace('{y}', '189');

const codeOf = async (response: Response): Promise<readonly [number, string]> => [
  response.status,
  ((await response.json()) as { code: string }).code,
];

/** The item of the one scene, and its collection. */
const toPaths = ({ scene }: TestApp) => {
  const collection = `/stac/collections/${scene.dataset}`;
  return { collection, item: `${collection}/items/${scene.viewId.replaceAll('/', '_')}` };
};

test('links of items and collections lead to tiles without a header and without a key', async () => {
  // A mosaic is planned for the collection; how it is drawn is tested elsewhere.
  const plan = async () => {
    throw notFound('nothing-to-show', 'It is planned.');
  };
  const app = makeOgcApp({ mosaics: { plan } as never });
  const { collection, item } = toPaths(app);
  const page = await app.call(`${collection}/items`);
  const { features } = (await page.json()) as { features: readonly Linked[] };
  const inPage = features[0]?.links.find(({ rel }) => rel === 'xyz')?.href ?? '';
  for (const path of [item, collection]) {
    const hrefOf = await readLinks(app, path);
    const document = await app.call(hrefOf('tilejson'), { key: null });
    assert.equal(document.status, 200, await document.clone().text());
    const { tiles, tilejson } = (await document.json()) as { tiles: string[]; tilejson: string };
    assert.equal(tilejson, '3.0.0');
    if (path === item) assert.deepEqual([tiles, tiles], [[inPage], [`http://swath.test${hrefOf('xyz')}`]]);
    const [template = ''] = tiles;
    assert.ok(!template.includes(TEST_KEY));
    const tile = await app.call(toTile(template.replace('http://swath.test', '')), { key: null });
    if (path === collection) assert.deepEqual(await codeOf(tile), [404, 'nothing-to-show']);
    else
      assert.deepEqual(
        [tile.status, tile.headers.get('content-type'), app.owners.at(-1)],
        [200, 'image/png', 'configured'],
      );
  }
});

test('such an address draws its own layer as it is, for a day, on the account of its key', async () => {
  const app = makeOgcApp({ records: [slow] });
  const { item } = toPaths(app);
  const template = (await readLinks(app, item, SLOW_KEY))('xyz');
  const tile = toTile(template);
  const id = item.split('/').at(-1) ?? '';
  for (const other of [
    tile.replace(
      id,
      id.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
    ),
    tile.replace('/default/', '/ndvi/'),
    tile.replace(`scene.${id}`, 'sentinel2'),
    `${tile}?TIME=2026-06-01`,
    tile.replace(/\.(\d+)\./, (_, expires: string) => `.${Number(expires) + 1}.`),
  ])
    assert.deepEqual(await codeOf(await app.call(other, { key: null })), [404, 'unknown-map'], other);
  const [, , , token = ''] = tile.split('/');
  const asKey = await app.call(`${item}?api_key=${token}`, { key: null });
  assert.deepEqual(await codeOf(asKey), [403, 'bad-key']);
  const statuses: number[] = [];
  for (let i = 0; i < 4; i += 1) statuses.push((await app.call(tile, { key: null })).status);
  assert.deepEqual(statuses, [200, 200, 200, 429], 'the item was the first of four requests');
});

test('such an address is equal for an hour, expires after a day, and ends with its key', async () => {
  const active = { is: true };
  const app = makeOgcApp({
    keyStore: {
      findByHash: async (hash: string) => (hash === slow[0] && active.is ? slow[1] : null),
      findById: async () => (active.is ? slow[1] : null),
    } as never,
  });
  const { item } = toPaths(app);
  const read = async () => toTile((await readLinks(app, item, SLOW_KEY))('xyz'));
  const tile = await read();
  assert.equal(await read(), tile);
  app.clock.date = new Date(app.clock.date.getTime() + 86_400_000 - 1_000);
  assert.equal((await app.call(tile, { key: null })).status, 200);
  app.clock.date = new Date(app.clock.date.getTime() + 2 * 3_600_000);
  assert.deepEqual(await codeOf(await app.call(tile, { key: null })), [410, 'link-expired']);
  const fresh = await read();
  assert.notEqual(fresh, tile);
  active.is = false;
  assert.deepEqual(await codeOf(await app.call(fresh, { key: null })), [410, 'link-revoked']);
});

test('guests get addresses without a token: they need none', async () => {
  const app = makeOgcApp({ guestsPerMinute: 100 });
  const { collection, item } = toPaths(app);
  const hrefOf = await readLinks(app, item, null);
  assert.equal(hrefOf('tilejson'), `${item}/tilejson.json`);
  assert.match(hrefOf('xyz'), /^\/api\/render\/S2\//);
  assert.equal((await app.call(toTile(hrefOf('xyz')), { key: null })).status, 200);
  const ofCollection = (await readLinks(app, collection, null))('tilejson');
  assert.equal(ofCollection, `/ogc${collection.slice('/stac'.length)}/tilejson.json`);
});
