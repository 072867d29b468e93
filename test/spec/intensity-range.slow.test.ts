/** Intensity ranges through the real application, over products of the demo world: the world knows where its clouds are. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeJp2Decoder } from '../../src/formats/jp2/index.ts';
import type { AreaOutline, LonLat } from '../../src/geo/index.ts';
import { gridBounds, toOutline } from '../../src/geo/index.ts';
import { makeTestApp, readError } from '../../src/http/testing/make-test-app.ts';
import { makeProjection } from '../../src/proj/index.ts';
import type { IntensityAnswer } from '../../src/render/index.ts';
import { makeFindIntensity } from '../../src/render/intensity/find-intensity.ts';
import { DEFAULT_LIMITS } from '../../src/render/plan/plan-inputs.ts';
import { stillFiles } from '../../src/render/scenes/testing/still-files.ts';
import { expose } from '../../world/light/index.ts';
import { readImage } from '../../world/testing/read-image.ts';
import type { MadeProducts } from '../world/make-products.ts';
import { makeProducts, productOf } from '../world/make-products.ts';
import { toLocations, toMoment } from '../world/see-product.ts';

const KEYS = [
  ...['sentinel2-l1c-polygons', 'sentinel2-l1c-images', 'sentinel2-l2a', 'landsat8-c2', 'landsat8-c1'],
  ...['landsat7-c2', 'modis', 'cbers4mux', 'naip-rgbir', 'sentinel1'],
] as const;
type Key = (typeof KEYS)[number];

interface Answer {
  readonly bands: readonly { readonly band: string; readonly min: number; readonly max: number }[];
  readonly method: string;
  readonly cloud: number | null;
  readonly cloud_correction: boolean;
  readonly min?: number;
  readonly max?: number;
}

const AREA = 'c6af0ad18db8d56a0ff4934f6dedd2e1';
let made: MadeProducts;
let app: ReturnType<typeof makeTestApp>;
let area: AreaOutline;
const stored = new Map<string, IntensityAnswer>();

before(async () => {
  made = await makeProducts(KEYS);
  const { store } = made.folder.options;
  const scenes = { findByViewId: store.findByViewId, findByName: store.findByName } as never;
  const findIntensity = makeFindIntensity({
    limits: DEFAULT_LIMITS,
    scenes,
    compareScene: async (scene) => scene,
    watch: stillFiles,
    pool: made.pool,
    onForgotten: (error: unknown) => assert.fail(String(error)),
    store: {
      find: async (key) => stored.get(key) ?? null,
      put: async (key, answer) => void stored.set(key, answer),
    },
  });
  const areas = { find: async (ref: string) => (ref === AREA ? { outline: area } : null) } as never;
  app = makeTestApp({ findIntensity, areas });
});
after(() => made.folder.remove());

function ask(key: Key, bands: string, query: Readonly<Record<string, string>> = {}) {
  const [sensor, ...name] = made.sceneOf.get(key)!.viewId.split('/');
  return app.call(`/api/render/${sensor}/ir/${name.join('/')}/${bands}?${new URLSearchParams(query)}`);
}

async function find(key: Key, bands: string, query: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await ask(key, bands, query);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Answer;
}

const jp2Decoder = makeJp2Decoder();
/** Pixels of a band as stored, where it has data and a rule holds for their numbers. */
async function readBand(
  key: Key,
  band: string,
  holds: (i: number) => boolean = () => true,
): Promise<number[]> {
  const { href, bandIndex, nodata } = made.sceneOf.get(key)!.assets[band]!;
  const pixels = (await readImage(href, jp2Decoder)).bands[bandIndex]!;
  return [...pixels].map(Number).filter((value, i) => value !== nodata && holds(i));
}

/** As NumPy's `percentile` has it. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (percent / 100) * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}

const isNear = (found: number | null | undefined, wanted: number, slack = 1e-3): void =>
  assert.ok(
    found != null && Math.abs(found - wanted) <= slack * Math.max(1, Math.abs(wanted)),
    `${found}, not ${wanted}`,
  );

/** The world's clouds on the pixels of a band, 1 where there is one. */
function cloudsOf(key: Key, band: string, onlyOpaque: boolean): Uint8Array {
  const asset = made.sceneOf.get(key)!.assets[band]!;
  const survey = made.world.ground.survey(toLocations(asset, asset.transform[1]));
  const { opaque, cirrus } = expose(made.world, { survey, bands: [], ...toMoment(productOf(key).part) });
  return opaque.map((isOpaque, i) => (isOpaque === 1 || (!onlyOpaque && cirrus[i] === 1) ? 1 : 0));
}

/** Percentage of clouds among pixels with data; the mask of a product may have coarser pixels than the band. */
async function cloudPercent(key: Key, band: string, onlyOpaque: boolean): Promise<number> {
  const clouds = cloudsOf(key, band, onlyOpaque);
  const { href, bandIndex, nodata } = made.sceneOf.get(key)!.assets[band]!;
  const pixels = (await readImage(href, jp2Decoder)).bands[bandIndex]!;
  let [cloudy, valid] = [0, 0];
  for (let i = 0; i < clouds.length; i += 1) {
    if (Number(pixels[i]) === nodata) continue;
    valid += 1;
    cloudy += clouds[i]!;
  }
  return (100 * cloudy) / valid;
}

/** A rectangle in degrees around pixels of a band, whose centres it holds: from and to, as shares of its sides. */
function toBbox(key: Key, band: string, [from, to]: readonly [number, number]) {
  const { epsg, transform, width, height } = made.sceneOf.get(key)!.assets[band]!;
  const { minX, minY, maxX, maxY } = gridBounds({ transform, width, height });
  const { toLonLat } = { toLonLat: makeProjection(epsg, 4326).forward };
  const at = (share: number): LonLat => {
    const [lon, lat] = toLonLat(minX + share * (maxX - minX), minY + share * (maxY - minY));
    return [lon!, lat!];
  };
  const [[west, south], [east, north]] = [at(from), at(to)];
  return { west, south, east, north, text: [west, south, east, north].join(',') };
}

test('the answer: a range for each band, method, cloud and correction; of one band also min and max', async () => {
  const one = await find('landsat8-c2', 'B4');
  assert.deepEqual(Object.keys(one), ['bands', 'method', 'cloud', 'cloud_correction', 'min', 'max']);
  assert.deepEqual(one.bands, [{ band: 'B4', min: one.min, max: one.max }]);
  const some = await find('landsat8-c2', 'B4,B3,(B5-B4)/(B5+B4),NDVI');
  assert.deepEqual(Object.keys(some), ['bands', 'method', 'cloud', 'cloud_correction']);
  assert.deepEqual(
    some.bands.map(({ band }) => band),
    ['B4', 'B3', '(B5-B4)/(B5+B4)', 'NDVI'],
  );
  assert.deepEqual(some.bands[0], one.bands[0]);
  for (const { min, max } of some.bands.slice(2)) assert.ok(min >= -1 && max <= 1 && min < max);
});

test('method: cc by default, with min 2 and max 98 as NumPy percentiles', async () => {
  const values = await readBand('landsat8-c2', 'B4');
  for (const query of [{}, { method: 'cc' }, { method: 'cc', min: '2', max: '98' }]) {
    const { min, max, method, cloud_correction } = await find('landsat8-c2', 'B4', { cloud: '0', ...query });
    assert.equal(method, 'cc');
    assert.equal(cloud_correction, false);
    isNear(min, percentile(values, 2));
    isNear(max, percentile(values, 98));
  }
});

test('min and max: other thresholds of cc', async () => {
  const values = await readBand('landsat8-c2', 'B4');
  const { min, max } = await find('landsat8-c2', 'B4', { cloud: '0', min: '10.5', max: '75' });
  isNear(min, percentile(values, 10.5));
  isNear(max, percentile(values, 75));
});

test('method mean, and multi: so many standard deviations around the mean, by default none', async () => {
  const values = await readBand('landsat8-c2', 'B4');
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const std = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  const none = await find('landsat8-c2', 'B4', { method: 'mean' });
  isNear(none.min, mean);
  isNear(none.max, mean);
  assert.equal(none.cloud_correction, false);
  const two = await find('landsat8-c2', 'B4', { method: 'mean', multi: '2' });
  isNear(two.min, mean - 2 * std);
  isNear(two.max, mean + 2 * std);
});

test('method minmax: all of it; method histogram: without thin tails', async () => {
  const values = await readBand('landsat8-c2', 'B4');
  const all = await find('landsat8-c2', 'B4', { method: 'minmax' });
  assert.deepEqual([all.min, all.max], [Math.min(...values), Math.max(...values)]);
  const { min, max } = await find('landsat8-c2', 'B4', { method: 'histogram' });
  assert.ok(min! >= all.min! && max! <= all.max! && min! < max!);
  assert.equal(all.cloud_correction, false);
});

test('cloud: the upper threshold goes down by 0.75 times the percentage; 0 turns it off', async () => {
  const values = await readBand('landsat8-c2', 'B4');
  const { cloud, cloud_correction, min, max } = await find('landsat8-c2', 'B4', { cloud: '1' });
  assert.equal(cloud_correction, true);
  assert.ok(cloud! > 1, `${cloud} % of clouds`);
  isNear(min, percentile(values, 2));
  isNear(max, percentile(values, 98 - 0.75 * cloud!));
  const off = await find('landsat8-c2', 'B4', { cloud: '0' });
  assert.deepEqual([off.cloud, off.cloud_correction], [null, false]);
});

for (const [key, band] of [
  ['sentinel2-l1c-polygons', 'B01'],
  ['sentinel2-l1c-images', 'B01'],
  ['sentinel2-l2a', 'SCL'],
] as const) {
  test(`Sentinel-2 (${key}): opaque clouds of the mask by default, both kinds with only_opaque_cloud=0`, async () => {
    const scene = made.sceneOf.get(key)!;
    made.takeJobs();
    const byDefault = await find(key, 'B04');
    assert.deepEqual(made.takeJobs(), ['cloud-cover', 'intensity']);
    isNear(byDefault.cloud, await cloudPercent(key, band, true), 1e-6);
    assert.deepEqual(await find(key, 'B04', { only_opaque_cloud: '1' }), byDefault);
    // of the whole scene both kinds are counted by its metadata
    made.takeJobs();
    const both = await find(key, 'B04', { only_opaque_cloud: '0' });
    assert.deepEqual(made.takeJobs(), ['intensity']);
    assert.equal(both.cloud, scene.cloudPercent);
    assert.ok(both.cloud_correction && byDefault.cloud_correction);
    // of a part of it by pixels
    const { text } = toBbox(key, band, [-0.2, 1.2]);
    const part = await find(key, 'B04', { only_opaque_cloud: '0', BBOX: text });
    isNear(part.cloud, await cloudPercent(key, band, false), 1e-6);
    assert.ok(part.cloud! > byDefault.cloud!);
  });
}

for (const key of ['landsat8-c2', 'landsat8-c1'] as const) {
  test(`Landsat 8 (${key}): metadata for the whole scene, bits of the quality band elsewhere`, async () => {
    made.takeJobs();
    const byDefault = await find(key, 'B5');
    assert.deepEqual(made.takeJobs(), ['intensity']);
    assert.equal(byDefault.cloud, made.sceneOf.get(key)!.cloudPercent);
    const opaque = await find(key, 'B5', { only_opaque_cloud: '1' });
    assert.deepEqual(made.takeJobs(), ['cloud-cover', 'intensity']);
    isNear(opaque.cloud, await cloudPercent(key, 'BQA', true), 1e-6);
    const { text } = toBbox(key, 'BQA', [-0.2, 1.2]);
    const both = await find(key, 'B5', { BBOX: text });
    isNear(both.cloud, await cloudPercent(key, 'BQA', false), 1e-6);
    assert.ok(both.cloud_correction && both.cloud! > opaque.cloud!);
  });
}

test('Landsat 4, 5, 7: corrected for whole scenes only, by the metadata', async () => {
  const { cloudPercent: stated } = made.sceneOf.get('landsat7-c2')!;
  const whole = await find('landsat7-c2', 'B3');
  assert.ok(stated! > 0);
  assert.deepEqual([whole.cloud, whole.cloud_correction], [stated, true]);
  const { text } = toBbox('landsat7-c2', 'B3', [0.3, 0.7]);
  const part = await find('landsat7-c2', 'B3', { BBOX: text });
  assert.deepEqual([part.cloud, part.cloud_correction], [null, false]);
});

test('MODIS: clouds already have no data; CBERS-4, NAIP and radar: no correction', async () => {
  const modis = await find('modis', 'B01');
  assert.deepEqual([modis.cloud, modis.cloud_correction], [0, false]);
  for (const [key, band] of [
    ['cbers4mux', 'B7'],
    ['naip-rgbir', 'R'],
    ['sentinel1', 'VV'],
  ] as const) {
    const { cloud, cloud_correction, min, max } = await find(key, band);
    assert.deepEqual([cloud, cloud_correction], [null, false], key);
    assert.ok(min! < max!, key);
  }
});

test('BBOX: only data inside, by the centres of pixels', async () => {
  const key = 'landsat8-c2';
  const { width, height } = made.sceneOf.get(key)!.assets.B4!;
  const { text, west, south, east, north } = toBbox(key, 'B4', [0.4, 0.6]);
  const lonLats = lonLatsOf(key, 'B4');
  const holds = (i: number): boolean => {
    const [lon, lat] = lonLats[i]!;
    return lon > west && lon < east && lat > south && lat < north;
  };
  const values = await readBand(key, 'B4', holds);
  assert.ok(values.length > 20 && values.length < (width * height) / 10);
  const { min, max } = await find(key, 'B4', { BBOX: text, method: 'minmax' });
  assert.deepEqual([min, max], [Math.min(...values), Math.max(...values)]);
});

function lonLatsOf(key: Key, band: string): LonLat[] {
  const { epsg, transform, width, height } = made.sceneOf.get(key)!.assets[band]!;
  const { forward } = makeProjection(epsg, 4326);
  return Array.from({ length: width * height }, (_, i) => {
    const x = transform[0] + ((i % width) + 0.5) * transform[1];
    const [lon, lat] = forward(x, transform[3] + (Math.floor(i / width) + 0.5) * transform[5]);
    return [lon!, lat!];
  });
}

test('cropper_ref: only data inside the area, and with BBOX inside of both', async () => {
  const key = 'landsat8-c2';
  const whole = toBbox(key, 'B4', [0.3, 0.7]);
  const corners: LonLat[] = [
    [whole.west, whole.south],
    [whole.east, whole.south],
    [whole.west, whole.north],
  ];
  area = toOutline({ type: 'Polygon', coordinates: [[...corners, corners[0]!]] });
  const lonLats = lonLatsOf(key, 'B4');
  const inTriangle = (i: number): boolean => {
    const u = (lonLats[i]![0] - whole.west) / (whole.east - whole.west);
    const v = (lonLats[i]![1] - whole.south) / (whole.north - whole.south);
    return u > 0 && v > 0 && u + v < 1;
  };
  const values = await readBand(key, 'B4', inTriangle);
  const { min, max } = await find(key, 'B4', { cropper_ref: AREA, method: 'minmax' });
  assert.deepEqual([min, max], [Math.min(...values), Math.max(...values)]);
  const { text, north } = { ...toBbox(key, 'B4', [0.2, 0.5]) };
  const east = Number(text.split(',')[2]);
  const both = await readBand(
    key,
    'B4',
    (i) => inTriangle(i) && lonLats[i]![0] < east && lonLats[i]![1] < north,
  );
  assert.ok(both.length < values.length);
  const found = await find(key, 'B4', { cropper_ref: AREA, BBOX: text, method: 'minmax' });
  assert.deepEqual([found.min, found.max], [Math.min(...both), Math.max(...both)]);
});

test('BBOX: as large as the world, or half of it, is the whole scene, for grids of every kind', async () => {
  for (const [key, band] of [
    ['landsat8-c2', 'B4'],
    ['sentinel2-l2a', 'B04'],
    ['modis', 'B01'],
    ['sentinel1', 'VV'],
    ['naip-rgbir', 'R'],
  ] as const) {
    const whole = await find(key, band, { cloud: '0', method: 'mean', multi: '1' });
    for (const BBOX of ['-180,-90,180,90', '-180,0,0,89.9', '170,10,-60,80', '-125,45,-120,52']) {
      const part = await find(key, band, { cloud: '0', method: 'mean', multi: '1', BBOX });
      assert.deepEqual(part, whole, `${key} in ${BBOX}`);
    }
  }
});

test('CALIBRATE: reflectance', async () => {
  const { min, max } = await find('sentinel2-l1c-images', 'B04', { CALIBRATE: '1', method: 'minmax' });
  assert.ok(min! > 0 && max! < 2 && max! > 0.05);
  const stored = await find('sentinel2-l1c-images', 'B04', { method: 'minmax' });
  isNear(max! * 10_000, stored.max!, 1e-4);
});

test('what was found once is not measured again, and a scene that changed is', async () => {
  const first = await find('landsat8-c1', 'B2,B3');
  made.takeJobs();
  assert.deepEqual(await find('landsat8-c1', 'B2,B3'), first);
  assert.deepEqual(made.takeJobs(), []);
  await find('landsat8-c1', 'B2,B3', { method: 'minmax' });
  assert.deepEqual(made.takeJobs(), ['intensity', 'intensity']);
});

test('malformed parameters are refused by name', async () => {
  for (const [query, code] of [
    [{ method: 'median' }, 'bad-method'],
    [{ min: '-1' }, 'bad-min'],
    [{ min: 'two' }, 'bad-min'],
    [{ max: '101' }, 'bad-max'],
    [{ min: '50', max: '50' }, 'bad-min-max'],
    [{ multi: '-2' }, 'bad-multi'],
    [{ multi: '1e9' }, 'bad-multi'],
    [{ cloud: '2' }, 'bad-cloud'],
    [{ only_opaque_cloud: 'yes' }, 'bad-only-opaque-cloud'],
    [{ CALIBRATE: 'maybe' }, 'bad-calibrate'],
    [{ BBOX: '1,2,3' }, 'bad-bbox'],
    [{ BBOX: '1,2,3,4,5' }, 'bad-bbox'],
    [{ BBOX: '0,50,1,40' }, 'bad-bbox'],
    [{ BBOX: '0,-91,1,40' }, 'bad-bbox'],
    [{ BBOX: '5,40,5,50' }, 'bad-bbox'],
    [{ BBOX: 'a,b,c,d' }, 'bad-bbox'],
  ] as const) {
    const response = await ask('landsat8-c2', 'B4', query);
    assert.equal(response.status, 400, JSON.stringify(query));
    assert.equal((await readError(response)).code, code);
  }
});

test('what is not there, or cannot be done, is refused with the reason', async () => {
  const askStatus = async (bands: string, query = {}) => {
    const response = await ask('landsat8-c2', bands, query);
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  assert.deepEqual(await askStatus('B4', { BBOX: '10,10,11,11' }), [404, 'outside-scene']);
  assert.deepEqual(await askStatus('B4', { BBOX: '179,10,-179,11' }), [404, 'outside-scene']);
  assert.deepEqual(await askStatus('B4', { cropper_ref: '0'.repeat(32) }), [404, 'unknown-area']);
  assert.equal((await askStatus('B44'))[0], 422);
  assert.equal((await askStatus('B4,'))[0], 422);
  assert.deepEqual(await askStatus(Array(11).fill('B4').join(',')), [422, 'band-count']);
  assert.equal((await askStatus('B4*(1,2'))[0], 422);
  assert.deepEqual(await askStatus('1+1'), [422, 'no-band']);
  const change = await ask('sentinel2-l2a', 'PR_FD');
  assert.deepEqual([change.status, (await readError(change)).code], [422, 'no-earlier-scene']);
  const nowhere = await app.call('/api/render/L8/ir/LC08_L1TP_047026_20990714_20990714_02_T1/B4');
  assert.deepEqual([nowhere.status, (await readError(nowhere)).code], [404, 'unknown-scene']);
  const nothing = await app.call(
    `/api/render/${made.sceneOf.get('landsat8-c2')!.viewId.replace('/', '/ir/')}`,
  );
  assert.deepEqual([nothing.status, (await readError(nothing)).code], [400, 'bad-path']);
});
