/** What a key that may change the catalog sends to `/stac`: a collection is described, an item ingested, drawn and removed. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeItem } from '../../src/live/testing/make-item.ts';
import { startFake } from '../earth/live-service.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath, waitUntilReady } from '../support/start-swath.ts';

const DAY = '2022-05-07';

test('a collection is created, and its item added, drawn, replaced and removed', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'swath-posted-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  await using fake = await startFake('earth-search', (place) => [
    makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day: DAY, cloud: 10 }, place),
  ]);
  const { hosts, allowHttp, ports, privateNetworks } = fake.network;
  writeFileSync(join(root, 'sources.json'), JSON.stringify({ hosts, allowHttp, ports, privateNetworks }));
  const env = { SWATH_SOURCES: join(root, 'sources.json'), ...ONE_THREAD };
  const dataDir = join(root, 'data');
  await using swath = await startSwath({ dataDir, env });
  await waitUntilReady(swath.url);
  const made = await runSwath(['keys', 'create', '--role', 'ingest'], { SWATH_DATA: dataDir, ...env });
  const key = /apk\.[0-9a-f]{64}/.exec(made.stdout)?.[0] ?? assert.fail(made.stdout + made.stderr);
  const ask = (path: string, method = 'GET', body: object | null = null, apiKey = key) =>
    fetch(swath.url + path, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: body === null ? null : JSON.stringify(body),
    });

  const listed = await (await fetch(`${fake.url}/collections/sentinel-2-l2a/items?limit=1`)).json();
  const item = (listed as { features: object[] }).features[0] ?? assert.fail('the fake has no item');
  const collections = '/stac/collections';
  const described = await ask(collections, 'POST', { id: 'sentinel2l2a', title: 'Our fields' });
  assert.equal(described.status, 201, await described.clone().text());
  assert.deepEqual(await described.json(), await (await ask(`${collections}/sentinel2l2a`)).json());
  const items = `${collections}/sentinel2l2a/items`;
  assert.equal((await ask(items, 'POST', item, SERVICE_KEY)).status, 403, 'a key for all else may not');
  const added = await ask(items, 'POST', item);
  const text = await added.text();
  assert.equal(added.status, 201, text);
  const { id, collection } = JSON.parse(text) as { id: string; collection: string };
  assert.equal(collection, 'sentinel2l2a');
  assert.equal(added.headers.get('location'), `${swath.url}${items}/${id}`);
  assert.equal((await ask(items, 'POST', item)).status, 409);

  const [sensor, ...scene] = id.split('_');
  const point = await ask(`/api/render/${sensor}/point/${scene.join('/')}/B04/42.9/2.2`);
  assert.equal(point.status, 200, await point.text());
  assert.equal((await ask(`${items}/${id}`, 'PUT', item)).status, 200);

  const elsewhere = JSON.parse(JSON.stringify(item).replaceAll(fake.origin, 'https://files.example.org'));
  const refused = await ask(`${items}/${id}`, 'PUT', elsewhere);
  assert.equal(refused.status, 422, await refused.text());
  assert.equal((await ask(`${items}/${id}`)).status, 200, 'a refused item changes nothing');
  assert.equal((await ask(`${collections}/sentinel2l2a`, 'DELETE')).status, 409, 'it has an item');

  assert.equal((await ask(`${items}/${id}`, 'DELETE')).status, 204);
  assert.equal((await ask(`${items}/${id}`)).status, 404);
  assert.equal((await ask(`${collections}/sentinel2l2a`, 'DELETE')).status, 204);
  assert.equal((await ask(`${collections}/sentinel2l2a`)).status, 404);
});
