import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeIsAllowedHref, parseItem, toItemHit } from '../../ingest/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import type { Condition } from '../locate.ts';
import { readName, toItemPlace } from '../locate.ts';
import type { FakeItem, MadeItem } from '../testing/made-item.ts';
import { atProvider } from '../testing/made-item.ts';
import { makeItem } from '../testing/make-item.ts';
import { presets } from './all-presets.ts';

/** Items in the shape of each catalog, with addresses of the real ones; zones below ten are where spellings differ. */
const ITEMS: Readonly<Record<string, readonly MadeItem[]>> = {
  'earth-search': ['31TDH', '5VMG'].map((tile) =>
    makeItem('earth-search/sentinel-2-l2a', { tile, day: '2024-06-11', cloud: 12.34567 }, atProvider),
  ),
  'planetary-computer': [
    ...['31TDH', '5VMG'].map((tile) =>
      makeItem('planetary-computer/sentinel-2-l2a', { tile, day: '2024-06-11', cloud: 12.34567 }, atProvider),
    ),
    ...([5, 7, 8, 9] as const).map((satellite) =>
      makeItem(
        'planetary-computer/landsat-c2-l2',
        {
          path: 47,
          row: 7,
          satellite,
          day: { 5: '1998-05-11', 7: '2003-05-11' }[satellite as 5] ?? '2022-05-11',
        },
        atProvider,
      ),
    ),
    makeItem('planetary-computer/sentinel-1-grd', { lon: 2, lat: 42, day: '2024-06-11' }, atProvider),
    makeItem(
      'planetary-computer/naip',
      { state: 'al', quad: '3008501', quarter: 'ne', day: '2019-10-14' },
      atProvider,
    ),
    makeItem(
      'planetary-computer/modis-43A4-061',
      { horizontal: 8, vertical: 5, day: '2024-06-11' },
      atProvider,
    ),
  ],
  copernicus: ['31TDH', '5VMG'].map((tile) =>
    makeItem('copernicus/sentinel-2-l2a', { tile, day: '2024-06-11', cloud: 12.34567 }, atProvider),
  ),
  usgs: [makeItem('usgs/landsat-c2l2-sr', { path: 47, row: 7, day: '2022-05-11' }, atProvider)],
};

const findScene = async () => null;

for (const { name, collections, sources } of presets) {
  test(`the statements of ${name} about its collections hold for items`, async () => {
    for (const { head, assets, links } of ITEMS[name] ?? []) {
      const item: FakeItem = { ...head, links, assets: assets() };
      const found = await toItemHit(parseItem(item), findScene);
      assert.ok(found, item.id);
      const { hit } = found;
      const entry = collections.find(
        ({ collection, dataset }) => collection === item.collection && dataset === hit.dataset,
      );
      assert.ok(entry, `${item.collection}: ${hit.dataset}`);

      for (const [property, values] of Object.entries(entry.where)) {
        const stated = [item.properties[property]].flat();
        assert.ok(
          values.some((value) => stated.includes(value)),
          `${item.id}: ${property}`,
        );
      }
      for (const [field, { name: property, slack = 0, step = 0 }] of Object.entries(entry.properties)) {
        const [stated, ours] = [
          item.properties[property],
          field === 'sceneID' ? hit.sceneId : hit.fields[field],
        ];
        const isSame =
          typeof stated === 'number'
            ? Math.abs(stated - Number(ours)) <= slack + step / 2 + 1e-9
            : stated === ours;
        assert.ok(isSame, `${item.id}: ${property} is ${stated}, and ${field} is ${ours}`);
      }

      const named = readName(sensorByDataset(hit.dataset)!, hit.viewId.slice(hit.viewId.indexOf('/') + 1));
      assert.ok(named, hit.viewId);
      const { conditions, point } = toItemPlace(named, entry);
      for (const condition of conditions)
        assert.ok(meets(item, condition), `${item.id}: ${condition.property}`);
      if (point !== null) {
        const [west = 0, south = 0, east = 0, north = 0] = item.bbox;
        const [lon, lat] = point.coordinates;
        assert.ok(west < lon && lon < east && south < lat && lat < north, item.id);
      }
      assert.ok(hit.acquiredAt.slice(0, 10) >= entry.since);

      // A list leaves out all other assets.
      const kept = Object.entries(item.assets).filter(([key]) => entry.namingAssets.includes(key));
      const short = await toItemHit(parseItem({ ...item, assets: Object.fromEntries(kept) }), findScene);
      assert.deepEqual(short?.hit, hit, item.id);
    }
  });

  test(`images of ${name} are at addresses that the preset allows`, () => {
    const isAllowedHref = makeIsAllowedHref({ dataDir: '/nowhere', folders: [], network: sources });
    for (const { head, assets, links } of ITEMS[name] ?? []) {
      const { assets: parsed } = parseItem({ ...head, links, assets: assets() });
      const images = parsed.filter(
        ({ roles, key, type }) => roles.includes('data') && /^image/.test(type) && !key.endsWith('-jp2'),
      );
      assert.notEqual(images.length, 0);
      for (const { hrefs } of images) assert.ok(hrefs.some(isAllowedHref), hrefs.join(' '));
    }
  });
}

test('every preset has items in these tests', () => {
  assert.deepEqual(
    presets.map(({ name }) => ITEMS[name]?.length ?? 0).filter((count) => count === 0),
    [],
  );
});

const meets = ({ id, properties }: FakeItem, condition: Condition): boolean =>
  condition.op === '=' &&
  (condition.property === 'id' ? id : properties[condition.property]) === condition.value;
