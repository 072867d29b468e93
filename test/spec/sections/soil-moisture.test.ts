/** Soil moisture of an area or a point by day. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBand } from '../pixels.ts';
import { MOISTURE } from '../service.ts';
import { codeOf, measure, middleOf, near, toParams, toPolygon } from '../statistics.ts';

const moisture = {
  bm_type: 'soilmoisture',
  sensors: ['soilmoisture'],
  date_start: '2026-05-01',
  date_end: '2026-05-16',
};
const POINT = { type: 'Point', coordinates: [-122.4, 48.22] };
const dayOf = (days: number): string =>
  new Date(Date.parse(MOISTURE.first) + days * 86_400_000).toISOString().slice(0, 10);

test('statistics soilmoisture: surface moisture by day, newest first, for an area or a point; gaps are left out', async () => {
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

test('statistics ctime10: the root zone follows the worked example of the filter; only soil moisture has it', async () => {
  const { result } = await measure({ ...moisture, geometry: POINT });
  for (const [i, item] of result.toReversed().entries()) near(item.ctime10, MOISTURE.rootZone[i]!, 1e-6);
  // The same day without those before it in the window.
  const last = await measure({ ...moisture, geometry: POINT, date_start: '2026-05-16' });
  assert.equal(last.result[0]!.ctime10, result[0]!.ctime10);
  assert.ok(!('ctime10' in (await measure(await toParams('l2a'))).result[0]!));
});
