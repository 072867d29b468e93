/** Areas are stored, read, and used to crop pictures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepArea, ringAround, toFeature } from '../areas.ts';
import { drawNative, expectNative, greyOf, readBand, TRANSPARENT } from '../pixels.ts';
import { ask, askJson, askRefused } from '../service.ts';

test('areas POST: keeps a Feature with a Polygon, answers cropper_ref', async () => {
  const band = await readBand('l2a', 'B04');
  const ring = ringAround(band, [10, 10], [40, 40]);
  const response = await ask('cropper/', { body: toFeature(ring) });
  assert.equal(response.status, 200);
  const body = (await response.json()) as Record<string, unknown>;
  assert.deepEqual(Object.keys(body), ['cropper_ref']);
  assert.equal(typeof body.cropper_ref, 'string');
  assert.equal(await keepArea(ring), body.cropper_ref);
  // With a hole, it crops as the pixel centres say.
  const ref = await keepArea(ring, ringAround(band, [20, 20], [29, 29]));
  const picture = await drawNative('l2a', 'B04', band, `MIN_MAX=0,6000&cropper_ref=${ref}`);
  const isIn = (value: number, from: number, to: number): boolean => value >= from && value <= to;
  expectNative(picture, (at) => {
    const [column, row] = [at % band.width, Math.floor(at / band.width)];
    const isInside =
      isIn(column, 10, 40) && isIn(row, 10, 40) && !(isIn(column, 20, 29) && isIn(row, 20, 29));
    return isInside ? greyOf(band.values[at]!, 0, 6000) : TRANSPARENT;
  });
  for (const bad of [
    {},
    { type: 'Feature', geometry: null },
    { ...toFeature(), geometry: { type: 'Point', coordinates: [0, 0] } },
  ]) {
    await askRefused('cropper/', 422, { body: bad });
  }
  await askRefused('cropper/', 401, { body: toFeature(ring), apiKey: null });
});

test('areas GET: the stored Feature', async () => {
  const feature = toFeature([
    [2, 41],
    [2.5, 41],
    [2.25, 41.5],
    [2, 41],
  ]);
  const ref = await keepArea(...feature.geometry.coordinates);
  assert.deepEqual(await askJson(`cropper/${ref}`), feature);
  await askRefused(`cropper/${ref}`, 401, { apiKey: null });
});

test('areas 404: a reference that does not exist', async () => {
  assert.equal(await askRefused(`cropper/${'0'.repeat(32)}`, 404), 'unknown-area');
  await askRefused('cropper/not-a-reference', 404);
});
