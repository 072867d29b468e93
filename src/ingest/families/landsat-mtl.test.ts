import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLandsatMtl } from './landsat-mtl.ts';
import type { LandsatText } from './testing/product-texts.ts';
import { toLandsatJson, toLandsatOdl, toLandsatXml } from './testing/product-texts.ts';

const collection2: LandsatText = {
  sceneId: 'LC80160372017225LGN00',
  productId: 'LC08_L1TP_016037_20170813_20200903_02_T1',
  collection: 2,
};

test('the three formats of the metadata give the same facts', () => {
  const odl = parseLandsatMtl(toLandsatOdl(collection2), 'x_MTL.txt');
  assert.deepEqual(parseLandsatMtl(toLandsatJson(collection2), 'x_MTL.json'), odl);
  assert.deepEqual(parseLandsatMtl(toLandsatXml(collection2), 'x_MTL.xml'), odl);
  assert.equal(odl.collection, 'collection-2');
  assert.equal(odl.acquiredAt, '2017-08-13T15:54:15.788Z');
  assert.equal(odl.processedAt, '2020-09-08T01:33:50.000Z');
  assert.deepEqual([odl.path, odl.row, odl.spacecraft], [16, 37, 8]);
  assert.deepEqual([odl.cloudPercent, odl.sunElevationDeg, odl.earthSunDistanceAu], [12.5, 62.25, 1.013]);
  assert.deepEqual(odl.bands['4'], {
    radiance: { mult: 9.735e-3, add: -48.67504 },
    reflectance: { mult: 2e-5, add: -0.1 },
  });
  assert.deepEqual(odl.bands['10'], {
    radiance: { mult: 3.342e-4, add: 0.1 },
    thermal: { k1: 774.8853, k2: 1321.0789 },
  });
  assert.deepEqual(odl.files, { 4: 'LC08_L1TP_016037_20170813_20200903_02_T1_B4.TIF' });
});

test('older collections have the same facts in other groups', () => {
  const one = parseLandsatMtl(
    toLandsatOdl({ ...collection2, collection: 1, productId: 'LC08_L1TP_016037_20170813_20170814_01_RT' }),
    'x',
  );
  assert.equal(one.collection, 'collection-1');
  assert.equal(one.productId, 'LC08_L1TP_016037_20170813_20170814_01_RT');
  assert.equal(one.bands['4']?.reflectance?.mult, 2e-5);
  const none = parseLandsatMtl(
    toLandsatOdl({ ...collection2, collection: 0, productId: null, level: 'L1T' }),
    'x',
  );
  assert.equal(none.collection, 'pre-collection');
  assert.equal(none.productId, null);
  assert.equal(none.level, 'L1T');
});

test('ids and scales of a Level 2 product are its own, not those of its Level 1 product', () => {
  const productId = 'LC08_L2SP_016037_20170813_20200903_02_T1';
  const metadata = parseLandsatMtl(toLandsatOdl({ ...collection2, productId, level: 'L2SP' }), 'x');
  assert.equal(metadata.productId, productId);
  assert.equal(metadata.level, 'L2SP');
  assert.equal(metadata.sceneId, 'LC80160372017225LGN00');
  assert.deepEqual(metadata.surface, {
    4: { mult: 2.75e-5, add: -0.2 },
    ST_B10: { mult: 0.00341802, add: 149 },
  });
});

test('text after END is ignored: files of some years are padded with NUL', () => {
  const text = `${toLandsatOdl(collection2)}${'\0'.repeat(60_000)}`;
  assert.equal(parseLandsatMtl(text, 'x').sceneId, collection2.sceneId);
});

test('a cloud cover of -1 means unknown', () => {
  assert.equal(parseLandsatMtl(toLandsatOdl({ ...collection2, cloud: -1 }), 'x').cloudPercent, null);
});

test('metadata that are truncated, lack a field or are not MTL are refused with the file name', () => {
  const odl = toLandsatOdl(collection2);
  const refuse = (text: string, code: string) =>
    assert.throws(() => parseLandsatMtl(text, 'x_MTL.txt'), { code, message: /x_MTL\.txt/ });
  refuse(odl.slice(0, odl.length / 2), 'metadata-bad-mtl');
  refuse('GROUP = SOMETHING_ELSE\nEND_GROUP = SOMETHING_ELSE\nEND\n', 'metadata-bad-mtl');
  refuse('hello', 'metadata-bad-mtl');
  refuse('', 'metadata-bad-mtl');
  refuse('{"L1_METADATA_FILE": 7}', 'metadata-bad-mtl');
  refuse('{', 'metadata-bad-json');
  refuse('<LANDSAT_METADATA_FILE>', 'metadata-bad-xml');
  for (const field of ['LANDSAT_SCENE_ID', 'SPACECRAFT_ID', 'DATE_ACQUIRED', 'WRS_PATH']) {
    refuse(odl.replace(new RegExp(`^ *${field} =.*$`, 'm'), ''), 'metadata-incomplete');
  }
  refuse(odl.replace('2017-08-13', '2017-02-30'), 'metadata-incomplete');
});

test('file names that lead out of the product are ignored', () => {
  const text = toLandsatOdl(collection2).replace(
    /FILE_NAME_BAND_4 = .*/,
    'FILE_NAME_BAND_4 = "../../etc/passwd"',
  );
  assert.deepEqual(parseLandsatMtl(text, 'x').files, {});
});
