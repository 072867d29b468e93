/** What an expression consists of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askJson, askRefused, sceneOf, verbPath } from '../service.ts';

interface Parts {
  readonly designators: readonly string[];
  readonly expressions: readonly string[];
  readonly band_ids: readonly string[];
}
const parse = (sensor: string, bands: string, query = ''): Promise<Parts> =>
  askJson<Parts>(`${sensor}/parse_vb/${encodeURIComponent(bands)}`, { query });

test('parse_vb designators: single capital letters, one for each distinct band', async () => {
  const { designators, band_ids } = await parse('L8', '(B1-B10)/(B4-B5),B1,B4');
  assert.equal(designators.length, 4);
  assert.ok(designators.every((letter) => /^[A-Z]$/.test(letter)));
  assert.equal(new Set(designators).size, 4);
  assert.equal(band_ids.length, 4);
});

test('parse_vb expressions: each with its bands replaced by designators', async () => {
  const text = '(B1-B10)/(B4-B5),B1,B4';
  const { designators, expressions, band_ids } = await parse('L8', text);
  const back = expressions.map((one) =>
    one.replace(/[A-Z]/g, (letter) => band_ids[designators.indexOf(letter)]!),
  );
  assert.equal(back.join(), text);
});

test('parse_vb band_ids: the bands, in the order of the designators', async () => {
  const { designators, band_ids } = await parse('S2', '(B08-B04)/(B08+B04)');
  assert.deepEqual(
    [designators.toSorted(), band_ids.toSorted()],
    [
      ['A', 'B'],
      ['B04', 'B08'],
    ],
  );
  const { expressions, band_ids: ids } = await parse('S2', 'B8A*2.0');
  assert.deepEqual([expressions, ids], [['A*2.0'], ['B8A']]);
});

test('parse_vb scene_id: required for Sentinel-1, whose bands depend on the polarisation', async () => {
  assert.equal(await askRefused('S1/parse_vb/VV', 400), 'scene-id-needed');
  const name = sceneOf('s1').viewId.slice('S1/'.length);
  assert.deepEqual((await parse('S1', 'VV/VH', `scene_id=${name}`)).band_ids.toSorted(), ['VH', 'VV']);
  await askRefused('S1/parse_vb/HH', 422, { query: `scene_id=${name}` });
  assert.deepEqual((await parse('S2', 'B04', `scene_id=${sceneOf('s2').viewId.slice(3)}`)).band_ids, ['B04']);
});

test('parse_vb api_key: required', async () => {
  await askRefused('S2/parse_vb/B04', 401, { apiKey: null });
  await askRefused('S2/parse_vb/B04', 403, { apiKey: 'not-a-key' });
});

test('parse_vb 422: an unsupported band or operation, with status false and the error', async () => {
  for (const bands of ['B99', 'B04+B99', 'launch(B04)', 'B04 % B08', 'B04[0]', 'B04.real', '']) {
    await askRefused(`S2/parse_vb/${encodeURIComponent(bands)}`, 422);
  }
  // A band of the sensor that the scene has no file for is one as well, wherever it is asked for.
  const { viewId, footprint } = sceneOf('s1');
  const [ring = []] = footprint.type === 'Polygon' ? footprint.coordinates : (footprint.coordinates[0] ?? []);
  const middleOf = (axis: 0 | 1): number =>
    (Math.min(...ring.map((position) => position[axis])) +
      Math.max(...ring.map((position) => position[axis]))) /
    2;
  const latLon = `${middleOf(1)}/${middleOf(0)}`;
  for (const path of [
    `${viewId}/HH/0/0/0`,
    `legend/${viewId}/HH/0/0/0`,
    `${verbPath('s1', 'point')}/HH/${latLon}`,
    `${verbPath('s1', 'ir')}/HH`,
    `${verbPath('s1', 'preview')}/HH/9/${latLon}`,
  ]) {
    assert.equal(await askRefused(path, 422), 'no-such-band-file', path);
  }
});

test('parse_vb scene_id: it decides between the cameras of CBERS4 if the bands do not', async () => {
  const name = sceneOf('cbers').viewId.slice('CBERS4MUX/'.length);
  for (const sensor of ['CBERS4', 'CBERS4MUX']) {
    assert.deepEqual((await parse(sensor, 'BAND7')).band_ids, ['BAND7']);
    assert.deepEqual((await parse(sensor, 'BAND7', `scene_id=${name}`)).band_ids, ['BAND7']);
  }
  assert.equal(await askRefused('CBERS4/parse_vb/NDVI', 400), 'scene-id-needed');
  assert.deepEqual((await parse('CBERS4', 'NDVI', `scene_id=${name}`)).band_ids, ['BAND8', 'BAND7']);
  await askRefused('CBERS5/parse_vb/BAND7', 404);
});
