/** PostgreSQL whose disk is full: nothing that was acknowledged is lost, pictures go on, and it heals when there is room. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { startPostgres } from '../../ports/postgres-cluster.ts';
import { DEMO_SCENE, makeDemoData } from '../../support/demo-data.ts';
import { mountTmpfs } from '../../support/mounts.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath, waitUntilReady } from '../../support/start-swath.ts';

/** PostgreSQL with PostGIS and the catalog takes 60 MB without its log. */
const DISK = 'size=160m,mode=0755';
/** Areas and orders that are sent while the disk is full: more than the free space of pages that are allocated. */
const SENT = 60;

const TILE = '14/2621/5680';

/** Unmounted after the file, when PostgreSQL has ended. */
const disk = mountTmpfs(DISK);

test('with a full PostgreSQL disk writes get 503, pictures continue, and acknowledged tasks are done', async (t) => {
  if (disk === null) return t.skip('no right to mount a tmpfs here');
  const cluster = await startPostgres(['autovacuum=off'], 'swath', disk.directory);
  if (cluster === null) return t.skip('no PostgreSQL here');
  t.after(() => cluster.stop());
  const dataDir = await makeDemoData();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = { SWATH_DATABASE_URL: cluster.url };
  const ingested = await runSwath(['ingest', 'folder', dataDir], { ...env, SWATH_DATA: dataDir });
  if (/postgis/i.test(ingested.stderr)) return t.skip('no PostGIS here');
  assert.equal(ingested.status, 0, ingested.stderr);
  const swath = await startSwath({
    dataDir,
    env: { ...env, ...ONE_THREAD, SWATH_WRITES_PER_MINUTE: '0', SWATH_TASK_LEASE_MS: '60000' },
  });
  t.after(() => swath.stop('SIGKILL'));
  await waitUntilReady(swath.url);
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${swath.url}${path}`, { redirect: 'manual', ...init, headers: { 'x-api-key': SERVICE_KEY } });
  const post = (path: string, body: object) => ask(path, { method: 'POST', body: JSON.stringify(body) });
  const postArea = () => {
    const shift = Math.random();
    const ring = [
      [shift, 0],
      [shift + 1, 0],
      [shift + 1, 1],
      [shift, 0],
    ];
    // Random, so that PostgreSQL cannot compress it.
    const properties = { text: randomBytes(10_000).toString('base64').slice(0, 12_000) };
    return post('/api/render/cropper', {
      type: 'Feature',
      properties,
      geometry: { type: 'Polygon', coordinates: [ring] },
    });
  };
  const order = (n: number) =>
    post('/api', {
      type: 'bandmath',
      params: {
        view_id: DEMO_SCENE.viewId,
        bm_type: 'NDVI',
        bbox: [-122.41, 48.22, -122.4, 48.225],
        reference: `order ${n}`,
      },
    });
  const acknowledged: string[] = [];
  const take = async (answer: Response): Promise<number> => {
    const { task_id: id } = (await answer.json()) as { task_id?: string };
    if (answer.status === 202 && id !== undefined) acknowledged.push(id);
    return answer.status;
  };
  const readTile = async (bands: string): Promise<number> => {
    const answer = await ask(`/api/render/${DEMO_SCENE.viewId}/${bands}/${TILE}`);
    await answer.arrayBuffer();
    return answer.status;
  };
  assert.equal(await take(await order(0)), 202);
  assert.equal(await readTile('B04'), 200);

  const filler = join(disk.directory, 'filler');
  const fill = (): void => {
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(8_192), { flag: 'a' });
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  };
  fill();
  const seen = { areas: new Map<number, number>(), orders: new Map<number, number>() };
  const note = (counts: Map<number, number>, status: number): void =>
    void counts.set(status, (counts.get(status) ?? 0) + 1);
  const codes = new Set<string>();
  for (let n = 1; n <= SENT; n += 1) {
    const area = await postArea();
    note(seen.areas, area.status);
    if (area.status === 503) {
      codes.add(((await area.json()) as { code: string }).code);
      assert.ok(Number(area.headers.get('retry-after')) > 0);
    } else await area.arrayBuffer();
    note(seen.orders, await take(await order(n)));
    // What PostgreSQL gives back meanwhile is taken away again.
    fill();
  }
  t.diagnostic(
    `areas ${JSON.stringify([...seen.areas])}, orders ${JSON.stringify([...seen.orders])}, ${[...codes]}`,
  );
  assert.deepEqual([...codes], ['store-full']);
  assert.ok((seen.areas.get(503) ?? 0) > 0);
  for (const status of seen.areas.keys()) assert.ok(status === 200 || status === 503, `areas ${status}`);
  for (const status of seen.orders.keys()) assert.ok(status === 202 || status === 503, `orders ${status}`);
  // Known and new bands of a known scene: a contrast that cannot be stored is used all the same.
  for (const bands of ['B04', 'B08', 'B11,B08,B04', 'NDVI']) assert.equal(await readTile(bands), 200, bands);
  const ready = (await (await ask('/readyz')).json()) as { degraded?: boolean };
  assert.equal(ready.degraded, true);

  rmSync(filler);
  await waitFor(async () => {
    const area = await postArea();
    await area.arrayBuffer();
    return area.status === 200;
  });
  assert.equal(await take(await order(SENT + 1)), 202);
  await waitFor(
    async () => ((await (await ask('/readyz')).json()) as { degraded?: boolean }).degraded !== true,
  );
  for (const id of acknowledged) {
    let poll = await ask(`/api/${id}`);
    await waitFor(async () => {
      poll = await ask(`/api/${id}`);
      return poll.status !== 200 || /"task_type":"error"/.test(await poll.clone().text());
    });
    assert.equal(poll.status, 303, `${id}: ${await poll.text()}`);
  }
  assert.equal(await swath.stop(), 0);
});
