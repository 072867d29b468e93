/** Clouds in statistics of an area. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBand } from '../pixels.ts';
import type { Item } from '../statistics.ts';
import { measure, measureNow, near, toParams } from '../statistics.ts';
import type { Params, PixelBox } from '../tasks.ts';
import { cut, orderRefused } from '../tasks.ts';

test('statistics cloud: the percentage of the area that the scene classification marks as cloud', async () => {
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

test('statistics max_cloud_cover_in_aoi: cloudier scenes are errors; the default is 0', async () => {
  const box = await cloudyBox();
  const share = 100 * (await cloudShare(box));
  const { max_cloud_cover_in_aoi: _, ...params } = await toParams('l2a', {}, box);
  const strict = await measure(params);
  assert.equal(strict.result.length, 0);
  assert.match(String(strict.errors[0]!.error), /max_cloud_cover_in_aoi 0/);
  assert.equal((await measure({ ...params, max_cloud_cover_in_aoi: share + 1 })).result.length, 1);
  assert.equal((await measure({ ...params, max_cloud_cover_in_aoi: share - 1 })).result.length, 0);
});

test('statistics exclude_cover_pixels: cloudy pixels do not count, unless it is off', async () => {
  const box = await cloudyBox();
  const count = async (more: Params): Promise<number> => {
    const response = await measureNow(await toParams('l2a', more, box));
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
    const response = await measureNow(await toParams('l2a', more, box));
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
