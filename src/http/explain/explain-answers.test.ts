import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { unsupported } from '../../errors.ts';
import type { Ticket } from '../../pool/index.ts';
import type { ExplainedInput, ExplainedPicture, Explainer, Renderer } from '../../render/index.ts';
import { makeThumbnailLinks } from '../pictures/thumbnails.ts';
import { makeTestApp, READER_KEY, readError, readerRecord } from '../testing/make-test-app.ts';

const TILE = '/api/render/S2/31/T/DH/2026/6/21/0/B04/12/2081/1510';
const POINT = '/api/render/S2/point/31/T/DH/2026/6/21/0/B04/42.1/2.9';

const input: ExplainedInput = {
  role: 'band',
  band: 'B04',
  viewId: 'S2/31/T/DH/2026/6/21/0',
  file: { store: 'http', name: 'B04.tif' },
  bandIndex: 0,
  rule: 'linear',
  parameters: { shift: -1000, scale: Math.fround(0.0001) },
  read: {
    level: 2,
    levelSize: { width: 10, height: 20 },
    window: { x: 1, y: 2, width: 3, height: 4 },
    method: 'bilinear',
  },
  isAbsent: false,
  survey: {
    format: 'tiff',
    levelSize: { width: 10, height: 20 },
    blockSize: { width: 256, height: 512 },
    blocks: 3,
    surveyedBlocks: 3,
    cachedBlocks: 1,
    storedBytes: 100,
    decodedBytes: 200,
    memoryBytes: 30,
    diskBytes: 40,
  },
  problem: null,
};
const broken: ExplainedInput = {
  ...input,
  band: 'B03',
  read: null,
  survey: null,
  problem: { code: 'source-gone', message: 'A file of this scene cannot be opened.' },
};
const cost = { bytes: 1, limitBytes: 2, work: 3, limitWork: 4 };
const explained: ExplainedPicture = {
  etag: 'abc123',
  bands: 'B04',
  scenes: [{ viewId: 'S2/31/T/DH/2026/6/21/0', sceneVersion: 'v1', role: 'shown' }],
  grid: { epsg: 3857, transform: [100, 10, 0, 200, 0, -10], width: 2, height: 3 },
  isEmpty: false,
  inputs: [input, broken],
  steps: [{ step: 'read', stage: 'read', detail: '1 window of 1 file' }],
  channels: [
    { kind: 'fixed', min: 0, max: 1, gamma: 2 },
    { kind: 'stored', min: 3, max: 4, cut: { lowPercent: 2, highPercent: 98, cover: { kind: 'unknown' } } },
    {
      kind: 'unmeasured',
      cut: { lowPercent: 2, highPercent: 98, cover: { kind: 'pixels', onlyOpaque: true } },
      sample: { width: 5, height: 6 },
    },
  ],
  cost,
  isCached: true,
};

/** What a thread reports; the second of two callers of one run gets the same. */
const report = {
  kind: 'draw',
  queuedMs: 1.234,
  ranMs: 5,
  fetchedMs: 7,
  shared: true,
  figures: { decodedBlocks: 2, cachedBlocks: 3, readBytes: 11, fetchedBytes: 13 },
};
const work = (ticket: Ticket): void => {
  ticket.onJob?.(report);
  ticket.onJob?.(report);
  ticket.onJob?.({ kind: 'intensity', queuedMs: 0, ranMs: 1, shared: false });
};

function makeKit(failure?: Error) {
  const drawn: string[] = [];
  const renderer: Partial<Renderer> = {
    async plan(request) {
      if (failure !== undefined) throw failure;
      return { plan: {}, scene: {}, request, etag: 'abc123', outline: null } as never;
    },
    async render(_, ticket) {
      drawn.push('picture');
      work(ticket);
      return { bytes: new Uint8Array(9), format: 'png', stagesMs: { read: 1.256 }, etag: 'newer' };
    },
    async findContrast(_, ticket) {
      drawn.push('contrast');
      work(ticket);
      return [{ min: 0, max: 1 }];
    },
    findColor: async () => null,
  };
  const explainer: Partial<Explainer> = {
    picture: async () => explained,
    point: async ({ bands }) => ({ bands, scenes: explained.scenes, inputs: [input], steps: [], cost }),
    intensity: async () => ({
      scenes: explained.scenes,
      isStored: true,
      isFixed: false,
      cover: { kind: 'unknown' },
      samples: [{ bands: 'B04', grid: explained.grid, inputs: [input], steps: [], cost }],
    }),
  };
  const scene = toScene(makeScene(21));
  const app = makeTestApp({
    scenes: { findByViewId: async () => scene, findByName: async () => scene },
    renderer,
    explainer,
    records: [readerRecord],
    async readPoint(_, ticket) {
      drawn.push('point');
      work(ticket);
      return [1];
    },
    async findIntensity(_, ticket) {
      drawn.push('range');
      work(ticket);
      return { ranges: [], cloudPercent: null, isCorrected: false };
    },
  });
  const explain = async (path: string): Promise<Record<string, unknown>> => {
    const response = await app.call(path);
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get('content-type'), 'application/vnd.swath.explanation+json');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('etag'), null);
    assert.equal(response.headers.get('x-swath-scene'), 'S2/31/T/DH/2026/6/21/0');
    const { request_id: id, ...body } = (await response.json()) as Record<string, unknown>;
    assert.equal(id, response.headers.get('x-request-id'));
    return body;
  };
  return { ...app, explain, drawn };
}

const wireInput = {
  role: 'band',
  band: 'B04',
  view_id: 'S2/31/T/DH/2026/6/21/0',
  file: { store: 'http', name: 'B04.tif', band_index: 0 },
  read: {
    level: 2,
    level_size: { width: 10, height: 20 },
    window: { x: 1, y: 2, width: 3, height: 4 },
    resampling: 'bilinear',
  },
  calibration: { rule: 'linear', parameters: { shift: -1000, scale: 0.0001 } },
  blocks: {
    format: 'tiff',
    block_size: { width: 256, height: 512 },
    count: 3,
    surveyed: 3,
    cached: 1,
    bytes_stored: 100,
    bytes_decoded: 200,
    bytes_in_memory: 30,
    bytes_on_disk: 40,
  },
};
const { blocks: _, ...unread } = wireInput;
const wireCost = { bytes: 1, bytes_limit: 2, work: 3, work_limit: 4 };
const wireScenes = [{ view_id: 'S2/31/T/DH/2026/6/21/0', version: 'v1', role: 'shown' }];

test('a picture is explained without being drawn', async () => {
  const { explain, drawn } = makeKit();
  const body = await explain(`${TILE}?explain=1`);
  assert.deepEqual(drawn, []);
  assert.deepEqual(body, {
    explains: 'picture',
    etag: '"abc123"',
    bands: 'B04',
    scenes: wireScenes,
    grid: { epsg: 3857, width: 2, height: 3, bounds: [100, 170, 120, 200] },
    empty: false,
    inputs: [
      wireInput,
      {
        ...unread,
        band: 'B03',
        read: null,
        problem: { code: 'source-gone', error: 'A file of this scene cannot be opened.' },
      },
    ],
    steps: explained.steps,
    channels: [
      { contrast: 'fixed', min: 0, max: 1, gamma: 2 },
      { contrast: 'stored', min: 3, max: 4, percentiles: [2, 98], cloud_cover: 'unknown' },
      {
        contrast: 'to-be-measured',
        percentiles: [2, 98],
        cloud_cover: 'pixels',
        sample: { width: 5, height: 6 },
      },
    ],
    cost: wireCost,
    cached: true,
  });
  assert.equal((await explain(`/api/render/legend${TILE.slice(11)}?EXPLAIN=1`)).explains, 'legend');
  assert.deepEqual(drawn, []);
});

test('explain=drawn reports where the time went; a shared run counts once', async () => {
  const { explain, drawn } = makeKit();
  const { drawn: found, etag } = await explain(`${TILE}?explain=drawn`);
  const { total_ms, stages_ms, ...rest } = found as { total_ms: number; stages_ms: Record<string, number> };
  assert.deepEqual(drawn, ['picture']);
  assert.equal(etag, '"newer"');
  assert.ok(total_ms >= 0);
  assert.deepEqual(Object.keys(stages_ms), ['plan', 'read']);
  assert.equal(stages_ms.read, 1.26);
  const figures = { blocks_decoded: 2, blocks_cached: 3, bytes_read: 11, bytes_fetched: 13 };
  const nothing = { blocks_decoded: 0, blocks_cached: 0, bytes_read: 0, bytes_fetched: 0 };
  assert.deepEqual(rest, {
    jobs: [
      { job: 'draw', queue_ms: 1.23, fetch_ms: 7, run_ms: 5, shared: true, ...figures },
      { job: 'intensity', queue_ms: 0, run_ms: 1, shared: false, ...nothing },
    ],
    ...figures,
    picture: { format: 'png', bytes: 9 },
  });
});

test('a thumbnail is explained to a caller with a key, not to one with only its signed address', async () => {
  const { explain, ask, lines } = makeKit();
  assert.equal((await explain('/api/render/S2/thumb/31/T/DH/2026/6/21/0?explain=1')).explains, 'picture');
  const address = makeThumbnailLinks('a-secret-for-tests').sign('S2/31/T/DH/2026/6/21/0');
  const open = await ask(`http://swath.test${address}?explain=1`, {});
  assert.equal(open.status, 200, JSON.stringify(lines));
  assert.equal(open.headers.get('content-type'), 'image/png');
});

test('points and ranges are explained too', async () => {
  const { explain, drawn } = makeKit();
  const point = { explains: 'point', bands: 'B04', scenes: wireScenes, inputs: [wireInput], steps: [] };
  assert.deepEqual(await explain(`${POINT}?explain=1`), { ...point, cost: wireCost });
  const range = await explain('/api/render/S2/ir/31/T/DH/2026/6/21/0/B04?explain=1');
  assert.deepEqual(
    [range.explains, range.cached, range.cloud_cover, (range.samples as unknown[]).length],
    ['intensity', true, 'unknown', 1],
  );
  assert.deepEqual(drawn, []);
  const { drawn: found } = await explain(`${POINT}?explain=drawn`);
  assert.deepEqual((found as { stages_ms: object }).stages_ms, { fetch: 7, queue: 1.23, run: 6 });
  await explain('/api/render/S2/ir/31/T/DH/2026/6/21/0/B04?explain=drawn');
  await explain(`/api/render/legend${TILE.slice(11)}?explain=drawn`);
  assert.deepEqual(drawn, ['point', 'range', 'contrast']);
});

test('an explanation is refused like the request itself: without a key, by its plan, or by its own parameter', async () => {
  const { call } = makeKit(unsupported('too-expensive', 'This picture would need 300 MiB of pixels.'));
  assert.equal((await call(`${TILE}?explain=1`, { key: null })).status, 401);
  const [plain, explaining] = [await call(TILE), await call(`${TILE}?explain=1`)];
  assert.deepEqual([plain.status, explaining.status], [422, 422]);
  assert.deepEqual(
    [(await readError(plain)).code, (await readError(explaining)).error],
    ['too-expensive', 'This picture would need 300 MiB of pixels.'],
  );
  const odd = await call(`${POINT}?explain=perhaps`);
  assert.deepEqual([odd.status, (await readError(odd)).code], [400, 'bad-explain']);
  assert.equal((await makeKit().call(`${TILE}?explain=1`, { key: READER_KEY })).status, 200);
});

test('explain=0 returns the plain answer, and a client that already has the picture still gets its explanation', async () => {
  const { call, explain } = makeKit();
  assert.equal((await call(`${TILE}?explain=0`)).headers.get('content-type'), 'image/png');
  const had = await call(`${TILE}?explain=1`, { headers: { 'if-none-match': '"abc123"' } });
  assert.equal(had.status, 200);
  assert.equal((await explain(`${TILE}?explain=1`)).explains, 'picture');
});
