import assert from 'node:assert/strict';
import { truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { notAllowed } from '../../errors.ts';
import { makeTinyTiff } from '../../formats/tiff/testing/tiny-tiff.ts';
import { areaContains, geometryBounds } from '../../geo/index.ts';
import { parseViewId } from '../../sensors/index.ts';
import type { Scene } from '../scene.ts';
import { ingestFolder } from './ingest-folder.ts';
import { cbersXml } from './testing/cbers-text.ts';
import { toLandsatJson, toLandsatOdl } from './testing/landsat-text.ts';
import type { TestFolder, TestImage } from './testing/make-folder.ts';
import { makeTestFolder } from './testing/make-folder.ts';
import {
  cloudGml,
  sentinel1Manifest,
  toAnnotationXml,
  toCalibrationXml,
  toGranuleXml,
  toProductXml,
  toTileInfo,
} from './testing/sentinel-text.ts';

const TILE: TestImage = { epsg: 32631, west: 600_000, north: 5_500_000, pixel: 625 };
const SCENE: TestImage = { epsg: 32617, west: 471_600, north: 3_787_500, pixel: 15_000 };

async function withFolder(use: (folder: TestFolder) => Promise<void>): Promise<void> {
  const folder = await makeTestFolder();
  try {
    await use(folder);
  } finally {
    await folder.remove();
  }
}

/** Ingests and returns the only scene; fails when there is none, or something is broken. */
async function ingestOne(folder: TestFolder, viewId: string): Promise<Scene> {
  const report = await ingestFolder(folder.options);
  assert.deepEqual(
    report.products.filter(({ outcome }) => outcome === 'broken'),
    [],
  );
  const scene = folder.scenes.get(viewId);
  assert.ok(scene !== undefined, `there are only ${[...folder.scenes.keys()].join(', ')}`);
  // Every record's view id is one that clients can send.
  assert.equal(parseViewId(viewId).viewId, viewId);
  return scene;
}

const L8 = 'LC08_L1TP_016037_20170813_20170814_01_RT';
const landsat = { sceneId: 'LC80160372017225LGN00', productId: L8, collection: 1 } as const;

async function writeLandsat(folder: TestFolder, prefix = ''): Promise<void> {
  await folder.write(`${prefix}${L8}/${L8}_MTL.txt`, toLandsatOdl(landsat));
  for (const band of ['B4', 'B10', 'BQA']) {
    await folder.writeImage(`${prefix}${L8}/${L8}_${band}.TIF`, {
      ...SCENE,
      nodata: band === 'BQA' ? null : 0,
    });
  }
}

test('a Landsat product of Collection 1', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    const scene = await ingestOne(folder, 'L8/LC80160372017225LGN00');
    assert.equal(scene.productId, L8);
    assert.equal(scene.acquiredAt, '2017-08-13T15:54:15.788Z');
    assert.deepEqual([scene.cloudPercent, scene.sunElevationDeg], [12.5, 62.25]);
    assert.deepEqual([scene.fields.path, scene.fields.row, scene.fields.dayOrNight], [16, 37, 'day']);
    assert.deepEqual(Object.keys(scene.assets), ['B4', 'B10', 'BQA']);
    assert.deepEqual(scene.cloudMask, { kind: 'quality', band: 'BQA', layout: 'collection-1' });
    assert.equal(scene.calibration?.earthSunDistanceAu, 1.013);
    assert.equal(scene.calibration?.bands.B4?.reflectance?.mult, 2e-5);
    assert.equal(scene.calibration?.bands.B10?.thermal?.k1, 774.8853);
    const { transform, width, type, nodata, scale } = scene.assets.B4!;
    assert.deepEqual([...transform], [471_600, 15_000, 0, 3_787_500, 0, -15_000]);
    assert.deepEqual([width, type, nodata, scale], [16, 'uint16', 0, 1]);
    const { west, south, east, north } = geometryBounds(scene.footprint);
    assert.ok(Math.abs(west + 81.308) < 0.01 && Math.abs(north - 34.228) < 0.01, `${west} ${north}`);
    assert.ok(east > -79 && south < 32.2);
  }));

test('a Landsat product of Level 2 goes by its product id, and its scale is that of the surface', () =>
  withFolder(async (folder) => {
    const id = 'LC08_L2SP_016037_20170813_20200903_02_T1';
    const text = toLandsatJson({ ...landsat, productId: id, collection: 2, level: 'L2SP' });
    await folder.write(`${id}_MTL.json`, text);
    await folder.writeImage(`${id}_SR_B4.TIF`, SCENE);
    await folder.writeImage(`${id}_ST_B10.TIF`, SCENE);
    await folder.writeImage(`${id}_QA_PIXEL.TIF`, SCENE);
    const scene = await ingestOne(folder, `L8/${id}`);
    assert.equal(scene.sceneId, 'LC80160372017225LGN00');
    const scales = ['B4', 'B10', 'BQA'].map((band) => [
      scene.assets[band]?.scale,
      scene.assets[band]?.offset,
    ]);
    assert.deepEqual(scales, [
      [2.75e-5, -0.2],
      [0.00341802, 149],
      [1, 0],
    ]);
    assert.equal(scene.calibration, undefined);
    assert.deepEqual(scene.cloudMask, { kind: 'quality', band: 'BQA', layout: 'collection-2' });
  }));

test('a pre-collection Landsat 5 product, and one without any metadata', () =>
  withFolder(async (folder) => {
    const id = 'LT50160371988226CUB02';
    const facts = {
      sceneId: id,
      productId: null,
      collection: 0,
      spacecraft: 5,
      sensor: 'TM',
      level: 'L1T',
    } as const;
    await folder.write(`one/${id}_MTL.txt`, toLandsatOdl(facts));
    await folder.writeImage(`one/${id}_B4.TIF`, { ...SCENE, type: 'uint8' });
    await folder.writeImage(`two/${L8}_B4.TIF`, SCENE);
    const scene = await ingestOne(folder, `L5TM/${id}`);
    assert.equal(scene.productId, undefined);
    assert.equal(scene.calibration?.bands.B4?.radiance?.mult, 9.735e-3);
    const bare = folder.scenes.get(`L8/${L8}`);
    assert.equal(bare?.acquiredAt, '2017-08-13T00:00:00.000Z');
    assert.deepEqual([bare?.cloudPercent, bare?.fields.path, bare?.fields.row], [null, 16, 37]);
  }));

const S2_NAME = 'S2B_MSIL1C_20180617T105031_N0206_R051_T31UFR_20180617T120000';

test('a Sentinel-2 tile of the bucket: sequence, clouds in GML, measured part as footprint', () =>
  withFolder(async (folder) => {
    const path = 'tiles/31/U/FR/2018/6/17/1';
    await folder.write(`${path}/tileInfo.json`, toTileInfo({ path, productName: S2_NAME }));
    const tileId = 'S2B_OPER_MSI_L1C_TL_EPAE_20180617T120000_A006677_T31UFR_N02.06';
    const granule = toGranuleXml({ level: '1C', tileId, sensingTime: '2018-06-17T10:50:31.458Z' });
    await folder.write(`${path}/metadata.xml`, granule);
    await folder.write(`${path}/qi/MSK_CLOUDS_B00.gml`, cloudGml);
    // Named .jp2 and a TIFF inside: names may lie.
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
    assert.deepEqual(scene.cloudMask, {
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

function safe(datatake: string, made: string) {
  const name = `S2A_MSIL1C_${datatake}_N0400_R051_T31UFR_${made}`;
  return { name, granule: `${name}.SAFE/GRANULE/L1C_T31UFR_A006677_${datatake}` };
}

async function writeSafe(
  folder: TestFolder,
  datatake: string,
  made: string,
  baseline = '04.00',
): Promise<void> {
  const { name, granule } = safe(datatake, made);
  const product = toProductXml({ level: '1C', productName: name, baseline, offset: -1000 });
  await folder.write(`${name}.SAFE/MTD_MSIL1C.xml`, product);
  const time = datatake.replace(/(....)(..)(..)T(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z');
  const tileId = `S2A_OPER_MSI_L1C_TL_VGS1_${made}_A006677_T31UFR_N04.00`;
  await folder.write(`${granule}/MTD_TL.xml`, toGranuleXml({ level: '1C', tileId, sensingTime: time }));
  await folder.writeImage(`${granule}/IMG_DATA/T31UFR_${datatake}_B04.jp2`, TILE);
  await folder.writeImage(`${granule}/QI_DATA/MSK_CLASSI_B00.jp2`, { ...TILE, type: 'uint8', bandCount: 3 });
}

test('SAFE folders of Sentinel-2: offset of newer baselines, cloud flags, numbers for recordings of one day', () =>
  withFolder(async (folder) => {
    await writeSafe(folder, '20220401T105031', '20220401T120000');
    await writeSafe(folder, '20220401T123031', '20220401T140000');
    const scene = await ingestOne(folder, 'S2/31/U/FR/2022/4/1/0');
    assert.deepEqual([scene.assets.B04?.scale, scene.assets.B04?.offset], [1e-4, -0.1]);
    assert.equal(scene.cloudMask?.kind, 'flags');
    assert.equal(folder.scenes.get('S2/31/U/FR/2022/4/1/1')?.acquiredAt, '2022-04-01T12:30:31.000Z');
    assert.equal(folder.scenes.size, 2);
    // The first recording, made anew: it takes the place of the old one.
    await writeSafe(folder, '20220401T105031', '20230401T120000', '05.09');
    const report = await ingestFolder(folder.options);
    assert.equal(report.totals.ingested, 1);
    assert.equal(folder.scenes.size, 2);
    assert.match(folder.scenes.get('S2/31/U/FR/2022/4/1/0')?.productId ?? '', /_20230401T120000$/);
    // And keeps it, although the old files are still there.
    const again = await ingestFolder(folder.options);
    assert.deepEqual([again.totals.ingested, again.totals.unchanged], [0, 2]);
    assert.deepEqual(again.products.find(({ outcome }) => outcome === 'skipped')?.code, 'superseded');
  }));

test('Sentinel-2 L2A as COGs with a STAC item that says whether the offset is still in the pixels', () =>
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

test('a SAFE folder of Sentinel-1: place by the geolocation grid, table of calibration', () =>
  withFolder(async (folder) => {
    const name = 'S1A_IW_GRDH_1SDV_20210809T173953_20210809T174018_039156_049F13_6FF8';
    const image = 's1a-iw-grd-vv-20210809t173953-20210809t174018-039156-049f13-001';
    await folder.write(`${name}.SAFE/manifest.safe`, sentinel1Manifest);
    await folder.write(`${name}.SAFE/measurement/${image}.tiff`, makeTinyTiff([{}]));
    await folder.write(`${name}.SAFE/annotation/${image}.xml`, toAnnotationXml('VV'));
    const table = { lines: [0, 100], pixels: [0, 40], value: () => 600 };
    await folder.write(
      `${name}.SAFE/annotation/calibration/calibration-${image}.xml`,
      toCalibrationXml('VV', table),
    );
    const scene = await ingestOne(folder, `S1/${name}`);
    assert.equal(scene.acquiredAt, '2021-08-09T17:39:53.153Z');
    assert.deepEqual(
      [scene.fields.polarization, scene.fields.passDirection, scene.fields.mode],
      ['DV', 'ASCENDING', 'IW'],
    );
    assert.deepEqual(scene.assets.VV?.lattice?.cols, [0.5, 1.5]);
    assert.equal(scene.assets.VV?.epsg, 4326);
    assert.deepEqual(scene.calibration?.bands.VV?.sigmaNought?.values, [600, 600, 600, 600]);
    assert.equal(scene.cloudMask, undefined);
    const { west, east } = geometryBounds(scene.footprint);
    assert.deepEqual([west, east], [2, 3.1]);
  }));

test('MODIS, NAIP and CBERS-4 by their names, folders and metadata', () =>
  withFolder(async (folder) => {
    const modis = 'MCD43A4.A2017204.h12v04.006.2017213034223';
    const plain: TestImage = { epsg: 6933, west: -6_671_703, north: 5_559_752, pixel: 69_496 };
    await folder.writeImage(`${modis}_B01.TIF`, { ...plain, type: 'int16', nodata: 32_767 });
    const quarter: TestImage = { epsg: 26916, west: 601_135, north: 3_430_446, pixel: 474, type: 'uint8' };
    await folder.writeImage('al/2011/1m/rgbir/30085/m_3008501_ne_16_1_20110815.tif', {
      ...quarter,
      bandCount: 4,
    });
    await folder.writeImage('flat/m_3008502_nw_16_060_20200415.tif', { ...quarter, bandCount: 3 });
    await folder.write('flat/m_3008502_nw_16_060_20200415_20200730.txt', '  Place_Keyword: FL\n');
    await folder.writeImage('flat/m_3008503_nw_16_060_20200415.tif', { ...quarter, bandCount: 4 });
    const cbers = 'CBERS_4_MUX_20170528_090_084_L2';
    const path: TestImage = {
      epsg: 32634,
      west: 744_000,
      north: 1_662_000,
      pixel: 11_000,
      type: 'uint8',
      nodata: 0,
    };
    await folder.writeImage(`${cbers}_BAND6.tif`, path);
    await folder.write(`${cbers}_BAND6.xml`, cbersXml);

    const report = await ingestFolder(folder.options);
    assert.deepEqual([...folder.scenes.keys()].sort(), [
      `CBERS4MUX/${cbers}`,
      'MODIS/12/04/2017204/2017213034223',
      'NAIP/al/2011/1m/rgbir/30085/m_3008501_ne_16_1_20110815',
      'NAIP/fl/2020/60cm/rgb/30085/m_3008502_nw_16_060_20200415',
    ]);
    // Nothing says which state the third photograph is of.
    assert.deepEqual(
      report.products
        .filter(({ outcome }) => outcome === 'broken')
        .map(({ product, code }) => [product, code]),
      [['flat/m_3008503_nw_16_060_20200415', 'state-unknown']],
    );
    const scene = folder.scenes.get(`CBERS4MUX/${cbers}`)!;
    assert.deepEqual([scene.sunElevationDeg, scene.acquiredAt], [70.3079, '2017-05-28T09:01:17.925Z']);
    assert.deepEqual(scene.calibration?.bands, { BAND6: { radiance: { mult: 1.5762, add: 0 } } });
    // The tilted part that was measured, as the XML states it.
    assert.equal(scene.footprint.type === 'Polygon' && scene.footprint.coordinates[0]?.length, 5);
    const tile = folder.scenes.get('MODIS/12/04/2017204/2017213034223')!;
    assert.deepEqual([tile.assets.B01?.scale, tile.acquiredAt], [1e-4, '2017-07-23T00:00:00.000Z']);
    assert.equal(
      folder.scenes.get('NAIP/al/2011/1m/rgbir/30085/m_3008501_ne_16_1_20110815')?.assets.N?.bandIndex,
      3,
    );
  }));

test('a second run opens no image and changes nothing; a changed file is read again', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    const first = await ingestFolder(folder.options);
    assert.deepEqual(
      first.products.map(({ outcome, change }) => [outcome, change]),
      [['ingested', 'added']],
    );
    folder.takeOpened();
    const second = await ingestFolder(folder.options);
    assert.deepEqual(
      second.products.map(({ outcome }) => outcome),
      ['unchanged'],
    );
    assert.deepEqual(folder.takeOpened(), [`${L8}/${L8}_MTL.txt`]);
    await folder.writeImage(`${L8}/${L8}_B4.TIF`, { ...SCENE, size: 32 });
    await utimes(join(folder.root, L8, `${L8}_B4.TIF`), 1, 1);
    const third = await ingestFolder(folder.options);
    assert.deepEqual(
      third.products.map(({ outcome, change }) => [outcome, change]),
      [['ingested', 'replaced']],
    );
  }));

test('a broken product is reported and stays out whole; the others come in', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder, 'good/');
    const other = L8.replace('016037', '017037');
    await folder.write(`bad/${other}_MTL.txt`, 'GROUP = L1_METADATA_FILE\n');
    await folder.writeImage(`bad/${other}_B4.TIF`, SCENE);
    const cut = L8.replace('016037', '018037');
    await folder.writeImage(`cut/${cut}_B4.TIF`, SCENE);
    await folder.writeImage(`cut/${cut}_B5.TIF`, SCENE);
    await truncate(join(folder.root, `cut/${cut}_B5.TIF`), 60);
    const swapped = L8.replace('016037', '019037');
    await folder.write(`swapped/${swapped}_MTL.txt`, toLandsatOdl(landsat));
    await folder.writeImage(`swapped/${swapped}_B4.TIF`, SCENE);
    const report = await ingestFolder(folder.options);
    assert.deepEqual(report.totals, { ingested: 1, unchanged: 0, skipped: 0, broken: 3 });
    assert.deepEqual([...folder.scenes.keys()], ['L8/LC80160372017225LGN00']);
    const broken = report.products.filter(({ outcome }) => outcome === 'broken');
    assert.deepEqual(broken.map(({ product, code }) => [product.split('/')[0], code]).slice(0, 1), [
      ['bad', 'metadata-bad-mtl'],
    ]);
    assert.match(broken.find(({ product }) => product.startsWith('cut'))?.reason ?? '', /_B5\.TIF/);
    assert.equal(broken.find(({ product }) => product.startsWith('swapped'))?.code, 'metadata-of-another');
  }));

test('a band that lies elsewhere than the others is left out, and a mask with it', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    await folder.writeImage(`${L8}/${L8}_B5.TIF`, SCENE);
    await folder.writeImage(`${L8}/${L8}_BQA.TIF`, { ...SCENE, west: 471_600 - 400_000 });
    const report = await ingestFolder(folder.options);
    assert.deepEqual(report.products[0]?.notes, ['BQA is left out: it lies elsewhere than the other bands.']);
    const scene = folder.scenes.get('L8/LC80160372017225LGN00')!;
    assert.deepEqual(Object.keys(scene.assets), ['B4', 'B5', 'B10']);
    assert.equal(scene.cloudMask, undefined);
  }));

test('files that the catalog may not refer to are not read', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    const toHref = () => {
      throw notAllowed('folder-not-allowed', 'This folder is not one of SWATH_SOURCES.');
    };
    const report = await ingestFolder({ ...folder.options, toHref });
    assert.deepEqual(
      report.products.map(({ outcome, code }) => [outcome, code]),
      [['broken', 'folder-not-allowed']],
    );
    assert.deepEqual(folder.takeOpened(), []);
  }));

test('a run that is stopped keeps what it has, and the next one goes on', () =>
  withFolder(async (folder) => {
    const ids = [1, 2, 3, 4].map((n) => L8.replace('016037', `01${n}037`));
    for (const id of ids) await folder.writeImage(`${id}/${id}_B4.TIF`, SCENE);
    const stop = new AbortController();
    const seen: number[] = [];
    const report = await ingestFolder({
      ...folder.options,
      signal: stop.signal,
      onProgress: ({ done, total }) => {
        assert.equal(total, 4);
        seen.push(done);
        if (done === 2) stop.abort();
      },
    });
    assert.deepEqual([report.stopped, report.totals.ingested, folder.scenes.size], [true, 2, 2]);
    assert.deepEqual(seen, [1, 2]);
    const rest = await ingestFolder(folder.options);
    assert.deepEqual([rest.stopped, rest.totals.ingested, rest.totals.unchanged], [false, 2, 2]);
  }));

test('footprints of all kinds lie within the images', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    await writeSafe(folder, '20220401T105031', '20220401T120000');
    await ingestFolder(folder.options);
    // The SAFE folder states an outline that is larger than its image here: the image counts.
    const { footprint } = folder.scenes.get('S2/31/U/FR/2022/4/1/0')!;
    const { west, east } = geometryBounds(footprint);
    assert.ok(east - west < 0.15);
    assert.ok(areaContains(footprint, footprint));
  }));

test('of two copies of a product one is taken, the same in every run', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder, 'one/');
    await writeLandsat(folder, 'two/');
    for (const outcome of ['ingested', 'unchanged', 'unchanged']) {
      const { products } = await ingestFolder(folder.options);
      assert.deepEqual(
        products.map((line) => [line.product.split('/')[0], line.outcome, line.code]),
        [
          ['one', outcome, undefined],
          ['two', 'skipped', 'duplicate'],
        ],
      );
    }
  }));

test('a bug that one product brings out is told, and keeps no other product out', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    const other = L8.replace('016037', '017037');
    await folder.writeImage(`${other}/${other}_B4.TIF`, SCENE);
    const bugs: string[] = [];
    const report = await ingestFolder({
      ...folder.options,
      open: async (href) => {
        if (href.includes(other)) throw new TypeError('x is not a function');
        return folder.options.open(href);
      },
      onBug: (error, product) => bugs.push(`${product}: ${String(error)}`),
    });
    assert.deepEqual([report.totals.ingested, report.totals.broken], [1, 1]);
    assert.deepEqual(bugs, [`${other}: TypeError: x is not a function`]);
    assert.equal(report.products.find(({ outcome }) => outcome === 'broken')?.code, 'internal');
  }));

test('smaller copies beside an image are noticed when they come later', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    await ingestFolder(folder.options);
    const view = 'L8/LC80160372017225LGN00';
    assert.deepEqual(folder.scenes.get(view)?.assets.B4?.overviews, []);
    await folder.writeImage(`${L8}/${L8}_B4.TIF.ovr`, { ...SCENE, size: 8 });
    const report = await ingestFolder(folder.options);
    assert.equal(report.products[0]?.change, 'replaced');
    const asset = folder.scenes.get(view)?.assets.B4;
    assert.deepEqual(asset?.overviews, [{ width: 8, height: 8 }]);
    assert.deepEqual(asset?.beside, ['.ovr']);
  }));

test('a Landsat product that was taken in without its MTL is replaced when the MTL comes', () =>
  withFolder(async (folder) => {
    await folder.writeImage(`${L8}/${L8}_B4.TIF`, SCENE);
    await ingestFolder(folder.options);
    const bare = folder.scenes.get(`L8/${L8}`);
    assert.equal(bare?.fields.dayOrNight, undefined);
    await writeLandsat(folder);
    const { totals } = await ingestFolder(folder.options);
    assert.equal(totals.ingested, 1);
    assert.deepEqual([...folder.scenes.keys()], ['L8/LC80160372017225LGN00']);
    // What a run that was cut off has left goes with the next.
    folder.scenes.set(`L8/${L8}`, bare!);
    assert.deepEqual((await ingestFolder(folder.options)).totals.unchanged, 1);
    assert.deepEqual([...folder.scenes.keys()], ['L8/LC80160372017225LGN00']);
  }));

test('of two copies of a Landsat product the one with metadata stays, in whatever order they come', async () => {
  for (const [bare, whole] of [
    ['a', 'b'],
    ['b', 'a'],
  ]) {
    await withFolder(async (folder) => {
      await folder.writeImage(`${bare}/${L8}_B4.TIF`, SCENE);
      await writeLandsat(folder, `${whole}/`);
      for (const ingested of [1, 0]) {
        const { totals } = await ingestFolder(folder.options);
        assert.deepEqual([totals.ingested, totals.skipped, totals.broken], [ingested, 1, 0]);
        assert.deepEqual([...folder.scenes.keys()], ['L8/LC80160372017225LGN00']);
      }
    });
  }
});

test('a hit of Sentinel-2 L1C says whether the L2A is there, in whatever order they come', async () => {
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
      assert.deepEqual([fields.processedL2A, fields.awsPathL2A], [true, undefined]);
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
