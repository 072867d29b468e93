import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { systemClock } from '../async/index.ts';
import { joinFolder, makeFolderHandle } from '../files/index.ts';
import { openCatalogDoor, toUserAgent } from './catalog-door.ts';
import type { LiveCatalog } from './live-catalog.ts';
import { earthSearch } from './presets/earth-search.ts';
import { startFakeStac } from './testing/fake-stac.ts';
import { makeItem } from './testing/make-item.ts';

const root = mkdtempSync(join(tmpdir(), 'swath-door-'));
const fake = await startFakeStac({
  items: (place) => [
    makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day: '2022-06-01', cloud: 1 }, place),
  ],
});
const catalog: LiveCatalog = { ...earthSearch, url: fake.url, sources: fake.network };
after(async () => {
  await fake[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => fake.reset());

const limitBody = () => 2 ** 20;
const search = (limit: number) =>
  ({
    url: `${fake.url}/search`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ collections: ['sentinel-2-l2a'], limit }),
    limitBody,
  }) as const;

test('requests to a catalog identify the service to its operator', async () => {
  const userAgent = toUserAgent('1.2.3', 'maps@example.org');
  assert.equal(toUserAgent('1.2.3', null), 'Swath/1.2.3');
  const { fetch } = openCatalogDoor(catalog, { userAgent });
  assert.equal((await fetch({ url: fake.url, limitBody })).status, 200);
  assert.deepEqual(
    fake.calls.map((call) => call.userAgent),
    ['Swath/1.2.3 (+maps@example.org)'],
  );
});

test('requests can only go to the host of the catalog', async () => {
  const { fetch } = openCatalogDoor({ ...catalog, sources: { ...catalog.sources, hosts: ['localhost'] } });
  for (const url of [
    `http://localhost:${fake.port}/v1`,
    'https://example.org/',
    `http://127.0.0.1:${fake.port + 1}/`,
  ]) {
    await assert.rejects(fetch({ url, limitBody }), { code: 'address-not-allowed' }, url);
  }
  assert.equal(fake.calls.length, 0);
});

test('the same request is sent once, and counted', async () => {
  const answers = joinFolder(makeFolderHandle(join(root, 'answers'), 2 ** 20));
  const { fetch, counts } = openCatalogDoor(catalog, { answers });
  const bodies: string[] = [];
  for (const limit of [1, 1, 2]) {
    bodies.push(Buffer.from((await fetch(search(limit))).body).toString());
    await answers.settled();
  }
  assert.equal(bodies[0], bodies[1]);
  assert.match(bodies[0] ?? '', /FeatureCollection/);
  assert.equal(fake.calls.length, 2);
  assert.deepEqual([counts.requests, counts.cacheHits, counts.errors], [2, 1, {}]);
});

test('a catalog that asks for a long pause is reported as busy with its duration, and gets no second request', async () => {
  fake.catalogFault = () => ({ status: 429, retryAfter: '300' });
  const { fetch, counts } = openCatalogDoor(catalog, { clock: { ...systemClock, nowMs: () => 0 } });
  const busy = {
    tag: 'unavailable',
    code: 'catalog-busy',
    message: 'The catalog is busy and asks for a pause of 300 seconds.',
  };
  await assert.rejects(fetch(search(1)), busy);
  await assert.rejects(fetch(search(1)), busy);
  assert.equal(fake.calls.length, 1);
  assert.deepEqual(counts.errors, { 429: 1 });
});
