import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { NewScene } from '../../catalog/index.ts';
import { parseViewId, sensors } from '../../sensors/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { toStacItem } from './export.ts';
import { fromOwnItem } from './own-item.ts';
import { anAsset, anyScene, aScene } from './testing/any-scene.ts';

const rules = { isAllowedHref: () => true };
const throughJson = (value: unknown): Record<string, never> => JSON.parse(JSON.stringify(value));

test('every scene is restored from its item', () => {
  fc.assert(
    fc.property(anyScene, (given) => {
      assert.deepEqual(fromOwnItem(throughJson(toStacItem(given)), rules), given);
    }),
    { numRuns: casesOf(200) },
  );
});

test('other programs can read an exported item', () => {
  const given: NewScene = {
    ...aScene,
    viewId: 'S2/36/U/XU/2016/5/2/0',
    dataset: 'sentinel2',
    cloudPercent: 12.5,
    footprint: {
      type: 'MultiPolygon',
      coordinates: [
        [
          [
            [179, 10],
            [180, 10],
            [180, 11],
            [179, 11],
            [179, 10],
          ],
        ],
        [
          [
            [-180, 10],
            [-178, 10],
            [-178, 11],
            [-180, 11],
            [-180, 10],
          ],
        ],
      ],
    },
    assets: {
      B04: {
        href: 'https://x.example/B04.tif',
        bandIndex: 0,
        epsg: 32636,
        transform: [600_000, 10, 0, 5_600_000, 0, -10],
        width: 100,
        height: 200,
        type: 'uint16',
        nodata: 0,
        scale: 0.0001,
        offset: -0.1,
        overviews: [],
      },
    },
  };
  const item = toStacItem(given) as unknown as {
    stac_version: string;
    id: string;
    bbox: number[];
    properties: Record<string, unknown>;
    assets: { B04: Record<string, unknown> };
  };
  assert.deepEqual([item.stac_version, item.id], ['1.1.0', 'S2_36_U_XU_2016_5_2_0']);
  assert.deepEqual(item.bbox, [179, 10, -178, 11]);
  assert.equal(item.properties['eo:cloud_cover'], 12.5);
  const { B04 } = item.assets;
  assert.deepEqual(
    [B04['proj:code'], B04['proj:shape'], B04['proj:transform']],
    ['EPSG:32636', [200, 100], [10, 0, 600_000, 0, -10, 5_600_000]],
  );
  assert.deepEqual(B04.bands, [
    {
      name: 'B04',
      'eo:common_name': 'red',
      'eo:center_wavelength': 0.6646,
      'eo:full_width_half_max': 0.03,
      data_type: 'uint16',
      nodata: 0,
      'raster:scale': 0.0001,
      'raster:offset': -0.1,
    },
  ]);
});

test('items with `swath:` fields are checked as strictly as requests', () => {
  const change = (edit: (item: { properties: Record<string, unknown>; collection: string }) => void) => {
    const item = throughJson(toStacItem(aScene)) as never;
    edit(item);
    return () => fromOwnItem(item, rules);
  };
  const broken = { tag: 'source-broken', code: 'stac-own-fields' };
  assert.throws(
    change(({ properties }) => {
      properties['swath:view_id'] = 'S2/../../etc/passwd';
    }),
    broken,
  );
  assert.throws(
    change((item) => {
      item.collection = item.collection === 'naip' ? 'modis' : 'naip';
    }),
    broken,
  );
  assert.throws(
    change(({ properties }) => {
      properties['swath:fields'] = { a: { deep: 1 } };
    }),
    broken,
  );
  assert.throws(
    change(({ properties }) => {
      properties['swath:cloud_mask'] = { kind: 'polygons', href: 'a.gml', epsg: 32631, more: 1 };
    }),
    broken,
  );
  assert.throws(
    change(({ properties }) => {
      properties.datetime = 'yesterday';
    }),
    broken,
  );
  assert.throws(
    change((item) => {
      (item as unknown as { assets: object }).assets = {};
    }),
    broken,
  );
  const elsewhere = {
    ...aScene,
    cloudMask: { kind: 'polygons', href: 'https://evil.example/x', epsg: 1 } as const,
  };
  const onlyOwn = { isAllowedHref: (href: string) => !href.includes('evil') };
  assert.throws(() => fromOwnItem(throughJson(toStacItem(elsewhere)), onlyOwn), {
    code: 'source-not-allowed',
    message: /https:\/\/evil\.example/,
  });
});

test('fields must be those of the sensor with their types, and the day that of the name', () => {
  const given: NewScene = {
    ...aScene,
    viewId: 'S2/36/U/XU/2016/5/2/0',
    dataset: 'sentinel2',
    fields: {},
    acquiredAt: '2016-05-02T08:00:00.000Z',
    assets: { B04: anAsset },
  };
  const take = (more: Partial<NewScene>) => () =>
    fromOwnItem(throughJson(toStacItem({ ...given, ...more })), rules);
  for (const fields of [{ cloudCoverage: 5, onAmazon: true, awsPath: 'x' }, { cloudCoverage: null }]) {
    assert.deepEqual(take({ fields })().fields, fields);
  }
  for (const fields of [
    { unknownField: 1 },
    { constructor: 'x' },
    { cloudCoverage: '5' },
    { awsPath: 1 },
    { date: 'today' },
  ]) {
    const name = Object.keys(fields)[0]!;
    assert.throws(take({ fields }), { code: 'stac-own-fields', message: new RegExp(`fields\\.${name} `) });
  }
  // The bucket's day of a tile may be the day before or after.
  for (const day of ['2016-05-01', '2016-05-03']) take({ acquiredAt: `${day}T08:00:00.000Z` })();
  assert.throws(take({ acquiredAt: '2016-05-04T08:00:00.000Z' }), { message: /datetime.*2016-05-02/ });
  const naip = sensors.find(({ dataset }) => dataset === 'naip')!;
  const { viewId, date } = parseViewId(`NAIP/${naip.sceneName.example}`);
  const next = new Date(Date.parse(date) + 86_400_000).toISOString();
  assert.throws(take({ viewId, dataset: 'naip', acquiredAt: next }), { message: /datetime/ });
});
