import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRecipes } from './recipes.ts';
import { aRecipe, makeMemoryRecipes, unlimitedRecipes } from './testing/memory-library.ts';

const NOON = new Date('2026-07-01T12:00:00.000Z');
const terms = { expiresAt: '2027-01-01T00:00:00.000Z', ratePerMinute: 600 };

function makeService(more: { readonly maxPerOwner?: number } = {}) {
  const { store, stored } = makeMemoryRecipes();
  return { recipes: makeRecipes({ ...unlimitedRecipes, now: () => NOON, store, ...more }), stored };
}

test('only its owner finds a recipe', async () => {
  const { recipes } = makeService();
  const { recipe, isNew } = await recipes.create(aRecipe);
  assert.equal(isNew, true);
  assert.match(recipe.id, /^[0-9a-f]{32}$/);
  assert.deepEqual(await recipes.find(recipe.id, 'a'), {
    owner: 'a',
    id: recipe.id,
    name: 'Fields',
    content: aRecipe.content,
    createdAt: NOON.toISOString(),
    share: null,
  });
  assert.equal(await recipes.find(recipe.id, 'b'), null);
  for (const id of ['', 'x', recipe.id.toUpperCase(), `${recipe.id}\n`]) {
    assert.equal(await recipes.find(id, 'a'), null, id);
  }
});

test('equal contents have one id, whatever the order of parameters, and the first name stays', async () => {
  const { recipes, stored } = makeService();
  const create = (query: Readonly<Record<string, string>>, name: string, owner = 'a') =>
    recipes.create({ ...aRecipe, owner, name, content: { ...aRecipe.content, query } });
  const first = await create({ MIN_MAX: '0,1', COLORMAP: 'viridis' }, 'One');
  const second = await create({ COLORMAP: 'viridis', MIN_MAX: '0,1' }, 'Two');
  assert.deepEqual(second, { recipe: first.recipe, isNew: false });
  assert.equal((await create({ MIN_MAX: '0,1', COLORMAP: 'viridis' }, 'One', 'b')).isNew, true);
  for (const query of [{}, { MIN_MAX: '0,1' }, { MIN_MAX: '0,2', COLORMAP: 'viridis' }]) {
    assert.notEqual((await create(query, 'One')).recipe.id, first.recipe.id);
  }
  assert.equal(stored.size, 5);
});

test('scenes, bands and the query all count for the id', async () => {
  const { recipes } = makeService();
  const { content } = aRecipe;
  const contents = [
    content,
    { ...content, bands: 'NDVI' },
    { ...content, scenes: { kind: 'scene', viewId: 'S2/10/U/EU/2026/6/22/0' } },
    { ...content, scenes: { kind: 'search', sensors: ['S2'], period: '2026-07' } },
    { ...content, scenes: { kind: 'search', sensors: ['S2'], period: '2026-08' } },
    { ...content, scenes: { kind: 'search', sensors: ['S2', 'L8'], period: '2026-07' } },
  ] as const;
  const ids = await Promise.all(
    contents.map(async (one) => (await recipes.create({ ...aRecipe, content: one })).recipe.id),
  );
  assert.equal(new Set(ids).size, contents.length);
});

test('a share has a random id, keeps it under new terms, and gets another after its end', async () => {
  const { recipes } = makeService();
  const { recipe } = await recipes.create({ ...aRecipe, terms });
  const id = recipe.share?.id ?? '';
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.equal((await recipes.findShared(id))?.id, recipe.id);
  const changed = await recipes.change(recipe.id, 'a', { terms: { ...terms, ratePerMinute: 5 } });
  assert.deepEqual(changed?.share, { ...terms, ratePerMinute: 5, id });
  assert.equal((await recipes.change(recipe.id, 'a', { terms: null }))?.share, null);
  assert.equal(await recipes.findShared(id), null);
  const next = (await recipes.change(recipe.id, 'a', { terms }))?.share?.id ?? '';
  assert.notEqual(next, id);
  assert.equal(await recipes.change(recipe.id, 'b', { terms: null }), null, 'it is not theirs');
  assert.equal((await recipes.findShared(next))?.id, recipe.id);
});

test('a name changes without the share, and only for the owner', async () => {
  const { recipes } = makeService();
  const { recipe } = await recipes.create({ ...aRecipe, terms });
  assert.deepEqual(await recipes.change(recipe.id, 'a', { name: 'New' }), { ...recipe, name: 'New' });
  assert.equal(await recipes.change(recipe.id, 'b', { name: 'Mine' }), null);
  assert.equal(await recipes.change('x', 'a', { name: 'New' }), null);
});

test('an existing recipe becomes public on request', async () => {
  const { recipes } = makeService();
  await recipes.create(aRecipe);
  const { recipe, isNew } = await recipes.create({ ...aRecipe, terms });
  assert.equal(isNew, false);
  assert.equal((await recipes.findShared(recipe.share?.id ?? ''))?.id, recipe.id);
  assert.ok((await recipes.create(aRecipe)).recipe.share, 'without terms, nothing changes');
});

test('a deleted recipe disappears together with its share', async () => {
  const { recipes } = makeService();
  const { recipe } = await recipes.create({ ...aRecipe, terms });
  assert.equal(await recipes.remove(recipe.id, 'b'), false);
  assert.equal(await recipes.remove('x', 'a'), false);
  assert.equal(await recipes.remove(recipe.id, 'a'), true);
  assert.equal(await recipes.find(recipe.id, 'a'), null);
  assert.equal(await recipes.findShared(recipe.share?.id ?? ''), null);
});

test('an owner over its limit gets the limit, its usage, and what helps', async () => {
  const { recipes } = makeService({ maxPerOwner: 1 });
  await recipes.create(aRecipe);
  await recipes.create(aRecipe);
  const other = { ...aRecipe, content: { ...aRecipe.content, bands: 'NDVI' } };
  await assert.rejects(recipes.create(other), {
    tag: 'conflict',
    code: 'too-many-recipes',
    message: /has 1 stored recipes, and may have 1\. DELETE/,
  });
  await recipes.create({ ...other, owner: 'b' });
});
