import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WireRecipe } from '../recipes/testing/make-recipe-app.ts';
import { OTHER_KEY, READER_KEY, readError, TEST_KEY } from '../testing/make-test-app.ts';
import { makeOgcApp } from './testing/make-ogc-app.ts';

type Ogc = ReturnType<typeof makeOgcApp>;

const toPath = (layer: string): string => `/ogc/wmts/1.0.0/${layer}/default/WebMercatorQuad/9/259/189.png`;

const listXyz = async ({ call }: Ogc, key = TEST_KEY, query = '') =>
  (await (await call(`/ogc/xyz${query}`, { key })).json()) as {
    readonly expires: string;
    readonly layers: readonly { readonly id: string; readonly tiles: readonly string[] }[];
  };

/** The path of a recipe's tile under the token of its owner. */
async function toTokenPath(app: Ogc, { id }: WireRecipe, query = ''): Promise<string> {
  const { layers } = await listXyz(app, TEST_KEY, query);
  const template = layers.find((layer) => layer.id === `recipe.${id}`)?.tiles[0] ?? '';
  return template.replace('http://swath.test', '').replace('{z}/{x}/{y}', '9/259/189');
}

test('a recipe is a layer for its owner, and neither listed nor drawn for another key', async () => {
  const app = makeOgcApp();
  const { id } = await app.create({ name: 'Fields & <b>more</b>' });
  const layer = `recipe.${id}`;
  for (const path of ['/ogc/wmts?REQUEST=GetCapabilities', '/ogc/wms?REQUEST=GetCapabilities']) {
    const own = await (await app.call(path)).text();
    assert.ok(own.includes(layer) && own.includes('Fields &amp; &lt;b&gt;more'), path);
    for (const key of [OTHER_KEY, READER_KEY]) {
      const other = await (await app.call(path, { key })).text();
      assert.ok(other.includes('sentinel2') && !other.includes(id), path);
    }
  }
  const drawn = await app.call(toPath(layer));
  assert.deepEqual([drawn.status, app.owners.at(-1)], [200, 'configured']);
  const refused = await app.call(toPath(layer), { key: OTHER_KEY });
  assert.equal(refused.status, 404);
  assert.match(await refused.text(), /unknown-layer: /);
});

test('a token draws what its key may draw, until the key is revoked or the token expires', async () => {
  const app = makeOgcApp();
  const recipe = await app.create();
  const path = await toTokenPath(app, recipe, '?days=1');
  const drawn = await app.call(path, { key: null });
  assert.deepEqual([drawn.status, app.owners.at(-1)], [200, 'configured']);
  const others = (await listXyz(app, OTHER_KEY)).layers.map(({ id }) => id);
  assert.ok(!others.includes(`recipe.${recipe.id}`));
  const [, , , token = ''] = path.split('/');
  const asOther = (await listXyz(app, OTHER_KEY)).layers[0]?.tiles[0]?.split('/')[5] ?? '';
  assert.equal(
    (await readError(await app.call(path.replace(token, asOther), { key: null }))).code,
    'unknown-layer',
  );
  app.clock.date = new Date(app.clock.date.getTime() + 3 * 86_400_000);
  const late = await app.call(path, { key: null });
  assert.deepEqual([late.status, (await readError(late)).code], [410, 'link-expired']);
});

test('a token works neither as a key nor as the token of a public map, and is never logged', async () => {
  const app = makeOgcApp();
  const recipe = await app.create({ public: true });
  const path = await toTokenPath(app, recipe);
  const token = path.split('/')[3] ?? '';
  assert.ok(token.length > 50 && !token.includes(TEST_KEY));
  await app.call(path, { key: null });
  const asKey = await app.call(`/api/recipes?api_key=${token}`, { key: null });
  assert.equal((await readError(asKey)).code, 'bad-key');
  const asMap = await app.call(`/api/public/${token}/9/259/189`, { key: null });
  assert.equal((await readError(asMap)).code, 'unknown-map');
  const mapAsToken = await app.call(path.replace(token, recipe.public?.token ?? ''), { key: null });
  assert.equal((await readError(mapAsToken)).code, 'unknown-map');
  assert.ok(app.lines.length > 4);
  assert.ok(!JSON.stringify(app.lines).includes(token.split('.')[2] ?? '?'));
});
