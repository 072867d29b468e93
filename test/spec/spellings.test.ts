/** Requests as other programs write them, against the running service: they mean what the documented ones mean. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometryBounds, tileAt } from '../../src/geo/index.ts';
import { ask, call, sceneOf } from './service.ts';
import { order, pollToEnd } from './tasks.ts';

/** Level-2A of a day of which the catalog has no Level-1C. */
const level2A = (): string => sceneOf('afterFire').viewId;
const level1C = (): string => level2A().replace(/^S2L2A/, 'S2');

function middleOf(): { readonly lon: number; readonly lat: number } {
  const { west, south, east, north } = geometryBounds(sceneOf('afterFire').footprint);
  return { lon: (west + east) / 2, lat: (south + north) / 2 };
}

function tilePath(): string {
  const { lon, lat } = middleOf();
  const radiusM = 6_378_137;
  const [xM, yM] = [(lon * Math.PI * radiusM) / 180, radiusM * Math.asinh(Math.tan((lat * Math.PI) / 180))];
  const { z, x, y } = tileAt(12, xM, yM);
  return `B04,B03,B02/${z}/${x}/${y}`;
}

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

test('an S2 address of a scene with Level-2A alone gives the picture, the value and the file of that', async () => {
  const [own, other] = [await ask(`${level2A()}/${tilePath()}`), await ask(`${level1C()}/${tilePath()}`)];
  assert.deepEqual([own.status, other.status], [200, 200]);
  assert.equal(other.headers.get('x-swath-scene'), level2A());
  assert.equal(other.headers.get('etag'), own.headers.get('etag'));
  assert.deepEqual(await bytesOf(other), await bytesOf(own));

  const { lon, lat } = middleOf();
  const [, ...name] = level1C().split('/');
  const read = async (sensor: string) =>
    (await ask([sensor, 'point', ...name, 'B04', lat, lon].join('/'))).json();
  assert.deepEqual(await read('S2'), await read('S2L2A'));

  const bbox = [lon - 0.005, lat - 0.005, lon + 0.005, lat + 0.005];
  const params = { view_id: level1C(), bm_type: 'NDVI', bbox, reference: 'level-2a' };
  const { task_id } = await order('bandmath', params);
  const { body } = await pollToEnd(task_id);
  assert.match(String(body.result_url), new RegExp(level2A().replaceAll('/', '-')));
});

test('a scene that the catalog has at no level is 404 all the same', async () => {
  const unknown = level1C().replace(/\d+$/, '9');
  assert.equal((await ask(`${unknown}/${tilePath()}`)).status, 404);
});

test('encoded slashes and addresses without /api/render draw the same tile', async () => {
  const own = await bytesOf(await ask(`${level2A()}/${tilePath()}`));
  const encoded = await ask(`${encodeURIComponent(level2A())}/${tilePath().replaceAll(',', '%2C')}`);
  assert.deepEqual(await bytesOf(encoded), own);
  const bare = await call(`/${level2A()}/${tilePath()}`);
  assert.equal(bare.status, 200);
  assert.deepEqual(await bytesOf(bare), own);
  assert.equal((await call(`/${level2A()}/${tilePath()}`, { apiKey: null })).status, 401);
  for (const hostile of [
    '..%2F..%2Fetc',
    '%252E%252E%252F',
    encodeURIComponent(encodeURIComponent(level2A())),
  ]) {
    assert.equal((await ask(`${hostile}/${tilePath()}`)).status, 404, hostile);
  }
});

test('the bounds of a world map find every scene, and a box over the antimeridian none of them', async () => {
  const find = async (west: number, east: number): Promise<number> => {
    const ring = [
      [west, -60],
      [east, -60],
      [east, 60],
      [west, 60],
      [west, -60],
    ];
    const shape = { type: 'Polygon', coordinates: [ring] };
    const response = await call('/api/lms/search/v2/S2L2A', { body: { search: { shape } } });
    return ((await response.json()) as { meta: { found: number } }).meta.found;
  };
  const everything = await call('/api/lms/search/v2/sentinel2l2a', { method: 'POST' });
  const { meta } = (await everything.json()) as { meta: { found: number } };
  assert.ok(meta.found >= 3);
  assert.equal(await find(-179, 179), meta.found);
  assert.equal(await find(-150, 152), meta.found);
  assert.equal(await find(179, -179), 0);
});
