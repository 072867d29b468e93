/** Statistics of an area over time, on both addresses of tasks and in one request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepArea, ringAround } from '../areas.ts';
import type { BandPixels } from '../pixels.ts';
import { readBand } from '../pixels.ts';
import { call, MOISTURE, sceneOf } from '../service.ts';
import type { Params, PixelBox } from '../tasks.ts';
import { ADDRESSES, cut, damageBand, order, orderRefused, poll, pollToEnd } from '../tasks.ts';

type Item = Readonly<Record<string, unknown>>;
interface Answer {
  readonly result: readonly Item[];
  readonly errors: readonly Item[];
}

const METRICS = ['average', 'max', 'median', 'min', 'p10', 'p90', 'q1', 'q3', 'std', 'variance'];

/** 40 × 30 pixels in the middle of a band. */
function middleOf({ width, height }: BandPixels): PixelBox {
  const [left, top] = [Math.floor(width / 2) - 20, Math.floor(height / 2) - 15];
  return { left, top, right: left + 39, bottom: top + 29 };
}
const middle = async (): Promise<PixelBox> => middleOf(await readBand('l2a', 'B04'));

const toPolygon = (band: BandPixels, { left, top, right, bottom }: PixelBox) => ({
  type: 'Polygon',
  coordinates: [ringAround(band, [left, top], [right, bottom])],
});

const dateOf = (key: 'l2a' | 's2' | 'l8' | 'modis'): string => sceneOf(key).acquiredAt.slice(0, 10);

/** Params for one scene. */
async function toParams(key: 'l2a' | 's2' | 'l8', more: Params = {}, wanted?: PixelBox): Promise<Params> {
  const band = await readBand(key, key === 'l8' ? 'B4' : 'B04');
  const box = wanted ?? middleOf(band);
  return {
    bm_type: 'NDVI',
    sensors: [sceneOf(key).dataset],
    date_start: dateOf(key),
    date_end: dateOf(key),
    geometry: toPolygon(band, box),
    max_cloud_cover_in_aoi: 100,
    ...more,
  };
}

/** Orders statistics on the statistics address and waits for them. */
async function measure(params: Params): Promise<Answer> {
  const { task_id: id } = await order('mt_stats', params, ADDRESSES.statistics);
  const { response, body } = await pollToEnd(id);
  assert.equal(response.status, 200);
  assert.equal(body.task_type, undefined, JSON.stringify(body));
  return body as unknown as Answer;
}

/** Orders statistics on the download address and waits for them. */
async function measureThere(params: Params): Promise<Item> {
  const { task_id: id } = await order('mt_stats', params);
  await pollToEnd(id);
  const response = await poll(id);
  assert.equal(response.status, 200);
  return (await response.json()) as Item;
}

/** Orders what fails; `error_status` on both addresses. */
async function codeOf(params: Params): Promise<unknown> {
  const { task_id: id } = await order('mt_stats', params, ADDRESSES.statistics);
  const { body } = await pollToEnd(id);
  assert.equal(body.task_type, 'error');
  assert.ok(typeof body.error_message === 'string' && body.error_message.length > 10);
  const there = (await (await poll(id)).json()) as Item;
  assert.deepEqual([there.task_type, there.error_status], ['error', body.error_status]);
  return body.error_status;
}

/** NDVI of reflectance, in single precision, as the pixels of a box have it. */
async function ndviOf(key: 'l2a' | 's2', box: PixelBox): Promise<number[]> {
  const [red, near] = await Promise.all([readBand(key, 'B04'), readBand(key, 'B08')]);
  const shift = key === 'l2a' ? offsetOf(key) : 0;
  const nears = cut(near, box);
  return cut(red, box).map((value, i) => {
    const [r, n] = [(value + shift) / 10_000, (nears[i]! + shift) / 10_000];
    return (n - r) / (n + r);
  });
}

/** Baselines from 04.00 on store reflectance with an offset. */
function offsetOf(key: 'l2a'): number {
  const { calibration } = sceneOf(key);
  const offset = /"(?:offset|addOffset|BOA_ADD_OFFSET)[^:]*":\s*(-?\d+)/.exec(
    JSON.stringify(calibration),
  )?.[1];
  return Number(offset ?? 0);
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const near = (actual: unknown, expected: number, slack = 2e-6): void =>
  assert.ok(
    typeof actual === 'number' && Math.abs(actual - expected) <= slack,
    `${actual} is not ${expected}`,
  );

/** Statistics of a band that is damaged: failures that may pass are tried again, which takes seconds. */
let failing: Promise<string>;

async function orderDamaged(): Promise<string> {
  damageBand('modis', 'B06qa');
  const { footprint } = sceneOf('modis');
  const ring = (footprint.type === 'Polygon' ? footprint.coordinates : footprint.coordinates[0]!)[0]!;
  const [lon, lat] = [0, 1].map(
    (axis) => ring.slice(1).reduce((sum, at) => sum + (at[axis] as number), 0) / (ring.length - 1),
  ) as [number, number];
  const side = 0.05;
  const params = {
    bm_type: 'B06qa',
    sensors: ['modis'],
    date_start: dateOf('modis'),
    date_end: dateOf('modis'),
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [lon, lat],
          [lon + side, lat],
          [lon + side, lat + side],
          [lon, lat + side],
          [lon, lat],
        ],
      ],
    },
  };
  return (await order('mt_stats', params)).task_id;
}

test('statistics type: mt_stats, with what each address answers', async () => {
  failing = orderDamaged();
  const params = await toParams('l2a');
  const created = await order('mt_stats', params, ADDRESSES.statistics);
  assert.deepEqual(
    [created.status, typeof created.req_id, created.task_timeout],
    ['created', 'string', 172_800],
  );
  const { body } = await pollToEnd(created.task_id);
  assert.equal(body.status, 'finished');
  assert.ok(Array.isArray(body.result) && Array.isArray(body.errors));
  const there = await measureThere(params);
  assert.deepEqual(
    [there.type, there.task_type, there.result_url, there.hash_id, typeof there.client_id],
    ['mt_stats', 'finish', null, null, 'number'],
  );
  assert.deepEqual(Object.keys(there.result as object).toSorted(), ['errors', 'result']);
});

test('statistics result: every metric, as the pixels have it', async () => {
  const { result, errors } = await measure(await toParams('l2a', { exclude_cover_pixels: false }));
  assert.deepEqual([result.length, errors.length], [1, 0]);
  const item = result[0] as Item;
  const { viewId, sceneId } = sceneOf('l2a');
  assert.deepEqual([item.view_id, item.scene_id, item.date], [viewId, sceneId, dateOf('l2a')]);
  for (const name of METRICS) assert.equal(typeof item[name], 'number', name);
  const values = await ndviOf('l2a', await middle());
  const mean = meanOf(values);
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const [rank, rest] = [Math.floor(share * (sorted.length - 1)), (share * (sorted.length - 1)) % 1];
    return sorted[rank]! + rest * ((sorted[rank + 1] ?? sorted[rank]!) - sorted[rank]!);
  };
  near(item.average, mean);
  near(item.min, sorted[0]!);
  near(item.max, sorted.at(-1)!);
  near(item.variance, meanOf(values.map((value) => (value - mean) ** 2)));
  near(item.std, Math.sqrt(item.variance as number));
  for (const [name, share] of Object.entries({ p10: 0.1, q1: 0.25, median: 0.5, q3: 0.75, p90: 0.9 }))
    near(item[name], at(share));
});

test('statistics bm_type: a text gives metrics, a list one object for each index', async () => {
  const params = await toParams('l2a', {
    bm_type: ['ndvi', '(B08-B04)/(B08+B04)'],
    exclude_cover_pixels: false,
  });
  const [item] = (await measure(params)).result as [Item];
  const indexes = item.indexes as Readonly<Record<string, Item>>;
  assert.deepEqual(Object.keys(indexes), ['ndvi', '(B08-B04)/(B08+B04)']);
  assert.deepEqual(indexes.ndvi, indexes['(B08-B04)/(B08+B04)']);
  assert.equal(item.average, undefined);
  const there = (await measureThere(params)).result as Answer;
  assert.deepEqual(there.result[0]!.ndvi, indexes.ndvi);
  const [one] = (await measure({ ...params, bm_type: ['NDVI'] })).result as [Item];
  assert.deepEqual(one.average, (one.indexes as Readonly<Record<string, Item>>).NDVI!.average);
  assert.equal(
    await orderRefusedThere({ ...params, bm_type: ['NDVI', 'NDWI', 'NDMI', 'MSI'] }),
    'too-many-indices',
  );
});

async function orderRefusedThere(params: Params): Promise<unknown> {
  const response = await call(ADDRESSES.statistics, { body: { type: 'mt_stats', params } });
  assert.equal(response.status, 400);
  return ((await response.json()) as Item).code;
}

test('statistics sensors: ids and abbreviations; aliases only for several', async () => {
  const byId = await measure(await toParams('l2a'));
  const byName = await measure(await toParams('l2a', { sensors: 'S2L2A' }));
  assert.deepEqual(byName.result, byId.result);
  const both = await measure(
    await toParams('l2a', {
      sensors: ['sentinel2l2a', 'landsat8'],
      date_start: '2000-01-01',
      date_end: '2030-01-01',
    }),
  );
  const dates = both.result.map(({ date }) => date as string);
  assert.deepEqual(dates, dates.toSorted().toReversed());
});

test('statistics date_start, date_end: both days are included, and others are not', async () => {
  const params = await toParams('l2a');
  assert.equal((await measure(params)).result.length, 1);
  const [day] = [Date.parse(dateOf('l2a'))];
  const before = new Date(day - 86_400_000).toISOString().slice(0, 10);
  assert.equal((await measure({ ...params, date_start: '2001-01-01', date_end: before })).result.length, 0);
});

test('statistics reference: may be missing; the same order with the same one is the same task', async () => {
  const params = await toParams('l2a', { reference: 'field 7' });
  const first = await order('mt_stats', params, ADDRESSES.statistics);
  const again = await order('mt_stats', params, ADDRESSES.statistics);
  assert.equal(again.task_id, first.task_id);
  const other = await order('mt_stats', { ...params, limit: 3 }, ADDRESSES.statistics);
  assert.notEqual(other.task_id, first.task_id);
});

test('statistics geometry: pixels count whose centre lies in it, holes do not', async () => {
  const band = await readBand('l2a', 'B04');
  const { left, top, right, bottom } = middleOf(band);
  const outer = ringAround(band, [left, top], [right, bottom]);
  const hole = ringAround(band, [left + 10, top + 5], [left + 19, top + 14]).toReversed();
  const geometry = { type: 'Polygon', coordinates: [outer, hole] };
  const response = await now({ ...(await toParams('l2a', { geometry, exclude_cover_pixels: false })) });
  const { results } = (await response.json()) as { results: readonly Item[] };
  const values = results[0]!.values as Readonly<Record<string, Item>>;
  assert.equal(values.NDVI!.count, 40 * 30 - 10 * 10);
});

test('statistics cropper_ref: a stored area', async () => {
  const band = await readBand('l2a', 'B04');
  const { left, top, right, bottom } = middleOf(band);
  const ref = await keepArea(ringAround(band, [left, top], [right, bottom]));
  const { geometry: _, ...params } = await toParams('l2a');
  assert.deepEqual(
    (await measure({ ...params, cropper_ref: ref })).result,
    (await measure(await toParams('l2a'))).result,
  );
  assert.equal(
    await orderRefused('mt_stats', { ...params, cropper_ref: '0'.repeat(32) }, 404),
    'unknown-area',
  );
});

test('statistics limit: the newest scenes', async () => {
  const params = await toParams('s2', {
    sensors: ['sentinel2', 'sentinel2l2a'],
    date_start: '2000-01-01',
    date_end: '2030-01-01',
  });
  const all = (await measure(params)).result;
  assert.ok(all.length > 1, `${all.length} scenes`);
  assert.deepEqual((await measure({ ...params, limit: 1 })).result, all.slice(0, 1));
});

test('statistics cloud: percent of the area, by the scene classification', async () => {
  const { result } = await measure(await toParams('l2a', {}, await cloudyBox()));
  const share = await cloudShare(await cloudyBox());
  near((result[0] as Item).cloud, 100 * share, 1e-6);
});

/** A box that is cloudy in part. */
async function cloudyBox(): Promise<PixelBox> {
  const { values, width, height } = await readBand('l2a', 'SCL');
  for (let top = 4; top + 30 < height; top += 6) {
    for (let left = 4; left + 30 < width; left += 6) {
      let clouds = 0;
      for (let row = top; row < top + 30; row += 1)
        for (let column = left; column < left + 30; column += 1)
          if ([8, 9].includes(values[row * width + column]!)) clouds += 1;
      if (clouds > 90 && clouds < 800)
        return { left: 2 * left, top: 2 * top, right: 2 * left + 59, bottom: 2 * top + 59 };
    }
  }
  return assert.fail('no clouds in the scene');
}

/** The share of clouds in a box of whole pixels of the classification. */
async function cloudShare(box: PixelBox, classes = [8, 9]): Promise<number> {
  const coarse = {
    left: box.left / 2,
    top: box.top / 2,
    right: (box.right - 1) / 2,
    bottom: (box.bottom - 1) / 2,
  };
  const values = cut(await readBand('l2a', 'SCL'), coarse);
  return values.filter((value) => classes.includes(value)).length / values.length;
}

test('statistics max_cloud_cover_in_aoi: cloudier scenes are errors, by default all with clouds', async () => {
  const box = await cloudyBox();
  const share = 100 * (await cloudShare(box));
  const { max_cloud_cover_in_aoi: _, ...params } = await toParams('l2a', {}, box);
  const strict = await measure(params);
  assert.equal(strict.result.length, 0);
  assert.match(String(strict.errors[0]!.error), /max_cloud_cover_in_aoi 0/);
  assert.equal((await measure({ ...params, max_cloud_cover_in_aoi: share + 1 })).result.length, 1);
  assert.equal((await measure({ ...params, max_cloud_cover_in_aoi: share - 1 })).result.length, 0);
});

test('statistics exclude_cover_pixels: clouds do not count, unless it is off', async () => {
  const box = await cloudyBox();
  const count = async (more: Params): Promise<number> => {
    const response = await now(await toParams('l2a', more, box));
    const { results } = (await response.json()) as { results: readonly Item[] };
    return (results[0]!.values as Readonly<Record<string, Item>>).NDVI!.count as number;
  };
  assert.equal(await count({ exclude_cover_pixels: false }), 3_600);
  assert.equal(
    await count({ exclude_cover_pixels: true }),
    Math.round(3_600 * (1 - (await cloudShare(box)))),
  );
});

test('statistics cloud_masking_level: classes by level, 0 is off, both masks together', async () => {
  const box = await cloudyBox();
  const levels = { 1: [9], 2: [8, 9], 3: [3, 7, 8, 9, 10], 4: [8, 9, 10] };
  for (const [level, classes] of [[0, []], ...Object.entries(levels)] as [number, number[]][]) {
    const more = { exclude_cover_pixels: false, cloud_masking_level: Number(level) };
    const response = await now(await toParams('l2a', more, box));
    const { results } = (await response.json()) as { results: readonly Item[] };
    const values = results[0]!.values as Readonly<Record<string, Item>>;
    const left = 3_600 * (1 - (await cloudShare(box, [...classes, ...(Number(level) === 0 ? [] : [0, 1])])));
    assert.equal(values.NDVI!.count, Math.round(left), `level ${level}`);
  }
  assert.equal(
    await orderRefused('mt_stats', await toParams('l2a', { cloud_masking_level: 5 })),
    'bad-cloud-masking-level',
  );
});

test('statistics notes: an area that the scene covers in part', async () => {
  const band = await readBand('l2a', 'B04');
  const box = middleOf(band);
  const [[west, south], , [east, north]] = ringAround(
    band,
    [1, box.top],
    [box.right, box.bottom],
  ) as unknown as [number[], number[], number[]];
  const [left, right] = [west! - 2 * (east! - west!), east!];
  const geometry = {
    type: 'Polygon',
    coordinates: [
      [
        [left, south],
        [right, south],
        [right, north],
        [left, north],
        [left, south],
      ],
    ],
  };
  const { result } = await measure(await toParams('l2a', { geometry }));
  assert.deepEqual((result[0] as Item).notes, ['partial coverage']);
});

test('statistics errors: a scene that fails, next to results', async () => {
  const band = await readBand('l2a', 'B04');
  const { errors } = await measure(
    await toParams('l2a', { geometry: toPolygon(band, middleOf(band)), max_cloud_cover_in_aoi: 0 }),
  );
  for (const error of errors)
    assert.deepEqual(Object.keys(error).toSorted(), ['date', 'error', 'notes', 'scene_id', 'view_id']);
});

const moisture = {
  bm_type: 'soilmoisture',
  sensors: ['soilmoisture'],
  date_start: '2026-05-01',
  date_end: '2026-05-16',
};
const POINT = { type: 'Point', coordinates: [-122.4, 48.22] };
const dayOf = (days: number): string =>
  new Date(Date.parse(MOISTURE.first) + days * 86_400_000).toISOString().slice(0, 10);

test('statistics soilmoisture: the surface by day, newest first, of an area or a point; gaps are left out', async () => {
  const band = await readBand('l2a', 'B04');
  for (const geometry of [POINT, toPolygon(band, middleOf(band))]) {
    const { result, errors } = await measure({ ...moisture, geometry });
    assert.deepEqual(errors, []);
    assert.deepEqual(
      result.map(({ date }) => date),
      MOISTURE.days.map(dayOf).toReversed(),
    );
    for (const [i, item] of result.toReversed().entries()) {
      near(item.average, MOISTURE.surface[i]!, 1e-7);
      near(item.median, MOISTURE.surface[i]!, 1e-7);
      assert.equal(item.cloud, 0);
    }
  }
  const { result } = await measure({ ...moisture, geometry: POINT, limit: 2 });
  assert.equal(result.length, 2);
  const far = { type: 'Point', coordinates: [10, 10] };
  const none = await measure({ ...moisture, geometry: far });
  assert.deepEqual([none.result.length, none.errors.length], [0, 1]);
  assert.equal(await codeOf({ ...moisture, geometry: POINT, sensors: ['sentinel2'] }), '00010');
  assert.equal(await codeOf({ ...moisture, geometry: POINT, bm_type: 'NDVI' }), '01001');
});

test('statistics ctime10: the root zone, as the worked example of the filter; only soil moisture has it', async () => {
  const { result } = await measure({ ...moisture, geometry: POINT });
  for (const [i, item] of result.toReversed().entries()) near(item.ctime10, MOISTURE.rootZone[i]!, 1e-6);
  // The same day without those before it in the window.
  const last = await measure({ ...moisture, geometry: POINT, date_start: '2026-05-16' });
  assert.equal(last.result[0]!.ctime10, result[0]!.ctime10);
  assert.ok(!('ctime10' in (await measure(await toParams('l2a'))).result[0]!));
});

test('statistics 00001: limit exceeds the limit of scenes', async () => {
  assert.equal(await codeOf(await toParams('l2a', { limit: 501 })), '00001');
  assert.equal(await orderRefused('mt_stats', await toParams('l2a', { limit: 0 })), 'bad-limit');
});

test('statistics 00010: invalid sensors', async () => {
  for (const sensors of [['Sentinel-2'], 'S2_MSI_L2A', [], {}, ['sentinel2l2a', 'nope']])
    assert.equal(await codeOf(await toParams('l2a', { sensors })), '00010', JSON.stringify(sensors));
});

test('statistics 00011: date_start later than date_end', async () => {
  assert.equal(
    await codeOf(await toParams('l2a', { date_start: '2026-02-02', date_end: '2026-02-01' })),
    '00011',
  );
});

test('statistics 00100: malformed date', async () => {
  for (const date_start of ['2026-02-30', '2026/01/01', '', null, 20260101, '2026-1-1'])
    assert.equal(await codeOf(await toParams('l2a', { date_start })), '00100', String(date_start));
});

test('statistics 00101: no geometry provided', async () => {
  assert.equal(await codeOf(await toParams('l2a', { geometry: null })), '00101');
});

test('statistics 00110: unsupported geometry type', async () => {
  assert.equal(
    await codeOf(await toParams('l2a', { geometry: { type: 'Point', coordinates: [1, 2] } })),
    '00110',
  );
  const geometry = {
    type: 'LineString',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  };
  assert.equal(await codeOf(await toParams('l2a', { geometry })), '00110');
});

test('statistics 00111: geometry not valid', async () => {
  const bow = [
    [0, 0],
    [1, 1],
    [1, 0],
    [0, 1],
    [0, 0],
  ];
  assert.equal(
    await codeOf(await toParams('l2a', { geometry: { type: 'Polygon', coordinates: [bow] } })),
    '00111',
  );
});

test('statistics 01000: malformed geometry', async () => {
  for (const geometry of [
    'POLYGON((0 0))',
    { type: 'Polygon' },
    { type: 'Polygon', coordinates: [[[0, 'x']]] },
  ])
    assert.equal(await codeOf(await toParams('l2a', { geometry })), '01000', JSON.stringify(geometry));
});

test('statistics 01001: invalid bm_type, and band math of several sensors', async () => {
  for (const bm_type of ['NDVX', '', null, [], 'ISTACK', 'B04,B08', [7]])
    assert.equal(await codeOf(await toParams('l2a', { bm_type })), '01001', JSON.stringify(bm_type));
  const params = await toParams('l2a', { bm_type: 'B04', sensors: ['landsat8', 'sentinel2'] });
  assert.equal(await codeOf(params), '01001');
});

test('statistics 01100: no scene could be measured', async () => {
  const { body } = await pollToEnd(await failing);
  assert.deepEqual([body.task_type, body.error_status], ['error', '01100']);
  assert.match(String(body.error_message), /all 1 scenes failed/);
});

test('statistics 01011: maximum extent size exceeded', async () => {
  const ring = [
    [0, 0],
    [0.2, 0],
    [0.2, 0.2],
    [0, 0.2],
    [0, 0],
  ];
  assert.equal(
    await codeOf(await toParams('l2a', { geometry: { type: 'Polygon', coordinates: [ring] } })),
    '01011',
  );
});

/** Statistics in one request. */
const now = (params: Params, accept = 'application/json') =>
  call('/api/statistics', {
    body: { ...params, expressions: params.bm_type ?? 'NDVI' },
    headers: { accept },
  });

test('statistics in one request: the same numbers, as JSON, CSV and GeoJSON', async () => {
  const params = await toParams('l2a');
  const { result } = await measure(params);
  const response = await now(params);
  assert.equal(response.status, 200);
  const { results } = (await response.json()) as { results: readonly Item[] };
  const { average } = (results[0]!.values as Readonly<Record<string, Item>>).NDVI as Item;
  assert.equal(average, result[0]!.average);
  const csv = await now(params, 'text/csv');
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
  const [names, row] = (await csv.text()).split('\r\n').map((line) => line.split(','));
  assert.equal(row![names!.indexOf('average')], String(average));
  const geojson = (await (await now(params, 'application/geo+json')).json()) as {
    readonly type: string;
    readonly features: readonly { readonly properties: Item }[];
  };
  assert.equal(geojson.type, 'FeatureCollection');
  assert.equal(geojson.features[0]!.properties.NDVI_average, average);
  const refused = await now({ ...params, date_start: 'soon' });
  assert.equal(refused.status, 400);
  assert.equal(((await refused.json()) as Item).code, 'statistics-date');
});

test('statistics histogram: counts of equal bins', async () => {
  const response = await now(
    await toParams('l2a', { histogram: { bins: 4, min: -1, max: 1 }, exclude_cover_pixels: false }),
  );
  const { results } = (await response.json()) as { results: readonly Item[] };
  const { histogram } = (results[0]!.values as Readonly<Record<string, Item>>).NDVI as Item;
  const values = await ndviOf('l2a', await middle());
  const counts = [-1, -0.5, 0, 0.5].map(
    (from) => values.filter((value) => value >= from && value < from + 0.5).length,
  );
  assert.deepEqual((histogram as Item).counts, counts);
});
