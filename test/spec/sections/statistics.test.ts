/** Statistics of an area over time, on both addresses of tasks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepArea, ringAround } from '../areas.ts';
import { readBand } from '../pixels.ts';
import { call, sceneOf } from '../service.ts';
import type { Answer, Item } from '../statistics.ts';
import {
  dateOf,
  METRICS,
  meanOf,
  measure,
  measureNow,
  measureThere,
  middle,
  middleOf,
  ndviOf,
  near,
  toParams,
  toPolygon,
} from '../statistics.ts';
import type { Params } from '../tasks.ts';
import { ADDRESSES, order, orderRefused, pollToEnd } from '../tasks.ts';

test('statistics type: each address answers mt_stats in its own format', async () => {
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

test('statistics result: every metric equals the one computed from the pixels', async () => {
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

test('statistics bm_type: a string gives metrics, a list gives one object for each index', async () => {
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

test('statistics reference: it is optional; the same order with the same reference is the same task', async () => {
  const params = await toParams('l2a', { reference: 'field 7' });
  const first = await order('mt_stats', params, ADDRESSES.statistics);
  const again = await order('mt_stats', params, ADDRESSES.statistics);
  assert.equal(again.task_id, first.task_id);
  const other = await order('mt_stats', { ...params, limit: 3 }, ADDRESSES.statistics);
  assert.notEqual(other.task_id, first.task_id);
});

test('statistics geometry: pixels count if their centre is inside it; holes do not count', async () => {
  const band = await readBand('l2a', 'B04');
  const { left, top, right, bottom } = middleOf(band);
  const outer = ringAround(band, [left, top], [right, bottom]);
  const hole = ringAround(band, [left + 10, top + 5], [left + 19, top + 14]).toReversed();
  const geometry = { type: 'Polygon', coordinates: [outer, hole] };
  const response = await measureNow({
    ...(await toParams('l2a', { geometry, exclude_cover_pixels: false })),
  });
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

test('statistics limit: the newest scenes are measured', async () => {
  const params = await toParams('s2', {
    sensors: ['sentinel2', 'sentinel2l2a'],
    date_start: '2000-01-01',
    date_end: '2030-01-01',
  });
  const all = (await measure(params)).result;
  assert.ok(all.length > 1, `${all.length} scenes`);
  assert.deepEqual((await measure({ ...params, limit: 1 })).result, all.slice(0, 1));
});

test('statistics notes: a note says that the scene covers the area only in part', async () => {
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

test('statistics errors: a failed scene is listed next to the results', async () => {
  const band = await readBand('l2a', 'B04');
  const { errors } = await measure(
    await toParams('l2a', { geometry: toPolygon(band, middleOf(band)), max_cloud_cover_in_aoi: 0 }),
  );
  for (const error of errors)
    assert.deepEqual(Object.keys(error).toSorted(), ['date', 'error', 'notes', 'scene_id', 'view_id']);
});
