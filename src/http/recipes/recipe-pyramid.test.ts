import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PyramidOrder, PyramidStore } from '../../mosaic/index.ts';
import { toPyramidKey } from '../../mosaic/index.ts';
import { openTaskServices } from '../tasks/testing/make-task-service.ts';
import { READER_KEY, readError } from '../testing/make-test-app.ts';
import { makeRecipeApp } from './testing/make-recipe-app.ts';

const july = {
  scenes: { search: { sensors: ['S2L2A'], period: '2026-07', max_cloud: 30 } },
  bands: 'NDVI',
  style: { COLORMAP: 'viridis', MIN_MAX: '0,1', CALIBRATE: '1' },
  selection: 'median',
};
const SAME = '/api/mosaic/pyramid/S2L2A/2026-07/NDVI?max_cloud=30&selection=median&CALIBRATE=1';

/** Recipes over a real store of tasks, and a pyramid of each of these owners. */
async function makeKit() {
  const { services, ...opened } = await openTaskServices();
  const owners = new Map<string, string>();
  const pyramids: Partial<PyramidStore> = {
    find: async (key) => (owners.has(key) ? ({ owner: owners.get(key) } as never) : null),
    remove: async (key) => void owners.delete(key),
  };
  const app = makeRecipeApp({
    mosaics: { planSomewhere: async () => ({}) as never },
    pyramids,
    tasks: services,
  });
  const send = (path: string, method: 'POST' | 'DELETE', key?: string) =>
    app.call(path, { method, ...(key === undefined ? {} : { key }) });
  /** Takes the orders that wait. */
  const takeOrders = async () =>
    (await opened.store.lease({ worker: 'w', max: 9, leaseMs: 60_000 })).map(({ task: { kind, order } }) => ({
      kind,
      order: order as PyramidOrder,
    }));
  return { ...app, ...opened, send, owners, takeOrders };
}

test('the pyramid of a recipe is that of its mosaic, whatever its colours', async () => {
  await using kit = await makeKit();
  const { id } = await kit.create(july);
  const created = await kit.send(`/api/recipes/${id}/pyramid`, 'POST');
  assert.equal(created.status, 202, await created.clone().text());
  assert.match(((await created.json()) as { task_id: string }).task_id, /^[0-9a-f-]{36}$/);
  assert.equal((await kit.send(SAME, 'POST')).status, 202);
  const orders = await kit.takeOrders();
  assert.deepEqual(
    orders.map(({ kind }) => kind),
    ['pyramid', 'pyramid'],
  );
  const [one, other] = orders.map(({ order }) => toPyramidKey(order));
  assert.equal(one, other);
  assert.deepEqual(orders[0]?.order.values, { calibrated: true, isComposite: false, method: null });
});

test('only its owner can remove a pyramid, through the recipe or the mosaic', async () => {
  await using kit = await makeKit();
  const { id } = await kit.create(july);
  const path = `/api/recipes/${id}/pyramid`;
  const none = await kit.send(path, 'DELETE');
  assert.deepEqual([none.status, (await readError(none)).code], [404, 'no-pyramid']);
  await kit.send(path, 'POST');
  const [{ order } = assert.fail()] = await kit.takeOrders();
  const key = toPyramidKey(order);
  kit.owners.set(key, 'somebody else');
  assert.equal((await kit.send(path, 'DELETE')).status, 404);
  for (const address of [path, SAME]) {
    kit.owners.set(key, 'configured');
    assert.equal((await kit.send(address, 'DELETE')).status, 204, address);
    assert.equal(kit.owners.has(key), false);
  }
});

test('a pyramid is refused for a single scene, an unknown recipe and a read-only key', async () => {
  await using kit = await makeKit();
  const { id } = await kit.create();
  const scene = await kit.send(`/api/recipes/${id}/pyramid`, 'POST');
  assert.deepEqual([scene.status, (await readError(scene)).code], [422, 'not-a-mosaic']);
  const unknown = await kit.send(`/api/recipes/${'0'.repeat(32)}/pyramid`, 'POST');
  assert.equal((await readError(unknown)).code, 'unknown-recipe');
  assert.equal((await kit.send(SAME, 'POST', READER_KEY)).status, 403);
  assert.deepEqual(await kit.takeOrders(), []);
});
