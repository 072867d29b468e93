import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { makeTestApp, READER_KEY } from '../testing/make-test-app.ts';
import { CURATOR_KEY, curator, ITEMS, makeCurated } from './testing/curated-app.ts';

test('a key that may change the catalog can add, replace and remove an item', async () => {
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

test('keys without permission are refused before anything is read', async () => {
  const { send, orders } = makeCurated();
  for (const [method, path] of [
    ['POST', ITEMS],
    ['PUT', `${ITEMS}/S2_31_T_DH_2026_6_1_0`],
    ['DELETE', `${ITEMS}/S2_31_T_DH_2026_6_1_0`],
  ] as const) {
    const reader = await send(method, path, method === 'DELETE' ? undefined : { day: 1 }, READER_KEY);
    assert.deepEqual([reader.status, reader.json.code], [403, 'role-needed']);
    const full = await send(
      method,
      path,
      method === 'DELETE' ? undefined : { day: 1 },
      'a-key-for-tests-only',
    );
    assert.deepEqual([full.status, full.json.code], [403, 'role-needed']);
    assert.equal(full.json.error, 'This needs the role "ingest"; the role of this key is "order".');
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

test('a patch can correct clouds and sun in the item and in searches, and nothing else', async () => {
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
