import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewScene } from '../../catalog/index.ts';
import { notAllowed } from '../../errors.ts';
import { completeItem } from './complete-item.ts';
import { parseItem } from './item.ts';
import type { ItemContext } from './plan-item.ts';
import { planItem } from './plan-item.ts';
import {
  earthSearchItem,
  landsatItem,
  makeItem,
  modisItem,
  naipItem,
  sentinel1Item,
} from './testing/make-items.ts';

const everywhere: ItemContext = {
  location: { kind: 'url', url: 'https://stac.example/items/1' },
  rules: {
    isAllowedHref: () => true,
    toHref: () => {
      throw notAllowed('folder-not-allowed', 'No.');
    },
  },
  findScene: async () => null,
  probe: false,
};

/** The record of an item whose files are not read. */
async function toScene(item: unknown, more: Partial<ItemContext> = {}): Promise<NewScene> {
  const context = { ...everywhere, ...more };
  const planned = await planItem(parseItem(item), context);
  return (await completeItem(planned, { doors: null, context })).scene;
}

const allow = (pattern: RegExp): Partial<ItemContext> => ({
  rules: { ...everywhere.rules, isAllowedHref: (href) => pattern.test(href) },
});

test('Sentinel-2 of Earth Search: names, bands, and no offset where it was removed', async () => {
  const scene = await toScene(earthSearchItem(21));
  assert.equal(scene.viewId, 'S2L2A/31/T/DH/2022/6/21/0');
  assert.equal(scene.sceneId, 'S2B_tile_20220621_31TDH_0');
  assert.equal(scene.productId, 'S2B_MSIL2A_20220621T105619_N0400_R051_T31TDH_20220701T000000');
  assert.equal(scene.acquiredAt, '2022-06-21T10:56:21.123Z');
  assert.deepEqual(Object.keys(scene.assets), ['B04', 'B8A', 'SCL']);
  const { B04, B8A, SCL } = scene.assets;
  assert.match(B04!.href, /B04\.tif$/);
  assert.deepEqual([B04!.scale, B04!.offset, B04!.type, B04!.nodata], [0.0001, 0, 'uint16', 0]);
  assert.deepEqual([B8A!.width, B8A!.transform], [5490, [399960, 20, 0, 4700040, 0, -20]]);
  assert.deepEqual([SCL!.type, SCL!.scale, SCL!.offset], ['uint8', 1, 0]);
  assert.deepEqual(scene.cloudMask, { kind: 'classes', band: 'SCL' });
  assert.deepEqual([scene.cloudPercent, scene.sunElevationDeg, scene.coveragePercent], [10, 66.5, 98.75]);
  assert.deepEqual(
    [scene.fields.utmZone, scene.fields.zenithAngle, scene.fields.processedL2A],
    [31, 23.5, true],
  );
  // Even if no file of the item is in the provider's own bucket.
  const bare = earthSearchItem(21);
  for (const name of Object.keys(bare.assets)) if (name.endsWith('-jp2')) delete bare.assets[name];
  assert.equal((await toScene(bare)).fields.awsPathL2A, 'tiles/31/T/DH/2022/6/21/0');
});

test('the offset of Sentinel-2: stated, by its baseline, or by original JPEG 2000 files', async () => {
  const offsetOf = async (change: (item: ReturnType<typeof earthSearchItem>) => void, more = {}) => {
    const item = earthSearchItem(1);
    change(item);
    return (await toScene(item, more)).assets.B04!.offset;
  };
  const redBands = (item: ReturnType<typeof earthSearchItem>) =>
    (item.assets.red!['raster:bands'] as Record<string, unknown>[])[0]!;
  assert.equal(await offsetOf((item) => delete item.properties['earthsearch:boa_offset_applied']), -0.1);
  // Without a field the baseline decides.
  assert.equal(
    await offsetOf((item) => {
      delete item.properties['earthsearch:boa_offset_applied'];
      delete item.assets.red!['raster:bands'];
    }),
    -0.1,
  );
  assert.equal(
    await offsetOf((item) => {
      delete item.properties['earthsearch:boa_offset_applied'];
      delete item.assets.red!['raster:bands'];
      item.properties['s2:processing_baseline'] = '03.01';
    }),
    0,
  );
  // "Not applied" and an offset of 0 contradict each other for a baseline that has one.
  assert.equal(
    await offsetOf((item) => {
      item.properties['earthsearch:boa_offset_applied'] = false;
      redBands(item).offset = 0;
    }),
    -0.1,
  );
  const jp2 = earthSearchItem(1);
  jp2.assets['red-jp2']!['proj:shape'] = [10980, 10980];
  jp2.assets['red-jp2']!['proj:transform'] = [10, 0, 399960, 0, -10, 4700040];
  delete jp2.assets.nir08;
  delete jp2.assets.scl;
  const scene = await toScene(jp2, allow(/^s3:\/\/sentinel-s2-l2a\//));
  assert.deepEqual([scene.assets.B04!.href.slice(-4), scene.assets.B04!.offset], ['.jp2', -0.1]);
});

test('a second recording of a tile on one day gets the next number, a reprocessed one the same', async () => {
  const item = earthSearchItem(1);
  item.id = 'S2B_MSIL2A_20220601T105619_R051_T31TDH_20220701T000000';
  const nameAfterFirst = async (
    acquiredAt: string,
    sceneId = 'S2B_tile_20220601_31TDH_0',
    strip?: string,
  ) => {
    const fields = strip === undefined ? {} : { originalSceneID: strip };
    const findScene = async (viewId: string) =>
      viewId.endsWith('/0') ? { acquiredAt, sceneId, fields } : null;
    return (await toScene(item, { findScene })).viewId;
  };
  assert.equal((await toScene(item)).viewId, 'S2L2A/31/T/DH/2022/6/1/0');
  assert.equal(await nameAfterFirst('2022-06-01T10:56:20.000Z'), 'S2L2A/31/T/DH/2022/6/1/0');
  // The start of the recording.
  assert.equal(await nameAfterFirst('2022-06-01T10:40:00.000Z'), 'S2L2A/31/T/DH/2022/6/1/0');
  assert.equal(await nameAfterFirst('2022-06-01T09:16:20.000Z'), 'S2L2A/31/T/DH/2022/6/1/1');
  assert.equal(
    await nameAfterFirst('2022-06-01T10:40:00.000Z', 'S2A_tile_20220601_31TDH_0'),
    'S2L2A/31/T/DH/2022/6/1/1',
  );
  // Two datastrips that meet in the tile, and a reprocessed one.
  const strip = (made: string, start: string) => `S2B_OPER_MSI_L2A_DS_VGS1_${made}_S${start}_N04.00`;
  item.properties['s2:datastrip_id'] = strip('20220701T000000', '20220601T105620');
  const nameAfterStrip = (start: string) =>
    nameAfterFirst('2022-06-01T10:56:20.000Z', undefined, strip('20220601T123000', start));
  assert.equal(await nameAfterStrip('20220601T105610'), 'S2L2A/31/T/DH/2022/6/1/1');
  assert.equal(await nameAfterStrip('20220601T105620'), 'S2L2A/31/T/DH/2022/6/1/0');
});

test('Landsat: Level 1 by its scene id, Level 2 by its product id and scale', async () => {
  const raw = await toScene(landsatItem('L1TP'));
  assert.equal(raw.viewId, 'L9/LC90100652022029LGN00');
  assert.deepEqual([raw.assets.B4!.scale, raw.assets.B4!.offset], [1, 0]);
  assert.deepEqual(raw.cloudMask, { kind: 'quality', band: 'BQA', layout: 'collection-2' });
  const surface = await toScene(landsatItem('L2SP'));
  assert.equal(surface.viewId, 'L9/LC09_L2SP_010065_20220129_20220131_02_T1');
  assert.equal(surface.sceneId, 'LC90100652022029LGN00');
  assert.deepEqual([surface.assets.B4!.scale, surface.assets.B4!.offset], [0.0000275, -0.2]);
  assert.deepEqual([surface.assets.B10!.scale, surface.assets.B10!.offset], [0.00341802, 149]);
  assert.deepEqual([surface.assets.BQA!.scale, surface.assets.BQA!.offset], [1, 0]);
  assert.deepEqual(
    [surface.fields.path, surface.fields.row, surface.fields.sensor, surface.fields.satelliteName],
    [10, 65, 'OLI_TIRS', 'Landsat-9'],
  );
});

test('a band whose pixel size differs from the item default is omitted with a note', async () => {
  const planned = await planItem(parseItem(landsatItem('L1TP')), everywhere);
  const { scene, notes } = await completeItem(planned, { doors: null, context: everywhere });
  assert.equal(scene.assets.B8, undefined);
  assert.match(notes.join(' '), /^B8 is left out/);
});

test('a Landsat item with the unit of radiance gives a calibration', async () => {
  const item = landsatItem('L1TP');
  const unit = 'watt/steradian/square_meter/micrometer';
  item.assets.red!['raster:bands'] = [{ scale: 0.62, offset: 3.08, unit, data_type: 'uint16' }];
  const scene = await toScene(item);
  assert.deepEqual(scene.calibration, {
    earthSunDistanceAu: null,
    bands: { B4: { radiance: { mult: 0.62, add: 3.08 } } },
  });
  assert.deepEqual([scene.assets.B4!.scale, scene.assets.B4!.offset], [1, 0]);
});

test('NAIP: a file of four bands, whether the item names them or not', async () => {
  const scene = await toScene(naipItem(1));
  assert.equal(scene.viewId, 'NAIP/al/2019/60cm/rgbir/30085/m_3008501_ne_16_060_20191014');
  assert.deepEqual(
    Object.entries(scene.assets).map(([name, { bandIndex }]) => [name, bandIndex]),
    [
      ['R', 0],
      ['G', 1],
      ['B', 2],
      ['N', 3],
    ],
  );
  const elsewhere = { ...naipItem(1), collection: 'my-aerials' };
  assert.equal((await toScene(elsewhere)).viewId, scene.viewId);
});

test('MODIS: a grid without a code, production time from the files, and no signature in the record', async () => {
  const scene = await toScene(modisItem());
  assert.equal(scene.viewId, 'MODIS/18/04/2022073/2022082044758');
  assert.deepEqual([scene.cloudPercent, scene.fields.cloudCoverage], [0, 0], 'clouds have no data');
  assert.deepEqual(Object.keys(scene.assets), ['B01', 'B02', 'B01qa', 'B02qa']);
  const { B01 } = scene.assets;
  assert.deepEqual([B01!.epsg, B01!.proj?.slice(0, 7), B01!.scale], [0, 'PROJCRS', 0.0001]);
  assert.doesNotMatch(JSON.stringify(scene), /sig=|c2VjcmV0/);
  assert.match(B01!.href, /Nadir_Reflectance_Band1\.tif$/);
});

test('an item with new signatures is the same item', async () => {
  const [one, other] = [modisItem(), modisItem()];
  for (const asset of Object.values(other.assets))
    asset.href = String(asset.href).replace('c2VjcmV0', 'b3RoZXI');
  other.properties.updated = '2030-01-01T00:00:00Z';
  assert.deepEqual(await toScene(other), await toScene(one));
});

test('the first allowed address is used; Amazon S3 can be reached by https and s3', async () => {
  const s3 = await toScene(landsatItem('L2SP'), allow(/^s3:\/\/usgs-landsat\//));
  assert.match(s3.assets.B4!.href, /^s3:\/\/usgs-landsat\/.*_SR_B4\.TIF$/);
  const bucket = await toScene(earthSearchItem(1), allow(/^s3:\/\/sentinel-cogs\//));
  assert.match(bucket.assets.B04!.href, /^s3:\/\/sentinel-cogs\/sentinel-s2-l2a-cogs\/31\/.*B04\.tif$/);
});

test('a scene with forbidden files is refused, and the source to allow is named', async () => {
  await assert.rejects(toScene(naipItem(1), allow(/^$/)), {
    tag: 'not-allowed',
    code: 'source-not-allowed',
    message: /add https:\/\/naipeuwest\.blob\.core\.windows\.net to SWATH_SOURCES/,
  });
});

test('an item from the network cannot refer to local files', async () => {
  for (const href of ['file:///etc/passwd', '/etc/passwd.tif', '../../etc/passwd.tif']) {
    const item = naipItem(1);
    item.assets.image!.href = `${href}?m_3008501_ne_16_060_20191014.tif`;
    const rules = {
      isAllowedHref: (one: string) => !one.startsWith('https://stac.example/'),
      toHref: () => assert.fail('A path was requested.'),
    };
    await assert.rejects(toScene(item, { rules }), { code: 'source-not-allowed' }, href);
  }
});

test('relative files of a local item are found from its folder', async () => {
  const item = naipItem(1);
  item.assets.image!.href = './images/m_3008501_ne_16_060_20191014.tif';
  const scene = await toScene(item, {
    location: { kind: 'folder', folder: '/data/stac' },
    rules: { isAllowedHref: () => false, toHref: (path) => path },
  });
  assert.equal(scene.assets.R!.href, '/data/stac/images/m_3008501_ne_16_060_20191014.tif');
});

test('unsupported collections are refused with the reason', async () => {
  const other = (collection: string | undefined, id = 'x') =>
    makeItem({
      id,
      ...(collection === undefined ? {} : { collection }),
      box: [0, 0, 1, 1],
      properties: { datetime: '2020-01-01T00:00:00Z' },
      assets: { data: { href: 'https://x.example/a.tif' } },
    });
  const reasons: [string | undefined, RegExp][] = [
    ['cop-dem-glo-30', /elevation/],
    ['modis-13A1-061', /MCD43A4/],
    ['sentinel-1-rtc', /GRD/],
    ['landsat-c2l2-st', /landsat-c2l2-sr/],
    ['anything', /anything/],
    [undefined, /no collection/],
  ];
  for (const [collection, message] of reasons) {
    const expected = { tag: 'unsupported', code: 'stac-collection', message };
    await assert.rejects(toScene(other(collection)), expected, String(collection));
  }
  const third = landsatItem('L1TP');
  third.properties['landsat:scene_id'] = 'LM30010011978130AAA02';
  await assert.rejects(toScene(third), { code: 'stac-collection', message: /Landsat 3/ });
});

test('Sentinel-1 is not placed by its item, which cannot express it', async () => {
  await assert.rejects(toScene(sentinel1Item()), { code: 'needs-files' });
});

test('an item whose geometry does not overlap its images is broken', async () => {
  const item = { ...naipItem(1), geometry: earthSearchItem(1).geometry };
  await assert.rejects(toScene(item), { tag: 'source-broken', code: 'stac-misplaced' });
});

test('an outline that crosses itself is replaced by that of the image', async () => {
  const item = naipItem(1);
  const bow = [
    [-86, 30.9],
    [-85.8, 31.1],
    [-85.8, 30.9],
    [-86, 31.1],
    [-86, 30.9],
  ];
  const { footprint } = await toScene({ ...item, geometry: { type: 'Polygon', coordinates: [bow] } });
  assert.equal(footprint.type, 'Polygon');
  assert.notDeepEqual(footprint.coordinates, [bow]);
});
