import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { after, test } from 'node:test';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../support/demo-grid.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath, waitUntilReady } from '../support/start-swath.ts';
import type { BudgetAnswer, BudgetQuestion } from './probe.ts';

/*
 * What a warm tile may cost, in numbers that a busy machine does not change. A change that needs more says why, and
 * `npm run bench -- where` says where it went.
 */

/**
 * Kilobytes of objects that the main thread may allocate for a warm request over a connection of its own: 95 and 65 when
 * this was written, the same to 2 kB in each run.
 */
const MAX_TILE_KB = 108;
const MAX_POINT_KB = 76;

const dataDir = await makeDemoData();
const swath = await startSwath({
  dataDir,
  // A worker looks for tasks four times a second, by messages to the thread of the database.
  env: { ...ONE_THREAD, SWATH_ROLES: 'api', SWATH_LOG: 'error' },
  probe: new URL('./probe.ts', import.meta.url),
});
after(async () => {
  await swath.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});
await waitUntilReady(swath.url);
const grid = await readDemoGrid(dataDir);

async function ask(question: BudgetQuestion): Promise<BudgetAnswer> {
  swath.process.send(question);
  const [answer] = (await once(swath.process, 'message')) as [BudgetAnswer];
  return answer;
}

async function askPaths(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const answer = await fetch(swath.url + path, { headers: { 'x-api-key': SERVICE_KEY } });
    await answer.arrayBuffer();
    assert.equal(answer.status, 200, path);
  }
}

/** Asks until code and caches are warm, then counts. */
async function measure(paths: readonly string[]): Promise<BudgetAnswer> {
  for (let round = 0; round < 5; round += 1) await askPaths(paths);
  const rounds: BudgetAnswer[] = [];
  while (rounds.length < 5) {
    await ask('begin');
    await askPaths(paths);
    rounds.push(await ask('end'));
  }
  // The compiler works when it has time, and what is checked every few seconds is checked for each tile where a round
  // takes minutes: the least of the rounds is what a warm request costs.
  const least = (key: keyof BudgetAnswer): number => Math.min(...rounds.map((round) => round[key]));
  return { allocatedBytes: least('allocatedBytes'), sent: least('sent'), received: least('received') };
}

interface Case {
  readonly paths: readonly string[];
  /** To a pixel thread, and as many back. */
  readonly messages: number;
  readonly maxKb: number;
}

const CASES: Readonly<Record<string, Case>> = {
  tile: {
    paths: listDemoTiles(grid, 15).inside.map(
      (tile) => `/api/render/${DEMO_SCENE.viewId}/B04,B03,B02/${tile}?MIN_MAX=0,3000&mimetype=image/png`,
    ),
    messages: 1,
    maxKb: MAX_TILE_KB,
  },
  point: {
    paths: Array.from({ length: 100 }, (_, i) => {
      const [lon, lat] = grid.toDegrees([(grid.width * (i + 0.5)) / 100, grid.height / 2]);
      const [sensor, ...scene] = DEMO_SCENE.viewId.split('/');
      return `/api/render/${sensor}/point/${scene.join('/')}/B04/${lat}/${lon}`;
    }),
    // Its pixel is read from the block cache.
    messages: 0,
    maxKb: MAX_POINT_KB,
  },
};

for (const [name, { paths, messages, maxKb }] of Object.entries(CASES)) {
  test(`a warm ${name} takes ${messages} messages to a pixel thread, as many back and at most ${maxKb} kB of objects`, async () => {
    const { allocatedBytes, sent, received } = await measure(paths);
    // Other threads may say something now and then: whole numbers a request are what counts.
    assert.equal(Math.round(sent / paths.length), messages, `${sent} messages sent for ${paths.length}`);
    assert.equal(
      Math.round(received / paths.length),
      messages,
      `${received} messages received for ${paths.length}`,
    );
    const kb = allocatedBytes / paths.length / 1024;
    assert.ok(kb <= maxKb, `${kb.toFixed(1)} kB for each`);
  });
}
