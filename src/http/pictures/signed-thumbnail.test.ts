import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { unavailable } from '../../errors.ts';
import type { Renderer } from '../../render/index.ts';
import type { TestAppOptions } from '../testing/make-test-app.ts';
import { makeTestApp, readError } from '../testing/make-test-app.ts';
import { makeThumbnailLinks } from './thumbnails.ts';

const PROVIDERS = 'https://data.example.com/preview.jpg';
const SEARCH = '/api/lms/search/v2/sentinel2';
const fields = { ...makeScene(21).fields, thumbnail: PROVIDERS };
const scene = toScene(makeScene(21, { fields }));
const bare = toScene(makeScene(22));

/** A catalog of two scenes, one of which has a picture of its provider; counts what is drawn and looked up. */
function makeThumbnails(options: TestAppOptions = {}) {
  const scenes = new Map([scene, bare].map((one) => [one.viewId, one]));
  const counts = { drawn: 0, found: 0 };
  const renderer: Partial<Renderer> = {
    async plan(request) {
      return { plan: {}, scene: {}, request, etag: `e-${request.viewId}`, outline: null } as never;
    },
    async render(planned) {
      counts.drawn += 1;
      const { etag } = planned;
      return { bytes: new Uint8Array([1, 2]), format: 'png', stagesMs: {}, etag, isSole: true };
    },
  };
  const asked: unknown[] = [];
  const app = makeTestApp({
    renderer,
    scenes: {
      async findByViewId(viewId: string) {
        counts.found += 1;
        return scenes.get(viewId) ?? null;
      },
      async searchHits(query) {
        asked.push(query.datasets[0]?.filters);
        return { found: 2, hits: [scene, bare] };
      },
    },
    ...options,
  });
  const search = async (filters: object = {}): Promise<string[]> => {
    const response = await app.post(SEARCH, { search: filters });
    const { results } = (await response.json()) as { results: { thumbnail: string }[] };
    return results.map(({ thumbnail }) => thumbnail);
  };
  const show = (address: string, init: RequestInit = {}) =>
    app.call(address.replace('http://swath.test', ''), { ...init, key: null });
  return { ...app, scenes, counts, asked, search, show };
}

test('every hit has a thumbnail at our own address, which works without a key', async () => {
  const { search, show } = makeThumbnails();
  const addresses = await search();
  assert.equal(addresses.length, 2);
  for (const [i, address] of addresses.entries()) {
    const { viewId } = [scene, bare][i]!;
    assert.match(address, /^http:\/\/swath\.test\/api\/render\/thumbnails\/[\w-]{43}\//);
    assert.ok(address.endsWith(`/${viewId}.png`));
    const response = await show(address);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'image/png');
    assert.equal(response.headers.get('cache-control'), 'public, max-age=60');
    // What <img> in a page of another origin needs, with and without crossorigin.
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.deepEqual([...new Uint8Array(await response.arrayBuffer())], [1, 2]);
    // Clients append keys, and encode slashes.
    assert.equal((await show(`${address}?api_key=wrong`)).status, 200);
    const encoded = address.replace(viewId, encodeURIComponent(viewId));
    assert.equal((await show(encoded)).status, 200, encoded);
  }
});

test('a thumbnail is drawn once, and a client that already has it gets 304', async () => {
  const { search, show, counts } = makeThumbnails();
  const [address = ''] = await search();
  const first = await show(address);
  const etag = first.headers.get('etag') ?? '';
  for (let i = 0; i < 3; i += 1) assert.equal((await (await show(address)).arrayBuffer()).byteLength, 2);
  assert.equal((await show(address, { headers: { 'if-none-match': etag } })).status, 304);
  assert.equal(counts.drawn, 1);
});

test('an unknown scene and a wrong signature get the same answer', async () => {
  const { search, show, scenes, counts } = makeThumbnails();
  const [address = '', other = ''] = await search();
  const [signature = ''] = /[\w-]{43}/.exec(address) ?? [];
  const guesses = [
    `/api/render/thumbnails/${signature}/${bare.viewId}.png`,
    `/api/render/thumbnails/${signature}/S2/31/T/DH/1999/1/1/0.png`,
    `/api/render/thumbnails/${signature}/nonsense.png`,
    `/api/render/thumbnails/x/${scene.viewId}.png`,
    `/api/render/thumbnails/${signature}/${scene.viewId}`,
    `/api/render/thumbnails/${signature}/`,
    `/api/render/thumbnails/${signature}`,
  ];
  const answers = [];
  for (const guess of guesses) {
    const response = await show(guess);
    const { code, error } = await readError(response);
    answers.push(JSON.stringify([response.status, code, error]));
  }
  assert.equal(counts.found, 0, 'no guess makes us look');
  scenes.delete(bare.viewId);
  const gone = await show(other);
  const { code, error } = await readError(gone);
  answers.push(JSON.stringify([gone.status, code, error]));
  assert.deepEqual([...new Set(answers)].length, 1, answers.join('\n'));
  assert.match(answers[0] ?? '', /^\[404,"unknown-thumbnail"/);
});

test('a new secret invalidates all signed addresses', async () => {
  const [address = ''] = await makeThumbnails().search();
  const rotated = makeThumbnails({ readThumbnailLinks: async () => makeThumbnailLinks('another secret') });
  assert.equal((await rotated.show(address)).status, 404);
  const [fresh = ''] = await rotated.search();
  assert.equal((await rotated.show(fresh)).status, 200);
});

test('SWATH_THUMBNAILS=provider prefers the address of the provider; with off a key is required', async () => {
  const preferring = makeThumbnails({ thumbnails: 'provider' });
  const [theirs, ours = ''] = await preferring.search();
  assert.equal(theirs, PROVIDERS);
  assert.equal((await preferring.show(ours)).status, 200);
  const off = makeThumbnails({ thumbnails: 'off' });
  const withKey = `http://swath.test/api/render/S2/thumb/${bare.viewId.replace('S2/', '')}.png`;
  assert.deepEqual(await off.search(), [PROVIDERS, withKey]);
  assert.equal((await off.show(withKey)).status, 401);
  assert.equal((await off.show(ours)).status, 401);
});

test('callers without a key have a separate rate limit per IP address', async () => {
  const { search, show, call } = makeThumbnails({ openPerMinute: 2 });
  const [address = ''] = await search();
  assert.equal((await show(address)).headers.get('ratelimit-remaining'), '1');
  await show(address);
  const refused = await show(address);
  assert.equal(refused.status, 429);
  assert.equal((await readError(refused)).code, 'open-rate-limited');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  const withKey = `/api/render/S2/thumb/${bare.viewId.replace('S2/', '')}.png`;
  assert.equal((await call(withKey)).status, 200, 'keys have theirs');
});

test('a search by the thumbnail address of a hit finds that hit', async () => {
  const { search, asked } = makeThumbnails();
  const [first = '', second = ''] = await search();
  const unknown = first.replace(scene.viewId, 'S2/31/T/DH/1999/1/1/0');
  await search({ thumbnail: [first, second, PROVIDERS, unknown] });
  await search({ thumbnail: { from: first, to: second } });
  const stored = `S2/thumb/${bare.viewId.replace('S2/', '')}.png`;
  const below = unknown.replace('http://swath.test/api/render/', '');
  assert.deepEqual(asked.slice(1), [
    [{ field: 'thumbnail', kind: 'one-of', values: [PROVIDERS, stored, PROVIDERS, below] }],
    [{ field: 'thumbnail', kind: 'range', from: PROVIDERS, to: stored }],
  ]);
});

test('if no secret can be stored, a search returns thumbnail addresses that need a key', async () => {
  const { search } = makeThumbnails({
    readThumbnailLinks: () => Promise.reject(unavailable('store-read-only', 'The store can only be read.')),
  });
  const withKey = `http://swath.test/api/render/S2/thumb/${bare.viewId.replace('S2/', '')}.png`;
  assert.deepEqual(await search(), [PROVIDERS, withKey]);
});

test('signatures are not logged', async () => {
  const { search, show, lines } = makeThumbnails();
  const [address = ''] = await search();
  await show(address);
  const [signature = ''] = /[\w-]{43}/.exec(address) ?? [];
  const text = JSON.stringify(lines);
  assert.ok(text.includes('/api/render/thumbnails/…/S2/') && !text.includes(signature));
});
