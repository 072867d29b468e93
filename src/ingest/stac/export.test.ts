import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeCollectionExtents, toCollectionName, toStacItem } from './export.ts';
import { anyScene, aScene } from './testing/any-scene.ts';

/*
 * Rules of STAC 1.1 and its extensions that items break easily; `npm run oracle stac/check-export` asks pystac, which has
 * all of them.
 */

type Fields = Readonly<Record<string, unknown>>;

interface Item {
  readonly stac_extensions: readonly string[];
  readonly collection: string;
  readonly properties: Fields;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
  readonly assets: Readonly<Record<string, Fields & { readonly bands: readonly Fields[] }>>;
}

const toItem = (scene: Parameters<typeof toStacItem>[0]): Item =>
  JSON.parse(JSON.stringify(toStacItem(scene)));

const EXTENSION_NAMES: Readonly<Record<string, string>> = {
  proj: 'projection',
  eo: 'eo',
  raster: 'raster',
  view: 'view',
};

test('an item links to the collection that it names, which is exported next to it', () => {
  fc.assert(
    fc.property(anyScene, (scene) => {
      const { collection, links } = toItem(scene);
      const hrefs = Object.fromEntries(links.map(({ rel, href }) => [rel, href]));
      const href = `./${toCollectionName(collection)}`;
      assert.deepEqual(hrefs, { collection: href, parent: href, root: href });
      const extents = makeCollectionExtents();
      extents.add(scene);
      const [exported] = extents.list();
      assert.equal(`./${exported?.name}`, href);
      assert.equal(exported?.collection.id, collection);
    }),
    { numRuns: 50 },
  );
});

test('an item names the extensions whose fields it has, and no others', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyScene, (scene) => {
      const { stac_extensions, properties, assets } = toItem(scene);
      const objects = [properties, ...Object.values(assets).flatMap((asset) => [asset, ...asset.bands])];
      const prefixes = objects.flatMap((object) =>
        Object.keys(object).map((name) => name.split(':')[0] ?? ''),
      );
      const used = new Set(prefixes.flatMap((prefix) => EXTENSION_NAMES[prefix] ?? []));
      const named = stac_extensions.map((address) => address.split('/')[3] ?? '');
      assert.deepEqual(named.toSorted(), [...used].sort());
      seen.add(named.join());
    }),
    { numRuns: 200 },
  );
  assert.ok(seen.size > 1, 'scenes with and without clouds and a sun');
});

test('the azimuth of the sun is from 0 to 360 degrees', () => {
  for (const [given, shown] of [
    [-40.5, 319.5],
    [0, 0],
    [360, 360],
    [142.25, 142.25],
    [null, undefined],
  ] as const) {
    const { properties } = toItem({ ...aScene, sunAzimuthDeg: given });
    assert.equal(properties['view:sun_azimuth'], shown);
  }
});

test('a collection covers the space and time of its scenes, also across the antimeridian', () => {
  const boxOf = (west: number, east: number) => ({
    type: 'Polygon' as const,
    coordinates: [
      [[west, 1] as const, [east, 1] as const, [east, 2] as const, [west, 2] as const, [west, 1] as const],
    ],
  });
  const extents = makeCollectionExtents();
  const dataset = 'sentinel2';
  extents.add({ dataset, footprint: boxOf(10, 11), acquiredAt: '2026-06-21T10:00:00.000Z' });
  extents.add({ dataset, footprint: boxOf(5, 6), acquiredAt: '2026-06-23T10:00:00.000Z' });
  extents.add({ dataset: 'naip', footprint: boxOf(1, 2), acquiredAt: '2026-06-20T10:00:00.000Z' });
  const [first, second] = extents.list();
  assert.deepEqual([first?.name, second?.name], ['sentinel2.collection.json', 'naip.collection.json']);
  assert.deepEqual(first?.collection.extent, {
    spatial: { bbox: [[5, 1, 11, 2]] },
    temporal: { interval: [['2026-06-21T10:00:00.000Z', '2026-06-23T10:00:00.000Z']] },
  });
  const parts = [boxOf(179, 180), boxOf(-180, -178)].map(({ coordinates }) => coordinates);
  extents.add({
    dataset,
    footprint: { type: 'MultiPolygon', coordinates: parts },
    acquiredAt: '2026-06-22T10:00:00.000Z',
  });
  const { extent } = extents.list()[0]!.collection as { extent: { spatial: { bbox: unknown } } };
  assert.deepEqual(extent.spatial.bbox, [[-180, 1, 180, 2]]);
});
