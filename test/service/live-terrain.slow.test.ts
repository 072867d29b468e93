import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { heightAt } from '../../src/live/testing/dem-items.ts';
import { startFakeStac } from '../../src/live/testing/fake-stac.ts';
import { makeItem } from '../../src/live/testing/make-item.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

const scratch = await mkdtemp(join(tmpdir(), 'swath-live-terrain-'));
after(() => rm(scratch, { recursive: true }));

const fake = await startFakeStac({
  items: (place) => [6, 7].map((lon) => makeItem('earth-search/cop-dem-glo-30', { lon, lat: 46 }, place)),
});
after(() => fake[Symbol.asyncDispose]());
const catalogs = join(scratch, 'catalogs.json');
const { hosts, allowHttp, ports, privateNetworks } = fake.network;
const store = { buckets: ['copernicus-dem-30m'], region: 'local', endpoint: fake.origin, pathStyle: true };
const sources = { hosts, allowHttp, ports, privateNetworks, s3: [store] };
writeFileSync(catalogs, JSON.stringify([{ preset: 'earth-search', url: fake.url, sources }]), {
  mode: 0o600,
});

const swath = await startSwath({
  env: { SWATH_CATALOGS: catalogs, SWATH_DEMO: 'off', ...ONE_THREAD },
});
after(() => swath[Symbol.asyncDispose]());
const ask = (path: string, body?: unknown): Promise<Response> =>
  fetch(`${swath.url}/api/render/terrain/${path}`, {
    headers: { 'x-api-key': SERVICE_KEY, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
const askJson = async (path: string, body?: unknown): Promise<Record<string, unknown>> => {
  const answer = await ask(path, body);
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as Record<string, unknown>;
};

/** A location in the middle of a pixel of the cell 6° E, 46° N. */
const at = (column: number, row: number) => ({ lat: 47 - row / 3_600, lon: 6 + column / 3_600 });

test('a service with a live catalog and no ingested model has heights', async () => {
  const { lat, lon } = at(1_234, 2_345);
  const { index_value: elevation } = await askJson(`point/${lat}/${lon}`);
  assert.ok(Math.abs((elevation as number) - heightAt(1_234, 2_345)) < 0.1, `${elevation}`);

  const profile = await askJson(`profile?line=6.9,46.5;7.1,46.5&samples=20`);
  const points = profile.points as readonly { readonly elevation: number }[];
  assert.equal(points.length, 20);
  assert.ok(points.every((point) => point.elevation >= 400 && point.elevation <= 800));

  const ring = [
    [6.4, 46.4],
    [6.6, 46.4],
    [6.6, 46.6],
    [6.4, 46.6],
    [6.4, 46.4],
  ];
  const statistics = await askJson('statistics', { geometry: { type: 'Polygon', coordinates: [ring] } });
  assert.equal(statistics.known_percent, 100);
  assert.ok(Math.abs((statistics.elevation as { mean: number }).mean - 600) < 10);

  const tile = await ask('12/2127/1457');
  assert.deepEqual([tile.status, tile.headers.get('content-type')], [200, 'image/png']);
  const { attribution } = await askJson('tilejson.json');
  assert.match(String(attribution), /Airbus/);
});

test('there is sea where the catalog has no cell, and a low zoom level is refused', async () => {
  assert.equal((await askJson('point/40.5/10.5')).index_value, 0);
  const answer = await ask('3/4/2');
  assert.equal(answer.status, 422);
  assert.match(await answer.text(), /too-many-dem-files/);
});

test('a failing store is reported as broken; heights return when it recovers', async () => {
  fake.add(makeItem('earth-search/cop-dem-glo-30', { lon: 20, lat: 46 }, fake.place));
  for (const [status, code] of [
    [403, 'source-gone'],
    [404, 'dem-cell-missing'],
  ] as const) {
    fake.fileFault = () => ({ status });
    const answer = await ask('point/46.5/20.5');
    assert.equal(answer.status, 502);
    assert.match(await answer.text(), new RegExp(code));
  }
  fake.reset();
  const { index_value: elevation } = await askJson('point/46.5/20.5');
  assert.ok(Math.abs((elevation as number) - heightAt(1_800, 1_800)) < 0.1, `${elevation}`);
});
