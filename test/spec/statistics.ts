/** Orders statistics of scenes of the demo, and computes what they must be. */
import assert from 'node:assert/strict';
import { ringAround } from './areas.ts';
import type { BandPixels } from './pixels.ts';
import { readBand } from './pixels.ts';
import { call, sceneOf } from './service.ts';
import type { Params, PixelBox } from './tasks.ts';
import { ADDRESSES, cut, order, poll, pollToEnd } from './tasks.ts';

/** An object of an answer. */
export type Item = Readonly<Record<string, unknown>>;
/** What the statistics address answers. */
export interface Answer {
  readonly result: readonly Item[];
  readonly errors: readonly Item[];
}

/** Metrics of a result. */
export const METRICS = ['average', 'max', 'median', 'min', 'p10', 'p90', 'q1', 'q3', 'std', 'variance'];

/** 40 × 30 pixels in the middle of a band. */
export function middleOf({ width, height }: BandPixels): PixelBox {
  const [left, top] = [Math.floor(width / 2) - 20, Math.floor(height / 2) - 15];
  return { left, top, right: left + 39, bottom: top + 29 };
}
/** The middle of the Level-2A scene. */
export const middle = async (): Promise<PixelBox> => middleOf(await readBand('l2a', 'B04'));

/** The outline of pixels. */
export const toPolygon = (band: BandPixels, { left, top, right, bottom }: PixelBox) => ({
  type: 'Polygon',
  coordinates: [ringAround(band, [left, top], [right, bottom])],
});

/** The day of a scene. */
export const dateOf = (key: 'l2a' | 's2' | 'l8' | 'modis'): string => sceneOf(key).acquiredAt.slice(0, 10);

/** Params for one scene. */
export async function toParams(
  key: 'l2a' | 's2' | 'l8',
  more: Params = {},
  wanted?: PixelBox,
): Promise<Params> {
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
export async function measure(params: Params): Promise<Answer> {
  const { task_id: id } = await order('mt_stats', params, ADDRESSES.statistics);
  const { response, body } = await pollToEnd(id);
  assert.equal(response.status, 200);
  assert.equal(body.task_type, undefined, JSON.stringify(body));
  return body as unknown as Answer;
}

/** Orders statistics on the download address and waits for them. */
export async function measureThere(params: Params): Promise<Item> {
  const { task_id: id } = await order('mt_stats', params);
  await pollToEnd(id);
  const response = await poll(id);
  assert.equal(response.status, 200);
  return (await response.json()) as Item;
}

/** Orders what fails; `error_status` on both addresses. */
export async function codeOf(params: Params): Promise<unknown> {
  const { task_id: id } = await order('mt_stats', params, ADDRESSES.statistics);
  const { body } = await pollToEnd(id);
  assert.equal(body.task_type, 'error');
  assert.ok(typeof body.error_message === 'string' && body.error_message.length > 10);
  const there = (await (await poll(id)).json()) as Item;
  assert.deepEqual([there.task_type, there.error_status], ['error', body.error_status]);
  return body.error_status;
}

/** NDVI of reflectance, in single precision, as the pixels of a box have it. */
export async function ndviOf(key: 'l2a' | 's2' | 'beforeFire', box: PixelBox): Promise<number[]> {
  const [red, near] = await Promise.all([readBand(key, 'B04'), readBand(key, 'B08')]);
  const shift = key === 's2' ? 0 : offsetOf(key);
  const nears = cut(near, box);
  return cut(red, box).map((value, i) => {
    const [r, n] = [(value + shift) / 10_000, (nears[i]! + shift) / 10_000];
    return (n - r) / (n + r);
  });
}

/** Baselines from 04.00 on store reflectance with an offset. */
function offsetOf(key: 'l2a' | 'beforeFire'): number {
  const { calibration } = sceneOf(key);
  const offset = /"(?:offset|addOffset|BOA_ADD_OFFSET)[^:]*":\s*(-?\d+)/.exec(
    JSON.stringify(calibration),
  )?.[1];
  return Number(offset ?? 0);
}

/** The mean. */
export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Fails unless numbers agree. */
export const near = (actual: unknown, expected: number, slack = 2e-6): void =>
  assert.ok(
    typeof actual === 'number' && Math.abs(actual - expected) <= slack,
    `${actual} is not ${expected}`,
  );

/** Statistics in one request; on a busy machine it is made again until the answer comes in time. */
export async function measureNow(params: Params, accept = 'application/json'): Promise<Response> {
  const response = await call('/api/statistics', {
    body: { ...params, expressions: params.bm_type ?? 'NDVI' },
    headers: { accept },
  });
  return response.status === 202 ? measureNow(params, accept) : response;
}
