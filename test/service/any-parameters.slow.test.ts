/**
 * Whatever is asked of the render endpoints, right or wrong, is answered with what was asked for
 * or with the reason why not: never with a 500, never after seconds, always the same.
 *
 * `ANY_RUNS=20000 ANY_SEED=3 npm run node -- test/service/any-parameters.slow.test.ts` asks longer and other things.
 */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { areaBounds } from '../../src/geo/index.ts';
import { casesOf } from '../../src/testing/test-size.ts';
import { HANG_MS, waitFor } from '../../src/testing/wait-for.ts';
import { SERVICE_KEY } from '../support/start-swath.ts';
import { productOf } from '../world/make-products.ts';
import type { ServedProducts } from '../world/serve-products.ts';
import { serveProducts } from '../world/serve-products.ts';
import type { StoredNames } from './any-request/any-query.ts';
import type { AnyRequest } from './any-request/any-request.ts';
import { anyRequest } from './any-request/any-request.ts';
import type { Answer } from './any-request/check-answer.ts';
import { checkAnswer, isPicture } from './any-request/check-answer.ts';

const RUNS = Number(process.env.ANY_RUNS ?? 200);
const SEED = Number(process.env.ANY_SEED ?? 1);

/** One of every way that scenes are georeferenced, stored, calibrated, masked and sharpened. */
const PRODUCTS = [
  ...[
    'sentinel2-l1c-polygons',
    'sentinel2-l1c-images',
    'sentinel2-l2a',
    'landsat8-c2',
    'landsat8-c1',
    'landsat7-c2',
  ],
  ...['landsat5mss-c2', 'modis', 'cbers4pan5m', 'naip-rgb', 'sentinel1'],
];

let served: ServedProducts;
let stored: StoredNames;
before(async () => {
  served = await serveProducts({
    parts: PRODUCTS.map((key) => productOf(key).part),
    dataDir: mkdtempSync(join(tmpdir(), 'swath-any-')),
    // Cached pictures would be equal without the renderer.
    env: { SWATH_TILE_CACHE: '0' },
  });
  stored = { areas: await storeAreas(), colormaps: await storeColormaps() };
});
after(() => served?.remove());

async function ask(
  { path, query, body }: AnyRequest,
  { headers, method }: RequestInit = {},
): Promise<Answer> {
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const response = await fetch(`${served.swath.url}/api/render/${path}?${text}`, {
    // A new connection each time: one that lay idle while requests are made up or shrunk may be closed.
    headers: { 'x-api-key': SERVICE_KEY, connection: 'close', ...(headers as Record<string, string>) },
    signal: AbortSignal.timeout(HANG_MS),
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

async function keep(path: string, content: object): Promise<string> {
  const request: AnyRequest = {
    promised: 'json',
    path,
    query: [],
    body: JSON.stringify(content),
    isRepeated: false,
  };
  const { status, bytes } = await ask(request);
  assert.equal(status, 200, bytes.toString());
  const { cropper_ref: ref, id } = JSON.parse(bytes.toString());
  return ref ?? id;
}

/** Areas over the scenes, with a hole, smaller than a pixel, far away, across the antimeridian and as large as may be. */
function storeAreas(): Promise<string[]> {
  const scene = served.scenes.find(({ dataset }) => dataset === 'sentinel2l2a');
  assert.ok(scene !== undefined);
  const { west, south, east, north } = areaBounds(scene.footprint);
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  const box = (x: number, y: number, side: number) => [
    [x - side, y - side],
    [x + side, y - side],
    [x + side, y + side],
    [x - side, y + side],
    [x - side, y - side],
  ];
  const polygons = [
    [box(lon, lat, 0.004)],
    [box(lon, lat, 0.01), box(lon, lat, 0.001)],
    [box(lon, lat, 1e-6)],
    [box(2.5, 42.5, 0.1)],
    [box(180, 10, 1).map(([x = 0, y = 0]) => [x > 180 ? x - 360 : x, y])],
    [box(lon, lat, 3)],
  ];
  return Promise.all(polygons.map((coordinates) => keep('cropper', { type: 'Polygon', coordinates })));
}

function storeColormaps(): Promise<string[]> {
  const colors = ['#1f4e9e', '#d9c38f', '#3f9b3f'];
  const positioned = (positions: readonly number[]) => positions.map((position, i) => [position, colors[i]]);
  return Promise.all(
    [
      { colors },
      { colors, type: 'discrete', labels: ['a', 'b', 'c'] },
      { colors: positioned([0, 0.2, 1]), type: 'continuous' },
      { colors: positioned([-1, 0.1, 3000]), type: 'discrete', thresholds_type: 'absolute' },
      { colors: positioned([-1, 0.1, 3000]), type: 'continuous', thresholds_type: 'absolute' },
    ].map((content) => keep('colormap', content)),
  );
}

/** Equal requests have equal answers, and a client that has the answer gets 304. */
async function checkAgain(request: AnyRequest, first: Answer): Promise<void> {
  const again = await ask(request);
  assert.equal(again.status, first.status);
  const etag = first.headers.get('etag');
  assert.equal(again.headers.get('etag'), etag);
  if (first.status !== 200) return;
  assert.ok(again.bytes.equals(first.bytes), 'the second answer has other bytes');
  if (!isPicture(request)) return;
  assert.match(etag ?? '', /^"[\w-]{20,}"$/);
  const unchanged = await ask(request, { headers: { 'if-none-match': etag as string } });
  assert.deepEqual([unchanged.status, unchanged.bytes.length], [304, 0]);
  assert.equal(unchanged.headers.get('etag'), etag);
  const head = await ask(request, { method: 'HEAD' });
  assert.deepEqual([head.status, head.bytes.length, head.headers.get('etag')], [200, 0, etag]);
  assert.equal(head.headers.get('content-type'), first.headers.get('content-type'));
}

test(`${RUNS} requests of every kind get an answer or the reason, in time, and always the same`, async (context) => {
  const counts = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(anyRequest(served.scenes, stored), async (request) => {
      const answer = await ask(request);
      const kind = `${request.promised} ${answer.status}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      await checkAnswer(request, answer);
      if (request.isRepeated) await checkAgain(request, answer);
    }),
    { numRuns: casesOf(RUNS), seed: SEED },
  );
  context.diagnostic(
    [...counts]
      .sort()
      .map(([kind, count]) => `${kind}: ${count}`)
      .join(', '),
  );
  // Were nearly all requests refused, the test would say little.
  const good = [...counts]
    .filter(([kind]) => kind.endsWith(' 200'))
    .reduce((sum, [, count]) => sum + count, 0);
  const runs = casesOf(RUNS);
  assert.ok(good > 0.3 * runs, `only ${good} of ${runs} requests were answered with more than a reason`);
});

test('60 of them at once get the same answers as one by one', async () => {
  const requests = fc.sample(anyRequest(served.scenes, stored), { numRuns: casesOf(60), seed: SEED + 1 });
  const together = await Promise.all(requests.map(askUntilAnswered));
  for (const [i, request] of requests.entries()) {
    const { status, bytes } = together[i] as Answer;
    const alone = await ask(request);
    assert.equal(status, alone.status, JSON.stringify(request));
    if (status === 200) assert.ok(bytes.equals(alone.bytes), JSON.stringify(request));
  }
});

/** A busy server may refuse a request, and then says when to retry it. */
async function askUntilAnswered(request: AnyRequest): Promise<Answer> {
  let answer: Answer | null = null;
  await waitFor(async () => {
    answer = await ask(request);
    if (answer.status === 503) assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
    return answer.status !== 503;
  });
  return answer ?? assert.fail();
}
