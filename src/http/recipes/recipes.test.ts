import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unsupported } from '../../errors.ts';
import { OTHER_KEY, READER_KEY, readError } from '../testing/make-test-app.ts';
import type { WireRecipe } from './testing/make-recipe-app.ts';
import { aBody, makeRecipeApp, VIEW_ID } from './testing/make-recipe-app.ts';

test('a recipe is stored under an id derived from its content, and reads back completely', async () => {
  const { post, call } = makeRecipeApp();
  const created = await post('/api/recipes', aBody);
  assert.equal(created.status, 201);
  assert.equal(created.headers.get('cache-control'), 'no-store');
  const recipe = (await created.json()) as WireRecipe;
  const { id } = recipe;
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.equal(created.headers.get('location'), `http://swath.test/api/recipes/${id}`);
  assert.deepEqual(recipe, {
    id,
    name: 'Fields',
    created_at: '2026-07-01T12:00:00.000Z',
    scenes: { view_id: VIEW_ID },
    bands: 'B04,B03,B02',
    style: { MIN_MAX: '0,3000' },
    tiles: `http://swath.test/api/recipes/${id}/{z}/{x}/{y}`,
    tilejson: `http://swath.test/api/recipes/${id}/tilejson.json`,
    public: null,
  });
  assert.deepEqual(await (await call(`/api/recipes/${id}`)).json(), recipe);
});

test('equal recipes of one key have one id, however they are written', async () => {
  const { create, post, stored } = makeRecipeApp();
  const style = { COLORMAP: 'viridis', MIN_MAX: '0,1', CALIBRATE: '1' };
  const { id } = await create({ bands: 'B04,B03,B02', style });
  const again = await post('/api/recipes', {
    style: { calibrate: true, minMax: [0, 1], colormap: 'viridis', GAMMA: null },
    bands: ['B04', 'B03', 'B02'],
    scenes: { view_id: `/${VIEW_ID.replaceAll('/', '%2F')}/` },
    name: 'Another name',
  });
  assert.equal(again.status, 200, await again.clone().text());
  const { id: same, name } = (await again.json()) as WireRecipe;
  assert.deepEqual([same, name], [id, 'Fields']);
  assert.equal(stored.size, 1);
});

test('palettes, lists and booleans become query strings', async () => {
  const { create } = makeRecipeApp();
  const { style } = await create({
    bands: 'SCL',
    style: { PALETTE: { 4: '#00ff00' }, COMPOSITE: false, TILE_SIZE: [600, 400] },
  });
  assert.deepEqual(style, { COMPOSITE: '0', PALETTE: '{"4":"#00ff00"}', TILE_SIZE: '600,400' });
});

test('a malformed body is refused, and the sentence names the field', async () => {
  const { post, stored } = makeRecipeApp();
  const cases: readonly (readonly [object, string, RegExp])[] = [
    [{ name: '' }, 'bad-name', /^name must be a text of 1 to 200/],
    [{ name: ' \t ' }, 'bad-name', /^name/],
    [{ name: 'a\nb' }, 'bad-name', /line breaks/],
    [{ name: 'a\u0000b' }, 'bad-name', /^name/],
    [{ name: 'x'.repeat(201) }, 'bad-name', /200/],
    [{ name: 7 }, 'bad-name', /^name/],
    [{ scenes: null }, 'bad-scenes', /view_id/],
    [{ scenes: { view_id: '' } }, 'bad-view-id', /^view_id/],
    [{ bands: '' }, 'bad-bands', /^bands is required/],
    [{ bands: 7 }, 'bad-bands', /^bands/],
    [{ bands: 'x'.repeat(2_049) }, 'bad-bands', /2048/],
    [{ style: 'MIN_MAX=0,1' }, 'bad-style', /^style must be an object/],
    [{ style: { MINIMUM: 1 } }, 'bad-style', /unknown parameter "MINIMUM"; known are MIN_MAX/],
    [{ style: { api_key: 'x' } }, 'bad-style', /unknown parameter "api_key"/],
    [{ style: { MIN_MAX: '0,1', min_max: '0,2' } }, 'bad-style', /MIN_MAX more than once/],
    [{ style: { MIN_MAX: [{}] } }, 'bad-style', /value of MIN_MAX/],
    [{ style: { MIN_MAX: '1' } }, 'bad-min-max', /^MIN_MAX must be two numbers/],
    [{ style: { COLORS: 'f'.repeat(9_000) } }, 'bad-style', /8192 characters/],
    [{ public: 'yes' }, 'bad-public', /^public must be an object/],
    [{ public: { expires: 'soon' } }, 'bad-expires', /2027-01-01/],
    [{ public: { expires: '2026-02-30' } }, 'bad-expires', /2027-01-01/],
    [{ public: { expires: '2026-06-30' } }, 'bad-expires', /in the future/],
    [{ public: { rate_per_minute: 0 } }, 'bad-rate-per-minute', /1 to 60000/],
  ];
  for (const [more, code, words] of cases) {
    const response = await post('/api/recipes', { ...aBody, ...more });
    const error = await readError(response);
    assert.deepEqual([response.status, error.code], [400, code], JSON.stringify(more));
    assert.match(error.error, words);
  }
  assert.equal((await post('/api/recipes', [])).status, 400);
  assert.equal((await post('/api/recipes', { ...aBody, name: 'x'.repeat(70_000) })).status, 413);
  assert.equal(stored.size, 0);
});

test('everything that a recipe names must exist, and it must be drawable', async () => {
  const { post, stored, storeField } = makeRecipeApp();
  const cases = [
    [{ scenes: { view_id: 'S2/31/T/DH/2026/6/22/0' } }, 'unknown-scene'],
    [{ scenes: { view_id: 'X9/1' } }, 'unknown-sensor'],
    [{ style: { cropper_ref: '0'.repeat(32) } }, 'unknown-area'],
    [{ bands: 'NDVI', style: { COLORMAP: '0'.repeat(32) } }, 'unknown-colormap'],
  ] as const;
  for (const [more, code] of cases) {
    const response = await post('/api/recipes', { ...aBody, ...more });
    assert.deepEqual([response.status, (await readError(response)).code], [404, code]);
  }
  assert.equal(stored.size, 0);
  const response = await post('/api/recipes', { ...aBody, style: { cropper_ref: await storeField() } });
  assert.equal(response.status, 201);
  const refusing = makeRecipeApp({
    renderer: { plan: () => Promise.reject(unsupported('unknown-band', 'There is no band B99.')) },
  });
  const undrawable = await refusing.post('/api/recipes', { ...aBody, bands: 'B99' });
  assert.deepEqual([undrawable.status, (await readError(undrawable)).code], [422, 'unknown-band']);
  assert.equal(refusing.stored.size, 0);
});

test('the list has the recipes of the key by name, page by page', async () => {
  const { create, call } = makeRecipeApp();
  for (const [i, name] of ['c', 'a', 'b', 'B'].entries()) await create({ name, bands: `B0${i + 1}` });
  const read = async (query: string, key?: string) =>
    (await (await call(`/api/recipes?${query}`, key === undefined ? {} : { key })).json()) as {
      recipes: WireRecipe[];
      next: string | null;
    };
  const names = ({ recipes }: { recipes: WireRecipe[] }) => recipes.map(({ name }) => name);
  assert.deepEqual(names(await read('')), ['B', 'a', 'b', 'c']);
  const first = await read('limit=3');
  assert.deepEqual(names(first), ['B', 'a', 'b']);
  assert.equal(first.next, first.recipes[2]?.id);
  const second = await read(`limit=3&after=${first.next}`);
  assert.deepEqual([names(second), second.next], [['c'], null]);
  assert.deepEqual(await read('', OTHER_KEY), { recipes: [], next: null });
  for (const [query, status] of [
    ['limit=0', 400],
    ['limit=51', 400],
    [`after=${'0'.repeat(32)}`, 404],
    ['after=x', 404],
  ] as const) {
    assert.equal((await call(`/api/recipes?${query}`)).status, status, query);
  }
});

test('a recipe can be renamed, and nothing else in it changes', async () => {
  const { create, change } = makeRecipeApp();
  const { id, ...before } = await create();
  const changed = await change(id, { name: ' Meadows ' });
  assert.equal(changed.status, 200);
  assert.deepEqual(await changed.json(), { id, ...before, name: 'Meadows' });
  for (const [body, code] of [
    [{}, 'bad-body'],
    [[], 'bad-body'],
    [{ name: '' }, 'bad-name'],
    [{ bands: 'B04' }, 'fixed-recipe'],
    [{ name: 'x', style: {} }, 'fixed-recipe'],
  ] as const) {
    const response = await change(id, body);
    assert.deepEqual([response.status, (await readError(response)).code], [400, code]);
  }
});

test('only the owner can read, draw, change or delete a recipe; read-only keys cannot store one', async () => {
  const { create, call, change, remove, stored } = makeRecipeApp();
  const { id } = await create();
  const paths = ['', '/12/2075/1518', '/legend', '/tilejson.json', '/point/42.5/2.5'];
  for (const path of paths) {
    const response = await call(`/api/recipes/${id}${path}`, { key: OTHER_KEY });
    assert.deepEqual([response.status, (await readError(response)).code], [404, 'unknown-recipe'], path);
    assert.equal((await call(`/api/recipes/${id}${path}`, { key: null })).status, 401, path);
  }
  const headers = { 'x-api-key': OTHER_KEY };
  for (const path of ['/statistics', '/download']) {
    const response = await call(`/api/recipes/${id}${path}`, { method: 'POST', key: OTHER_KEY, headers });
    assert.equal(response.status, 404, path);
  }
  assert.equal((await change(id, { name: 'Mine' }, { key: OTHER_KEY })).status, 404);
  assert.equal((await remove(id, { key: OTHER_KEY })).status, 404);
  assert.equal((await remove(id, { key: READER_KEY })).status, 403);
  assert.equal((await change(id, { public: true }, { key: READER_KEY })).status, 403);
  assert.equal([...stored.values()][0]?.name, 'Fields');
  assert.equal((await remove(id)).status, 204);
  assert.equal((await remove(id)).status, 404);
  assert.equal((await call(`/api/recipes/${id}`)).status, 404);
});

test('a key at its recipe limit gets 402, and can store again after a deletion', async () => {
  const { create, post, remove } = makeRecipeApp();
  const recipes: WireRecipe[] = [];
  for (let i = 0; i < 9; i += 1) recipes.push(await create({ bands: `B0${i}` }));
  const response = await post('/api/recipes', { ...aBody, bands: 'NDVI' });
  assert.deepEqual([response.status, (await readError(response)).code], [402, 'too-many-recipes']);
  assert.equal((await remove(recipes[0]?.id ?? '')).status, 204);
  assert.equal((await post('/api/recipes', { ...aBody, bands: 'NDVI' })).status, 201);
});
