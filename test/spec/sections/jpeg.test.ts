/** Pictures to download: what is drawn. Each is the picture that the service draws of the same rectangle. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepArea, ringAround, toFeature } from '../areas.ts';
import type { Picture } from '../pixels.ts';
import { colorAt, readBand, TRANSPARENT } from '../pixels.ts';
import type { Key } from '../service.ts';
import { askJson, sceneOf } from '../service.ts';
import type { Params } from '../tasks.ts';
import {
  boxAround,
  decode,
  drawAlike,
  makeFile,
  order,
  orderRefused,
  pollToEnd,
  readPixels,
} from '../tasks.ts';

const RESAMPLES = 'near,bilinear,cubic,cubicspline,lanczos,average,mode,max,min,med,q1,q3'.split(',');

const jpeg = (key: Key, more: object) => makeFile('jpeg', { view_id: sceneOf(key).viewId, ...more });
const tiff = (key: Key, more: object) => jpeg(key, { ...more, format: 'tiff' });

/** Two pictures show the same; what is transparent has no colour. */
function expectAlike(file: Picture, drawn: Picture, what: string): void {
  assert.deepEqual([file.width, file.height], [drawn.width, drawn.height], what);
  for (let i = 0; i < file.width * file.height; i++) {
    const [found, wanted] = [colorAt(file, i), colorAt(drawn, i)];
    if (found !== wanted) assert.fail(`${what}: pixel ${i} is ${found}, not ${wanted}`);
  }
}

/** The file of an order is the picture of a query; gives its pixels. */
async function expectDrawn(
  key: Key,
  params: Params & { readonly bm_type: string },
  query: string,
): Promise<Picture> {
  const { file, drawn } = await drawAlike(await tiff(key, params), key, params.bm_type, query);
  expectAlike(file, drawn, JSON.stringify(params));
  assert.ok(new Set(Array.from({ length: file.rgba.length / 4 }, (_, i) => colorAt(file, i))).size > 1);
  return file;
}

const differ = (one: Picture, other: Picture): boolean =>
  one.rgba.some((level, i) => level !== other.rgba[i]);

test('jpeg view_id: the scene is one that search finds', async () => {
  for (const [key, bm_type] of [
    ['s2', 'B04,B03,B02'],
    ['l8', 'B5,B4,B3'],
    ['naip', 'R,G,B'],
    ['modis', 'B01'],
    ['s1', 'VV'],
  ] as const) {
    await expectDrawn(key, { bm_type }, 'RESAMPLE=cubic');
  }
  const params = { view_id: 'S2/10/U/EU/1999/1/1/0', bm_type: 'B04' };
  assert.equal(await orderRefused('jpeg', params, 404), 'unknown-scene');
});

test('jpeg bm_type: bands, an index or expressions, one or three', async () => {
  for (const [bm_type, query] of [
    ['B04', ''],
    ['B08,B04,B03', ''],
    ['NDVI', ''],
    ['(B08-B04)/(B08+B04)', ''],
    ['B08-B04,B04/2.0,sqrt(B03)', '&COMPOSITE=1'],
  ] as const) {
    await expectDrawn('s2', { bm_type }, `RESAMPLE=cubic${query}`);
  }
  const { viewId: view_id } = sceneOf('s2');
  for (const [bm_type, code] of [
    ['B04,B03', 'band-count'],
    ['B04+', 'bad-expression'],
    ['B99', 'unknown-band'],
    ['', 'bad-bm-type'],
  ] as const) {
    assert.equal(await orderRefused('jpeg', { view_id, bm_type }), code);
  }
});

test('jpeg resample: cubic by default, and every method of tiles', async () => {
  const plain = await expectDrawn('l8', { bm_type: 'B4' }, 'RESAMPLE=cubic');
  for (const resample of RESAMPLES) {
    const file = await expectDrawn('l8', { bm_type: 'B4', resample }, `RESAMPLE=${resample}`);
    assert.equal(differ(file, plain), resample !== 'cubic', resample);
  }
  const params = { view_id: sceneOf('l8').viewId, bm_type: 'B4', resample: 'nice' };
  assert.equal(await orderRefused('jpeg', params), 'bad-resample');
});

test('jpeg colormap: a built-in one by name, and one of your own by id', async () => {
  await expectDrawn(
    's2',
    { bm_type: 'NDVI', colormap: 'viridis' },
    'RESAMPLE=cubic&COLORMAP=viridis&MIN_MAX=-0.5,0.5',
  );
  const { id } = await askJson<{ id: string }>('colormap/', { body: { colors: ['#ff0000', '#0000ff'] } });
  await expectDrawn(
    's2',
    { bm_type: 'NDVI', colormap: id },
    `RESAMPLE=cubic&COLORMAP=${id}&MIN_MAX=-0.5,0.5`,
  );
  const { viewId: view_id } = sceneOf('s2');
  assert.equal(
    await orderRefused('jpeg', { view_id, bm_type: 'NDVI', colormap: 'nosuchmap' }, 404),
    'unknown-colormap',
  );
  assert.equal(
    await orderRefused('jpeg', { view_id, bm_type: 'B04,B03,B02', colormap: 'viridis' }),
    'colored-composite',
  );
});

test('jpeg levels: the ends of the colormap, -0.5,0.5 by default', async () => {
  const query = 'RESAMPLE=cubic&COLORMAP=plasma&MIN_MAX=';
  const order = { bm_type: 'NDVI', colormap: 'plasma' };
  const plain = await expectDrawn('s2', order, `${query}-0.5,0.5`);
  const wide = await expectDrawn('s2', { ...order, levels: '0,1' }, `${query}0,1`);
  assert.ok(differ(plain, wide));
  const { viewId: view_id } = sceneOf('s2');
  assert.equal(await orderRefused('jpeg', { view_id, ...order, levels: '1,0' }), 'bad-levels');
});

test('jpeg colors_limit: steps of the colormap', async () => {
  const params = { bm_type: 'NDVI', colormap: 'viridis', levels: '0,1', colors_limit: 4, resample: 'near' };
  const query = 'RESAMPLE=near&COLORMAP=viridis&MIN_MAX=0,1&COLORS_LIMIT=4';
  const file = await expectDrawn('s2', params, query);
  const colors = new Set(Array.from({ length: file.rgba.length / 4 }, (_, i) => colorAt(file, i)));
  colors.delete(TRANSPARENT);
  assert.ok(colors.size <= 4, `${colors.size}`);
  const { viewId: view_id } = sceneOf('s2');
  assert.equal(await orderRefused('jpeg', { view_id, ...params, colors_limit: 1 }), 'bad-colors-limit');
});

test('jpeg calibrate: 1 computes with reflectance', async () => {
  const params = { bm_type: 'B5-B4', colormap: 'viridis', levels: '0,0.3' };
  const query = 'RESAMPLE=cubic&COLORMAP=viridis&MIN_MAX=0,0.3';
  const calibrated = await expectDrawn('l8', { ...params, calibrate: 1 }, `${query}&CALIBRATE=1`);
  const raw = await expectDrawn('l8', { ...params, calibrate: 0 }, query);
  assert.ok(differ(calibrated, raw));
  const { viewId: view_id } = sceneOf('l8');
  assert.equal(await orderRefused('jpeg', { view_id, ...params, calibrate: 2 }), 'bad-calibrate');
});

test('jpeg pansharpening: with the panchromatic band, by the parameter or the pattern', async () => {
  const params = { bm_type: 'B4,B3,B2', pansharpening: true };
  const file = await expectDrawn('l8', params, 'RESAMPLE=cubic&PANSHARPENING=1');
  const pattern = await tiff('l8', { bm_type: 'PS:B4:B3:B2:B8' });
  const { bands, width } = await readPixels(pattern.bytes);
  assert.equal(width, file.width, 'in pixels of 15 m');
  assert.ok([...bands[0]!].every((level, i) => file.rgba[4 * i + 3] === 0 || level === file.rgba[4 * i]));
  const s2 = { view_id: sceneOf('s2').viewId, bm_type: 'B04', pansharpening: 1 };
  assert.equal(await orderRefused('jpeg', s2), 'no-pansharpening');
});

test('jpeg colors, thresholds: range colours', async () => {
  const params = { bm_type: 'NDVI', colors: ['ff0000', '00ff00', '0000ff'], thresholds: [0.2, 0.6] };
  const file = await expectDrawn(
    's2',
    { ...params, resample: 'near' },
    'RESAMPLE=near&COLORS=ff0000,00ff00,0000ff&THRESHOLDS=0.2,0.6',
  );
  const colors = new Set(Array.from({ length: file.rgba.length / 4 }, (_, i) => colorAt(file, i)));
  assert.ok(colors.has('ff0000ff') && colors.has('00ff00ff') && colors.size <= 4);
  const { viewId: view_id } = sceneOf('s2');
  assert.equal(
    await orderRefused('jpeg', { view_id, ...params, thresholds: [0.2] }),
    'unpaired-range-colors',
  );
  assert.equal(await orderRefused('jpeg', { view_id, ...params, thresholds: null }), 'lone-range-colors');
});

test('jpeg size: accepted, and changes nothing', async () => {
  const [plain, sized] = [
    await jpeg('s2', { bm_type: 'B04' }),
    await jpeg('s2', { bm_type: 'B04', size: 'XL' }),
  ];
  assert.ok(plain.bytes.equals(sized.bytes));
});

test('jpeg Web Mercator: pixels of the finest band, in 8 bits', async () => {
  const band = await readBand('s2', 'B04');
  const { bytes } = await tiff('s2', { bm_type: 'B04,B11,B12' });
  const { epsg, transform, bands } = await readPixels(bytes);
  assert.equal(epsg, 3857);
  assert.ok(bands.every((channel) => channel instanceof Uint8Array));
  const metres = transform![1] * Math.cos((latitudeOf(transform![3]) * Math.PI) / 180);
  assert.ok(Math.abs(metres - band.frame[1]) < 0.02, `${metres} m on the ground`);
});

/** Of a northing of Web Mercator, in degrees. */
const latitudeOf = (northing: number): number => (Math.atan(Math.sinh(northing / 6_378_137)) * 180) / Math.PI;

test('jpeg px_size: metres on the ground', async () => {
  for (const px_size of [60, 480]) {
    const file = await tiff('modis', { bm_type: 'B01', px_size });
    const { transform, height } = await readPixels(file.bytes);
    const middle = latitudeOf(transform![3] + (height / 2) * transform![5]);
    const metres = transform![1] * Math.cos((middle * Math.PI) / 180);
    assert.ok(Math.abs(metres / px_size - 1) < 0.02, `${metres}`);
  }
  await expectDrawn('s2', { bm_type: 'B04', px_size: 25 }, 'RESAMPLE=cubic');
  const { viewId: view_id } = sceneOf('s2');
  assert.equal(await orderRefused('jpeg', { view_id, bm_type: 'B04', px_size: 0 }), 'bad-px-size');
  const large = { view_id, bm_type: 'B04', px_size: 0.01 };
  assert.equal(await orderRefused('jpeg', large), 'picture-too-large');
});

test('jpeg bbox: west, south, east, north', async () => {
  const band = await readBand('s2', 'B04');
  const bbox = boxAround(band, { left: 10, top: 10, right: 40, bottom: 30 });
  const file = await expectDrawn('s2', { bm_type: 'B04', bbox }, 'RESAMPLE=cubic');
  assert.ok(
    Math.abs(file.width - 31) <= 2 && Math.abs(file.height - 21) <= 2,
    `${file.width} ${file.height}`,
  );
});

test('jpeg geometry: the picture is transparent outside a Polygon or MultiPolygon', async () => {
  const band = await readBand('s2', 'B04');
  const ring = ringAround(band, [10, 10], [40, 40]);
  const triangle = [ring[0]!, ring[1]!, ring[2]!, ring[0]!];
  const { geometry } = toFeature(triangle);
  const cropper_ref = await keepArea(triangle);
  const query = `RESAMPLE=cubic&cropper_ref=${cropper_ref}`;
  const file = await expectDrawn('s2', { bm_type: 'B04', geometry }, query);
  const count = file.width * file.height;
  const clear = Array.from({ length: count }, (_, i) => colorAt(file, i)).filter(
    (color) => color === TRANSPARENT,
  );
  assert.ok(Math.abs(clear.length / count - 0.5) < 0.1, `${clear.length} of ${count}`);
  const parts = { type: 'MultiPolygon', coordinates: [geometry.coordinates] };
  await expectDrawn('s2', { bm_type: 'B04', geometry: parts }, query);
});

test('jpeg cropper_ref: a stored area crops the picture; a JPEG is black outside it', async () => {
  const band = await readBand('s2', 'B04');
  const ring = ringAround(band, [10, 10], [40, 40]);
  const cropper_ref = await keepArea([ring[0]!, ring[1]!, ring[2]!, ring[0]!]);
  const params = { bm_type: 'B04', cropper_ref };
  await expectDrawn('s2', params, `RESAMPLE=cubic&cropper_ref=${cropper_ref}`);
  const { rgba, width } = await decode((await jpeg('s2', params)).bytes);
  const corner = 4 * (width - 4) + 4 * 3 * width;
  assert.ok(rgba[corner]! < 20 && rgba[corner + 3] === 255, `${rgba[corner]}`);
});

test('jpeg reference: the poll returns it', async () => {
  const params = { view_id: sceneOf('s2').viewId, bm_type: 'B02', reference: 'jpeg 1' };
  const { task_id: id } = await order('jpeg', params);
  assert.equal((await pollToEnd(id)).body.reference, 'jpeg 1');
});
