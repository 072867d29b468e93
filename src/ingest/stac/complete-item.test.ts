import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cbersXml,
  toAnnotationXml,
  toCalibrationXml,
  toLandsatJson,
  toNoiseXml,
} from '../families/testing/product-texts.ts';
import type { TestFolder } from '../folder/testing/make-folder.ts';
import { makeTestFolder } from '../folder/testing/make-folder.ts';
import { ingestStac } from './ingest-stac.ts';
import { makeItem, sentinel1Item } from './testing/make-items.ts';

/** Ingests an item whose files are in its folder, with a text under each given name. */
async function ingest(
  item: object,
  texts: Readonly<Record<string, string>>,
  images: (folder: TestFolder) => Promise<void>,
) {
  const folder = await makeTestFolder();
  await folder.write('item.json', JSON.stringify(item));
  for (const [name, text] of Object.entries(texts)) await folder.write(name, text);
  await images(folder);
  const { store, open, toHref } = folder.options;
  const report = await ingestStac({
    from: `${folder.root}/item.json`,
    filters: { bbox: null, date: null, maxCloudPercent: null, limit: null, collections: [] },
    store,
    open,
    toHref,
    fetch: null,
    isAllowedHref: () => false,
  });
  return { line: report.products[0]!, scene: [...folder.scenes.values()][0] };
}

const LANDSAT = { sceneId: 'LC80160372017225LGN00', productId: 'LC08_L1TP_016037_20170813_20200908_02_T1' };

const landsat = makeItem({
  id: LANDSAT.productId,
  collection: 'landsat-c2l1',
  box: [-82, 32, -80, 34],
  properties: {
    datetime: '2017-08-13T15:54:15.788464Z',
    'landsat:scene_id': LANDSAT.sceneId,
    'landsat:correction': 'L1TP',
  },
  assets: {
    'MTL.json': { href: './MTL.json', type: 'application/json', roles: ['metadata'] },
    red: { href: './B4.TIF', type: 'image/tiff', roles: ['data'], 'eo:bands': [{ name: 'B4' }] },
  },
});
const red = (folder: TestFolder) =>
  folder.writeImage('B4.TIF', { epsg: 32617, west: 500_000, north: 3_700_000, pixel: 30 });

test('the constants of a Landsat scene come from its MTL file', async () => {
  const { scene, line } = await ingest(
    landsat,
    { 'MTL.json': toLandsatJson({ ...LANDSAT, collection: 2 }) },
    red,
  );
  assert.equal(line.outcome, 'ingested');
  assert.equal(scene?.viewId, `L8/${LANDSAT.sceneId}`);
  const { reflectance, radiance } = scene?.calibration?.bands.B4 ?? {};
  assert.ok(reflectance !== undefined && radiance !== undefined);
  assert.equal(typeof scene?.calibration?.earthSunDistanceAu, 'number');
});

test('unreadable metadata cost a scene its constants, but it is ingested', async () => {
  const { scene, line } = await ingest(landsat, {}, red);
  assert.equal(line.outcome, 'ingested');
  assert.match(line.notes?.join(' ') ?? '', /MTL\.json cannot be read \(source-gone\)/);
  assert.equal(scene?.calibration, undefined);
});

test('metadata of another scene break the item', async () => {
  const other = toLandsatJson({
    ...LANDSAT,
    sceneId: 'LC80160372017241LGN00',
    productId: null,
    collection: 2,
  });
  const { line, scene } = await ingest(landsat, { 'MTL.json': other }, red);
  assert.deepEqual([line.outcome, line.code, scene], ['broken', 'metadata-of-another', undefined]);
});

test('Sentinel-1 is placed and calibrated by its annotations if the file has no control points', async () => {
  const item = sentinel1Item();
  const text = (href: string) => ({ href, type: 'application/xml', roles: ['metadata'] });
  const assets = {
    ...item.assets,
    'schema-product-vv': text('./product.xml'),
    'schema-calibration-vv': text('./calibration.xml'),
    'schema-noise-vv': text('./noise.xml'),
  };
  const table = { lines: [0, 1], pixels: [0, 1], value: () => 500 };
  const { scene, line } = await ingest(
    { ...item, geometry: null, assets },
    {
      'product.xml': toAnnotationXml('VV'),
      'calibration.xml': toCalibrationXml('VV', table),
      'noise.xml': toNoiseXml('VV', {
        range: [{ line: 0, pixels: [0, 1], values: [7, 8] }],
        azimuth: [{ line: 0, pixels: [0, 1], values: [1, 1.5] }],
      }),
    },
    async (folder) => {
      const { readFile } = await import('node:fs/promises');
      const golden = new URL('../../../test/golden/tiff/no-place.tif', import.meta.url);
      await folder.write('measurement/iw-vv.tiff', await readFile(golden));
    },
  );
  assert.equal(line.outcome, 'ingested', line.reason);
  assert.deepEqual(scene?.assets.VV?.lattice?.cols, [0.5, 1.5]);
  assert.equal(scene?.calibration?.bands.VV?.sigmaNought?.values[0], 500);
  assert.deepEqual(scene?.calibration?.bands.VV?.noise?.range.values, [7, 8]);
  assert.deepEqual(scene?.calibration?.bands.VV?.noise?.azimuth[0]?.values, [1, 1.5]);
});

test('the gains of CBERS-4 come from the XML of a band', async () => {
  const name = 'CBERS_4_MUX_20170528_090_084_L2';
  const picture = `https://s3.amazonaws.com/cbers-meta-pds/CBERS4/MUX/090/084/${name}/CBERS_4_MUX_20170528_090_084.jpg`;
  const item = makeItem({
    id: name,
    collection: 'CBERS4MUX',
    box: [23.4, 13.7, 24.9, 15],
    properties: { datetime: '2017-05-28T09:01:17Z', 'view:sun_elevation': 70.3079 },
    assets: {
      thumbnail: { href: picture, type: 'image/jpeg' },
      metadata: { href: `./${name}_BAND6.xml`, type: 'text/xml' },
      B5: { href: `./${name}_BAND5.tif`, type: 'image/tiff; application=geotiff', 'eo:bands': [0] },
    },
  });
  const { scene, line } = await ingest(item, { [`${name}_BAND6.xml`]: cbersXml }, (folder) =>
    folder.writeImage(`${name}_BAND5.tif`, {
      epsg: 32634,
      west: 800_000,
      north: 1_600_000,
      pixel: 20,
      type: 'uint8',
    }),
  );
  assert.equal(line.outcome, 'ingested', line.reason);
  assert.equal(scene?.viewId, `CBERS4MUX/${name}`);
  assert.deepEqual([scene?.fields.path, scene?.fields.row, scene?.fields.sensor], [90, 84, 'MUX']);
  assert.deepEqual(
    [scene?.fields.thumbnail, scene?.fields.downloadUrl],
    [picture, `CBERS4/MUX/090/084/${name}`],
  );
  assert.equal(typeof scene?.calibration?.bands.BAND5?.radiance?.mult, 'number');
});
