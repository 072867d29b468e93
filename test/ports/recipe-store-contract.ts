import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Recipe, Share } from '../../src/library/index.ts';
import type { OpenStore } from './store-contract.ts';

const idOf = (n: number): string => n.toString(16).padStart(32, '0');

const make = (n: number, more: Partial<Recipe> = {}): Recipe => ({
  owner: 'key 1',
  id: idOf(n),
  name: `Recipe ${n}`,
  content: {
    scenes: { kind: 'scene', viewId: `S2/10/U/EU/2026/6/${n}/0` },
    bands: 'B04,B03,B02',
    query: { MIN_MAX: '0,3000' },
  },
  createdAt: '2026-07-01T00:00:00.000Z',
  share: null,
  ...more,
});

const share = (n: number, more: Partial<Share> = {}): Share => ({
  id: idOf(1_000 + n),
  expiresAt: '2027-01-01T00:00:00.000Z',
  ratePerMinute: 600,
  ...more,
});

const bytes = JSON.stringify(make(1).content).length;

/** What every RecipeStore promises. */
export function recipeStoreContract(name: string, open: OpenStore): void {
  test(`${name} recipes: a stored recipe is found complete by its owner, also after a restart`, async () => {
    const store = await open();
    const recipe = make(1, {
      name: "Föld '; -- \u{1F6F0}",
      content: {
        scenes: { kind: 'search', sensors: ['S2L2A', 'L8'], period: '2026-07' },
        bands: '(B08-B04)/(B08+B04)',
        query: { PALETTE: '{"1": "#00\u0000ff"}', COLORMAP: 'a\u0000b \ud800' },
      },
      share: share(1),
    });
    assert.deepEqual(await store.recipes.put(recipe, 10), { kind: 'stored', recipe, isNew: true });
    const again = await store.reopen();
    assert.deepEqual(await again.recipes.find(recipe.id, 'key 1'), recipe);
    assert.deepEqual(await again.recipes.findShared(share(1).id), recipe);
    assert.equal(await again.recipes.find(recipe.id, 'key 2'), null, 'it is not theirs');
    for (const other of ['', idOf(2), "' OR 1=1 --", 'a\u0000b']) {
      assert.equal(await again.recipes.find(other, 'key 1'), null, other);
      assert.equal(await again.recipes.findShared(other), null, other);
    }
    await again.close();
  });

  test(`${name} recipes: the first of an id is kept, and owners do not share`, async () => {
    const store = await open();
    await store.recipes.put(make(1), 10);
    const second = await store.recipes.put(make(1, { name: 'Another', share: share(1) }), 10);
    assert.deepEqual(second, { kind: 'stored', recipe: make(1), isNew: false });
    const theirs = make(1, { owner: 'key 2', name: 'Theirs' });
    assert.deepEqual(await store.recipes.put(theirs, 10), { kind: 'stored', recipe: theirs, isNew: true });
    assert.deepEqual(await store.recipes.find(idOf(1), 'key 1'), make(1));
    assert.deepEqual(await store.recipes.find(idOf(1), 'key 2'), theirs);
    assert.equal(await store.recipes.findShared(share(1).id), null);
    await store.close();
  });

  test(`${name} recipes: an owner cannot exceed its limit, and an existing recipe counts once`, async () => {
    const store = await open();
    for (const n of [1, 2]) await store.recipes.put(make(n), 2);
    assert.deepEqual(await store.recipes.put(make(3), 2), {
      kind: 'full',
      used: { recipes: 2, bytes: 2 * bytes },
    });
    assert.equal(await store.recipes.find(idOf(3), 'key 1'), null);
    assert.equal((await store.recipes.put(make(1), 2)).kind, 'stored');
    await store.recipes.put(make(1, { owner: 'key 2' }), 2);
    assert.deepEqual(
      await store.recipes.usage(),
      new Map([
        ['key 1', { recipes: 2, bytes: 2 * bytes }],
        ['key 2', { recipes: 1, bytes }],
      ]),
    );
    await store.close();
  });

  test(`${name} recipes: concurrent writers do not exceed the limit together, nor store one twice`, async () => {
    const store = await open();
    const puts = await Promise.all(
      Array.from({ length: 40 }, (_, i) => store.recipes.put(make(i % 20, { owner: `key ${i % 2}` }), 7)),
    );
    const added = puts.filter((put) => put.kind === 'stored' && put.isNew);
    assert.equal(added.length, 14);
    const usage = await store.recipes.usage();
    assert.deepEqual([usage.get('key 0')?.recipes, usage.get('key 1')?.recipes], [7, 7]);
    await store.close();
  });

  test(`${name} recipes: a list is sorted by code points, page by page, for one owner`, async () => {
    const store = await open();
    const names = ['b', 'Ä', 'a', 'B', '\u{1F6F0}', '\uffee', 'a', 'a b'];
    for (const [i, one] of names.entries()) await store.recipes.put(make(i, { name: one }), 99);
    await store.recipes.put(make(50, { owner: 'key 2', name: 'a' }), 99);
    const listed: Recipe[] = [];
    for (;;) {
      const page = await store.recipes.list('key 1', { after: listed.at(-1) ?? null, limit: 3 });
      listed.push(...page);
      if (page.length < 3) break;
    }
    assert.deepEqual(
      listed.map((one) => [one.name, one.id]),
      [
        ['B', idOf(3)],
        ['a', idOf(2)],
        ['a', idOf(6)],
        ['a b', idOf(7)],
        ['b', idOf(0)],
        ['Ä', idOf(1)],
        ['\uffee', idOf(5)],
        ['\u{1F6F0}', idOf(4)],
      ],
    );
    assert.deepEqual(await store.recipes.list('key 3', { after: null, limit: 3 }), []);
    await store.close();
  });

  test(`${name} recipes: only the owner can change a name`, async () => {
    const store = await open();
    await store.recipes.put(make(1, { share: share(1) }), 9);
    const renamed = make(1, { name: 'New', share: share(1) });
    assert.deepEqual(await store.recipes.change(idOf(1), 'key 1', { name: 'New' }), renamed);
    assert.deepEqual(await store.recipes.change(idOf(1), 'key 1', {}), renamed);
    assert.equal(await store.recipes.change(idOf(1), 'key 2', { name: 'Mine' }), null);
    assert.equal(await store.recipes.change(idOf(2), 'key 1', { name: 'x' }), null);
    assert.equal(await store.recipes.change('a\u0000b', 'key 1', { name: 'x' }), null);
    const again = await store.reopen();
    assert.deepEqual(await again.recipes.find(idOf(1), 'key 1'), renamed);
    await again.close();
  });

  test(`${name} recipes: a share starts, gets new terms under its id, ends, and has another id after that`, async () => {
    const store = await open();
    await store.recipes.put(make(1), 9);
    const shared = await store.recipes.change(idOf(1), 'key 1', { share: share(1) });
    assert.deepEqual(shared, make(1, { share: share(1) }));
    const terms = share(2, { expiresAt: null, ratePerMinute: 5 });
    const changed = await store.recipes.change(idOf(1), 'key 1', { share: terms });
    assert.deepEqual(changed?.share, { ...terms, id: share(1).id });
    assert.equal(await store.recipes.findShared(share(2).id), null);
    assert.equal((await store.recipes.change(idOf(1), 'key 1', { share: null }))?.share, null);
    assert.equal(await store.recipes.findShared(share(1).id), null);
    const other = await store.recipes.change(idOf(1), 'key 1', { share: share(3) });
    assert.deepEqual(other?.share, share(3));
    const again = await store.reopen();
    assert.deepEqual(await again.recipes.findShared(share(3).id), make(1, { share: share(3) }));
    await again.close();
  });

  test(`${name} recipes: an owner can remove one, or all at once, with their shares`, async () => {
    const store = await open();
    for (const n of [1, 2, 3]) await store.recipes.put(make(n, { share: share(n) }), 9);
    await store.recipes.put(make(1, { owner: 'key 2' }), 9);
    assert.equal(await store.recipes.remove(idOf(1), 'key 3'), false);
    assert.equal(await store.recipes.remove('a\u0000b', 'key 1'), false);
    assert.equal(await store.recipes.remove(idOf(1), 'key 1'), true);
    assert.equal(await store.recipes.remove(idOf(1), 'key 1'), false);
    assert.equal(await store.recipes.findShared(share(1).id), null);
    assert.equal(await store.recipes.removeAll('key 1'), 2);
    assert.equal(await store.recipes.removeAll('key 1'), 0);
    assert.equal(await store.recipes.findShared(share(2).id), null);
    assert.deepEqual([...(await store.recipes.usage()).keys()], ['key 2']);
    await store.close();
  });
}
