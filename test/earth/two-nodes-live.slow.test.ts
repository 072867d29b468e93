/** Two nodes on one PostgreSQL that need the same unknown scene at once: one asks the catalog, and both draw it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import type { PostgresCluster } from '../ports/postgres-cluster.ts';
import { startPostgres } from '../ports/postgres-cluster.ts';
import type { LiveService } from './live-service.ts';
import {
  expectSomething,
  readPicture,
  startFake,
  startLiveService,
  toEntry,
  toTilePath,
} from './live-service.ts';
import { CLEAR_CROP, positionOf } from './made-places.ts';
import { makeWillRead, WORLDS } from './preset-worlds.ts';

let cluster: PostgresCluster | null = null;
before(async () => {
  cluster = await startPostgres();
});
after(() => cluster?.stop());

/** Open connections of clients, that of this question among them. */
async function countConnections({ ask }: LiveService): Promise<number> {
  const text = await (await ask('/metrics')).text();
  return Number(/^swath_connections (\d+)$/m.exec(text)?.[1] ?? assert.fail(text));
}

/** One that no search has shown, and one that a search shows first. */
const DAYS = ['2022-04-16', '2022-07-21'] as const;

test('an unknown scene is found by its view id and after a search', async (t) => {
  if (cluster === null) return t.skip('PostgreSQL is not installed here');
  const [world = assert.fail()] = WORLDS;
  const { preset, dataset, frame, items, viewIdOn } = world;
  await using fake = await startFake(preset, items, makeWillRead(...DAYS));
  const env = { SWATH_DATABASE_URL: cluster.url };
  await using first = await startLiveService([toEntry(preset, fake)], { env });
  await using second = await startLiveService([toEntry(preset, fake)], { env });
  const crop = positionOf(frame, CLEAR_CROP);

  for (const day of DAYS) {
    const isShown = day !== DAYS[0];
    // After a search each node knows the address of the item.
    if (isShown)
      for (const node of [first, second]) await node.search(dataset, { search: { date: { from: day } } });
    fake.reset();
    const { promise, resolve: release } = Promise.withResolvers<void>();
    fake.pause = ({ kind }) => (kind === 'file' ? null : promise);
    const path = toTilePath(viewIdOn(day), 'B04,B03,B02', crop);
    const drawn = first.ask(path);
    await waitFor(() => fake.calls.length > 0);
    const others = await countConnections(second);
    const drawnToo = second.ask(path);
    await waitFor(async () => (await countConnections(second)) > others);
    release();
    for (const answer of [drawn, drawnToo]) expectSomething(await readPicture(await answer));
    assert.deepEqual(
      fake.calls.filter(({ kind }) => kind !== 'file').map(({ kind }) => kind),
      [isShown ? 'item' : 'search'],
      day,
    );
  }
});
