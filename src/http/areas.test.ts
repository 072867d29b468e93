import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAreas } from '../library/index.ts';
import { makeMemoryAreas, unlimitedAreas } from '../library/testing/memory-library.ts';
import { limits } from './kit/limits.ts';
import {
  makeTestApp,
  OTHER_KEY,
  otherRecord,
  READER_KEY,
  readError,
  readerRecord,
  TEST_KEY,
} from './testing/make-test-app.ts';

const CROPPER = '/api/render/cropper/';

function makeCropper(more: Partial<Parameters<typeof makeAreas>[0]> = {}) {
  const { store, stored } = makeMemoryAreas();
  // The whole table of routes, so that their order is tried too; nothing but areas may be asked for anything.
  const { call, post } = makeTestApp({
    areas: makeAreas({ ...unlimitedAreas, store, ...more }),
    records: [readerRecord, otherRecord],
  });
  const create = async (body: unknown, path = CROPPER, key = TEST_KEY): Promise<string> => {
    const response = await call(path, { method: 'POST', body: JSON.stringify(body), key });
    assert.equal(response.status, 200);
    return ((await response.json()) as { cropper_ref: string }).cropper_ref;
  };
  return { call, post, create, stored };
}

const triangle = (west = 2) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, 42],
      [west + 1, 42],
      [west + 1, 43, 250],
      [west, 42],
    ],
  ],
});
const feature = { type: 'Feature', properties: { name: 'field 7', crop: null }, geometry: triangle() };

test('an area is created and read as it was sent', async () => {
  const { post, call } = makeCropper();
  const created = await post(CROPPER, feature);
  assert.equal(created.status, 200);
  assert.equal(created.headers.get('cache-control'), 'no-store');
  const body = (await created.json()) as { cropper_ref: string };
  assert.deepEqual(Object.keys(body), ['cropper_ref']);
  assert.match(body.cropper_ref, /^[0-9a-f]{32}$/);
  for (const path of [`${CROPPER}${body.cropper_ref}`, `${CROPPER}${body.cropper_ref}/`]) {
    const read = await call(path);
    assert.equal(read.status, 200, path);
    assert.equal(read.headers.get('content-type'), 'application/json');
    assert.deepEqual(await read.json(), feature);
  }
});

test('an area may be posted without the trailing slash, with the key in the query and with any content type', async () => {
  const { post, create, call } = makeCropper();
  const ref = await create(feature);
  assert.equal(await create(feature, '/api/render/cropper'), ref);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/geo+json']) {
    const response = await post(`${CROPPER}?api_key=a-key-for-tests-only`, feature, {
      headers: { 'content-type': type },
    });
    assert.deepEqual(await response.json(), { cropper_ref: ref }, type);
  }
  assert.equal((await call(`${CROPPER}${ref}`, { method: 'HEAD' })).status, 200);
});

test('posting the same area again returns the same reference; writing it differently returns another', async () => {
  const { create, call } = makeCropper();
  const ring = triangle().coordinates[0]!;
  const ways: unknown[] = [
    feature,
    { ...feature, properties: { name: 'mine' } },
    { ...feature, properties: {} },
    { ...feature, geometry: { type: 'MultiPolygon', coordinates: [[ring.toReversed()]] } },
    { ...feature, geometry: triangle(362) },
    { ...feature, geometry: triangle(2.0000001) },
  ];
  const refs: string[] = [];
  for (const way of ways) refs.push(await create(way));
  assert.equal(new Set(refs).size, ways.length);
  for (const [i, way] of ways.entries()) {
    assert.equal(await create(way), refs[i]);
    assert.deepEqual(await (await call(`${CROPPER}${refs[i]}`)).json(), way, 'what was stored');
  }
  // Without properties, and as a geometry alone, it is the feature without properties.
  assert.equal(await create({ geometry: triangle() }), refs[2]);
  assert.equal(await create(triangle()), refs[2]);
  const { crop, name } = feature.properties;
  assert.equal(await create({ ...feature, properties: { crop, name } }), refs[0], 'in whichever order');
});

test('a key that posts the geometry of another key reads neither its properties nor its coordinates', async () => {
  const { create, call } = makeCropper();
  const secret = { ...feature, properties: { owner: 'a', price: 7 } };
  const reversed = {
    type: 'Feature',
    properties: {},
    geometry: { type: 'MultiPolygon', coordinates: [[triangle().coordinates[0]!.toReversed()]] },
  };
  const ours = await create(secret);
  for (const body of [feature, reversed, secret]) {
    const theirs = await create(body, CROPPER, OTHER_KEY);
    assert.notEqual(theirs, ours);
    assert.deepEqual(await (await call(`${CROPPER}${theirs}`, { key: OTHER_KEY })).json(), body);
  }
  assert.deepEqual(await (await call(`${CROPPER}${ours}`)).json(), secret);
});

test('a reference reveals nothing: two services give the same geometry different references', async () => {
  assert.notEqual(await makeCropper().create(feature), await makeCropper().create(feature));
});

test('an unknown reference is 404, and never a scene', async () => {
  const { call } = makeCropper();
  for (const ref of ['0'.repeat(32), 'x', 'F'.repeat(32), '..%2f', '%00', 'constructor', "'%20OR%201=1"]) {
    const response = await call(`${CROPPER}${ref}`);
    assert.equal(response.status, 404, ref);
    assert.equal((await readError(response)).code, 'unknown-area', ref);
  }
  assert.equal((await call(CROPPER)).status, 405, 'there is no list of areas');
});

test('an invalid area is refused with the broken rule and its position', async () => {
  const { post, stored } = makeCropper();
  const bowTie = [
    [0, 0],
    [1, 1],
    [1, 0],
    [0, 1],
    [0, 0],
  ];
  const wrong: [body: unknown, status: number, code: string, words: RegExp][] = [
    [
      { type: 'Polygon', coordinates: [bowTie] },
      422,
      'area-self-crossing',
      /ring 1 crosses itself, near \[0\.5, 0\.5\]/,
    ],
    [
      { ...feature, geometry: { type: 'Point', coordinates: [0, 0] } },
      422,
      'area-type',
      /Polygon or MultiPolygon/,
    ],
    [{ type: 'FeatureCollection', features: [feature, feature] }, 400, 'area-several-features', /2 features/],
    [{ type: 'FeatureCollection', features: [] }, 400, 'area-several-features', /0 features/],
    [{ type: 'FeatureCollection' }, 400, 'area-features-missing', /features/],
    [{ type: 'FeatureCollection', features: [{ type: 'FeatureCollection' }] }, 422, 'area-type', /Feature/],
    [{ type: 'Polygon', coordinates: [bowTie.slice(0, 4)] }, 422, 'area-self-crossing', /crosses itself/],
    [{ ...feature, properties: { x: 'x'.repeat(20_000) } }, 422, 'area-properties', /16384 bytes/],
    [[], 422, 'area-not-feature', /Feature/],
    ['{"type": "Polygon", "coordinates": [[[NaN, 0]]]}', 400, 'bad-json', /JSON/],
    ['', 400, 'no-body', /body/],
    ['['.repeat(50), 400, 'json-too-deep', /32/],
    [' '.repeat(limits.bodyBytes + 1), 413, 'body-too-large', /1048576/],
  ];
  for (const [body, status, code, words] of wrong) {
    const response = await post(CROPPER, body);
    assert.equal(response.status, status, code);
    const error = await readError(response);
    assert.equal(error.code, code);
    assert.match(error.error, words);
  }
  assert.equal(stored.size, 0);
});

test('read-only keys can read areas but not create them; requests without a key can do neither', async () => {
  const { call, create } = makeCropper();
  const ref = await create(feature);
  assert.equal((await call(`${CROPPER}${ref}`, { key: READER_KEY })).status, 200);
  const body = JSON.stringify(feature);
  const refused = await call(CROPPER, { method: 'POST', body, key: READER_KEY });
  assert.equal(refused.status, 403);
  assert.equal((await readError(refused)).code, 'role-needed');
  assert.equal((await call(CROPPER, { method: 'POST', body, key: null })).status, 401);
  assert.equal((await call(`${CROPPER}${ref}`, { key: null })).status, 401);
  assert.equal((await call(`${CROPPER}${ref}`, { key: 'wrong' })).status, 403);
});

test('all operations are documented', async () => {
  const { call } = makeCropper();
  const { paths } = (await (await call('/openapi.json')).json()) as { paths: Record<string, object> };
  assert.ok('post' in (paths['/api/render/cropper'] ?? {}));
  assert.deepEqual(Object.keys(paths['/api/render/cropper/{cropper_ref}'] ?? {}), ['get', 'delete']);
});

test('DELETE removes an area of the key once; areas of other keys and unknown ones get the same 404', async () => {
  const { call, create } = makeCropper();
  const ref = await create(feature);
  const remove = (name: string, key = TEST_KEY) => call(`${CROPPER}${name}`, { method: 'DELETE', key });
  const unknown = async (response: Response): Promise<void> => {
    assert.equal(response.status, 404);
    const { request_id: _, ...body } = await readError(response);
    const error = 'There is no area with this cropper_ref.';
    assert.deepEqual(body, { status: false, error, code: 'unknown-area' });
  };
  await unknown(await remove(ref, OTHER_KEY));
  for (const name of ['0'.repeat(32), 'x', '%00', 'constructor']) await unknown(await remove(name));
  const reader = await remove(ref, READER_KEY);
  assert.deepEqual([reader.status, (await readError(reader)).code], [403, 'role-needed']);
  assert.equal((await call(`${CROPPER}${ref}`)).status, 200, 'still there');

  const removed = await remove(`${ref}/`);
  assert.equal(removed.status, 204);
  assert.equal(await removed.text(), '');
  await unknown(await remove(ref));
  await unknown(await call(`${CROPPER}${ref}`));
  const tile = `/api/render/S2/31/T/DH/2026/6/21/0/B04/12/2081/1510?cropper_ref=${ref}`;
  await unknown(await call(tile));
  assert.notEqual(await create(feature), ref, 'posted again, it is another one');
});

test('a key at its area limit gets 402, and can create areas again after a DELETE', async () => {
  const { post, call, create } = makeCropper({ limit: { areas: 1, bytes: 2 ** 20 } });
  const ref = await create(feature);
  const refused = await post(CROPPER, triangle());
  assert.equal(refused.status, 402);
  const { code, error } = await readError(refused);
  assert.equal(code, 'too-many-areas');
  assert.match(error, /has 1 stored areas, and may have 1\. DELETE/);
  assert.equal(await create(feature), ref, 'what is there already');
  await create(triangle(), CROPPER, OTHER_KEY);
  assert.equal((await call(`${CROPPER}${ref}`, { method: 'DELETE' })).status, 204);
  await create(triangle());
});

test('an area may be cached for a minute, then clients revalidate it with its ETag', async () => {
  const { call, create } = makeCropper();
  const path = `${CROPPER}${await create(feature)}`;
  const read = await call(path);
  assert.equal(read.headers.get('cache-control'), 'private, max-age=60');
  const etag = read.headers.get('etag') ?? '';
  assert.equal((await call(path, { headers: { 'if-none-match': etag } })).status, 304);
  await call(path, { method: 'DELETE' });
  assert.equal((await call(path, { headers: { 'if-none-match': etag } })).status, 404);
});

test('a FeatureCollection of one feature is read as that feature, and an open ring is closed', async () => {
  const { create, call } = makeCropper();
  const ref = await create(feature);
  assert.equal(await create({ type: 'FeatureCollection', features: [feature] }), ref);
  const open = {
    ...feature,
    geometry: { type: 'Polygon', coordinates: [triangle().coordinates[0]!.slice(0, -1)] },
  };
  assert.equal(await create(open), ref, 'closed, it is the same area');
  assert.deepEqual(await (await call(`${CROPPER}${ref}`)).json(), feature);
  const several = {
    ...feature,
    geometry: { type: 'MultiPolygon', coordinates: [[triangle().coordinates[0]!.slice(0, -1)]] },
  };
  const closed = { ...several, geometry: { type: 'MultiPolygon', coordinates: [triangle().coordinates] } };
  assert.deepEqual(await (await call(`${CROPPER}${await create(several)}`)).json(), closed);
});
