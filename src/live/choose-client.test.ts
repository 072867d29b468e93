/** Catalogs of which only the address is known, before others. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { LivePage } from './live-search.ts';
import { knownCollections } from './presets/all-presets.ts';
import { earthSearch } from './presets/earth-search.ts';
import { makeLiveHandlers } from './serve-live.ts';
import type { FakeStacOptions } from './testing/fake-stac.ts';
import { startFakeStac } from './testing/fake-stac.ts';
import type { FilePlace } from './testing/made-item.ts';
import { makeItem } from './testing/make-item.ts';
import { callsOf, EVERYTHING, NEVER } from './testing/start-live.ts';

const sentinel2 = (place: FilePlace) =>
  ['2022-06-01', '2022-06-06'].map((day) =>
    makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day, cloud: 1 }, place),
  );
const landsat = (place: FilePlace) => [
  makeItem(
    'planetary-computer/landsat-c2-l2',
    { path: 197, row: 30, day: '2022-06-01', satellite: 8 },
    place,
  ),
];

/** A catalog of which only the address is known, and Earth Search after it. */
async function startBoth(t: TestContext, items: NonNullable<FakeStacOptions['items']>) {
  const own = await startFakeStac({ items });
  const preset = await startFakeStac({ items: sentinel2 });
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-guess-'));
  t.after(async () => {
    await own[Symbol.asyncDispose]();
    await preset[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true });
  });
  const handlers = makeLiveHandlers({
    catalogs: [
      {
        ...earthSearch,
        name: 'own',
        url: own.url,
        sources: own.network,
        api: null,
        collections: knownCollections,
        isGuessed: true,
      },
      { ...earthSearch, url: preset.url, sources: preset.network },
    ],
    files: { dataDir },
  });
  const search = async (dataset: string, limit = 10) =>
    (await handlers.search({ ...EVERYTHING, dataset, limit }, NEVER)) as LivePage;
  return { own, preset, search, handlers };
}

test('a catalog answers for the collections that it lists, and leaves others to the next catalog', async (t) => {
  const { own, preset, search } = await startBoth(t, landsat);
  for (const limit of [10, 9]) {
    const { catalog, hits, problem } = await search('sentinel2l2a', limit);
    assert.deepEqual([catalog, hits.length, problem], ['earth-search', 2, null]);
    const other = await search('landsat8', limit);
    assert.deepEqual([other.catalog, other.hits.length, other.problem], ['own', 1, null]);
  }
  assert.equal(callsOf(own, 'collection').length, 1, 'the list is read once');
  assert.equal(callsOf(preset, 'collection').length, 0, 'what a preset has is known');
  const asked = callsOf(own, 'search').map(({ body }) => JSON.stringify(body?.collections));
  assert.deepEqual([...new Set(asked)], ['["landsat-c2-l2"]']);
});

test('the datasets of catalogs are the ones they list, and each dataset belongs to the first catalog that has it', async (t) => {
  const { own, handlers } = await startBoth(t, landsat);
  const listed = (await handlers.datasets(null, NEVER)) as Readonly<Record<string, readonly string[]>>;
  assert.deepEqual(listed['earth-search'], ['sentinel2l2a']);
  const landsats = knownCollections.filter(({ collection }) => collection === 'landsat-c2-l2');
  assert.deepEqual(listed.own?.toSorted(), landsats.map(({ dataset }) => dataset).toSorted());
  assert.equal(callsOf(own, 'collection').length, 1);
});

test('a catalog that does not list its collections may have all of them', async (t) => {
  const { own, handlers } = await startBoth(t, landsat);
  own.catalogFault = () => ({ status: 403 });
  const guessed = new Set(knownCollections.map(({ dataset }) => dataset));
  assert.deepEqual(await handlers.datasets(null, NEVER), { own: [...guessed], 'earth-search': [] });
});

test('a dataset that no catalog lists has no scenes, and no catalog is queried for them', async (t) => {
  const { own, search } = await startBoth(t, landsat);
  const { found, foundBy, problem } = await search('modis');
  assert.deepEqual([found, foundBy, problem], [0, 'counted', null]);
  assert.equal(callsOf(own, 'search').length, 0);
});

test('a catalog that has the dataset takes precedence over the preset after it', async (t) => {
  const { search, handlers } = await startBoth(t, (place) => sentinel2(place).slice(0, 1));
  assert.deepEqual(
    [(await search('sentinel2l2a')).catalog, (await search('sentinel2l2a')).found],
    ['own', 1],
  );
  const viewId = 'S2L2A/31/T/DH/2022/6/6/0';
  const named = { dataset: 'sentinel2l2a', name: '31/T/DH/2022/6/6/0', viewId };
  assert.equal(await handlers.resolve({ named, earlier: null }, NEVER), null, 'only one catalog is asked');
});

test('a catalog that cannot list its collections reports the reason, and is queried again', async (t) => {
  const { own, search } = await startBoth(t, sentinel2);
  own.catalogFault = ({ kind }) => (kind === 'collection' ? { status: 403 } : null);
  const { catalog, hits, problem } = await search('sentinel2l2a');
  assert.deepEqual([catalog, hits.length], ['own', 0]);
  assert.match(problem?.message ?? '', /status 403/);
  own.catalogFault = () => null;
  assert.equal((await search('sentinel2l2a')).hits.length, 2);
});
