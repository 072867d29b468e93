import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import type { Renderer } from '../../render/index.ts';
import { makeTestApp, readError } from '../testing/make-test-app.ts';

type Request = Parameters<Renderer['plan']>[0];
const scene = toScene(makeScene(21));
const SCENE_ID = scene.viewId.replace(/^\w+\//, '');

function makeViews() {
  const asked: Request[] = [];
  const renderer: Renderer = {
    findContrast: async () => [{ min: 0, max: 1 }],
    findColor: async () => null,
    async plan(request) {
      asked.push(request);
      return { plan: {}, scene: {}, request, etag: 'abc123', outline: null } as never;
    },
    render: async () => ({ bytes: new Uint8Array([1]), format: 'jpeg', stagesMs: {}, etag: 'abc123' }),
  };
  const scenes = {
    findByViewId: async (viewId: string) => (viewId === scene.viewId ? scene : null),
    findByName: async () => null,
  };
  return { ...makeTestApp({ renderer, scenes }), asked };
}

test('a preview is a JPEG of 512 pixels around a location, with a watermark', async () => {
  const { call, asked } = makeViews();
  const response = await call(
    `/api/render/S2/preview/${SCENE_ID}/(NIR-RED)/(NIR+RED)/12/42.5/2.5?MIN_MAX=0,1`,
  );
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'image/jpeg');
  const { viewId, bands, grid, options } = asked[0]!;
  assert.deepEqual([viewId, bands], [scene.viewId, '(NIR-RED)/(NIR+RED)']);
  assert.deepEqual([grid.epsg, grid.width, grid.height], [3857, 512, 512]);
  assert.deepEqual([options.format, options.watermark], ['jpeg', 'test']);
  assert.deepEqual(options.range, { min: 0, max: 1 });
});

test('a preview needs a zoom level and a location', async () => {
  const { call } = makeViews();
  for (const [rest, words] of [
    ['B04/12/42.5', /address of a preview/],
    ['B04/25/42.5/2.5', /zoom/],
    ['B04/-1/42.5/2.5', /zoom/],
    ['B04/12/91/2.5', /lat/],
    ['B04/12/north/2.5', /lat/],
    ['B04/12/42.5/181', /lon/],
    ['B04/12/42.5/', /address of a preview/],
  ] as const) {
    const response = await call(`/api/render/S2/preview/${SCENE_ID}/${rest}`);
    assert.equal(response.status, 400, rest);
    assert.match((await readError(response)).error, words, rest);
  }
});

test('a thumbnail is a PNG of the whole scene, with or without .png in its address', async () => {
  const { call, asked } = makeViews();
  for (const end of ['', '.png', '/', '.PNG']) {
    assert.equal((await call(`/api/render/S2/thumb/${SCENE_ID}${end}`)).status, 200, end);
  }
  for (const { grid, options } of asked) {
    assert.equal(Math.max(grid.width, grid.height), 256);
    assert.equal(options.format, 'png');
  }
  assert.equal((await call(`/api/render/S2/thumb/31/T/DH/1999/1/1/0.png`)).status, 404);
  assert.equal((await call(`/api/render/S2/thumb/${SCENE_ID}/B04`)).status, 400);
});

test('parameters may repeat the fixed properties of a preview, but not change them', async () => {
  const { call, asked } = makeViews();
  const path = `/api/render/S2/preview/${SCENE_ID}/B04/12/42.5/2.5`;
  for (const query of ['mimetype=image/jpeg', 'TILE_SIZE=512,512', 'crs=EPSG:3857', 'CALIBRATE=1']) {
    assert.equal((await call(`${path}?${query}`)).status, 200, query);
  }
  assert.equal(asked.length, 4);
  for (const [query, words] of [
    ['mimetype=image/png', /^A preview is a JPEG; .*mimetype/],
    ['mimetype=image/webp', /^A preview is a JPEG; .*mimetype/],
    ['TILE_SIZE=256,256', /^A preview has 512 × 512 pixels; .*TILE_SIZE/],
    ['crs=EPSG:4326', /^A preview is in EPSG:3857; .*crs/],
  ] as const) {
    const response = await call(`${path}?${query}`);
    assert.equal(response.status, 422, query);
    const { code, error } = await readError(response);
    assert.equal(code, 'not-for-previews');
    assert.match(error, words);
  }
  assert.equal((await call(`${path}?mimetype=image/gif`)).status, 400);
});
