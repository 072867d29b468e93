import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { geometryBounds } from '../../geo/index.ts';
import { ingestFolder } from '../ingest/ingest-folder.ts';
import { makeTestFolder } from '../ingest/testing/make-folder.ts';
import { parsePlanetScopeMetadata } from './planetscope.ts';
import { toPlanetScopeJson, writePlanetScope } from './testing/planetscope-product.ts';

const ID = '20230915_103045_12_24c8';

/** Ingests a folder with one product of it. */
async function ingest(
  product: Omit<Parameters<typeof writePlanetScope>[1], 'id'> & { readonly id?: string } = {},
) {
  const folder = await makeTestFolder();
  try {
    await writePlanetScope(join(folder.root, 'order'), { id: ID, ...product });
    const { products } = await ingestFolder(folder.options);
    return { lines: products, scene: [...folder.scenes.values()][0] };
  } finally {
    await folder.remove();
  }
}

test('a product of four bands becomes a scene with its mask, whatever other files the order contains', async () => {
  const { lines, scene } = await ingest();
  assert.deepEqual(
    lines.map(({ outcome, viewId, notes }) => [outcome, viewId, notes]),
    [['ingested', `PS/${ID}`, undefined]],
  );
  assert.ok(scene !== undefined);
  assert.equal(scene.dataset, 'planetscope');
  assert.equal(scene.acquiredAt, '2023-09-15T10:30:45.123Z');
  assert.equal(scene.origin?.processed, '2023-09-16T02:11:07.500Z');
  assert.deepEqual(scene.fields, {
    timestamp: '2023-09-15T10:30:45.123Z',
    cloudCoverage: 2,
    dataCoveragePercentage: scene.coveragePercent,
    sunElevation: 50.1,
    sunAzimuth: 160.3,
    satelliteName: 'PlanetScope 24c8',
    sensor: 'PSB.SD',
    onAmazon: false,
  });
  assert.deepEqual(
    Object.entries(scene.assets).map(([name, { bandIndex, scale, nodata }]) => [
      name,
      bandIndex,
      scale,
      nodata,
    ]),
    [
      ['BLUE', 0, 0.0001, 0],
      ['GREEN', 1, 0.0001, 0],
      ['RED', 2, 0.0001, 0],
      ['NIR', 3, 0.0001, 0],
    ],
  );
  assert.ok(scene.cloudMask?.kind === 'flags');
  assert.match(scene.cloudMask.asset.href, /_3B_udm2\.tif$/);
});

test('the footprint is the tilted frame of the image', async () => {
  const { scene } = await ingest();
  assert.ok(scene !== undefined);
  const coverage = scene.coveragePercent ?? 0;
  assert.ok(coverage > 70 && coverage < 80, `${coverage}`);
  const { west, east } = geometryBounds(scene.footprint);
  assert.ok(west > 2.162 && east < 2.182, `${west} ${east}`);
});

test('eight bands, clipped: the bands of the longer file', async () => {
  const { scene } = await ingest({ bandCount: 8, isClipped: true });
  assert.deepEqual(
    Object.entries(scene?.assets ?? {}).map(([name, { bandIndex }]) => `${name} ${bandIndex}`),
    ['COASTAL 0', 'BLUE 1', 'GREEN1 2', 'GREEN 3', 'YELLOW 4', 'RED 5', 'REDEDGE 6', 'NIR 7'],
  );
});

test('without metadata the time comes from the name', async () => {
  const { scene } = await ingest({ json: null });
  assert.equal(scene?.acquiredAt, '2023-09-15T10:30:45.120Z');
  assert.equal(scene?.cloudPercent, null);
  const older = await ingest({ json: null, id: '20160831_142848_0e26' });
  assert.equal(older.scene?.acquiredAt, '2016-08-31T14:28:48.000Z');
});

test('metadata of another scene break the product', async () => {
  const { lines } = await ingest({ json: toPlanetScopeJson('20230915_103047_34_24c8') });
  assert.deepEqual(
    lines.map(({ outcome, code }) => [outcome, code]),
    [['broken', 'metadata-of-another']],
  );
});

test('metadata from before UDM2 have a share of clouds, and some have less', () => {
  const parse = (properties: Readonly<Record<string, unknown>>) =>
    parsePlanetScopeMetadata(toPlanetScopeJson(ID, properties), 'x');
  assert.equal(parse({ cloud_percent: undefined, cloud_cover: 0.25 }).cloudPercent, 25);
  assert.equal(parse({ cloud_percent: undefined, cloud_cover: undefined }).cloudPercent, null);
  assert.equal(parse({ cloud_percent: 'many' }).cloudPercent, 2);
  assert.equal(parse({ updated: undefined }).processedAt, '2023-09-15T18:04:11.000Z');
  assert.throws(() => parse({ acquired: '2023-02-30T10:30:45Z' }), { code: 'metadata-incomplete' });
  assert.throws(() => parsePlanetScopeMetadata('[]', 'x'), { code: 'metadata-bad-json' });
});
