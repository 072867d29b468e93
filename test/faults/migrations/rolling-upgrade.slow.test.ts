/** A node of this version joins one of the version before: the database is migrated while the old one serves. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { startPostgres } from '../../ports/postgres-cluster.ts';
import { withClient } from '../../ports/postgres-schema.ts';
import { DEMO_SCENE, makeDemoData } from '../../support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../../support/demo-grid.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../../support/start-swath.ts';
import { makeTaskClient } from '../../support/task-client.ts';
import { SMALL_ORDERS } from '../tasks/orders.ts';
import { checkOutPrevious } from './checkout.ts';

const AREA = {
  type: 'Polygon',
  coordinates: [
    [
      [-122.41, 48.22],
      [-122.4, 48.22],
      [-122.4, 48.225],
      [-122.41, 48.22],
    ],
  ],
};
const [ORDER = assert.fail()] = SMALL_ORDERS;

/** What users do with a node, each with a status other than 200 and 202 as a failure. */
function makeUser({ url }: RunningSwath, tile: string) {
  const ask = async (path: string, body?: unknown, key = SERVICE_KEY) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { ...init, headers: { 'x-api-key': key } });
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.ok([200, 202].includes(response.status), `${path} ${response.status} ${bytes}`);
    return bytes;
  };
  return {
    draw: (query = '', key?: string) => ask(`${tile}${query}`, undefined, key),
    async search(): Promise<number> {
      const found = await ask(`/api/lms/search/v2/${DEMO_SCENE.dataset}`, { search: {} });
      return (JSON.parse(String(found)) as { meta: { found: number } }).meta.found;
    },
    async storeArea(name: string): Promise<string> {
      const feature = { type: 'Feature', properties: { name }, geometry: AREA };
      const stored = await ask('/api/render/cropper', feature);
      return (JSON.parse(String(stored)) as { cropper_ref: string }).cropper_ref;
    },
  };
}

test('an old node serves while a new one migrates its database, and both continue with what the other has stored', async (t) => {
  const cluster = await startPostgres();
  if (cluster === null) return t.skip('PostgreSQL is not installed here');
  t.after(() => cluster.stop());
  using previous = await checkOutPrevious();
  if (previous === null) return t.skip('the history of this clone does not reach the schema before');
  const dataDirs = await Promise.all([makeDemoData(), makeDemoData()]);
  t.after(() => {
    for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
  });
  const [oldDir, newDir] = dataDirs as [string, string];
  const readVersion = () =>
    withClient(cluster.url, 'swath', async (client) => {
      const { rows } = await client.query<{ version: number }>('SELECT version FROM shape');
      return rows[0]?.version ?? 0;
    });
  // Scenes and results lie where both nodes find them.
  const env = {
    ...ONE_THREAD,
    SWATH_LOG: 'warn',
    SWATH_DATABASE_URL: cluster.url,
    SWATH_SOURCES: oldDir,
    SWATH_RESULTS: oldDir,
    SWATH_STATISTICS_PER_MINUTE: '0',
    SWATH_WRITES_PER_MINUTE: '0',
    SWATH_WORK_PER_MINUTE: '0',
  };
  const startOld = () => startSwath({ dataDir: oldDir, env, program: previous.program });
  const old = await startOld();
  t.after(() => old.stop('SIGKILL'));
  const ingest = ['ingest', 'folder', `${oldDir}/demo`];
  const ingested = await runSwath(ingest, { ...env, SWATH_DATA: oldDir }, undefined, previous.program);
  assert.equal(ingested.status, 0, ingested.stderr);
  const [inside] = listDemoTiles(await readDemoGrid(oldDir), 14).inside;
  const tile = `/api/render/${DEMO_SCENE.viewId}/NDVI/${inside}`;
  const user = makeUser(old, tile);
  const tasks = makeTaskClient(old);
  const order = (client: typeof tasks, reference: string): Promise<string> =>
    client.order({ type: ORDER.type, params: { ...ORDER.params, reference } });
  const oldArea = await user.storeArea('of the old one');
  const picture = await user.draw(`?cropper_ref=${oldArea}`);
  const first = await tasks.readFile(await order(tasks, 'before'));
  const made = await runSwath(
    ['keys', 'create'],
    { ...env, SWATH_DATA: oldDir },
    undefined,
    previous.program,
  );
  const oldKey = made.stdout.trim();
  const before = await readVersion();

  let [isMigrated, rounds] = [false, 0];
  const ids: string[] = [];
  const using = (async () => {
    // At least one round after the migration.
    for (let isLast = false; !isLast; rounds += 1) {
      isLast = isMigrated;
      assert.equal(await user.search(), 1);
      assert.deepEqual(await user.draw(`?cropper_ref=${await user.storeArea(`area ${rounds}`)}`), picture);
      ids.push(await order(tasks, `meanwhile ${rounds}`));
    }
  })();
  await waitFor(() => rounds > 0);
  const fresh = await startSwath({ dataDir: newDir, env });
  t.after(() => fresh.stop('SIGKILL'));
  isMigrated = true;
  await using;
  assert.ok((await readVersion()) > before, `${previous.commit} has another schema`);

  const newUser = makeUser(fresh, tile);
  const newTasks = makeTaskClient(fresh);
  assert.equal(await newUser.search(), 1);
  await newUser.draw(`?cropper_ref=${oldArea}`);
  await user.draw(`?cropper_ref=${await newUser.storeArea('of the new one')}`);
  const { stdout } = await runSwath(['keys', 'create'], { ...env, SWATH_DATA: newDir });
  await user.draw('', stdout.trim());
  await newUser.draw('', oldKey);
  // Both nodes work on what either has taken.
  for (let n = 0; n < 6; n += 1) ids.push(await order(n % 2 === 0 ? newTasks : tasks, `both ${n}`));
  for (const [n, id] of ids.entries()) {
    const { digest } = await (n % 2 === 0 ? tasks : newTasks).readFile(id);
    if (n < ids.length - 6) assert.equal(digest, first.digest);
  }
  assert.equal(await old.stop(), 0);
  if (previous.maySeeNewer) {
    await using again = await startOld();
    assert.deepEqual(await makeUser(again, tile).draw(`?cropper_ref=${oldArea}`), picture);
    assert.equal(await again.stop(), 0);
  }
  // All by itself it does what is left.
  await newTasks.readFile(await order(newTasks, 'alone'));
  assert.equal(await fresh.stop(), 0);
});
