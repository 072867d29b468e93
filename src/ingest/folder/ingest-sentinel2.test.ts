import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CloudMask } from '../../catalog/index.ts';
import { geometryBounds } from '../../geo/index.ts';
import { cloudGml, toGranuleXml, toTileInfo } from '../families/testing/product-texts.ts';
import { ingestFolder } from './ingest-folder.ts';
import type { TestFolder } from './testing/make-folder.ts';
import { ingestOne, TILE, withFolder, writeSafe } from './testing/make-folder.ts';

const S2_NAME = 'S2B_MSIL1C_20180617T105031_N0206_R051_T31UFR_20180617T120000';

test('a Sentinel-2 tile of the bucket: sequence, clouds in GML, measured area as footprint', () =>
  withFolder(async (folder) => {
    const path = 'tiles/31/U/FR/2018/6/17/1';
    await folder.write(`${path}/tileInfo.json`, toTileInfo({ path, productName: S2_NAME }));
    const tileId = 'S2B_OPER_MSI_L1C_TL_EPAE_20180617T120000_A006677_T31UFR_N02.06';
    const granule = toGranuleXml({ level: '1C', tileId, sensingTime: '2018-06-17T10:50:31.458Z' });
    await folder.write(`${path}/metadata.xml`, granule);
    await folder.write(`${path}/qi/MSK_CLOUDS_B00.gml`, cloudGml);
    // Named .jp2 with a TIFF inside: the format is found by content.
    await folder.writeImage(`${path}/B04.jp2`, TILE);
    await folder.writeImage(`${path}/B8A.jp2`, TILE);
    const scene = await ingestOne(folder, 'S2/31/U/FR/2018/6/17/1');
    assert.equal(scene.sceneId, 'S2B_tile_20180617_31UFR_1');
    assert.equal(scene.productId, S2_NAME);
    assert.deepEqual(
      [scene.cloudPercent, scene.sunElevationDeg, scene.coveragePercent],
      [41.1953, 29.75, 50],
    );
    assert.deepEqual([scene.fields.cloudCoverage, scene.fields.zenithAngle], [41.2, 60.25]);
    assert.equal(scene.fields.satelliteName, 'Sentinel-2B');
    const { stamp, ...mask } = scene.cloudMask as Extract<CloudMask, { kind: 'polygons' }>;
    assert.match(stamp ?? '', /^1187-\d+/);
    assert.deepEqual(mask, {
      kind: 'polygons',
      href: join(folder.root, path, 'qi/MSK_CLOUDS_B00.gml'),
      epsg: 32631,
    });
    const { scale, offset, nodata } = scene.assets.B04!;
    assert.deepEqual([scale, offset, nodata], [1e-4, 0, 0]);
    // The western half of the tile was measured.
    const { west, east } = geometryBounds(scene.footprint);
    assert.ok(east - west > 0.06 && east - west < 0.08, `${west} ${east}`);
  }));

test('only Sentinel-2 records have an indexing time, which their hits show', () =>
  withFolder(async (folder) => {
    const options = { ...folder.options, now: () => new Date('2022-04-02T03:04:05.678Z') };
    await writeSafe(folder, '20220401T105031', '20220401T120000');
    await folder.writeImage('MCD43A4.A2017204.h12v04.006.2017213034223_B01.TIF', {
      epsg: 6933,
      west: -6_671_703,
      north: 5_559_752,
      pixel: 69_496,
      type: 'int16',
    });
    await ingestFolder(options);
    const times = [...folder.scenes.values()].map(({ dataset, indexedAt }) => [dataset, indexedAt]);
    assert.deepEqual(times.sort(), [
      ['modis', undefined],
      ['sentinel2', '2022-04-02T03:04:05.678Z'],
    ]);
    const { totals } = await ingestFolder({ ...options, now: () => new Date('2023-01-01T00:00:00.000Z') });
    assert.equal(totals.unchanged, 2);
    assert.equal(folder.scenes.get('S2/31/U/FR/2022/4/1/0')?.indexedAt, '2022-04-02T03:04:05.678Z');
  }));

test('SAFE folders of Sentinel-2: offset of newer baselines, cloud flags, numbers for recordings of one day', () =>
  withFolder(async (folder) => {
    await writeSafe(folder, '20220401T105031', '20220401T120000');
    await writeSafe(folder, '20220401T123031', '20220401T140000');
    const scene = await ingestOne(folder, 'S2/31/U/FR/2022/4/1/0');
    assert.deepEqual([scene.assets.B04?.scale, scene.assets.B04?.offset], [1e-4, -0.1]);
    assert.equal(scene.cloudMask?.kind, 'flags');
    assert.equal(folder.scenes.get('S2/31/U/FR/2022/4/1/1')?.acquiredAt, '2022-04-01T12:30:31.000Z');
    assert.equal(folder.scenes.size, 2);
    // The first recording, reprocessed: it replaces the old one.
    await writeSafe(folder, '20220401T105031', '20230401T120000', '05.09');
    const report = await ingestFolder(folder.options);
    assert.equal(report.totals.ingested, 1);
    assert.equal(folder.scenes.size, 2);
    assert.match(folder.scenes.get('S2/31/U/FR/2022/4/1/0')?.productId ?? '', /_20230401T120000$/);
    // It stays, although the old files still exist.
    const again = await ingestFolder(folder.options);
    assert.deepEqual([again.totals.ingested, again.totals.unchanged], [0, 2]);
    assert.deepEqual(again.products.find(({ outcome }) => outcome === 'skipped')?.code, 'superseded');
  }));

test('Sentinel-2 L2A as COGs, with a STAC item that says whether the pixels include the offset', () =>
  withFolder(async (folder) => {
    const write = async (id: string, applied: boolean) => {
      const properties = {
        datetime: '2022-04-01T10:54:25.405Z',
        'eo:cloud_cover': 4.05,
        'view:sun_elevation': 48.3,
        's2:processing_baseline': '04.00',
        's2:nodata_pixel_percentage': 20,
        'earthsearch:boa_offset_applied': applied,
      };
      await folder.write(`${id}/${id}.json`, JSON.stringify({ id, properties }));
      await folder.writeImage(`${id}/B04.tif`, TILE);
      await folder.writeImage(`${id}/SCL.tif`, { ...TILE, type: 'uint8' });
    };
    await write('S2A_31UFR_20220401_0_L2A', true);
    await write('S2A_31UFR_20220401_1_L2A', false);
    const applied = await ingestOne(folder, 'S2L2A/31/U/FR/2022/4/1/0');
    assert.deepEqual([applied.assets.B04?.offset, applied.assets.SCL?.scale], [0, 1]);
    assert.deepEqual(applied.cloudMask, { kind: 'classes', band: 'SCL' });
    assert.deepEqual(
      [applied.cloudPercent, applied.coveragePercent, applied.sunElevationDeg],
      [4.05, 80, 48.3],
    );
    assert.equal(folder.scenes.get('S2L2A/31/U/FR/2022/4/1/1')?.assets.B04?.offset, -0.1);
  }));

test('a hit of Sentinel-2 L1C says whether the catalog has the L2A, in any order of ingest', async () => {
  const writeL2A = async (folder: TestFolder, satellite = 'S2A', time = '10:54:25.405') => {
    const id = `${satellite}_31UFR_20220401_0_L2A`;
    const properties = { datetime: `2022-04-01T${time}Z`, 's2:processing_baseline': '04.00' };
    await folder.write(`${id}/${id}.json`, JSON.stringify({ id, properties }));
    await folder.writeImage(`${id}/B04.tif`, TILE);
  };
  const writeL1C = (folder: TestFolder) => writeSafe(folder, '20220401T105031', '20220401T120000');
  for (const order of [
    [writeL1C, writeL2A],
    [writeL2A, writeL1C],
  ]) {
    await withFolder(async (folder) => {
      for (const write of order) {
        await write(folder);
        await ingestFolder(folder.options);
      }
      const { fields } = folder.scenes.get('S2/31/U/FR/2022/4/1/0')!;
      assert.deepEqual([fields.processedL2A, fields.awsPathL2A], [true, 'tiles/31/U/FR/2022/4/1/0']);
      const surface = folder.scenes.get('S2L2A/31/U/FR/2022/4/1/0')!;
      assert.equal(surface.fields.awsPathL2A, 'tiles/31/U/FR/2022/4/1/0');
      const before = new Map(folder.scenes);
      assert.equal((await ingestFolder(folder.options)).totals.unchanged, 2);
      assert.deepEqual(folder.scenes, before);
    });
  }
  // Together, alone, of another satellite, and of another orbit.
  for (const [write, expected] of [
    [writeL2A, true],
    [async () => {}, false],
    [(folder: TestFolder) => writeL2A(folder, 'S2B'), false],
    [(folder: TestFolder) => writeL2A(folder, 'S2A', '13:00:00'), false],
  ] as const) {
    await withFolder(async (folder) => {
      await writeL1C(folder);
      await write(folder);
      await ingestFolder(folder.options);
      assert.equal(folder.scenes.get('S2/31/U/FR/2022/4/1/0')?.fields.processedL2A, expected);
    });
  }
});
