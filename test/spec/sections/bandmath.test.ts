/** Files with values of band math, computed again from the files of the products. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepArea, ringAround, toFeature } from '../areas.ts';
import type { BandPixels } from '../pixels.ts';
import { readBand } from '../pixels.ts';
import type { Key } from '../service.ts';
import { sceneOf } from '../service.ts';
import type { PixelBox } from '../tasks.ts';
import {
  boxAround,
  cut,
  makeFile,
  nameOf,
  order,
  orderRefused,
  pollToEnd,
  readPixels,
  readTiff,
} from '../tasks.ts';

const bandmath = (key: Key, more: object) => makeFile('bandmath', { view_id: sceneOf(key).viewId, ...more });

const NODATA = -9999;
const BOX: PixelBox = { left: 7, top: 9, right: 30, bottom: 40 };

/** The bands of a file hold these values, NaN as no data, to the rounding of 32 bits. */
async function expectValues(bytes: Uint8Array, ...expected: readonly ArrayLike<number>[]): Promise<void> {
  const { bands } = await readPixels(bytes);
  assert.equal(bands.length, expected.length);
  for (const [band, values] of expected.entries()) {
    const found = bands[band]!;
    assert.equal(found.length, values.length);
    for (let i = 0; i < values.length; i++) {
      const wanted = Number.isNaN(values[i]!) ? NODATA : Math.fround(values[i]!);
      const slack = 4e-7 * Math.max(1, Math.abs(wanted));
      if (!(Math.abs(found[i]! - wanted) <= slack))
        assert.fail(`band ${band}, pixel ${i}: ${found[i]}, not ${wanted}`);
    }
  }
}

const combine = (
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  compute: (a: number, b: number) => number,
): number[] => Array.from(a, (value, i) => compute(value, b[i]!));

const toRatio = (a: number, b: number): number => (a - b) / (a + b);

/** The normalised difference of two bands of the same size, in a box or everywhere. */
const ndOf = (a: BandPixels, b: BandPixels, box?: PixelBox): number[] =>
  box === undefined ? combine(a.values, b.values, toRatio) : combine(cut(a, box), cut(b, box), toRatio);

test('bandmath view_id: the scene is one that search finds', async () => {
  const { bytes } = await bandmath('l8', { bm_type: 'B5' });
  await expectValues(bytes, (await readBand('l8', 'B5')).values);
  const params = { view_id: 'S2/10/U/EU/1999/1/1/0', bm_type: 'B04' };
  assert.equal(await orderRefused('bandmath', params, 404), 'unknown-scene');
  assert.equal(await orderRefused('bandmath', { bm_type: 'B04' }), 'bad-view-id');
});

test('bandmath bm_type: an expression, an index, or several separated by commas', async () => {
  const [nir, red] = [await readBand('s2', 'B08'), await readBand('s2', 'B04')];
  const expected = ndOf(nir, red);
  for (const bm_type of ['(B08-B04)/(B08+B04)', 'NDVI', ['NDVI'], '(NIR - RED) / (NIR + RED)']) {
    await expectValues((await bandmath('s2', { bm_type })).bytes, expected);
  }
  const { viewId: view_id } = sceneOf('s2');
  for (const [bm_type, code] of [
    ['B04+', 'bad-expression'],
    ['B99', 'unknown-band'],
    ['1+1', 'no-band'],
    ['', 'bad-bm-type'],
    [null, 'bad-bm-type'],
  ] as const) {
    assert.equal(await orderRefused('bandmath', { view_id, bm_type }), code);
  }
});

test('bandmath number of bands: the file has one band per expression, in their order', async () => {
  const [nir, red] = [await readBand('s2', 'B08'), await readBand('s2', 'B04')];
  const { bytes } = await bandmath('s2', { bm_type: 'NDVI,B04,where(greater(B04,1500),B08,B04)' });
  const chosen = combine(nir.values, red.values, (a, b) => (b > 1500 ? a : b));
  await expectValues(bytes, ndOf(nir, red), red.values, chosen);
  const { bands } = await readTiff(bytes);
  assert.deepEqual(
    bands.map(({ description }) => description),
    ['NDVI', 'B04', 'where(greater(B04,1500),B08,B04)'],
  );
});

test('bandmath name_alias: the file name contains it, with underscores for spaces', async () => {
  const { name } = await bandmath('s2', { bm_type: '(B08-B04)/(B08+B04)', name_alias: 'my NDVI 2021' });
  assert.equal(name, `${nameOf('s2')}_my_NDVI_2021.TIF`);
});

test('bandmath file name: it consists of the scene and the expression, safe for file systems', async () => {
  for (const [bm_type, combination] of [
    ['NDVI', 'NDVI'],
    ['B08-B04', 'B08-B04'],
    ['(B08-B04)/(B08+B04)', '(B08-B04)-(B08+B04)'],
    ['B04,B03', 'B04,B03'],
  ] as const) {
    assert.equal((await bandmath('s2', { bm_type })).name, `${nameOf('s2')}_${combination}.TIF`);
  }
});

test('bandmath GTiff: Float32 in blocks of 512 by 512, with the georeference of the scene', async () => {
  const { bytes, type } = await bandmath('l8', { bm_type: 'B5/2.0' });
  assert.equal(type, 'image/tiff');
  const { images, epsg, transform } = await readTiff(bytes);
  const band = await readBand('l8', 'B5');
  const [{ type: pixelType, blockWidth, blockHeight, isTiled, width, height }] = images;
  assert.deepEqual([pixelType, blockWidth, blockHeight, isTiled], ['float32', 512, 512, true]);
  assert.deepEqual([width, height, epsg], [band.width, band.height, band.epsg]);
  const [west, dx, north, dy] = band.frame;
  assert.deepEqual(transform, [west, dx, 0, north, 0, -dy]);
  assert.equal(bytes.subarray(0, 200).includes('LAYOUT=IFDS_BEFORE_DATA'), true, 'a COG');
});

test('bandmath no-data: -9999 where a band has no data, where the expression says so, and outside the area', async () => {
  const band = await readBand('l8', 'B5');
  const { bytes } = await bandmath('l8', { bm_type: 'where(greater(B5,12000),NODATA,B5)' });
  assert.equal((await readTiff(bytes)).nodata, NODATA);
  const values = band.values.map((value) => (value > 12_000 ? Number.NaN : value));
  await expectValues(bytes, values);
  const masked = band.values.filter(Number.isNaN).length;
  const found = (await readPixels(bytes)).bands[0]!.filter((value) => value === NODATA).length;
  assert.ok(masked > 100 && found > masked, `${masked} ${found}`);
});

test('bandmath lowest resolution: the coarsest band sets the resolution, finer bands are averaged', async () => {
  const [fine, coarse] = [await readBand('s2', 'B04'), await readBand('s2', 'B11')];
  const { bytes } = await bandmath('s2', { bm_type: 'B11-B04' });
  const { width, transform } = await readPixels(bytes);
  assert.deepEqual([width, transform?.[1]], [coarse.width, 20]);
  const means = coarse.values.map((_, i) => {
    const at = 2 * Math.floor(i / coarse.width) * fine.width + 2 * (i % coarse.width);
    const four = [at, at + 1, at + fine.width, at + fine.width + 1].map((k) => fine.values[k]!);
    return four.reduce((sum, value) => sum + value, 0) / 4;
  });
  await expectValues(
    bytes,
    combine(coarse.values, means, (a, b) => a - b),
  );
  const sixty = await bandmath('s2', { bm_type: 'B01,B04' });
  assert.equal((await readPixels(sixty.bytes)).transform?.[1], 60);
});

test('bandmath bbox: west, south, east, north', async () => {
  const [nir, red] = [await readBand('s2', 'B08'), await readBand('s2', 'B04')];
  const { bytes } = await bandmath('s2', { bm_type: 'NDVI', bbox: boxAround(red, BOX) });
  await expectValues(bytes, ndOf(nir, red, BOX));
});

/** The box with a hole. */
const rings = (band: BandPixels) =>
  [
    ringAround(band, [BOX.left, BOX.top], [BOX.right, BOX.bottom]),
    ringAround(band, [10, 20], [15, 30]),
  ] as const;

function cutHole(band: BandPixels): number[] {
  const values = band.values.map((value, i) => {
    const [column, row] = [i % band.width, Math.floor(i / band.width)];
    return column >= 10 && column <= 15 && row >= 20 && row <= 30 ? Number.NaN : value;
  });
  return cut({ ...band, values }, BOX);
}

test('bandmath geometry: a Polygon or MultiPolygon crops the file; pixels outside it have no data', async () => {
  const band = await readBand('s2', 'B04');
  const { geometry } = toFeature(...rings(band));
  await expectValues((await bandmath('s2', { bm_type: 'B04', geometry })).bytes, cutHole(band));
  const parts = { type: 'MultiPolygon', coordinates: [geometry.coordinates] };
  await expectValues((await bandmath('s2', { bm_type: 'B04', geometry: parts })).bytes, cutHole(band));
});

test('bandmath cropper_ref: a stored area', async () => {
  const band = await readBand('s2', 'B04');
  const cropper_ref = await keepArea(...rings(band));
  await expectValues((await bandmath('s2', { bm_type: 'B04', cropper_ref })).bytes, cutHole(band));
});

test('bandmath reference: the poll returns it', async () => {
  const params = { view_id: sceneOf('s2').viewId, bm_type: 'B02', reference: 'bandmath 1' };
  const { task_id: id } = await order('bandmath', params);
  assert.equal((await pollToEnd(id)).body.reference, 'bandmath 1');
});
