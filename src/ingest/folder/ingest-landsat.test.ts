import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometryBounds } from '../../geo/index.ts';
import { toLandsatJson, toLandsatOdl } from '../families/testing/product-texts.ts';
import { ingestFolder } from './ingest-folder.ts';
import { ingestOne, L8, landsat, SCENE, withFolder, writeLandsat } from './testing/make-folder.ts';

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

test('a Landsat product of Level 2 is named by its product id and has the scale of surface reflectance', () =>
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

test('a Landsat product that was ingested without its MTL is replaced when the MTL arrives', () =>
  withFolder(async (folder) => {
    await folder.writeImage(`${L8}/${L8}_B4.TIF`, SCENE);
    await ingestFolder(folder.options);
    const bare = folder.scenes.get(`L8/${L8}`);
    assert.equal(bare?.fields.dayOrNight, undefined);
    await writeLandsat(folder);
    const { totals } = await ingestFolder(folder.options);
    assert.equal(totals.ingested, 1);
    assert.deepEqual([...folder.scenes.keys()], ['L8/LC80160372017225LGN00']);
    // The next run removes the leftovers of an interrupted one.
    folder.scenes.set(`L8/${L8}`, bare!);
    assert.deepEqual((await ingestFolder(folder.options)).totals.unchanged, 1);
    assert.deepEqual([...folder.scenes.keys()], ['L8/LC80160372017225LGN00']);
  }));

test('the copy of a Landsat product that has metadata is kept, in any order', async () => {
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
