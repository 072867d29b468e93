import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OTHER_KEY, readError } from '../testing/make-test-app.ts';
import { makeShareLinks } from './public-recipes.ts';
import type { WireRecipe } from './testing/make-recipe-app.ts';
import { aBody, makeRecipeApp, VIEW_ID } from './testing/make-recipe-app.ts';

const TILE = '12/2075/1518';
const VIEWS = [TILE, 'legend', 'tilejson.json', 'point/42.5/2.5'];

test('a public recipe can be viewed without a key, exactly as its owner sees it', async () => {
  const { publish, call, planned, owners } = makeRecipeApp();
  const { recipe, token, visit } = await publish();
  for (const end of VIEWS) {
    const own = await call(`/api/recipes/${recipe.id}/${end}`);
    const theirs = await visit(end);
    assert.deepEqual([own.status, theirs.status], [200, 200], end);
    assert.equal(theirs.headers.get('access-control-allow-origin'), '*');
    if (end === TILE) assert.deepEqual(planned.at(-1), planned.at(-2));
    const body = await theirs.text();
    assert.equal(
      body.replaceAll(`/api/public/${token}/`, `/api/recipes/${recipe.id}/`),
      await own.text(),
      end,
    );
  }
  assert.deepEqual(owners, ['configured', 'configured'], 'the pixels of its readers are work of its owner');
  assert.equal(recipe.public?.tiles, `http://swath.test/api/public/${token}/{z}/{x}/{y}`);
});

test('readers take the slots of the owner once their token is known to be valid', async () => {
  const { publish, knownCallers } = makeRecipeApp();
  const { token, visit } = await publish();
  assert.equal(knownCallers.ownerOf(token), null);
  await visit(TILE);
  assert.equal(knownCallers.ownerOf(token), 'configured');
});

test('parameters cannot widen what a token shows', async () => {
  const { publish, planned, storeField, colormaps } = makeRecipeApp();
  const ref = await storeField();
  const colormap = await colormaps.create({ colors: ['#000000', '#ffffff'] }, 'configured');
  const { visit } = await publish({ style: { cropper_ref: ref, MIN_MAX: '0,1' } });
  await visit(TILE);
  const plain = planned.at(-1);
  const attempts = [
    'cropper_ref=',
    `cropper_ref=${'1'.repeat(32)}`,
    `CROPPER_REF=&croppeRref=`,
    'MIN_MAX=0,9&CALIBRATE=1&STRETCH=natural',
    `COLORMAP=${colormap}&PALETTE={}`,
    'bands=B08&view_id=S2/31/T/DH/2026/6/22/0&scenes=x&style=x',
    'crs=EPSG:4326&MASKING=0&CLUSTERING=kmeans',
    `recipe_id=${'0'.repeat(32)}&token=x&api_key=wrong`,
    'explain=1',
    'EXPLAIN=drawn',
  ];
  for (const query of attempts) {
    const response = await visit(`${TILE}?${query}`);
    if (response.status === 200) assert.deepEqual(planned.at(-1), plain, query);
    else assert.equal(response.status, 400, query);
  }
  for (const end of [TILE, 'legend', 'point/42.5/2.5']) {
    const [plainly, explained] = [await visit(end), await visit(`${end}?explain=1`)];
    assert.equal(await explained.text(), await plainly.text(), 'nothing is explained without a key');
  }
  assert.equal((await visit('point/42.9/2.9?cropper_ref=')).status, 404, 'outside of the area');
  assert.equal((await visit(`legend?bands=B08`)).status, 200);
  assert.equal(planned.at(-1)?.bands, 'B04,B03,B02');
});

test('a token gives access only to the views of its recipe', async () => {
  const { publish, create, call, ask, scenes } = makeRecipeApp();
  scenes.set('S2/31/T/DH/2026/6/22/0', scenes.get(VIEW_ID) ?? assert.fail());
  const other = await create({ bands: 'B08' });
  const { recipe, token } = await publish();
  const tries = [
    `/api/public/${token}`,
    `/api/public/${token}/`,
    `/api/public/${token}/statistics`,
    `/api/public/${token}/download`,
    `/api/public/${token}/../recipes`,
    `/api/public/${token}/${other.id}/${TILE}`,
    `/api/public/${token}/${VIEW_ID}/B08/${TILE}`,
    `/api/public/${recipe.id}/${TILE}`,
    `/api/recipes/${token}/${TILE}`,
    `/api/recipes/${recipe.id}/${TILE}`,
    `/api/recipes/${recipe.id}`,
    '/api/recipes',
    `/api/render/${VIEW_ID}/B04,B03,B02/${TILE}`,
    '/api/tasks',
  ];
  for (const path of tries) {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const { status } = await call(path, { method, key: null, ...(method === 'GET' ? {} : { body: '{}' }) });
      assert.ok([400, 401, 404, 405].includes(status), `${method} ${path}: ${status}`);
      // The token is not a key, wherever it stands.
      for (const init of [{ key: token }, { key: null, headers: { authorization: `Bearer ${token}` } }]) {
        const answer = await call(path, { method, ...init, ...(method === 'GET' ? {} : { body: '{}' }) });
        assert.ok([400, 401, 403, 404, 405, 429].includes(answer.status), `${method} ${path} with the token`);
      }
    }
  }
  const inQuery = await ask(`http://swath.test/api/recipes?api_key=${token}`, {});
  assert.ok([403, 429].includes(inQuery.status));
  for (const method of ['POST', 'PATCH', 'DELETE', 'PUT']) {
    const answer = await call(`/api/public/${token}/${TILE}`, { method, key: null, body: '{}' });
    assert.equal(answer.status, 405, method);
  }
});

test('a wrong token is 404, counts like a wrong key, and causes no lookup', async () => {
  let reads = 0;
  const { publish, call, stored } = makeRecipeApp({ nowMs: () => 0 });
  const { token, visit } = await publish();
  const { call: callWatched } = makeRecipeApp({
    nowMs: () => 0,
    recipes: {
      findShared: async () => {
        reads += 1;
        return null;
      },
    } as never,
  });
  const shareId = token.slice(0, 32);
  const last = token.at(-1) === 'A' ? 'B' : 'A';
  const wrong = [
    'x',
    shareId,
    `${token.slice(0, -2)}${last}${last}`,
    `${token}A`,
    token.toUpperCase(),
    `${'0'.repeat(32)}${token.slice(32)}`,
    makeShareLinks('another secret').toToken(shareId),
    '%00',
    `${shareId}${'A'.repeat(43)}`,
  ];
  for (const guess of wrong) {
    const response = await callWatched(`/api/public/${guess}/${TILE}`, { key: null });
    assert.deepEqual([response.status, (await readError(response)).code], [404, 'unknown-map'], guess);
  }
  assert.equal(reads, 0);
  for (let i = 0; i < 30; i += 1) {
    assert.equal((await call(`/api/public/guess${i}/${TILE}`, { key: null })).status, 404);
  }
  const stopped = await call(`/api/public/guess/${TILE}`, { key: null });
  assert.deepEqual([stopped.status, (await readError(stopped)).code], [429, 'too-many-wrong-keys']);
  assert.equal(stopped.headers.get('retry-after'), '60');
  assert.equal(
    (await call('/api/recipes', { key: 'wrong' })).status,
    429,
    'guesses of keys and tokens count together',
  );
  assert.equal((await visit(TILE)).status, 200, 'a right token is not refused for wrong ones');
  assert.equal(stored.size, 1);
});

test('a public recipe has its own rate limit, shared by all its readers', async () => {
  let ms = 0;
  const { publish, call } = makeRecipeApp({ nowMs: () => ms });
  const { recipe, visit } = await publish({}, { rate_per_minute: 3 });
  const other = await publish({ bands: 'B08' }, { rate_per_minute: 3 });
  for (const [i, end] of [TILE, 'legend', 'point/42.5/2.5'].entries()) {
    const response = await visit(end);
    assert.deepEqual([response.status, response.headers.get('ratelimit-remaining')], [200, String(2 - i)]);
  }
  const refused = await visit('tilejson.json');
  assert.deepEqual([refused.status, (await readError(refused)).code], [429, 'map-rate-limited']);
  assert.equal(refused.headers.get('retry-after'), '60');
  assert.equal(refused.headers.get('ratelimit-limit'), '3');
  assert.equal(
    (await call(`/api/recipes/${recipe.id}/${TILE}`)).status,
    200,
    'the owner is not limited by it',
  );
  assert.equal((await other.visit(TILE)).status, 200, 'nor is another recipe');
  ms = 60_000;
  assert.equal((await visit(TILE)).status, 200);
});

test('a public recipe stops working when it expires, and is not cached for longer', async () => {
  const { publish, clock, change } = makeRecipeApp();
  const { recipe, visit } = await publish({}, { expires: '2026-07-02' });
  assert.equal(recipe.public?.expires, '2026-07-02T23:59:59.999Z');
  assert.equal((await visit(TILE)).headers.get('cache-control'), 'private, max-age=60');
  clock.date = new Date('2026-07-02T23:59:30.000Z');
  assert.equal((await visit(TILE)).headers.get('cache-control'), 'private, max-age=29');
  clock.date = new Date('2026-07-02T23:59:59.999Z');
  for (const end of VIEWS) {
    const response = await visit(end);
    assert.deepEqual([response.status, (await readError(response)).code], [410, 'link-expired'], end);
  }
  assert.equal((await change(recipe.id, { public: { expires: '2026-07-03T12:00:00Z' } })).status, 200);
  assert.equal((await visit(TILE)).status, 200, 'under new terms the same token works again');
});

test('a token is invalid at once after PATCH, after DELETE, and when the key of the owner is revoked', async () => {
  let isActive = true;
  const { publish, change, remove } = makeRecipeApp({ isActiveKey: async () => isActive });
  const expectRevoked = async (visit: (path: string) => Promise<Response>) => {
    for (const end of VIEWS) {
      const response = await visit(end);
      assert.deepEqual([response.status, (await readError(response)).code], [410, 'link-revoked'], end);
    }
  };
  const first = await publish();
  assert.equal((await first.visit(TILE)).status, 200);
  assert.equal((await change(first.recipe.id, { name: 'Renamed' })).status, 200);
  assert.equal((await first.visit(TILE)).status, 200, 'a new name changes nothing');
  const ended = await change(first.recipe.id, { public: null });
  assert.equal(((await ended.json()) as WireRecipe).public, null);
  await expectRevoked(first.visit);

  const second = await publish();
  assert.equal(second.recipe.id, first.recipe.id);
  assert.notEqual(second.token, first.token);
  await expectRevoked(first.visit);
  assert.equal((await second.visit(TILE)).status, 200);
  isActive = false;
  await expectRevoked(second.visit);
  isActive = true;
  assert.equal((await remove(second.recipe.id)).status, 204);
  await expectRevoked(second.visit);
});

test('another key cannot publish a recipe, and its own equal recipe gets a different token', async () => {
  const { publish, change, call } = makeRecipeApp();
  const { recipe, token } = await publish();
  assert.equal((await change(recipe.id, { public: null }, { key: OTHER_KEY })).status, 404);
  const body = JSON.stringify({ ...aBody, public: true });
  const theirs = (await (
    await call('/api/recipes', { method: 'POST', key: OTHER_KEY, body })
  ).json()) as WireRecipe;
  assert.equal(theirs.id, recipe.id);
  assert.notEqual(theirs.public?.token, token);
  assert.deepEqual([theirs.public?.expires, theirs.public?.rate_per_minute], [null, 600]);
});

test('errors for readers without a key do not name what is missing, and tokens are not logged', async () => {
  const { publish, storeField, areas, lines } = makeRecipeApp();
  const ref = await storeField();
  const { recipe, token, visit } = await publish({ style: { cropper_ref: ref } });
  await areas.remove(ref, 'configured');
  for (const end of VIEWS) {
    const response = await visit(end);
    const text = await response.text();
    assert.equal(response.status, 410, end);
    for (const secret of [ref, recipe.id, 'Fields', 'configured']) assert.ok(!text.includes(secret), text);
  }
  const log = JSON.stringify(lines);
  assert.ok(!log.includes(token) && !log.includes(token.slice(0, 32)));
  assert.match(log, /\/api\/public\/…\/legend/);
  assert.match(log, /"key":"configured"/);
});
