import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { READER_KEY } from '../testing/make-test-app.ts';
import { ITEMS, makeCurated } from './testing/curated-app.ts';

const COLLECTIONS = '/stac/collections';
const WORDS = {
  title: 'Our fields <b>from above</b>',
  description: 'Sentinel-2 over the fields of the cooperative.',
  keywords: ['cooperative', 'wheat'],
  license: 'CC-BY-4.0',
  providers: [{ name: 'The cooperative', roles: ['host'], url: 'https://example.org/coop' }],
};
type Send = ReturnType<typeof makeCurated>['send'];

const listIds = async (send: Send, query = ''): Promise<readonly string[]> => {
  const { collections } = (await send('GET', `${COLLECTIONS}${query}`)).json as {
    collections: readonly { readonly id: string }[];
  };
  return collections.map(({ id }) => id);
};

test('a dataset is a collection before it has scenes, and goes again', async () => {
  const { send } = makeCurated();
  assert.deepEqual(await listIds(send), ['sentinel2']);
  const body = { type: 'Collection', id: 'landsat8', ...WORDS, extent: {}, links: [{ rel: 'x', href: 'y' }] };
  const made = await send('POST', COLLECTIONS, body);
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('location'), 'http://swath.test/stac/collections/landsat8');
  const { title, description, keywords, license, providers } = made.json;
  assert.deepEqual({ title, description, keywords, license, providers }, WORDS);
  assert.deepEqual(await listIds(send), ['sentinel2', 'landsat8']);
  assert.deepEqual(await listIds(send, '?q=COOPERATIVE'), ['landsat8']);
  const items = await send('GET', `${COLLECTIONS}/landsat8/items`);
  assert.deepEqual([items.status, items.json.features], [200, []]);
  const landing = (await send('GET', '/stac')).json as { links: { rel: string; title?: string }[] };
  assert.ok(landing.links.some(({ rel, title }) => rel === 'child' && title === WORDS.title));
  assert.equal((await send('GET', '/ogc/collections/landsat8')).status, 404, 'there is nothing to draw');
  const again = await send('POST', COLLECTIONS, body);
  assert.deepEqual([again.status, again.json.code], [409, 'collection-exists']);
  assert.equal((await send('DELETE', `${COLLECTIONS}/landsat8`)).status, 204);
  assert.deepEqual(await listIds(send), ['sentinel2']);
  assert.equal((await send('DELETE', `${COLLECTIONS}/landsat8`)).status, 404);
});

test('a collection with scenes is described on all doors, and stays as long as it has them', async () => {
  const { send } = makeCurated();
  const path = `${COLLECTIONS}/sentinel2`;
  const before = (await send('GET', path)).json;
  const put = await send('PUT', path, { ...before, ...WORDS });
  assert.deepEqual([put.status, put.json.title, put.json.extent], [200, WORDS.title, before.extent]);
  assert.equal((await send('GET', path)).json.license, 'CC-BY-4.0');
  const found = await send('GET', '/stac/search?q=wheat');
  assert.equal((found.json.features as unknown[]).length, 1);
  assert.equal((await send('GET', '/ogc/collections/sentinel2')).json.title, WORDS.title);
  const refused = await send('DELETE', path);
  assert.deepEqual([refused.status, refused.json.code], [409, 'collection-has-items']);

  const patched = await send('PATCH', path, { title: null, keywords: ['barley'] });
  assert.deepEqual(
    [patched.json.title, patched.json.keywords, patched.json.description],
    [before.title, ['barley'], WORDS.description],
  );
  const bare = await send('PUT', path, { id: 'sentinel2' });
  assert.deepEqual(bare.json, before, 'what a body leaves out is what Swath says');
  await send('DELETE', `${ITEMS}/${makeScene(1).viewId.replaceAll('/', '_')}`);
  assert.equal((await send('DELETE', path)).status, 204, 'its words were there without scenes');
  assert.deepEqual(await listIds(send), []);
});

test('an invalid description changes nothing, and the sentence names the field', async () => {
  const { send } = makeCurated();
  const path = `${COLLECTIONS}/sentinel2`;
  const before = (await send('GET', path)).json;
  const url = 'javascript:alert(1)';
  for (const [field, value] of [
    ['title', ''],
    ['title', 'two\nlines'],
    ['title', 7],
    ['description', 'x'.repeat(10_001)],
    ['keywords', 'wheat'],
    ['keywords', Array.from({ length: 51 }, String)],
    ['keywords', [1]],
    ['license', 'free as in beer'],
    ['providers', {}],
    ['providers', ['us']],
    ['providers', [{ roles: ['host'] }]],
    ['providers', [{ name: 'us', roles: ['king'] }]],
    ['providers', [{ name: 'us', url }]],
    ['providers', Array.from({ length: 21 }, () => ({ name: 'us' }))],
  ] as const) {
    for (const [method, body] of [
      ['PUT', { id: 'sentinel2', [field]: value }],
      ['PATCH', { [field]: value }],
    ] as const) {
      const answer = await send(method, path, body);
      assert.deepEqual([answer.status, answer.json.code], [400, `bad-${field}`], JSON.stringify(body));
      assert.match(String(answer.json.description), new RegExp(`^${field} `));
    }
  }
  for (const [method, address, body, status, code] of [
    ['POST', COLLECTIONS, { id: 'my-drone' }, 422, 'not-a-dataset'],
    ['POST', COLLECTIONS, { id: '__proto__' }, 422, 'not-a-dataset'],
    ['POST', COLLECTIONS, [], 400, 'bad-body'],
    ['PUT', path, { id: 'landsat8' }, 400, 'other-collection'],
    ['PUT', `${COLLECTIONS}/landsat8`, { id: 'landsat8' }, 404, 'unknown-collection'],
    ['PATCH', path, { extent: {} }, 422, 'not-correctable'],
    ['PATCH', path, JSON.parse('{"__proto__": 1}'), 422, 'not-correctable'],
  ] as const) {
    const answer = await send(method, address, body);
    assert.deepEqual([answer.status, answer.json.code], [status, code], JSON.stringify(body));
  }
  assert.deepEqual((await send('GET', path)).json, before);
});

test('keys without the right cannot change a collection; the later of two writers gets 409', async () => {
  const { send, datasetTexts } = makeCurated();
  const path = `${COLLECTIONS}/sentinel2`;
  for (const [method, address] of [
    ['POST', COLLECTIONS],
    ['PUT', path],
    ['PATCH', path],
    ['DELETE', path],
  ] as const) {
    const answer = await send(method, address, method === 'DELETE' ? undefined : WORDS, READER_KEY);
    assert.deepEqual([answer.status, answer.json.code], [403, 'role-needed']);
  }
  // The list of collections is cached: only the write itself reads texts from here on.
  await send('GET', path);
  const { list } = datasetTexts;
  datasetTexts.list = async () => {
    const listed = await list();
    datasetTexts.list = list;
    await datasetTexts.replace('sentinel2', { before: null, after: { ...WORDS, title: 'First' } });
    return listed;
  };
  const late = await send('PATCH', path, { title: 'Second' });
  assert.deepEqual([late.status, late.json.code], [409, 'collection-changed']);
  assert.equal((await send('PATCH', path, { license: 'other' })).json.title, 'First');
});
