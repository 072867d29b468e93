import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Asset, NewScene } from '../../catalog/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { makeTestFolder } from '../folder/testing/make-folder.ts';
import { makeToAddress, toStacItem } from './export.ts';
import { ingestStac } from './ingest-stac.ts';
import { fromOwnItem } from './own-item.ts';
import { anAsset, anyScene, aScene } from './testing/any-scene.ts';
import { startFakeCatalog } from './testing/ingest-items.ts';

const rules = { isAllowedHref: () => true };
const throughJson = (value: unknown): Record<string, never> => JSON.parse(JSON.stringify(value));

test('files of the data directory are exported by their absolute paths, and imported as they were', () => {
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
