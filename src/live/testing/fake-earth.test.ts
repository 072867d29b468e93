import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY_MS } from '../../units.ts';
import { makeFakeEarth } from './fake-earth.ts';
import type { FakeStac } from './fake-stac.ts';
import { startFakeStac } from './fake-stac.ts';
import type { StyleName } from './fake-styles.ts';
import type { FakeItem } from './made-item.ts';

const TODAY = '2026-06-30';
const fakes: FakeStac[] = [];
after(() => Promise.all(fakes.map((fake) => fake[Symbol.asyncDispose]())));

async function startEarth(style: StyleName): Promise<FakeStac> {
  const fake = await startFakeStac({
    style,
    earth: (place) => makeFakeEarth(style, place, { today: TODAY }),
  });
  fakes.push(fake);
  return fake;
}

interface Page {
  readonly features: readonly FakeItem[];
  readonly numberMatched?: number;
}

async function search({ url }: FakeStac, body: object): Promise<Page> {
  const answer = await fetch(`${url}/search`, { method: 'POST', body: JSON.stringify(body) });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Page;
}

test('every place has Sentinel-2 every five days, with files', async () => {
  const fake = await startEarth('earth-search');
  for (const coordinates of [
    [2.35, 48.85],
    [-58.4, -34.6],
    [179.99, -16.5],
    [-179.99, 66.4],
    [0.01, 0.01],
  ]) {
    const found = await search(fake, {
      collections: ['sentinel-2-l2a'],
      intersects: { type: 'Point', coordinates },
      datetime: '2024-06-01/2025-05-31',
      limit: 1,
    });
    const tiles = found.numberMatched! / 73;
    assert.ok(tiles >= 1 && tiles <= 8 && Number.isInteger(tiles), `${coordinates}: ${found.numberMatched}`);
    const [item] = found.features;
    const answer = await fetch(String(item!.assets.red!.href), { headers: { range: 'bytes=0-7' } });
    assert.equal(answer.status, 206);
    assert.deepEqual([...new Uint8Array(await answer.arrayBuffer())].slice(0, 4), [0x49, 0x49, 42, 0]);
    const self = item!.links.find(({ rel }) => rel === 'self');
    assert.deepEqual(await (await fetch(String(self!.href))).json(), JSON.parse(JSON.stringify(item)));
  }
});

test('a tile is found by its name, wherever it is', async () => {
  const datetime = '2024-06-01T00:00:00Z/2024-06-05T23:59:59Z';
  const byQuery = await search(await startEarth('earth-search'), {
    collections: ['sentinel-2-l2a'],
    datetime,
    query: {
      'mgrs:utm_zone': { eq: 36 },
      'mgrs:latitude_band': { eq: 'R' },
      'mgrs:grid_square': { eq: 'UU' },
    },
  });
  assert.deepEqual([byQuery.features.length, byQuery.features[0]?.properties['mgrs:grid_square']], [1, 'UU']);
  const byFilter = await search(await startEarth('planetary-computer'), {
    collections: ['sentinel-2-l2a'],
    datetime,
    filter: { op: '=', args: [{ property: 's2:mgrs_tile' }, '36RUU'] },
  });
  assert.equal(byFilter.features.length, 1);
});

test('Landsat passes every eight days, and nothing is newer than today', async () => {
  const fake = await startEarth('usgs');
  const wanted = {
    collections: ['landsat-c2l2-sr'],
    query: { 'landsat:wrs_path': { eq: '199' }, 'landsat:wrs_row': { eq: '026' } },
  };
  const place = { intersects: { type: 'Point', coordinates: [2.35, 48.85] } };
  const found = await search(fake, { ...wanted, ...place, datetime: '2025-01-01/2025-12-31', limit: 100 });
  const passes = found.features.map(({ properties }) => Date.parse(String(properties.datetime)) / DAY_MS);
  assert.ok(passes.length === 45 || passes.length === 46);
  assert.ok(passes.every((at, i) => i === 0 || Math.round(passes[i - 1]! - at) === 8));
  assert.deepEqual((await search(fake, { ...wanted, ...place, datetime: '2026-07-01/..' })).features, []);
});

test('a box returns its DEM cells', async () => {
  const fake = await startEarth('planetary-computer');
  const { features } = await search(fake, { collections: ['cop-dem-glo-30'], bbox: [6.2, 45.2, 7.3, 45.8] });
  assert.deepEqual(features.map(({ id }) => id).sort(), [
    'Copernicus_DSM_COG_10_N45_00_E006_00_DEM',
    'Copernicus_DSM_COG_10_N45_00_E007_00_DEM',
  ]);
});
