import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeGate } from '../../async/index.ts';
import type { NewScene } from '../../catalog/index.ts';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import { openTiff, readBlock, toBandPixels } from '../../formats/tiff/index.ts';
import { invertAffine } from '../../geo/index.ts';
import { makeReadLiveItem, parseItem, toItemHit } from '../../ingest/index.ts';
import { planItem } from '../../ingest/stac/plan-item.ts';
import type { NetworkSources } from '../../sources/index.ts';
import { makeOpenSource } from '../../sources/index.ts';
import { heightAt } from './dem-items.ts';
import { toItem } from './fake-answers.ts';
import { startFakeStac } from './fake-stac.ts';
import { cloudSideM, expectNdvi, groundAt, PIXEL_QUALITY, reflectanceOf, SCENE_CLASSES } from './ground.ts';
import { LANDSAT_REFLECTANCE } from './landsat-scene.ts';
import type { MadeItem } from './made-item.ts';
import { makeItem } from './make-item.ts';
import { TILE_M, toMgrsTile } from './mgrs-tiles.ts';
import { naipValues } from './naip-items.ts';
import { SIGMA_NOUGHT } from './sentinel1-items.ts';
import { MSI_OFFSET, MSI_PLAIN } from './sentinel2-scene.ts';
import { wrsCentre } from './wrs-scenes.ts';

const credentials = { accessKeyId: 'TESTACCESSKEY', secretAccessKey: 'very/secret+key=' };
const fake = await startFakeStac({
  buckets: {
    eodata: { credentials },
    'usgs-landsat': { credentials, requesterPays: true },
    landsatlook: { tokens: true },
  },
});
after(() => fake[Symbol.asyncDispose]());
const { place } = fake;
const store = { region: 'eu-central-1', endpoint: fake.origin, pathStyle: true, credentials };
const network: NetworkSources = {
  ...fake.network,
  s3: [
    { ...store, buckets: ['eodata'] },
    { ...store, buckets: ['usgs-landsat'], requesterPays: true },
  ],
};
const open = makeOpenSource({ dataDir: '/nowhere', network });
const jp2Decoder = makeJp2Decoder();
const findScene = async () => null;

const location = { kind: 'url', url: `${fake.url}/search` } as const;
const rules = {
  // The USGS wants a login there.
  isAllowedHref: (href: string) => !href.includes('/landsatlook/'),
  toHref: () => assert.fail('no file of this machine'),
};
const context = { location, rules, findScene, probe: true };

/** The record of an item by the rules of an ingest, with the headers of its files read from the fake. */
async function readScene(made: MadeItem, assets: readonly string[] = []): Promise<NewScene> {
  fake.replace(made);
  const item = fake.itemOf(made.head.id);
  if (assets.length === 0) return readItem(item);
  // Each file takes time to make.
  return readItem({ ...item, assets: Object.fromEntries(assets.map((key) => [key, item.assets[key]!])) });
}

async function readItem(value: unknown): Promise<NewScene> {
  const item = parseItem(value);
  const { hit } = (await toItemHit(item, findScene))!;
  const scene = await makeReadLiveItem()(item, {
    location,
    rules,
    findScene,
    doors: { open, jp2Decoder, gate: makeGate(8) },
  });
  assert.equal(hit.viewId, scene.viewId);
  assert.equal(hit.dataset, scene.dataset);
  return scene;
}

/** The measurement in a band at a place of its reference system. */
async function readValue(scene: NewScene, band: string, x: number, y: number): Promise<number> {
  const { href, transform, scale, offset, bandIndex } = scene.assets[band]!;
  const tiff = await openTiff(await open(href));
  const image = tiff.images[0]!;
  const [west, a, b, north, c, d] = invertAffine(transform);
  const column = Math.floor(west + a * x + b * y);
  const row = Math.floor(north + c * x + d * y);
  const block = await readBlock(tiff, image, {
    band: bandIndex,
    column: Math.floor(column / image.blockWidth),
    row: Math.floor(row / image.blockHeight),
  });
  const at = (row % image.blockHeight) * block.width + (column % image.blockWidth);
  return toBandPixels(block, bandIndex)[at]! * scale + offset;
}

test('Sentinel-2 items of Earth Search have files of real size with values that follow from place and day', async () => {
  const day = '2022-06-11';
  for (const [collection, stored] of [
    ['earth-search/sentinel-2-l2a', MSI_PLAIN],
    ['earth-search/sentinel-2-c1-l2a', MSI_OFFSET],
  ] as const) {
    const made = makeItem(collection, { tile: '31TDH', day, cloud: 20 }, place);
    assert.equal((await planItem(parseItem(toItem(made, fake)), context)).bands.size, 13);
    const scene = await readScene(made, ['red', 'nir', 'nir08', 'scl']);
    assert.equal(scene.viewId, 'S2L2A/31/T/DH/2022/6/11/0');
    assert.equal(scene.cloudPercent, 20);
    const { B04, B8A } = scene.assets;
    assert.deepEqual([B04!.width, B8A!.width, B04!.overviews.length], [10_980, 5_490, 5]);
    const { west, north } = toMgrsTile('31TDH');
    assert.deepEqual(B04!.transform, [west, 10, 0, north, 0, -10]);
    for (const [eastM, southM] of [
      [90_000, 70_000],
      [91_000, 70_000],
      [90_000, 71_000],
      [91_500, 71_000],
      [TILE_M - 5, TILE_M - 5],
    ] as const) {
      const ground = groundAt(eastM, southM);
      const at = [west + eastM, north - southM] as const;
      const [nir, red] = [await readValue(scene, 'B08', ...at), await readValue(scene, 'B04', ...at)];
      const ndvi = (nir - red) / (nir + red);
      assert.ok(Math.abs(ndvi - expectNdvi(ground, day, stored)) < 1e-9, `${ground} ${ndvi}`);
      assert.equal(await readValue(scene, 'SCL', ...at), SCENE_CLASSES[ground]);
    }
    const cloudM = cloudSideM(20, TILE_M);
    assert.equal(await readValue(scene, 'SCL', west + cloudM - 30, north - cloudM + 30), SCENE_CLASSES.cloud);
    assert.notEqual(
      await readValue(scene, 'SCL', west + cloudM + 30, north - cloudM + 30),
      SCENE_CLASSES.cloud,
    );
  }
});

test('Sentinel-2 items of the Planetary Computer have assets by band and the offset of their baseline', async () => {
  const made = (day: string) =>
    makeItem('planetary-computer/sentinel-2-l2a', { tile: '1KAB', day, cloud: 0 }, place);
  for (const [day, stored] of [
    ['2021-06-11', MSI_PLAIN],
    ['2023-06-11', MSI_OFFSET],
  ] as const) {
    const scene = await readScene(made(day), ['B04', 'B08', 'SCL']);
    assert.equal(scene.viewId, `S2L2A/1/K/AB/${day.slice(0, 4)}/6/11/0`);
    assert.equal(scene.footprint.type, 'MultiPolygon');
    const { west, north } = toMgrsTile('1KAB');
    const at = [west + 640, north - 640] as const;
    const [nir, red] = [await readValue(scene, 'B08', ...at), await readValue(scene, 'B04', ...at)];
    assert.ok(Math.abs((nir - red) / (nir + red) - expectNdvi('crop', day, stored)) < 1e-9);
  }
});

test('Landsat items of both catalogs are the same scene, by its product id', async () => {
  const choice = { path: 10, row: 65, day: '2022-01-29', satellite: 9, cloud: 0 } as const;
  for (const kind of ['planetary-computer/landsat-c2-l2', 'usgs/landsat-c2l2-sr'] as const) {
    const scene = await readScene(makeItem(kind, choice, place), ['red', 'nir08', 'qa_pixel']);
    assert.equal(scene.viewId, 'L9/LC09_L2SP_010065_20220129_20220131_02_T1');
    assert.deepEqual([scene.fields.path, scene.fields.row], [10, 65]);
    const [west, , , north] = scene.assets.B4!.transform;
    const red = await readValue(scene, 'B4', west + 640, north - 640);
    const nir = await readValue(scene, 'B5', west + 640, north - 640);
    const expected = expectNdvi('crop', choice.day, LANDSAT_REFLECTANCE);
    assert.ok(Math.abs((nir - red) / (nir + red) - expected) < 1e-6);
    assert.equal(await readValue(scene, 'BQA', west + 640, north - 640), PIXEL_QUALITY.crop);
  }
  const old = makeItem(
    'planetary-computer/landsat-c2-l2',
    { ...choice, day: '2004-01-01', satellite: 5 },
    place,
  );
  assert.equal((await readScene(old, ['red'])).viewId, 'L5TM/LT05_L2SP_010065_20040101_20040103_02_T1');
});

test('the center of a Landsat scene matches the USGS', () => {
  for (const [path, row, lon, lat] of [
    [28, 30, -95.56, 43.17],
    [47, 27, -123.4, 47.3],
    [10, 65, -80.0, -7.2],
  ] as const) {
    const [x, y] = wrsCentre(path, row);
    assert.ok(Math.abs(x - lon) < 0.5 && Math.abs(y - lat) < 0.3, `${path}/${row}: ${x} ${y}`);
  }
});

test('items can be radar, aerial images and MODIS', async () => {
  const radar = await readScene(
    makeItem('planetary-computer/sentinel-1-grd', { lon: 3, lat: 45, day: '2021-08-09' }, place),
  );
  assert.match(
    radar.viewId,
    /^S1\/S1A_IW_GRDH_1SDV_20210809T\d{6}_20210809T\d{6}_\d{6}_[0-9A-F]{6}_[0-9A-F]{4}$/,
  );
  assert.ok(radar.assets.VV!.lattice !== undefined);
  assert.equal(radar.calibration?.bands.VV?.sigmaNought?.values[0], SIGMA_NOUGHT);
  const aerial = await readScene(
    makeItem(
      'planetary-computer/naip',
      { state: 'al', quad: '3008501', quarter: 'ne', day: '2019-10-14' },
      place,
    ),
  );
  assert.equal(aerial.viewId, 'NAIP/al/2019/60cm/rgbir/30085/m_3008501_ne_16_060_20191014');
  const [west, , , north] = aerial.assets.N!.transform;
  assert.equal(await readValue(aerial, 'N', west + 10, north - 10), naipValues('nir', '2019-10-14')[0]);
  const modis = await readScene(
    makeItem('planetary-computer/modis-43A4-061', { horizontal: 18, vertical: 4, day: '2022-03-14' }, place),
    ['Nadir_Reflectance_Band1'],
  );
  assert.equal(modis.viewId, 'MODIS/18/04/2022073/2023009044758');
  const { transform } = modis.assets.B01!;
  const red = await readValue(modis, 'B01', transform[0] + 1_000, transform[3] - 1_000);
  assert.equal(
    red,
    Math.round(reflectanceOf('crop', 'red', '2022-03-14') * 10_000) * modis.assets.B01!.scale,
  );
});

test('Sentinel-2 items of Copernicus are JPEG 2000 in a bucket with keys', async () => {
  const made = makeItem('copernicus/sentinel-2-l2a', { tile: '31TDH', day: '2023-06-11', cloud: 0 }, place);
  const scene = await readScene(made, ['B01_60m', 'SCL_60m']);
  assert.equal(scene.viewId, 'S2L2A/31/T/DH/2023/6/11/0');
  assert.match(scene.assets.B01!.href, /^s3:\/\/eodata\/Sentinel-2\/MSI\/L2A\/2023\/06\/11\//);
  assert.deepEqual([scene.assets.B01!.width, scene.assets.B01!.offset], [1_830, -0.1]);
});

test('neighbouring DEM cells meet without a step', async () => {
  const made = makeItem('planetary-computer/cop-dem-glo-30', { lon: -115, lat: 53 }, place);
  assert.equal(made.head.id, 'Copernicus_DSM_COG_10_N53_00_W115_00_DEM');
  fake.replace(made);
  const tiff = await openTiff(await open(String(fake.itemOf(made.head.id).assets.data!.href)));
  const [image] = tiff.images;
  assert.deepEqual([image!.width, image!.height], [2_400, 3_600]);
  const block = await readBlock(tiff, image!, { band: 0, column: 0, row: 0 });
  assert.equal(toBandPixels(block, 0)[50 * block.width + 50], Math.fround(heightAt(50, 50)));
  assert.ok(Math.abs(heightAt(2_400, 0) - heightAt(0, 0)) < 1e-9);
});

test('noise makes a file large, and changes its values by no more than requested', async () => {
  const day = '2023-06-11';
  const read = (noise: number) =>
    readScene(makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day, cloud: 0, noise }, place), [
      'red',
    ]);
  const { west, north } = toMgrsTile('31TDH');
  const scene = await read(100);
  const noisy = await readValue(scene, 'B04', west + 640, north - 640);
  const { size } = await open(scene.assets.B04!.href);
  const calm = await readValue(await read(0), 'B04', west + 640, north - 640);
  assert.ok(noisy !== calm && Math.abs(noisy - calm) <= 0.01, `${noisy} ${calm}`);
  assert.ok(size > 50_000_000, String(size));
});
