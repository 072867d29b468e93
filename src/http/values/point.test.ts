import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound } from '../../errors.ts';
import type { ReadPoint } from '../../render/index.ts';
import { makeTestApp, readError } from '../testing/make-test-app.ts';

const SCENE = 'S2/point/31/T/DH/2026/6/21/0';

function makePointApp(values: readonly (number | null)[] = [1234]) {
  const asked: Parameters<ReadPoint>[0][] = [];
  const readPoint: ReadPoint = async (request) => {
    asked.push(request);
    return values;
  };
  const { call } = makeTestApp({ readPoint });
  return { asked, ask: (path: string) => call(`/api/render/${path}`) };
}

test('a point returns the value of a band', async () => {
  const { asked, ask } = makePointApp();
  const response = await ask(`${SCENE}/B04/42.4/3.05`);
  assert.equal(response.status, 200, await response.clone().text());
  assert.deepEqual(await response.json(), { index_value: 1234 });
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(response.headers.get('cache-control'), 'private, max-age=60');
  const [{ sensor, viewId, sceneName, bands, point, calibrated }] = asked as [(typeof asked)[number]];
  assert.deepEqual(
    { viewId, sceneName, bands, point, calibrated, dataset: sensor.dataset },
    {
      viewId: 'S2/31/T/DH/2026/6/21/0',
      sceneName: '31/T/DH/2026/6/21/0',
      bands: 'B04',
      point: { lat: 42.4, lon: 3.05 },
      calibrated: false,
      dataset: 'sentinel2',
    },
  );
});

test('a point accepts CALIBRATE and an expression with slashes, plain or encoded', async () => {
  const { asked, ask } = makePointApp();
  for (const bands of ['(B08-B04)/(B08+B04)', '%28B08-B04%29%2F%28B08%2BB04%29']) {
    assert.equal((await ask(`${SCENE}/${bands}/-42.4/-3.05?CALIBRATE=1`)).status, 200);
  }
  assert.equal((await ask(`${SCENE}/NDVI/90/180?CALIBRATE=true`)).status, 200);
  assert.equal((await ask(`${SCENE}/NDVI/-90/-180?CALIBRATE=0`)).status, 200);
  assert.deepEqual(
    asked.map(({ bands, calibrated }) => [bands, calibrated]),
    [
      ['(B08-B04)/(B08+B04)', true],
      ['(B08-B04)/(B08+B04)', true],
      ['NDVI', true],
      ['NDVI', false],
    ],
  );
});

test('a float32 is written with as few digits as it needs', async () => {
  for (const value of [0.1234, 0.1, 1 / 3, 16777217.5, 3.4e38, 1e-40, -0.000123456789, 65535, 0]) {
    const float = Math.fround(value);
    const { ask } = makePointApp([float]);
    const text = await (await ask(`${SCENE}/B04/42.4/3.05`)).text();
    const { index_value } = JSON.parse(text) as { index_value: number };
    assert.equal(Math.fround(index_value), float);
    const digits = String(index_value)
      .replace(/e.*/, '')
      .replace(/\D/g, '')
      .replace(/^0+|0+$/g, '');
    assert.ok(digits.length <= 9, text);
  }
  const { ask } = makePointApp([Math.fround(0.1234)]);
  assert.equal(await (await ask(`${SCENE}/B04/42.4/3.05`)).text(), '{"index_value":0.1234}');
});

test('the value is null where there is no number, and an array for several expressions', async () => {
  assert.deepEqual(await (await makePointApp([null]).ask(`${SCENE}/B04/42.4/3.05`)).json(), {
    index_value: null,
  });
  assert.deepEqual(await (await makePointApp([1, null, 0.5]).ask(`${SCENE}/B04,B03,B02/42.4/3.05`)).json(), {
    index_value: null,
    index_values: [1, null, 0.5],
  });
});

test('a malformed point is 400, an unknown sensor or scene 404', async () => {
  const { asked, ask } = makePointApp();
  for (const place of ['91/3', '-90.01/3', '42/180.5', '42/-181', 'x/3', '42/', '0x10/3', '4 2/3', 'NaN/3']) {
    const response = await ask(`${SCENE}/B04/${place}`);
    assert.equal(response.status, 400, place);
    assert.match((await readError(response)).code, /^bad-(point|path)$/);
  }
  assert.equal((await readError(await ask(`${SCENE}/B04/42.4/3.05?CALIBRATE=maybe`))).code, 'bad-calibrate');
  assert.equal((await readError(await ask(`${SCENE}/42.4/3.05`))).code, 'bad-path');
  assert.ok([400, 404].includes((await ask('S9/point/31/T/DH/2026/6/21/0/B04/42/3')).status));
  assert.deepEqual(asked, []);
});

test('a point outside the scene is 404', async () => {
  const { call } = makeTestApp({
    readPoint: async () => {
      throw notFound('outside-scene', 'This point lies outside of the scene.');
    },
  });
  const response = await call(`/api/render/${SCENE}/B04/0/0`);
  assert.equal(response.status, 404);
  assert.equal((await readError(response)).code, 'outside-scene');
});

test('a header notes that a value mixes stored numbers of different gains', async () => {
  const { ask } = makePointApp();
  const noteOf = async (path: string): Promise<string | null> => {
    const response = await ask(path);
    assert.equal(response.status, 200, await response.clone().text());
    return response.headers.get('x-swath-note');
  };
  const mux = 'CBERS4MUX/point/CBERS_4_MUX_20160518_163_128_L4';
  assert.match((await noteOf(`${mux}/NDVI/-10/-50`)) ?? '', /BAND8 and BAND7 have different gains/);
  assert.equal(await noteOf(`${mux}/NDVI/-10/-50?CALIBRATE=1`), null);
  assert.equal(await noteOf(`${mux}/BAND7,BAND8/-10/-50`), null);
  assert.equal(await noteOf(`${SCENE}/NDVI/42.4/3.05`), null);
});
