/** Intensity ranges, computed again from the files. The clouds of the world are in intensity-range.slow.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepArea, ringAround } from '../areas.ts';
import { readMtl, toReflectance } from '../landsat.ts';
import { percentile } from '../percentile.ts';
import { lonLatOf, readBand } from '../pixels.ts';
import type { Key } from '../service.ts';
import { askJson, askRefused, sceneOf, verbPath } from '../service.ts';

interface Answer {
  readonly bands: readonly { readonly band: string; readonly min: number; readonly max: number }[];
  readonly method: string;
  readonly cloud: number | null;
  readonly cloud_correction: boolean;
  readonly min: number;
  readonly max: number;
}
const irPath = (key: Key, bands: string): string => `${verbPath(key, 'ir')}/${encodeURIComponent(bands)}`;
const find = (key: Key, bands: string, query = ''): Promise<Answer> =>
  askJson<Answer>(irPath(key, bands), { query });

/** Around all of a scene: what is asked of a part is counted by pixels. */
const AROUND = 'BBOX=-122.6,48,-122.1,48.4';

/** Values of a band where it has data and a rule holds for the numbers of its pixels. */
async function listValues(
  key: Key,
  name: string,
  holds: (at: number) => boolean = () => true,
): Promise<number[]> {
  const { values } = await readBand(key, name);
  return [...values].filter((value, at) => !Number.isNaN(value) && holds(at));
}

const isNear = (found: number | null, wanted: number): void =>
  assert.ok(
    found !== null && Math.abs(found - wanted) <= 1e-4 * Math.max(1, Math.abs(wanted)),
    `${found}, not ${wanted}`,
  );

test('intensity method: cc by default, mean, minmax and histogram; others are refused', async () => {
  const values = await listValues('s2', 'B04');
  const byDefault = await find('s2', 'B04', 'cloud=0');
  assert.deepEqual(await find('s2', 'B04', 'cloud=0&method=cc'), byDefault);
  assert.equal(byDefault.method, 'cc');
  isNear(byDefault.min, percentile(values, 2));
  isNear(byDefault.max, percentile(values, 98));
  const all = await find('s2', 'B04', 'method=minmax');
  assert.deepEqual([all.min, all.max, all.method], [Math.min(...values), Math.max(...values), 'minmax']);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  isNear((await find('s2', 'B04', 'method=mean')).min, mean);
  const { min, max } = await find('s2', 'B04', 'method=histogram');
  assert.ok(min >= all.min && max <= all.max && max - min > 0.2 * (all.max - all.min));
  assert.equal(await askRefused(irPath('s2', 'B04'), 400, { query: 'method=some' }), 'bad-method');
});

test('intensity min: the lower threshold of cc, 2 by default', async () => {
  const values = await listValues('s2', 'B04');
  isNear((await find('s2', 'B04', 'min=10&cloud=0')).min, percentile(values, 10));
  assert.deepEqual(await find('s2', 'B04', 'min=2&cloud=0'), await find('s2', 'B04', 'cloud=0'));
  assert.equal(await askRefused(irPath('s2', 'B04'), 400, { query: 'min=-1' }), 'bad-min');
});

test('intensity max: the upper threshold of cc, 98 by default', async () => {
  const values = await listValues('s2', 'B04');
  isNear((await find('s2', 'B04', 'max=75.5&cloud=0')).max, percentile(values, 75.5));
  assert.deepEqual(await find('s2', 'B04', 'max=98&cloud=0'), await find('s2', 'B04', 'cloud=0'));
  assert.equal(await askRefused(irPath('s2', 'B04'), 400, { query: 'max=101' }), 'bad-max');
});

test('intensity multi: standard deviations on both sides of the mean, 0 by default', async () => {
  const values = await listValues('s2', 'B04');
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  for (const multi of [0, 1, 2.5]) {
    const { min, max } = await find('s2', 'B04', `method=mean&multi=${multi}`);
    isNear(min, mean - multi * deviation);
    isNear(max, mean + multi * deviation);
  }
  assert.deepEqual(await find('s2', 'B04', 'method=mean'), await find('s2', 'B04', 'method=mean&multi=0'));
  assert.equal(await askRefused(irPath('s2', 'B04'), 400, { query: 'multi=-1' }), 'bad-multi');
});

test('intensity cloud: 1 by default lowers the upper threshold of cc by 0.75 times the cloud cover; 0 does not', async () => {
  const values = await listValues('s2', 'B04');
  const on = await find('s2', 'B04');
  assert.ok(on.cloud! > 5 && on.cloud_correction);
  assert.deepEqual(await find('s2', 'B04', 'cloud=1'), on);
  isNear(on.max, percentile(values, 98 - 0.75 * on.cloud!));
  isNear(on.min, percentile(values, 2));
  isNear((await find('s2', 'B04', 'max=90')).max, percentile(values, 90 - 0.75 * on.cloud!));
  const off = await find('s2', 'B04', 'cloud=0');
  assert.deepEqual([off.cloud, off.cloud_correction], [null, false]);
  for (const method of ['mean', 'minmax', 'histogram']) {
    const [with1, without] = [
      await find('s2', 'B04', `method=${method}`),
      await find('s2', 'B04', `method=${method}&cloud=0`),
    ];
    assert.deepEqual([with1.min, with1.max, with1.cloud_correction], [without.min, without.max, false]);
  }
});

test('intensity BBOX: only data inside w,s,e,n count', async () => {
  const band = await readBand('s2', 'B04');
  const [a, b] = [lonLatOf(band, 50 * band.width + 20), lonLatOf(band, 20 * band.width + 50)];
  const box = [a.lon, a.lat, b.lon, b.lat];
  const values = await listValues('s2', 'B04', (at) => {
    const { lon, lat } = lonLatOf(band, at);
    return lon >= a.lon && lon <= b.lon && lat >= a.lat && lat <= b.lat;
  });
  assert.ok(values.length > 800 && values.length < 1000);
  const { min, max } = await find('s2', 'B04', `BBOX=${box.join()}&method=minmax`);
  assert.deepEqual([min, max], [Math.min(...values), Math.max(...values)]);
  for (const bad of ['1,2,3', '1,5,2,4', 'w,s,e,n', '1,1,1,2']) {
    assert.equal(await askRefused(irPath('s2', 'B04'), 400, { query: `BBOX=${bad}` }), 'bad-bbox');
  }
});

test('intensity only_opaque_cloud: 1 by default for Sentinel-2 and 0 for others; without effect when cloud=0', async () => {
  assert.deepEqual(await find('l2a', 'B04', 'only_opaque_cloud=1'), await find('l2a', 'B04'));
  assert.deepEqual(await find('l8', 'B4', 'only_opaque_cloud=0'), await find('l8', 'B4'));
  for (const [key, name] of [
    ['l2a', 'B04'],
    ['l8', 'B4'],
  ] as const) {
    // By pixels, because the metadata of Landsat know nothing of cirrus.
    const [opaque, both] = [
      await find(key, name, `${AROUND}&only_opaque_cloud=1`),
      await find(key, name, `${AROUND}&only_opaque_cloud=0`),
    ];
    assert.ok(opaque.cloud! > 0 && opaque.cloud! < both.cloud!, key);
    assert.deepEqual(
      await find(key, name, 'cloud=0&only_opaque_cloud=1'),
      await find(key, name, 'cloud=0&only_opaque_cloud=0'),
    );
  }
});

test('intensity cropper_ref: only data inside the area count; an unknown area is 404', async () => {
  const band = await readBand('s2', 'B04');
  const ref = await keepArea(ringAround(band, [10, 20], [30, 60]));
  const values = await listValues('s2', 'B04', (at) => {
    const [column, row] = [at % band.width, Math.floor(at / band.width)];
    return column >= 10 && column <= 30 && row >= 20 && row <= 60;
  });
  const { min, max } = await find('s2', 'B04', `cropper_ref=${ref}&method=minmax`);
  assert.deepEqual([min, max], [Math.min(...values), Math.max(...values)]);
  const query = `cropper_ref=${'0'.repeat(32)}`;
  assert.equal(await askRefused(irPath('s2', 'B04'), 404, { query }), 'unknown-area');
});

test('intensity api_key: required', async () => {
  await askRefused(irPath('s2', 'B04'), 401, { apiKey: null });
  await askRefused(irPath('s2', 'B04'), 403, { apiKey: 'not-a-key' });
});

test('intensity CALIBRATE: ranges of reflectance', async () => {
  const mtl = await readMtl('l8');
  const values = (await listValues('l8', 'B4')).map((value) => toReflectance(value, mtl, 4));
  const { min, max } = await find('l8', 'B4', 'CALIBRATE=1&cloud=0');
  isNear(min, percentile(values, 2));
  isNear(max, percentile(values, 98));
});

test('intensity bands: each band has a range', async () => {
  const { bands } = await find('s2', 'B04,B03,B02', 'method=minmax');
  for (const [i, name] of ['B04', 'B03', 'B02'].entries()) {
    const values = await listValues('s2', name);
    assert.deepEqual(bands[i], { band: name, min: Math.min(...values), max: Math.max(...values) });
  }
});

/** The percentage of pixels with data that a rule counts. */
async function share(key: Key, name: string, counts: (value: number) => boolean): Promise<number> {
  const values = await listValues(key, name);
  return (100 * values.filter(counts).length) / values.length;
}

test('intensity Sentinel-2: clouds come from the product mask, opaque and cirrus; for a full scene both come from the metadata', async () => {
  // Of level 2A the classes are the mask: 8 and 9 are clouds, 10 is cirrus.
  isNear((await find('l2a', 'B04')).cloud, await share('l2a', 'SCL', (value) => value === 8 || value === 9));
  const part = await find('l2a', 'B04', `only_opaque_cloud=0&${AROUND}`);
  isNear(part.cloud, await share('l2a', 'SCL', (value) => value >= 8 && value <= 10));
  for (const key of ['s2', 'l2a'] as const) {
    const both = await find(key, 'B04', 'only_opaque_cloud=0');
    assert.deepEqual([both.cloud, both.cloud_correction], [sceneOf(key).cloudPercent, true]);
    const opaque = await find(key, 'B04');
    assert.ok(opaque.cloud! > 0 && opaque.cloud! <= both.cloud!, key);
  }
});

test('intensity Landsat 8: clouds come from bits 12 to 15 of the quality band, for a full scene from the metadata', async () => {
  // Stored as collection 2: clouds in bits 8 and 9, cirrus in bits 14 and 15.
  const isCloud = (value: number): boolean => ((value >> 8) & 3) === 3;
  const isCirrus = (value: number): boolean => value >> 14 === 3;
  const opaque = await find('l8', 'B4', 'only_opaque_cloud=1');
  isNear(opaque.cloud, await share('l8', 'BQA', (value) => isCloud(value) && !isCirrus(value)));
  const part = await find('l8', 'B4', AROUND);
  isNear(part.cloud, await share('l8', 'BQA', (value) => isCloud(value) || isCirrus(value)));
  assert.equal((await find('l8', 'B4')).cloud, sceneOf('l8').cloudPercent);
});

test('intensity Landsat 4, 5, 7: only the full scene is corrected, by the metadata', async () => {
  const whole = await find('l7', 'B3');
  assert.ok(whole.cloud! > 0);
  assert.deepEqual([whole.cloud, whole.cloud_correction], [sceneOf('l7').cloudPercent, true]);
  const part = await find('l7', 'B3', AROUND);
  assert.deepEqual([part.cloud, part.cloud_correction], [null, false]);
});

test('intensity MODIS: clouds already have no data, so nothing is corrected', async () => {
  const values = await listValues('modis', 'B01');
  const { min, max, cloud_correction } = await find('modis', 'B01');
  assert.equal(cloud_correction, false);
  isNear(min, percentile(values, 2));
  isNear(max, percentile(values, 98));
});

test('intensity CBERS-4, NAIP: cloud masking is not supported, nothing is corrected', async () => {
  for (const [key, name] of [
    ['cbers', 'BAND7'],
    ['naip', 'R'],
  ] as const) {
    const { cloud, cloud_correction, max } = await find(key, name, 'cloud=1');
    assert.deepEqual([cloud, cloud_correction], [null, false]);
    isNear(max, percentile(await listValues(key, name), 98));
  }
});
