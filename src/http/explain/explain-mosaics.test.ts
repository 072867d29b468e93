import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tileGrid } from '../../geo/index.ts';
import type { Mosaics, PlannedMosaic } from '../../mosaic/index.ts';
import type { Explainer } from '../../render/index.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import { explainMosaic } from './explain-mosaics.ts';

const grid = tileGrid({ z: 12, x: 655, y: 1420 });

const candidate = (name: string) => ({ hit: { viewId: `S2L2A/${name}`, version: `version of ${name}` } });

const planned = {
  request: { bands: 'NDVI', grid },
  candidates: ['a', 'b', 'c'].map(candidate),
  others: 4,
  pyramid: null,
  etag: 'e',
} as unknown as PlannedMosaic;

const part = {
  scene: { viewId: 'S2L2A/a' },
  bytes: 1_000,
  part: {
    pixels: { viewId: 'S2L2A/a', sceneVersion: '1', grid },
    masks: [{ source: { kind: 'pixels', inputs: [] }, onlyOpaque: true }],
  },
};

const mosaics = {
  planFirst: async () => [part],
  isCached: async () => true,
  render: async () => ({ format: 'png', bytes: new Uint8Array(7), stagesMs: { read: 2 } }),
} as unknown as Mosaics;

const explained: unknown[] = [];
const explainer = {
  async pixels(request: { readonly masks: readonly unknown[] }) {
    explained.push(request.masks);
    return { inputs: [], steps: [], cost: { bytes: 1_000, limitBytes: 2_000, work: 3, limitWork: 4 } };
  },
} as unknown as Pick<Explainer, 'pixels'>;

const request = { id: 'r', ticket: {} } as unknown as ApiRequest;

const read = async (mode: 'plan' | 'drawn', mosaic = planned) => {
  const answer = await explainMosaic(request, mosaic, { explainer, mosaics, mode });
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return JSON.parse(String(answer.body));
};

test('a mosaic is explained by its scenes in their order and by what is read first', async () => {
  const body = await read('plan');
  assert.equal(body.explains, 'mosaic');
  assert.equal(body.etag, '"e"');
  assert.equal(body.found, 7);
  assert.deepEqual(
    body.scenes.map((scene: { readonly view_id: string }) => scene.view_id),
    ['S2L2A/a', 'S2L2A/b', 'S2L2A/c'],
  );
  assert.deepEqual(
    body.parts.map((one: { readonly view_id: string }) => one.view_id),
    ['S2L2A/a'],
  );
  assert.equal(body.cached, true);
  assert.equal(body.drawn, undefined);
  // Masks are looked at as files of the scene too.
  assert.deepEqual(explained, [[{ plan: part.part.masks[0], viewId: 'S2L2A/a', sceneVersion: '1' }]]);
});

test('drawn says where the time went', async () => {
  const { drawn } = await read('drawn');
  assert.deepEqual(drawn.stages_ms, { read: 2 });
  assert.deepEqual(drawn.picture, { format: 'png', bytes: 7 });
});

test('a tile of a pyramid is named', async () => {
  const pyramid = { key: 'k', tile: { z: 3, x: 1, y: 2 }, madeOf: 'm' };
  const body = await read('plan', { ...planned, candidates: [], others: 0, pyramid });
  assert.equal(body.pyramid, '3/1/2');
});
