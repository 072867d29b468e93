import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SceneHit } from '../catalog/index.ts';
import { tileGrid } from '../geo/index.ts';
import type { FindCandidates } from './find-candidates.ts';
import type { MosaicPictureRequest } from './mosaic.ts';
import { makePlanMosaic } from './plan-mosaic.ts';
import { july, newest } from './testing/a-mosaic.ts';
import { requestOn } from './testing/mosaics-here.ts';

/** Planning over an empty catalog, with a pyramid of every mosaic. */
function makeKit() {
  const asked: string[] = [];
  const findCandidates = Object.assign(
    async () => {
      asked.push('scenes');
      return { hits: [] as readonly SceneHit[], found: 0 };
    },
    { forgetAll() {} },
  ) as unknown as FindCandidates;
  const { plan } = makePlanMosaic({
    scenes: { searchHits: async () => ({ found: 0, hits: [] }) },
    findCandidates,
    planScene: () => Promise.reject(new Error('there is no scene')),
    contrast: { findSample: async () => [] },
    pyramids: {
      async find() {
        asked.push('pyramid');
        return { owner: 'me', builtAt: '2026-07-01T00:00:00.000Z', tiles: { '3/1/2': 'made' } } as never;
      },
    },
    nowMs: () => 0,
  });
  const request: MosaicPictureRequest = {
    ...requestOn(tileGrid({ z: 3, x: 1, y: 2 })),
    search: july,
    composition: newest,
  };
  return { plan, asked, request };
}

test('a pyramid tile replaces scenes, except where scenes must be named', async () => {
  const { plan, asked, request } = makeKit();
  const shown = await plan(request);
  assert.deepEqual([shown.pyramid?.madeOf, asked], ['made', ['pyramid']]);
  const named = await plan({ ...request, withoutPyramid: true });
  assert.deepEqual([named.pyramid, asked], [null, ['pyramid', 'scenes']]);
  assert.notEqual(named.etag, shown.etag);
});

test('a band that one of the sensors lacks is refused, and names common to all sensors are accepted', async () => {
  const { plan, request } = makeKit();
  const of = (bands: string, more: Partial<MosaicPictureRequest> = {}) =>
    plan({ ...request, search: { ...july, datasets: ['sentinel2l2a', 'landsat8'] }, bands, ...more });
  await assert.rejects(of('B8A'), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'sensor-lacks-band');
    assert.match(error.message, /^L8 cannot show B8A: /);
    return true;
  });
  const highest: MosaicPictureRequest['composition'] = {
    ...newest,
    selection: { kind: 'highest', by: 'B8A' },
  };
  await assert.rejects(of('NDVI', { composition: highest }), { code: 'sensor-lacks-band' });
  await of('NDVI');
  await of('RED,GREEN,BLUE');
  await assert.rejects(of('(B04'), { code: 'bad-expression' });
});
