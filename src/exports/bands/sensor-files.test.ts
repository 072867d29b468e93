import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Asset } from '../../catalog/index.ts';
import { toPlacement } from '../../formats/block-file/testing/placement.ts';
import { writeCogFile } from '../../formats/cog/testing/write-cog.ts';
import { makeMemorySource } from '../../formats/testing/memory-source.ts';
import { openZip } from '../../formats/testing/read-zip.ts';
import { openTiff } from '../../formats/tiff/index.ts';
import { LON_LAT_GRID, toOutline } from '../../geo/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import { pointsOfPass } from '../../proj/testing/swath-lattice.ts';
import {
  cutPixels,
  makeBandPixels,
  makeBandsHere,
  makeBandsScene,
  readImageFile,
  withFolder,
  writeTestFile,
} from './testing/bands-here.ts';

const PASS = { size: { width: 600, height: 500 }, lon: 11, lat: 47, headingDeg: -12, pixelM: 40 };

/** A radar scene: two channels in the geometry of the sensor, with control points. */
async function writeRadar(folder: string) {
  const points = pointsOfPass(PASS).map((point, i) => ({ ...point, z: 100 + i }));
  const { width, height } = PASS.size;
  const assets: Record<string, Asset> = {};
  const pixels: Record<string, ReturnType<typeof makeBandPixels>> = {};
  for (const [i, band] of ['VV', 'VH'].entries()) {
    const own = makeBandPixels('uint16', PASS.size, i);
    await writeCogFile(
      join(folder, `${band}.tif`),
      {
        width,
        height,
        bandCount: 1,
        type: 'uint16',
        epsg: 4326,
        transform: null,
        nodata: 0,
        controlPoints: points,
        compression: 'deflate',
        predictor: 2,
        blockSize: 128,
      },
      [own],
    );
    const placement = toPlacement({ epsg: 4326, proj: null, transform: null, gcps: points });
    assets[band] = {
      href: `${band}.tif`,
      bandIndex: 0,
      ...placement,
      width,
      height,
      type: 'uint16',
      nodata: 0,
      scale: 1,
      offset: 0,
      overviews: [],
    };
    pixels[band] = own;
  }
  const viewId = 'S1/S1A_IW_GRDH_1SDV_20180716T004042_20180716T004107_022812_02792A_FD5B';
  return { points, pixels, scene: makeBandsScene(assets, { dataset: 'sentinel1', viewId }) };
}

test('radar in sensor geometry keeps its control points, and a crop has shifted ones', () =>
  withFolder(async (folder) => {
    const { points, pixels, scene } = await writeRadar(folder);
    const here = makeBandsHere(scene, folder);
    const whole = await readImageFile(await here.write({ bands: ['VV', 'VH'] }));
    assert.deepEqual(whole.pixels, [pixels.VV, pixels.VH]);
    assert.deepEqual([whole.epsg, whole.transform], [4326, null]);
    assert.deepEqual(whole.gcps, points);
    assert.ok(here.asked.some(({ kind }) => kind === 'export-copy'));

    const asset = scene.assets.VV!;
    const { toTarget } = makePixelMapping(LON_LAT_GRID, asset);
    const [lon, lat] = toTarget(300, 250);
    const bounds = { minX: lon - 0.03, maxX: lon + 0.03, minY: lat - 0.02, maxY: lat + 0.02 };
    const part = await readImageFile(await here.write({ bands: ['VV'], area: { kind: 'bounds', bounds } }));
    const [x, y] = [points[0]!.column - part.gcps[0]!.column, points[0]!.row - part.gcps[0]!.row];
    assert.ok(x > 100 && x < 300 && y > 100 && y < 250, `${x} ${y}`);
    assert.deepEqual(
      part.gcps,
      points.map((point) => ({ ...point, column: point.column - x, row: point.row - y })),
    );
    const window = { x, y, width: part.width, height: part.height };
    const described = await (await here.plan({ bands: ['VV'], area: { kind: 'bounds', bounds } })).describe();
    if (described.kind !== 'pixels') assert.fail(described.kind);
    assert.deepEqual(
      described.images.map(({ bands, isStored, plan: { inputs } }) => [
        bands,
        isStored,
        inputs[0]?.warp?.window,
      ]),
      [['VV', true, window]],
    );
    assert.deepEqual(part.pixels[0], cutPixels(pixels.VV!, 600, window));

    // an outline in degrees, on a grid that is slanted and bent
    const { minX, minY, maxX, maxY } = bounds;
    const outline = toOutline({
      type: 'Polygon',
      coordinates: [
        [
          [minX, minY],
          [maxX, minY],
          [maxX, maxY],
          [minX, maxY],
          [minX, minY],
        ],
      ],
    });
    const cut = await readImageFile(await here.write({ bands: ['VV'], area: { kind: 'outline', outline } }));
    for (let i = 0; i < cut.pixels[0]!.length; i += 7) {
      const [column, row] = [i % cut.width, Math.floor(i / cut.width)];
      const [ownLon, ownLat] = toTarget(x + column + 0.5, y + row + 0.5);
      const depth = Math.min(ownLon - minX, maxX - ownLon, ownLat - minY, maxY - ownLat);
      if (Math.abs(depth) < 1e-5) continue;
      const expected: number | undefined = depth > 0 ? part.pixels[0]![i] : 0;
      assert.equal(cut.pixels[0]![i], expected, `${column} ${row}`);
    }
  }));

test('all bands of a NAIP file are copied together, some are extracted; merge has no effect', () =>
  withFolder(async (folder) => {
    const { asset, bands } = await writeTestFile(folder, {
      name: 'm.tif',
      width: 600,
      height: 520,
      type: 'uint8',
      seeds: [1, 2, 3, 4],
    });
    const assets = Object.fromEntries(
      ['R', 'G', 'B', 'N'].map((name, i) => [name, { ...asset, bandIndex: i }]),
    );
    const viewId = 'NAIP/al/2015/1m/rgbir/30085/m_3008501_ne_16_1_20151014';
    const here = makeBandsHere(makeBandsScene(assets, { dataset: 'naip', viewId }), folder);
    for (const merge of [true, false]) {
      const planned = await here.plan({ bands: ['R', 'G', 'B', 'N'], merge });
      assert.equal(planned.fileName, 'NAIP-al-2015-1m-rgbir-30085-m_3008501_ne_16_1_20151014_R-G-B-N.TIF');
    }
    const path = await here.write({ bands: ['R', 'G', 'B', 'N'], merge: false });
    assert.deepEqual((await readImageFile(path)).pixels, bands);
    const stored = async (file: string) => {
      const bytes = await readFile(file);
      const { images } = await openTiff(makeMemorySource(bytes));
      const [{ blockOffsets: offsets, blockSizes: sizes, interleave }] = images;
      return { interleave, last: bytes.subarray(offsets.at(-1)!, offsets.at(-1)! + sizes.at(-1)!) };
    };
    assert.deepEqual(await stored(path), await stored(join(folder, 'm.tif')));
    const some = await readImageFile(await here.write({ bands: ['N', 'R'] }));
    const content = await (await here.plan({ bands: ['N', 'R'] })).describe();
    if (content.kind !== 'pixels') assert.fail(content.kind);
    assert.deepEqual(
      content.images[0]?.plan.inputs.map(({ band, bandIndex, rule }) => [band, bandIndex, rule]),
      [
        ['N', 3, 'plain'],
        ['R', 0, 'plain'],
      ],
    );
    assert.deepEqual(some.pixels, [bands[3], bands[0]]);
  }));

test('a tiled file without overviews gets some, and its own blocks are copied', () =>
  withFolder(async (folder) => {
    for (const compression of ['deflate', 'zstd', 'none'] as const) {
      const name = `${compression}.tif`;
      const { asset, bands } = await writeTestFile(folder, {
        name,
        width: 900,
        height: 700,
        overviews: 'none',
        compression,
        seeds: [5],
      });
      const scene = makeBandsScene(
        { B4: asset },
        { dataset: 'landsat8', viewId: 'L8/LC08_L1TP_199031_20260601_20260610_02_T1' },
      );
      const path = await makeBandsHere(scene, folder).write({ bands: ['B4'] });
      const image = await readImageFile(path);
      assert.deepEqual(image.pixels, bands);
      assert.ok(image.levels.length > 3);
      const [copy, file] = await Promise.all([readFile(path), readFile(join(folder, name))]);
      const [made] = (await openTiff(makeMemorySource(copy))).images;
      const [own] = (await openTiff(makeMemorySource(file))).images;
      for (const [i, size] of own.blockSizes.entries()) {
        const [from, at] = [own.blockOffsets[i]!, made.blockOffsets[i]!];
        assert.deepEqual(
          copy.subarray(at, at + size),
          file.subarray(from, from + size),
          `${compression} ${i}`,
        );
      }
    }
  }));

test('bands of different types make one file of a type that can hold all numbers', () =>
  withFolder(async (folder) => {
    const size = { width: 300, height: 200 };
    const bytes = await writeTestFile(folder, { ...size, name: 'SCL.tif', type: 'uint8', seeds: [1] });
    const words = await writeTestFile(folder, { ...size, name: 'B05.tif', type: 'uint16', seeds: [2] });
    const scene = makeBandsScene(
      { SCL: bytes.asset, B05: { ...words.asset, nodata: 7 } },
      { dataset: 'sentinel2l2a', viewId: 'S2L2A/31/T/DH/2026/6/1/0' },
    );
    const image = await readImageFile(await makeBandsHere(scene, folder).write({ bands: ['SCL', 'B05'] }));
    assert.deepEqual(image.pixels, [Uint16Array.from(bytes.bands[0]!), words.bands[0]]);
    // that of the measured band: classes have another
    assert.equal(image.nodata, 7);
  }));

test('thirteen bands make one archive', () =>
  withFolder(async (folder) => {
    const names = ['B01', 'B02', 'B03', 'B04', 'B05', 'B06', 'B07', 'B08', 'B8A', 'B09', 'B10', 'B11', 'B12'];
    const assets: Record<string, Asset> = {};
    for (const [i, name] of names.entries()) {
      const file = { name: `${name}.tif`, width: 200 - (i % 3) * 40, height: 180, pixelM: 10, seeds: [i] };
      assets[name] = (await writeTestFile(folder, file)).asset;
    }
    const zip = openZip(
      await makeBandsHere(makeBandsScene(assets), folder).write({ bands: names, merge: false }),
    );
    assert.equal(zip.entries.length, 13);
    zip.close();
  }));
