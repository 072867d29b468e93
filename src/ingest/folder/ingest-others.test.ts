import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTinyTiff } from '../../formats/tiff/testing/tiny-tiff.ts';
import { geometryBounds } from '../../geo/index.ts';
import {
  cbersXml,
  sentinel1Manifest,
  toAnnotationXml,
  toCalibrationXml,
  toNoiseXml,
} from '../families/testing/product-texts.ts';
import { ingestFolder } from './ingest-folder.ts';
import type { TestImage } from './testing/make-folder.ts';
import { ingestOne, withFolder } from './testing/make-folder.ts';

test('a SAFE folder of Sentinel-1: placement by the geolocation grid, calibration table', () =>
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
    const range = [{ line: 0, pixels: [0, 40], values: [7, 8] }];
    const noisePath = `${name}.SAFE/annotation/calibration/noise-${image}.xml`;
    await folder.write(noisePath, toNoiseXml('VV', { range, azimuth: null }));
    const scene = await ingestOne(folder, `S1/${name}`);
    assert.equal(scene.acquiredAt, '2021-08-09T17:39:53.153Z');
    assert.deepEqual(
      [scene.fields.polarization, scene.fields.passDirection, scene.fields.mode],
      ['DV', 'ASCENDING', 'IW'],
    );
    assert.deepEqual(scene.assets.VV?.lattice?.cols, [0.5, 1.5]);
    assert.equal(scene.assets.VV?.epsg, 4326);
    assert.deepEqual(scene.calibration?.bands.VV?.sigmaNought?.values, [600, 600, 600, 600]);
    assert.deepEqual(scene.calibration?.bands.VV?.noise, {
      range: { lines: [0], pixels: [0, 40], values: [7, 8] },
      azimuth: [],
    });
    assert.equal(scene.cloudMask, undefined);
    const { west, east } = geometryBounds(scene.footprint);
    assert.deepEqual([west, east], [2, 3.1]);
    // Invalid noise is reported and has no other effect.
    await folder.write(noisePath, '<noise/>');
    const { products } = await ingestFolder(folder.options);
    assert.match(products[0]?.notes?.join() ?? '', /^The noise is left out: The file noise-s1a/);
    const bare = folder.scenes.get(`S1/${name}`)?.calibration?.bands.VV;
    assert.deepEqual(Object.keys(bare ?? {}), ['sigmaNought']);
  }));

test('a CBERS-4 product in the folders of its bucket has the path there, and another does not', () =>
  withFolder(async (folder) => {
    const image: TestImage = { epsg: 32634, west: 744_000, north: 1_662_000, pixel: 11_000, type: 'uint8' };
    const [one, other] = ['CBERS_4_MUX_20170528_090_084_L2', 'CBERS_4_MUX_20170529_090_084_L2'];
    const path = `CBERS4/MUX/090/084/${one}`;
    await folder.writeImage(`cbers-pds/${path}/${one}_BAND6.tif`, image);
    await folder.writeImage(`CBERS4/MUX/090/085/${other}/${other}_BAND6.tif`, image);
    const { fields } = await ingestOne(folder, `CBERS4MUX/${one}`);
    assert.equal(fields.downloadUrl, path);
    assert.equal(
      fields.thumbnail,
      `https://s3.amazonaws.com/cbers-meta-pds/${path}/CBERS_4_MUX_20170528_090_084_small.jpeg`,
    );
    const without = folder.scenes.get(`CBERS4MUX/${other}`)?.fields;
    assert.deepEqual([without?.downloadUrl, without?.thumbnail], [undefined, undefined]);
    // The provider has no thumbnail of a demo scene.
    folder.scenes.clear();
    await ingestFolder({ ...folder.options, provenance: 'demo' });
    const demo = folder.scenes.get(`CBERS4MUX/${one}`);
    assert.deepEqual([demo?.provenance, demo?.fields.thumbnail], ['demo', undefined]);
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
    // The state of the third image is unknown.
    assert.deepEqual(
      report.products
        .filter(({ outcome }) => outcome === 'broken')
        .map(({ product, code }) => [product, code]),
      [['flat/m_3008503_nw_16_060_20200415', 'state-unknown']],
    );
    const scene = folder.scenes.get(`CBERS4MUX/${cbers}`)!;
    assert.deepEqual([scene.sunElevationDeg, scene.acquiredAt], [70.3079, '2017-05-28T09:01:17.925Z']);
    assert.deepEqual(scene.calibration?.bands, { BAND6: { radiance: { mult: 1.5762, add: 0 } } });
    // The tilted measured area, from the XML.
    assert.equal(scene.footprint.type === 'Polygon' && scene.footprint.coordinates[0]?.length, 5);
    const tile = folder.scenes.get('MODIS/12/04/2017204/2017213034223')!;
    assert.deepEqual([tile.assets.B01?.scale, tile.acquiredAt], [1e-4, '2017-07-23T00:00:00.000Z']);
    // Clouds are nodata: a search for few clouds finds it.
    assert.deepEqual([tile.cloudPercent, tile.fields.cloudCoverage], [0, 0]);
    assert.equal(
      folder.scenes.get('NAIP/al/2011/1m/rgbir/30085/m_3008501_ne_16_1_20110815')?.assets.N?.bandIndex,
      3,
    );
  }));

test('the scale of a file is used where the sensor has none, and the report says so', () =>
  withFolder(async (folder) => {
    const bands = [{ scale: 0.5, offset: -3 }, {}, {}, {}];
    const image: TestImage = { epsg: 26_916, west: 600_000, north: 3_400_000, pixel: 400, type: 'uint8' };
    const name = 'm_3008501_ne_16_1_20110815';
    await folder.writeImage(`al/2011/1m/rgbir/30085/${name}.tif`, { ...image, bandCount: 4, bands });
    const { products } = await ingestFolder(folder.options);
    assert.deepEqual(products[0]?.notes, ['R: CALIBRATE uses the scale 0.5 and offset -3 of its file.']);
    const [scene] = folder.scenes.values();
    const { R, G } = scene!.assets;
    assert.deepEqual([R?.scale, R?.offset, G?.scale, G?.offset], [0.5, -3, 1, 0]);
  }));
