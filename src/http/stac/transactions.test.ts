import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { SwathError } from '../../errors.ts';
import type { ProductReport } from '../../ingest/index.ts';
import { makeTestApp, READER_KEY, readerRecord } from '../testing/make-test-app.ts';
import { makeMadeCatalog } from './testing/made-catalog.ts';
import type { ItemWriter } from './transactions.ts';

const CURATOR_KEY = 'a-key-that-may-change-the-catalog';
const curator = [
  createHash('sha256').update(CURATOR_KEY).digest('hex'),
  { ...readerRecord[1], id: 'c1', scope: 'catalog' },
] as const;

const ITEMS = '/stac/collections/sentinel2/items';

/** The application, and a writer that takes `{"day": 5}` for the item of that day. */
function makeCurated() {
  const catalog = makeMadeCatalog(makeScene(1));
  const orders: { readonly text: string; readonly isDry: boolean }[] = [];
  const ingest: ItemWriter['ingest'] = async (order): Promise<ProductReport> => {
    orders.push(order);
    const { day, refused } = JSON.parse(order.text) as { day: number; refused?: string };
    if (refused === 'text') throw new SwathError('source-broken', 'stac-no-item', 'This is not a STAC item.');
    if (refused !== undefined)
      return { product: 'x', outcome: 'skipped', code: 'source-not-allowed', reason: 'Not from there.' };
    const scene = makeScene(day);
    const change = (await catalog.scenes.findByViewId(scene.viewId)) === null ? 'added' : 'replaced';
    if (!order.isDry)
      catalog.add({ ...scene, cloudPercent: 77, fields: { ...scene.fields, cloudCoverage: 77 } });
    return { product: 'x', outcome: 'ingested', change, viewId: scene.viewId };
  };
  const app = makeTestApp({
    scenes: catalog.scenes,
    records: [readerRecord, curator],
    itemWriter: { ingest },
  });
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    key: string | undefined = CURATOR_KEY,
  ) => {
    const response = await app.call(path, {
      method,
      key,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: response.status, headers: response.headers, json };
  };
  return { ...app, send, orders, catalog };
}

test('an item is added, replaced and removed by a key that may change the catalog', async () => {
  const { send } = makeCurated();
  const added = await send('POST', ITEMS, { day: 5 });
  assert.deepEqual([added.status, added.json.id], [201, 'S2_31_T_DH_2026_6_5_0']);
  const location = added.headers.get('location') ?? '';
  assert.equal(location, `http://swath.test${ITEMS}/S2_31_T_DH_2026_6_5_0`);
  const path = location.replace('http://swath.test', '');
  assert.equal((await send('GET', path)).json.id, added.json.id);
  const again = await send('POST', ITEMS, { day: 5 });
  assert.deepEqual([again.status, again.json.code], [409, 'item-exists']);
  const replaced = await send('PUT', path, { day: 5 });
  assert.deepEqual(
    [replaced.status, (replaced.json.properties as Record<string, unknown>)['eo:cloud_cover']],
    [200, 77],
  );
  assert.equal((await send('DELETE', path)).status, 204);
  assert.equal((await send('GET', path)).status, 404);
  assert.equal((await send('DELETE', path)).status, 404);
});

test('the first item of a dataset makes its collection appear at once', async () => {
  const { send, catalog } = makeCurated();
  await catalog.scenes.remove(makeScene(1).viewId);
  assert.deepEqual((await send('GET', '/stac/collections')).json.collections, []);
  await send('POST', ITEMS, { day: 2 });
  assert.equal(((await send('GET', '/stac/collections')).json.collections as unknown[]).length, 1);
});

test('keys without the right are refused before anything is read', async () => {
  const { send, orders } = makeCurated();
  for (const [method, path] of [
    ['POST', ITEMS],
    ['PUT', `${ITEMS}/S2_31_T_DH_2026_6_1_0`],
    ['DELETE', `${ITEMS}/S2_31_T_DH_2026_6_1_0`],
  ] as const) {
    const reader = await send(method, path, method === 'DELETE' ? undefined : { day: 1 }, READER_KEY);
    assert.deepEqual([reader.status, reader.json.code], [403, 'read-only-key']);
    const full = await send(
      method,
      path,
      method === 'DELETE' ? undefined : { day: 1 },
      'a-key-for-tests-only',
    );
    assert.deepEqual([full.status, full.json.code], [403, 'no-catalog-right']);
  }
  assert.deepEqual(orders, []);
  assert.equal((await send('GET', `${ITEMS}/S2_31_T_DH_2026_6_1_0`)).status, 200);
});

test('an item of another collection or id, or one that cannot be ingested, changes nothing', async () => {
  const { send, orders } = makeCurated();
  const elsewhere = await send('POST', '/stac/collections/landsat8/items', { day: 5 });
  assert.deepEqual([elsewhere.status, elsewhere.json.code], [400, 'other-item']);
  const other = await send('PUT', `${ITEMS}/S2_31_T_DH_2026_6_1_0`, { day: 2 });
  assert.deepEqual([other.status, other.json.code], [400, 'other-item']);
  for (const refused of ['host', 'text']) {
    const answer = await send('POST', ITEMS, { day: 5, refused });
    assert.deepEqual([answer.status, answer.json.code], [422, 'item-refused']);
    assert.match(String(answer.json.description), /source-not-allowed|stac-no-item/);
  }
  assert.equal((await send('POST', '/stac/collections/nothing/items', { day: 5 })).status, 404);
  assert.equal((await send('PUT', `${ITEMS}/S2_31_T_DH_2026_6_9_0`, { day: 9 })).status, 404);
  assert.ok(orders.every(({ isDry }) => isDry));
});

test('a patch corrects clouds and sun in the item and in searches, and nothing else', async () => {
  const { send, catalog } = makeCurated();
  const path = `${ITEMS}/S2_31_T_DH_2026_6_1_0`;
  const patched = await send('PATCH', path, {
    properties: { 'eo:cloud_cover': 42, 'view:sun_azimuth': null },
  });
  const { 'eo:cloud_cover': cloud, 'view:sun_azimuth': azimuth } = patched.json.properties as Record<
    string,
    unknown
  >;
  assert.deepEqual([patched.status, cloud, azimuth], [200, 42, undefined]);
  const scene = await catalog.scenes.findByViewId(makeScene(1).viewId);
  assert.deepEqual([scene?.cloudPercent, scene?.fields.cloudCoverage, scene?.sunAzimuthDeg], [42, 42, null]);
  const found = await send('GET', '/stac/search?filter=eo:cloud_cover%20=%2042');
  assert.equal((found.json.features as unknown[]).length, 1);
  for (const [patch, status, code] of [
    [{ properties: { 'eo:cloud_cover': 101 } }, 400, 'bad-patch'],
    [{ properties: { datetime: '2020-01-01T00:00:00Z' } }, 422, 'not-correctable'],
    [{ properties: {}, geometry: null }, 422, 'not-correctable'],
    [{ properties: JSON.parse('{"__proto__": 1}') }, 422, 'not-correctable'],
    [[], 400, 'bad-patch'],
  ] as const) {
    const answer = await send('PATCH', path, patch);
    assert.deepEqual([answer.status, answer.json.code], [status, code], JSON.stringify(patch));
  }
  const reader = await send('PATCH', path, { properties: {} }, READER_KEY);
  assert.equal(reader.status, 403);
  const { call } = makeTestApp({
    scenes: { ...catalog.scenes, replace: async () => null },
    records: [curator],
  });
  const body = JSON.stringify({ properties: { 'eo:cloud_cover': 1 } });
  const late = await call(path, { method: 'PATCH', key: CURATOR_KEY, body });
  assert.deepEqual([late.status, ((await late.json()) as { code: string }).code], [409, 'item-changed']);
});
