import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDem, makeDemFile, makeFakeDemStore } from '../terrain/testing/fake-dem-store.ts';
import type { DemCommand } from './commands/index.ts';
import { runDem } from './dem-command.ts';
import { makeFakeTerminal } from './testing/fake-terminal.ts';

async function makeStore() {
  const store = makeFakeDemStore();
  await store.putDem(makeDem('alps', { attribution: 'Me', overviews: [{ pixelDeg: 0.1 }] }));
  await store.putFiles([
    makeDemFile('alps', 7, 46, { href: 'a.tif', resolutionM: 30.87 }),
    makeDemFile('alps', 8, 46, {
      href: 'b.tif',
      resolutionM: 24.2,
      bounds: { west: 8.00013888, south: 46, east: 9, north: 47 },
    }),
  ]);
  await store.putDem(makeDem('lidar', { order: -1, gaps: 'sea' }));
  await store.putFiles([makeDemFile('lidar', 7, 46, { href: 'c.tif', resolutionM: 0.5 })]);
  return store;
}

async function run(command: DemCommand, store: Awaited<ReturnType<typeof makeStore>>) {
  const { terminal, out, err } = makeFakeTerminal();
  const removed: string[] = [];
  const removeOverviews = async (dem: string): Promise<void> => void removed.push(dem);
  const isDone = await runDem(command, { dems: store, removeOverviews, terminal });
  return { isDone, out: out(), err: err(), removed };
}

test('models are listed in the order in which they are used', async () => {
  const { isDone, out, err } = await run({ name: 'dem list', json: false }, await makeStore());
  assert.equal(isDone, true);
  assert.equal(
    out,
    [
      'name   order  files  resolution  west, south, east, north  gaps     overviews',
      'lidar  -1     1      0.5 m       7, 46, 8, 47              sea      none',
      'alps   0      2      24 to 31 m  7, 46, 9, 47              unknown  1',
      '',
    ].join('\n'),
  );
  assert.equal(err, 'alps: Me\n');
});

test('--json has all that the store says, and an empty catalog says how to fill it', async () => {
  const store = await makeStore();
  const { out } = await run({ name: 'dem list', json: true }, store);
  assert.deepEqual(JSON.parse(out), await store.list());
  const empty = await run({ name: 'dem list', json: false }, makeFakeDemStore());
  assert.match(empty.out, /swath ingest dem/);
});

test('a model is removed once', async () => {
  const store = await makeStore();
  const first = await run({ name: 'dem remove', model: 'alps' }, store);
  assert.deepEqual([first.isDone, store.files.size], [true, 1]);
  assert.match(first.out, /alps of 2 files/);
  assert.deepEqual(first.removed, ['alps']);
  const second = await run({ name: 'dem remove', model: 'alps' }, store);
  assert.deepEqual([second.isDone, second.out], [false, '']);
  assert.match(second.err, /There is no model alps/);
});

test('an order is changed, and everything else stays', async () => {
  const store = await makeStore();
  const before = store.dems.get('alps');
  assert.equal((await run({ name: 'dem order', model: 'alps', order: -5 }, store)).isDone, true);
  assert.deepEqual(store.dems.get('alps'), { ...before, order: -5 });
  store.takeWrites();
  await run({ name: 'dem order', model: 'alps', order: -5 }, store);
  assert.deepEqual(store.takeWrites(), []);
  assert.equal((await run({ name: 'dem order', model: 'none', order: 1 }, store)).isDone, false);
});
