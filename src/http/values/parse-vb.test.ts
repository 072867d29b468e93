import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { makeTestApp, readError } from '../testing/make-test-app.ts';

const scene = toScene(makeScene(21));
const { BAND7, BAND8 } = { BAND7: scene.assets.B04!, BAND8: scene.assets.B04! };
const mux = toScene(
  makeScene(21, {
    viewId: 'CBERS4MUX/CBERS_4_MUX_20160518_163_128_L4',
    dataset: 'cbers4mux',
    assets: { BAND7, BAND8 },
  }),
);
const { call } = makeTestApp({
  scenes: {
    findByViewId: async (viewId) => [scene, mux].find((known) => known.viewId === viewId) ?? null,
    findByName: async () => null,
  },
});
const parse = (path: string) => call(`/api/render/${path}`);
type Parts = Readonly<Record<'designators' | 'expressions' | 'band_ids' | 'types', readonly string[]>>;

test('an expression is split into its parts, with slashes plain or encoded', async () => {
  for (const bands of ['(B1-B10)/(B4-B5),B1,B4', '%28B1-B10%29%2F%28B4-B5%29%2CB1%2CB4']) {
    const response = await parse(`L8/parse_vb/${bands}`);
    assert.equal(response.status, 200, await response.clone().text());
    const { designators, expressions, band_ids, types } = (await response.json()) as Parts;
    assert.deepEqual(designators, ['A', 'B', 'C', 'D']);
    assert.deepEqual(expressions, ['(A-B)/(C-D)', 'A', 'C']);
    assert.deepEqual(band_ids, ['B1', 'B10', 'B4', 'B5']);
    assert.deepEqual(types, ['band', 'band', 'band']);
  }
});

test('aliases and roles are expanded for the sensor', async () => {
  const response = await parse('S2/parse_vb/1-ndvi');
  const { expressions, band_ids } = (await response.json()) as Parts;
  assert.deepEqual([expressions, band_ids], [['1-((A-B)/(A+B))'], ['B08', 'B04']]);
});

test('an unsupported band or operation is 422 with its position and a suggestion', async () => {
  const response = await parse('S2/parse_vb/B04%2BB99');
  assert.equal(response.status, 422);
  const body = (await response.json()) as {
    status: boolean;
    error: string;
    position: number;
    picture: string;
  };
  assert.equal(body.status, false);
  assert.match(body.error, /B99/);
  assert.equal(body.position, 4);
  assert.match(body.picture, /B04\+B99\n {4}\^/);
  for (const hostile of ['constructor', '__proto__', '`B04`', 'B04;B03', 'eval(B04)', 'Ｂ04', 'B04+', '']) {
    const refused = await parse(`S2/parse_vb/${encodeURIComponent(hostile)}`);
    assert.equal(refused.status, 422, hostile);
  }
});

test('a scene id selects the bands of that scene; Sentinel-1 needs one', async () => {
  assert.equal((await readError(await parse('S1/parse_vb/VV'))).code, 'scene-id-needed');
  assert.equal((await parse(`S2/parse_vb/B04?scene_id=${scene.viewId.slice('S2/'.length)}`)).status, 200);
  assert.equal((await parse('S2/parse_vb/B04?scene_id=31/T/DH/1999/1/1/0')).status, 404);
  assert.equal((await parse('S9/parse_vb/B04')).status, 404);
});

test('CBERS4 means the camera of the scene, or the camera that has these bands', async () => {
  const read = async (path: string): Promise<readonly string[]> => {
    const response = await parse(path);
    assert.equal(response.status, 200, await response.clone().text());
    return ((await response.json()) as Parts).band_ids;
  };
  assert.deepEqual(await read('CBERS4/parse_vb/BAND7'), ['BAND7']);
  assert.deepEqual(await read('CBERS4/parse_vb/BAND16-BAND15'), ['BAND16', 'BAND15']);
  const of = `scene_id=${mux.viewId.slice('CBERS4MUX/'.length)}`;
  assert.deepEqual(await read(`CBERS4/parse_vb/NDVI?${of}`), ['BAND8', 'BAND7']);
  assert.deepEqual(await read(`CBERS4MUX/parse_vb/NDVI?${of}`), ['BAND8', 'BAND7']);
  // Of this scene there is no file of it; AWFI has another band in its place.
  assert.equal((await parse(`CBERS4/parse_vb/BAND5?${of}`)).status, 422);
  assert.equal((await parse('CBERS4/parse_vb/BAND99')).status, 422);
  assert.equal((await parse('CBERS4/parse_vb/BAND7-BAND15')).status, 422);
  const ambiguous = await parse('CBERS4/parse_vb/NDVI');
  assert.equal(ambiguous.status, 400);
  const { code, error } = await readError(ambiguous);
  assert.equal(code, 'scene-id-needed');
  assert.match(error, /CBERS4MUX, CBERS4AWFI, CBERS4PAN10M/);
});

test('the parts of an expression may be cached, and are revalidated without a body', async () => {
  const response = await parse('S2/parse_vb/B04');
  assert.equal(response.headers.get('cache-control'), 'private, max-age=86400');
  const etag = response.headers.get('etag') ?? '';
  const again = await call('/api/render/S2/parse_vb/B04', { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  // The bands of a scene change when it is ingested again.
  const named = await parse(`S2/parse_vb/B04?scene_id=${scene.viewId.slice('S2/'.length)}`);
  assert.equal(named.headers.get('cache-control'), 'private, max-age=60');
  assert.equal((await parse('S2/parse_vb/B99')).headers.get('cache-control'), 'no-store');
});

test('a note warns about an expression that mixes bands with different gains or an offset, but not about a single band', async () => {
  const noteOf = async (path: string): Promise<string | undefined> => {
    const response = await parse(path);
    assert.equal(response.status, 200, await response.clone().text());
    return ((await response.json()) as { note?: string }).note;
  };
  const sentence = 'have different gains; CALIBRATE=1 computes with physical values.';
  assert.equal(await noteOf('L5TM/parse_vb/NDVI'), `The stored numbers of B4 and B3 ${sentence}`);
  const of = `scene_id=${mux.viewId.slice('CBERS4MUX/'.length)}`;
  assert.match((await noteOf(`CBERS4/parse_vb/NDVI?${of}`)) ?? '', /BAND8 and BAND7 have different gains/);
  assert.match((await noteOf('L8/parse_vb/B4-B10')) ?? '', /B4 and B10/);
  assert.equal(
    await noteOf('L8/parse_vb/NDVI'),
    'The stored numbers of B5 and B4 have an offset, which ratios are wrong by; CALIBRATE=1 computes with physical values.',
  );
  // Each channel of a composite is computed on its own, and EVI computes with reflectance.
  for (const path of ['L5TM/parse_vb/B5,B4,B3', 'L5TM/parse_vb/EVI', 'L8/parse_vb/EVI', 'S2/parse_vb/NDVI'])
    assert.equal(await noteOf(path), undefined, path);
});
