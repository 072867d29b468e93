/** Live catalogs as their operators and ours see them: the report of the doctor, who asks, how often, and the metrics. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startFakeStac } from '../../src/live/testing/fake-stac.ts';
import { makeItem } from '../../src/live/testing/make-item.ts';
import { waitFor, whenHolds } from '../../src/testing/wait-for.ts';
import { listLiveFiles } from '../support/live-files.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

const root = mkdtempSync(join(tmpdir(), 'swath-live-doctor-'));
const fake = await startFakeStac({
  items: (place) => [
    makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day: '2022-06-01', cloud: 1 }, place),
  ],
});
after(async () => {
  await fake[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

const catalogs = join(root, 'catalogs.json');
const { hosts, allowHttp, ports, privateNetworks } = fake.network;
writeFileSync(
  catalogs,
  JSON.stringify([
    {
      preset: 'earth-search',
      url: fake.url,
      sources: { hosts, allowHttp, ports, privateNetworks },
      limits: { deadlineMs: 60_000 },
    },
  ]),
);
const env = {
  SWATH_DATA: join(root, 'data'),
  SWATH_CATALOGS: catalogs,
  SWATH_CATALOG_CONTACT: 'maps@example.org',
};

test('doctor tests a catalog, and says which part fails', async () => {
  const well = await runSwath(['doctor'], env);
  assert.equal(well.status, 0, well.stdout);
  assert.match(well.stdout, /Catalog earth-search\n +ok API .*STAC/);
  assert.match(well.stdout, /ok sentinel-2-l2a +found an item/);
  assert.match(well.stdout, /ok sentinel-2-l2a files +http\S+: first bytes/);
  assert.ok(fake.calls.every(({ userAgent }) => /^Swath\/\S+ \(\+maps@example\.org\)$/.test(userAgent)));

  fake.fileFault = () => ({ status: 403 });
  const refused = await runSwath(['doctor'], { ...env, NODE_EXTRA_CA_CERTS: join(root, 'absent.pem') });
  assert.equal(refused.status, 1);
  assert.match(refused.stdout, /!! sentinel-2-l2a files +127\.0\.0\.1:\d+ refuses access \(403\)/);
  assert.match(refused.stdout, /!! NODE_EXTRA_CA_CERTS +no certificate could be read/);
});

test('a search states the contact, its answer is stored, and the metrics count it', async () => {
  fake.reset();
  await using swath = await startSwath({
    dataDir: env.SWATH_DATA,
    env: { ...ONE_THREAD, ...env, SWATH_DEMO: 'off', SWATH_METRICS: 'open' },
  });
  const search = async (): Promise<number> => {
    const answer = await fetch(`${swath.url}/api/lms/search/v2/sentinel2l2a`, {
      method: 'POST',
      headers: { 'x-api-key': SERVICE_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({
        fields: ['sceneID'],
        limit: 10,
        search: { date: { from: '2022-05-01', to: '2022-07-01' } },
      }),
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    return ((await answer.json()) as { results: unknown[] }).results.length;
  };
  assert.equal(await search(), 1);
  assert.ok(fake.calls.some(({ kind }) => kind === 'search'));
  assert.ok(fake.calls.every(({ userAgent }) => userAgent.endsWith('(+maps@example.org)')));
  // The answer is written after it was given.
  const folder = join(env.SWATH_DATA, 'catalog-answers');
  await waitFor(() => listLiveFiles(folder).some((name) => name.endsWith('+0')));
  await whenHolds(async () => {
    const metrics = await (await fetch(`${swath.url}/metrics`)).text();
    const read = (line: string): number => Number(new RegExp(`^${line} (\\d+)`, 'm').exec(metrics)?.[1]);
    assert.equal(
      read('swath_catalog_requests_total\\{catalog="earth-search",outcome="sent"\\}'),
      fake.calls.length,
    );
    assert.ok(read('swath_catalog_wait_seconds_total\\{catalog="earth-search"\\}') >= 0);
  });
});
