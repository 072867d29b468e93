import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Asset, NewScene } from '../../catalog/index.ts';
import { parseViewId, sensors } from '../../sensors/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { makeTestFolder } from '../folder/testing/make-folder.ts';
import { makeToAddress, toStacItem } from './export.ts';
import { ingestStac } from './ingest-stac.ts';
import { fromOwnItem } from './own-item.ts';
import { anAsset, anyScene, aScene } from './testing/any-scene.ts';
import { startFakeCatalog } from './testing/ingest-items.ts';

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

test('files in the data directory are exported with absolute paths, and imported unchanged', () => {
  const toAddress = makeToAddress('/srv/swath');
  const toHref = (path: string) => path.replace('/srv/swath/', '');
  const flags = { ...anAsset, href: 'converted/x/clouds.tif' };
  for (const cloudMask of [
    { kind: 'polygons', href: 'scenes/a/clouds.gml', epsg: 32631 } as const,
    { kind: 'flags', asset: flags } as const,
  ]) {
    const given = { ...aScene, assets: { B04: { ...anAsset, href: 'converted/x/B04.tif' } }, cloudMask };
    const item = throughJson(toStacItem(given, { toAddress }));
    assert.equal((item as unknown as NewScene).assets.B04?.href, '/srv/swath/converted/x/B04.tif');
    assert.ok(JSON.stringify(item).includes('"/srv/swath/scenes/a/clouds.gml"') === 'href' in cloudMask);
    assert.deepEqual(fromOwnItem(item, { ...rules, toHref }), given);
  }
  for (const href of ['https://x.example/a.tif', 's3://b/c.tif', '/other/a.tif']) {
    assert.equal(toAddress(href), href);
  }
});

test('a scene whose files are missing or different is refused, with the address', async () => {
  const folder = await makeTestFolder();
  try {
    await folder.writeImage('B04.tif', { epsg: 32631, west: 300_000, north: 5_000_000, pixel: 10 });
    const { store, open, toHref } = folder.options;
    const { lattice: _lattice, sidecars: _sidecars, proj: _proj, ...asset } = anAsset;
    const image = { ...asset, href: `${folder.root}/B04.tif`, bandIndex: 0, width: 16, height: 16 };
    const take = async (B04: Asset) => {
      await folder.write('export.ndjson', JSON.stringify(toStacItem({ ...aScene, assets: { B04 } })));
      return ingestStac({
        from: `${folder.root}/export.ndjson`,
        filters: { bbox: null, date: null, maxCloudPercent: null, limit: null, collections: [] },
        store,
        open,
        toHref,
        fetch: null,
        ...rules,
      });
    };
    const gone = await take({ ...image, href: `${folder.root}/gone.tif` });
    assert.equal(gone.totals.broken, 1);
    assert.ok(gone.products[0]?.reason?.startsWith(`${folder.root}/gone.tif: `), gone.products[0]?.reason);
    const other = await take({ ...image, width: 17 });
    assert.equal(other.products[0]?.code, 'other-image');
    assert.equal(folder.scenes.size, 0);
    assert.equal((await take(image)).totals.ingested, 1);
  } finally {
    await folder.remove();
  }
});

test('an exported item from the network may not refer to local files', async () => {
  const withHref = (href: string) => ({ ...aScene, assets: { B04: { ...anAsset, href } } });
  const scenes = [
    withHref('scenes/demo/B04.tif'),
    withHref('/srv/a.tif'),
    withHref('https://x.example/a.tif'),
  ];
  for (const [i, expected] of [0, 0, 1].entries()) {
    const folder = await makeTestFolder();
    const features = [{ ...toStacItem(scenes[i]!), id: `x${i}` }];
    const catalog = await startFakeCatalog(() => ({ type: 'FeatureCollection', features }));
    try {
      const { store, open, toHref } = folder.options;
      const { totals } = await ingestStac({
        from: `${catalog.base}/items.json`,
        filters: { bbox: null, date: null, maxCloudPercent: null, limit: null, collections: [] },
        store,
        open,
        toHref,
        fetch: catalog.fetch,
        probe: false,
        ...rules,
      });
      assert.deepEqual([totals.ingested, totals.skipped], [expected, 1 - expected]);
    } finally {
      await catalog.stop();
      await folder.remove();
    }
  }
});

test('exporting a catalog and ingesting the export gives the same catalog', async () => {
  const folder = await makeTestFolder();
  try {
    const scenes = fc.sample(anyScene, { numRuns: casesOf(200), seed: 3 });
    const byId = new Map(scenes.map((one) => [one.viewId, one]));
    const lines = [...byId.values()].map((one) => JSON.stringify(toStacItem(one)));
    await folder.write('export.ndjson', `${lines.join('\n')}\n`);
    const { store, open } = folder.options;
    const run = () =>
      ingestStac({
        from: `${folder.root}/export.ndjson`,
        filters: { bbox: null, date: null, maxCloudPercent: null, limit: null, collections: [] },
        store,
        open,
        fetch: null,
        probe: false,
        toHref: (path: string) => path,
        ...rules,
      });
    assert.equal((await run()).totals.ingested, byId.size);
    assert.equal((await run()).totals.unchanged, byId.size);
    for (const { version: _, ...taken } of folder.scenes.values()) {
      assert.deepEqual(taken, byId.get(taken.viewId));
    }
  } finally {
    await folder.remove();
  }
});
