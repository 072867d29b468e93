import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset, Scene } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import type { Renderer } from '../../render/index.ts';
import { makeTestApp } from '../testing/make-test-app.ts';

const SCENE = '31/T/DH/2026/6/3/0';
const file = makeScene(3).assets.B04 as Asset;
const assets = { B02: file, B03: file, B04: file };

/** The application over a catalog, which says what is asked of which scene of which sensor. */
function makeLevels() {
  const known = new Map<string, Scene>();
  const asked: string[] = [];
  const note = ({ viewId, sensor }: { viewId: string; sensor: { abbreviation: string } }): void =>
    void asked.push(`${sensor.abbreviation} ${viewId}`);
  const renderer: Partial<Renderer> = {
    async plan(request) {
      note(request);
      return { request, etag: `of-${request.sensor.abbreviation}` } as never;
    },
    async render({ etag }) {
      return { bytes: Uint8Array.of(1), format: 'png', stagesMs: {}, etag };
    },
    findContrast: async () => [{ min: 0, max: 1 }],
    findColor: async () => null,
  };
  const app = makeTestApp({
    renderer,
    areas: { find: async () => null },
    scenes: { findByViewId: async (viewId) => known.get(viewId) ?? null, findByName: async () => null },
    async readPoint(request) {
      note(request);
      return [1];
    },
    async findIntensity(request) {
      note(request);
      return { ranges: [], cloudPercent: null, isCorrected: false };
    },
  });
  const add = (viewId: string, dataset: string) =>
    void known.set(viewId, toScene(makeScene(3, { viewId, dataset, assets })));
  return { ...app, asked, add };
}

const ADDRESSES = [
  `/api/render/S2/${SCENE}/B04/12/2081/1510`,
  `/api/render/S2/${SCENE}/B04/12/2.5;2.6;4326/42.5;42.6;4326`,
  `/api/render/legend/S2/${SCENE}/B04/12/2081/1510`,
  `/api/render/S2/preview/${SCENE}/B04/12/42.5/2.5`,
  `/api/render/S2/thumb/${SCENE}.png`,
  `/api/render/S2/point/${SCENE}/B04/42.5/2.5`,
  `/api/render/S2/ir/${SCENE}/B04`,
];

test('S2 addresses use the Level-2A scene while there is no Level-1C one, and a header names it', async () => {
  for (const address of ADDRESSES) {
    const { call, asked, add } = makeLevels();
    add(`S2L2A/${SCENE}`, 'sentinel2l2a');
    const first = await call(address);
    assert.equal(first.status, 200, address);
    assert.equal(first.headers.get('x-swath-scene'), `S2L2A/${SCENE}`, address);
    assert.match(first.headers.get('access-control-expose-headers') ?? '', /x-swath-scene/);
    add(`S2/${SCENE}`, 'sentinel2');
    assert.equal((await call(address)).headers.get('x-swath-scene'), `S2/${SCENE}`, address);
    assert.deepEqual(asked, [`S2L2A S2L2A/${SCENE}`, `S2 S2/${SCENE}`], address);
  }
});

test('the ETag depends on the scene used, so that a change of level is noticed', async () => {
  const { call, add } = makeLevels();
  const [tile = ''] = ADDRESSES;
  add(`S2L2A/${SCENE}`, 'sentinel2l2a');
  const etag = (await call(tile)).headers.get('etag') ?? '';
  const same = await call(tile, { headers: { 'if-none-match': etag } });
  assert.deepEqual([same.status, same.headers.get('x-swath-scene')], [304, `S2L2A/${SCENE}`]);
  add(`S2/${SCENE}`, 'sentinel2');
  assert.equal((await call(tile, { headers: { 'if-none-match': etag } })).status, 200);
});

test('an S2 address that Level-2A answers may name bands that only Level-2A has', async () => {
  const { call, add } = makeLevels();
  add(`S2L2A/${SCENE}`, 'sentinel2l2a');
  assert.equal((await call(`/api/render/S2/point/${SCENE}/SCL/42.5/2.5`)).status, 200);
  assert.equal((await call(`/api/render/S2/parse_vb/B04?scene_id=${SCENE}`)).status, 200);
});
