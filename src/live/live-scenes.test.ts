import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewScene, Scene, SceneHit, SceneQuery, SceneStore } from '../catalog/index.ts';
import { compareScenes, matchesFilters, toMatchedFields, toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { SwathError } from '../errors.ts';
import type { LiveDeps } from './live-scenes.ts';
import { withLiveCatalogs } from './live-scenes.ts';
import type { LivePage, LiveQuery } from './live-search.ts';

/** The scene of a day in a tile; `S2L2A/31/T/DH/…`. */
const sceneOf = (day: number, more: Partial<NewScene> = {}): Scene =>
  toScene(
    makeScene(day, {
      viewId: `S2L2A/31/T/DH/2026/6/${day}/0`,
      dataset: 'sentinel2l2a',
      provenance: 'live',
      ...more,
    }),
  );

const toHit = ({ assets: _, ...hit }: Scene): SceneHit => hit;

/** A search over a list, as a store would do it. */
function searchList(list: readonly Scene[], query: SceneQuery) {
  const found = list
    .filter((scene) =>
      query.datasets.some(
        ({ id, filters }) => id === scene.dataset && matchesFilters(toMatchedFields(scene), filters),
      ),
    )
    .toSorted((a, b) => compareScenes(a, b, query.sort));
  return { found: found.length, scenes: found.slice(query.offset, query.offset + query.limit) };
}

interface World {
  readonly stored?: readonly Scene[];
  readonly live?: readonly Scene[];
  readonly page?: Partial<LivePage>;
  readonly find?: LiveDeps['known']['find'];
}

function makeWorld({ stored = [], live = [], page = {}, find }: World) {
  const asked: LiveQuery[] = [];
  const named: string[] = [];
  const scenes = {
    findByViewId: async (viewId: string) => stored.find((scene) => scene.viewId === viewId) ?? null,
    findHit: async (viewId: string) => stored.find((scene) => scene.viewId === viewId) ?? null,
    findByName: async () => null,
    search: async (query: SceneQuery) => searchList(stored, query),
    searchHits: async (query: SceneQuery) => {
      const { found, scenes: hits } = searchList(stored, query);
      return { found, hits: hits.map(toHit) };
    },
    replace: async () => null,
  } as unknown as SceneStore;
  const joined = withLiveCatalogs(scenes, {
    datasets: new Set(['sentinel2l2a']),
    nowMs: () => 0,
    async search(query) {
      asked.push(query);
      const { dataset: id, filters, sort, offset, limit } = query;
      const { found, scenes: hits } = searchList(live, { datasets: [{ id, filters }], sort, offset, limit });
      const whole = {
        catalog: 'earth-search',
        dataset: id,
        found,
        foundBy: 'stated',
        problem: null,
      } as const;
      return { ...whole, hits: hits.map(toHit), ...page };
    },
    known: {
      async find(wanted) {
        named.push(`${wanted.dataset} ${wanted.name}`);
        return find === undefined
          ? (live.find(({ viewId }) => viewId === wanted.viewId) ?? null)
          : find(wanted);
      },
      replace: async () => null,
    },
  });
  return { joined, asked, named };
}

const ask = (more: Partial<SceneQuery> = {}): SceneQuery => ({
  datasets: [{ id: 'sentinel2l2a', filters: [] }],
  sort: { field: 'date', descending: true },
  offset: 0,
  limit: 10,
  ...more,
});

const daysOf = (list: readonly { readonly acquiredAt: string }[]): readonly number[] =>
  list.map(({ acquiredAt }) => Number(acquiredAt.slice(8, 10)));

test('hits of the store and of a catalog form one sorted list with each scene once', async () => {
  const stored = [sceneOf(3, { provenance: 'stac' }), sceneOf(7, { provenance: 'stac' })];
  const { joined } = makeWorld({ stored, live: [1, 3, 5, 7, 9].map((day) => sceneOf(day)) });
  const { found, hits, catalogs } = await joined.searchHits(ask());
  assert.deepEqual(daysOf(hits), [9, 7, 5, 3, 1]);
  assert.deepEqual(
    hits.map(({ provenance }) => provenance),
    ['live', 'stac', 'live', 'stac', 'live'],
  );
  assert.equal(found, 5);
  assert.deepEqual(catalogs, [
    { catalog: 'earth-search', dataset: 'sentinel2l2a', found: 5, foundBy: 'stated', problem: null },
  ]);
});

test('records of a search are read when they are needed', async () => {
  const { joined, named } = makeWorld({ stored: [sceneOf(3)], live: [1, 5].map((day) => sceneOf(day)) });
  const { found, scenes } = await joined.searchPending(ask());
  assert.deepEqual([found, named], [3, []]);
  const read = async (i: number) => {
    const one = scenes[i]!;
    const { acquiredAt } = 'read' in one ? await one.read() : one;
    return acquiredAt.slice(8, 10);
  };
  assert.equal(await read(2), '01');
  assert.equal(await read(1), '03');
  assert.deepEqual(named, ['sentinel2l2a 31/T/DH/2026/6/1/0']);
});

test('pages follow each other without gaps, with scenes in the store and without', async () => {
  const live = Array.from({ length: 20 }, (_, i) => sceneOf(i + 1));
  for (const stored of [[], [sceneOf(4), sceneOf(18)]]) {
    const { joined } = makeWorld({ stored, live });
    const pages = await Promise.all([0, 7, 14].map((offset) => joined.searchHits(ask({ offset, limit: 7 }))));
    assert.deepEqual(
      daysOf(pages.flatMap(({ hits }) => hits)),
      Array.from({ length: 20 }, (_, i) => 20 - i),
    );
  }
});

test('datasets without a catalog are searched in the store only', async () => {
  const { joined, asked } = makeWorld({});
  const page = await joined.searchHits(ask({ datasets: [{ id: 'sentinel2', filters: [] }] }));
  assert.deepEqual([page, asked], [{ found: 0, hits: [] }, []]);
  assert.equal(await joined.findByViewId('S2/31/T/DH/2026/6/1/0'), null);
});

test('if a catalog fails, the scenes of the store are still returned with the problem', async () => {
  const problem = { code: 'catalog-slow', message: 'The catalog did not answer within 6 seconds.' };
  const { joined } = makeWorld({ stored: [sceneOf(3)], page: { problem, found: 0, hits: [] } });
  const page = await joined.searchHits(ask());
  assert.deepEqual(daysOf(page.hits), [3]);
  assert.deepEqual(page.catalogs?.[0]?.problem, problem);
});

test('work that needs every scene fails if a catalog does not answer completely', async () => {
  const problem = { code: 'catalog-slow', message: 'The catalog did not answer within 6 seconds.' };
  const { joined } = makeWorld({ stored: [sceneOf(3)], page: { problem } });
  await assert.rejects(joined.search(ask()), (error: SwathError) => {
    assert.equal(error.tag, 'unavailable');
    assert.equal(error.code, 'catalog-unavailable');
    assert.match(error.message, /earth-search did not answer completely.*6 seconds/);
    return true;
  });
});

test('whole records have their files; a scene whose files cannot be read stays in the list without them', async () => {
  const live = [sceneOf(1), sceneOf(2)];
  const broken = new SwathError('source-broken', 'source-missing', 'A file of this scene is missing.');
  const { joined, asked } = makeWorld({
    live,
    async find({ viewId }) {
      if (viewId === live[1]!.viewId) throw broken;
      return live[0]!;
    },
  });
  const { scenes } = await joined.search(ask());
  assert.deepEqual(daysOf(scenes), [2, 1]);
  assert.deepEqual(
    scenes.map(({ assets }) => Object.keys(assets).length),
    [0, 3],
  );
  assert.equal(asked[0]?.withFiles, true);
});

test('whole records are refused while a source is temporarily unavailable', async () => {
  for (const [tag, code] of [
    ['unavailable', 'catalog-unavailable'],
    ['source-broken', 'source-failing'],
    ['timed-out', 'source-timed-out'],
  ] as const) {
    const { joined } = makeWorld({
      live: [sceneOf(1)],
      find: async () => {
        throw new SwathError(tag, code, 'It cannot be read now.');
      },
    });
    await assert.rejects(joined.search(ask()), { code });
  }
});

test('a name that no catalog has is requested once, by view id and by name', async () => {
  const { joined, named } = makeWorld({});
  assert.equal(await joined.findByViewId('S2L2A/31/T/DH/2026/6/1/0'), null);
  assert.equal(await joined.findByName('sentinel2l2a', '31/T/DH/2026/6/1/0'), null);
  assert.equal(await joined.findByViewId('S2L2A/31/T/DH/2026/6/1/0'), null);
  assert.deepEqual(named, ['sentinel2l2a 31/T/DH/2026/6/1/0']);
});

test('a scene is found for a list in the store, and then in a catalog', async () => {
  const [stored, live] = [sceneOf(1, { provenance: 'stac' }), sceneOf(2)];
  const { joined, named } = makeWorld({ stored: [stored], live: [live] });
  assert.equal(await joined.findHit?.(stored.viewId), stored);
  assert.equal(named.length, 0);
  assert.equal(await joined.findHit?.(live.viewId), live);
  assert.equal(await joined.findHit?.(sceneOf(3).viewId), null);
});

test('a scene of the store is not requested from its source', async () => {
  const { joined, named } = makeWorld({ stored: [sceneOf(3)] });
  assert.equal((await joined.findByViewId(sceneOf(3).viewId))?.viewId, sceneOf(3).viewId);
  assert.deepEqual(named, []);
});
