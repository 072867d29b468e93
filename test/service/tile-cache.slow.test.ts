/** The cache of finished pictures in a real service: over a restart, and with damage in it. */
import assert from 'node:assert/strict';
import { globSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../support/demo-grid.ts';
import { SERVICE_KEY, startSwath } from '../support/start-swath.ts';

const env = { SWATH_TILE_CACHE: '8', SWATH_THREADS: '1' };

interface Figures {
  readonly hits: number;
  readonly misses: number;
  readonly written: number;
  /** Jobs of the pixel threads. */
  readonly jobs: number;
}

/** Starts a service and waits until all that it draws is what it is asked for; its jobs count from then on. */
async function startWarmedUp(dataDir: string) {
  const service = await startSwath({ dataDir, env });
  await waitFor(async () => service.output().includes('warmed up'));
  const { jobs: before } = await readFigures(service.url);
  const read = async (): Promise<Figures> => {
    const figures = await readFigures(service.url);
    return { ...figures, jobs: figures.jobs - before };
  };
  return { ...service, readFigures: read };
}

async function readFigures(url: string): Promise<Figures> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const read = (name: string): number => Number(text.split(`${name} `)[1]?.split('\n')[0] ?? Number.NaN);
  const tile = (outcome: string) => read(`swath_tile_cache_total{outcome="${outcome}"}`);
  const jobs = read('swath_pool_jobs_total{outcome="done"}');
  return { hits: tile('hits'), misses: tile('misses'), written: tile('written'), jobs };
}

test('a picture is drawn once, also across restarts; one whose cache file was damaged is drawn again', async (t) => {
  const dataDir = await makeDemoData();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const [whole = '', damaged = ''] = listDemoTiles(await readDemoGrid(dataDir), 15).inside;
  const ask = async (url: string, tile: string, query = '?MIN_MAX=0,4000') => {
    const answer = await fetch(`${url}/api/render/${DEMO_SCENE.viewId}/B04/${tile}${query}`, {
      headers: { 'x-api-key': SERVICE_KEY },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const [type, etag] = ['content-type', 'etag'].map((name) => answer.headers.get(name));
    return { status: answer.status, type, etag, bytes };
  };

  const first = await startWarmedUp(dataDir);
  t.after(() => first.process.kill('SIGKILL'));
  const drawn = [await ask(first.url, whole), await ask(first.url, damaged)] as const;
  assert.deepEqual(
    drawn.map(({ status }) => status),
    [200, 200],
  );
  await waitFor(async () => (await first.readFigures()).written === 2);
  assert.deepEqual(await ask(first.url, whole), drawn[0]);
  assert.equal((await ask(first.url, whole, '?MIN_MAX=nonsense')).status, 400);
  assert.equal((await ask(first.url, '10/0/0')).status, 200);
  assert.equal((await ask(first.url, '10/0/1')).status, 200);
  // One for each picture, one for all that show nothing.
  assert.deepEqual(await first.readFigures(), { hits: 1, misses: 2, written: 2, jobs: 3 });
  await first.stop('SIGKILL');
  const files = drawn.map(({ etag }) => globSync(`tile-cache/*/${etag?.slice(1, -1)}+0`, { cwd: dataDir }));
  assert.deepEqual(
    files.map(({ length }) => length),
    [1, 1],
  );

  truncateSync(join(dataDir, files[1]?.[0] ?? ''), 1000);
  const second = await startWarmedUp(dataDir);
  t.after(() => second.process.kill('SIGKILL'));
  assert.deepEqual(await ask(second.url, whole), drawn[0]);
  assert.deepEqual(await second.readFigures(), { hits: 1, misses: 0, written: 0, jobs: 0 });
  assert.deepEqual(await ask(second.url, damaged), drawn[1]);
  const { misses, jobs } = await second.readFigures();
  assert.deepEqual([misses, jobs], [1, 1]);
  assert.equal(await second.stop(), 0);
});
