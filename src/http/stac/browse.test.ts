import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { makeTestApp, TEST_KEY } from '../testing/make-test-app.ts';
import { makeMadeCatalog } from './testing/made-catalog.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const hostile = `<script>alert(1)</script>"'&`;
const { scenes } = makeMadeCatalog(makeScene(1), makeScene(2, { sceneId: hostile, productId: hostile }));
const { ask } = makeTestApp({ scenes });
const open = (path: string, headers: Record<string, string> = BROWSER) =>
  ask(`http://swath.test${path}${path.includes('?') ? '&' : '?'}api_key=${TEST_KEY}`, { headers });

test('browsers get pages whose links keep the key, and programs get JSON', async () => {
  const landing = await open('/stac');
  assert.equal(landing.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(landing.headers.get('vary'), 'accept, x-api-key');
  const text = await landing.text();
  assert.ok(text.includes(`href="http://swath.test/stac/collections/sentinel2?api_key=${TEST_KEY}"`));
  assert.ok(text.includes('href="http://swath.test/docs"'), 'other addresses get no key');
  for (const path of ['/stac/collections', '/stac/collections/sentinel2', '/stac/search'])
    assert.match(await (await open(path)).text(), /^<!doctype html>/);
  const item = await (await open('/stac/collections/sentinel2/items/S2_31_T_DH_2026_6_1_0')).text();
  assert.match(item, /<a href="http:\/\/swath\.test\/stac\/files\/[^"?]+B04\.tif">B04<\/a>/);
  assert.match(item, /<svg [^>]*role="img"/);
  const page = await (await open('/stac/collections/sentinel2/items')).text();
  const shapes = page.match(
    new RegExp(
      `<a href="http://swath.test/stac/collections/sentinel2/items/[^"]+api_key=${TEST_KEY}"><path`,
      'g',
    ),
  );
  assert.equal(shapes?.length, 2, 'footprints of a page lead to their items');
  const program = await open('/stac', { accept: '*/*' });
  assert.equal(program.headers.get('content-type'), 'application/json');
  const missing = await open('/stac/collections/nothing');
  assert.equal(missing.headers.get('content-type'), 'application/json');
});

test('strings of the catalog are escaped in a page, and a page runs no script', async () => {
  const response = await open('/stac/collections/sentinel2/items');
  const text = await response.text();
  assert.ok(!text.includes('<script') && !/ style=/.test(text), text.slice(0, 200));
  const item = await (await open('/stac/collections/sentinel2/items/S2_31_T_DH_2026_6_2_0')).text();
  assert.ok(!item.includes('<script') && item.includes('&lt;script&gt;'));
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const etag = (await open('/stac', { accept: '*/*' })).headers.get('etag') ?? '';
  const again = await open('/stac', { ...BROWSER, 'if-none-match': etag });
  assert.equal(again.status, 200);
});
