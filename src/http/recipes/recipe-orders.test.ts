import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unsupported } from '../../errors.ts';
import type { Downloads, MosaicOrder, PictureOrder } from '../../exports/index.ts';
import type { StoredStatistics } from '../../tasks/index.ts';
import { openTaskServices } from '../tasks/testing/make-task-service.ts';
import { readError } from '../testing/make-test-app.ts';
import { field, makeRecipeApp, VIEW_ID } from './testing/make-recipe-app.ts';

/** Recipes over a real store of tasks; files are planned by a fake that notes the orders. */
async function makeOrders(plan?: Downloads['plan']) {
  const stopping = new AbortController();
  const { services, ...opened } = await openTaskServices({ plan, stopping: stopping.signal });
  const app = makeRecipeApp({
    mosaics: { planSomewhere: async () => ({}) as never },
    tasks: services,
  });
  const order = (id: string, what: string, body?: unknown) =>
    app.call(`/api/recipes/${id}/${what}`, {
      method: 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return { ...app, ...opened, order, stopping };
}

test('a picture is ordered as the recipe draws it, cropped to its area', async () => {
  await using app = await makeOrders();
  const ref = await app.storeField();
  const style = {
    MIN_MAX: '0,1,0,2,0,3',
    MASKING: 'CLOUD',
    CALIBRATE: '1',
    cropper_ref: ref,
    mimetype: 'image/webp',
    TILE_SIZE: '64,64',
  };
  const { id } = await app.create({ style });
  const tile = await app.call(`/api/recipes/${id}/12/2075/1518`);
  assert.equal(tile.status, 200);
  const { format: _, area: _area, watermark: _none, ...drawn } = app.planned.at(-1)?.options ?? assert.fail();
  const response = await app.order(id, 'download', { georeference: 'tiff', px_size: 20, reference: 'r1' });
  assert.equal(response.status, 202, await response.clone().text());
  assert.deepEqual(Object.keys((await response.json()) as object).sort(), [
    ...['estimated_bytes', 'reference', 'status', 'task_id'],
  ]);
  const [ordered] = app.orders;
  assert.equal(ordered?.kind, 'picture');
  const picture = ordered?.order as unknown as PictureOrder;
  assert.deepEqual(picture.options, drawn);
  assert.deepEqual(
    [picture.viewId, picture.bands, picture.nameAlias, picture.file, picture.pixel, picture.area?.kind],
    [VIEW_ID, 'B04,B03,B02', 'Fields', { kind: 'image', format: 'tiff' }, { groundM: 20 }, 'outline'],
  );
  const [task] = await app.store.list({ limit: 9 });
  assert.deepEqual([task?.owner, task?.reference, task?.viewId], ['configured', 'r1', VIEW_ID]);
});

test('an area in the order replaces that of the recipe; without either the whole scene is used', async () => {
  await using app = await makeOrders();
  const { id } = await app.create({ style: { cropper_ref: await app.storeField() } });
  const plain = await app.create();
  assert.equal((await app.order(id, 'download', { bbox: [2, 42, 2.5, 42.5] })).status, 202);
  assert.equal((await app.order(plain.id, 'download')).status, 202);
  const areas = app.orders.map(({ order }) => (order.area as { kind: string } | null)?.kind ?? null);
  assert.deepEqual(areas, ['bounds', null]);
  const both = await app.order(id, 'download', { bbox: [2, 42, 2.5, 42.5], geometry: field });
  assert.equal((await readError(both)).code, 'several-areas');
});

test('values and bands can be ordered too, and physical values', async () => {
  await using app = await makeOrders();
  const index = await app.create({ bands: '(B08-B04)/(B08+B04)', style: {} });
  const bands = await app.create();
  assert.equal((await app.order(index.id, 'download', { type: 'bandmath', name_alias: 'NDVI' })).status, 202);
  assert.equal((await app.order(bands.id, 'download', { type: 'lbe' })).status, 202);
  assert.deepEqual(
    app.orders.map(({ kind, order }) => [kind, order.expressions ?? order.bands, order.nameAlias]),
    [
      ['index', '(B08-B04)/(B08+B04)', 'NDVI'],
      ['bands', ['B04', 'B03', 'B02'], undefined],
    ],
  );
  const calibrated = await app.create({ bands: 'NDVI', style: { CALIBRATE: true } });
  assert.equal((await app.order(calibrated.id, 'download', { type: 'bandmath' })).status, 202);
  assert.deepEqual(
    app.orders.map(({ order }) => order.calibrated),
    [false, undefined, true],
  );
  const unknown = await app.order(index.id, 'download', { type: 'gif' });
  assert.deepEqual([unknown.status, (await readError(unknown)).code], [400, 'bad-type']);
  assert.equal((await app.order(index.id, 'download', [])).status, 400);
});

test('an impossible file is 400, as for every order', async () => {
  await using app = await makeOrders(() =>
    Promise.reject(unsupported('picture-too-large', 'The picture is too large.')),
  );
  const { id } = await app.create();
  const refused = await app.order(id, 'download');
  assert.deepEqual([refused.status, (await readError(refused)).code], [400, 'picture-too-large']);
});

test('statistics use the scene and the expressions of the recipe, in the requested area', async () => {
  await using app = await makeOrders();
  const ref = await app.storeField();
  const { id } = await app.create({ bands: 'B04,NDVI', style: { COMPOSITE: '0' } });
  // Nobody works on tasks here: a stopping service does not wait for them.
  app.stopping.abort();
  const ways = [
    () => app.order(id, 'statistics', { geometry: field, histogram: { bins: 4 } }),
    () => app.order(id, 'statistics', { cropper_ref: ref, exclude_cover_pixels: false }),
    () => app.order(id, `statistics?cropper_ref=${ref}`),
  ];
  for (const ask of ways) {
    const response = await ask();
    assert.equal(response.status, 202, await response.clone().text());
    const { task_id: taskId } = (await response.json()) as { task_id: string };
    const [leased] = await app.store.lease({ worker: 'w', max: 1, leaseMs: 60_000 });
    assert.equal(leased?.task.id, taskId);
    const stored = leased?.task.order as StoredStatistics;
    if (stored.kind !== 'scenes') assert.fail(stored.kind);
    const { from, to, datasets, expressions, limit, sceneId } = stored.order;
    assert.deepEqual(
      { from, to, datasets, expressions, limit, sceneId },
      {
        from: '2026-06-21',
        to: '2026-06-21',
        datasets: ['sentinel2'],
        expressions: ['B04', 'NDVI'],
        limit: 1,
        sceneId: app.scenes.get(VIEW_ID)?.sceneId,
      },
    );
  }
  const without = await app.order(id, 'statistics');
  assert.deepEqual([without.status, (await readError(without)).code], [400, 'statistics-no-geometry']);
  const cropped = await app.create({ style: { cropper_ref: ref } });
  assert.equal((await app.order(cropped.id, 'statistics')).status, 202, 'the area of the recipe');
});

test('files of a search are those of its mosaic, and an area is required', async () => {
  await using app = await makeOrders();
  const ref = await app.storeField();
  const search = {
    scenes: { search: { sensors: ['S2L2A'], period: '2026-06', max_cloud: 40 } },
    bands: 'NDVI',
    style: { CALIBRATE: '1', COLORMAP: 'viridis', MIN_MAX: '0,1', cropper_ref: ref },
    selection: 'median',
  };
  const { id } = await app.create(search);
  const bodies = [
    { georeference: 'tiff', px_size: 20 },
    { type: 'bandmath', crs: 'EPSG:3857', name_alias: 'June' },
    { type: 'lbe' },
  ];
  for (const body of bodies) {
    const response = await app.order(id, 'download', body);
    assert.equal(response.status, 202, await response.clone().text());
  }
  const orders = app.orders as unknown as { kind: string; order: MosaicOrder }[];
  assert.deepEqual(
    orders.map(({ kind, order: { bands, nameAlias, pixelM, epsg, area } }) => [
      ...[kind, bands, nameAlias, pixelM, epsg, area.kind],
    ]),
    [
      ['picture', 'NDVI', 'Fields', 20, null, 'outline'],
      ['index', 'NDVI', 'June', null, 3857, 'outline'],
      ['bands', 'NDVI', 'Fields', null, null, 'outline'],
    ],
  );
  const [picture, values, bands] = orders.map(({ order }) => order.content);
  assert.equal(picture?.kind === 'picture' && picture.options.range?.max, 1);
  assert.deepEqual(values, { kind: 'values', areBands: false, calibrated: true });
  assert.deepEqual(bands, { kind: 'values', areBands: true, calibrated: false });
  // As the same order at the address of tasks is read.
  const params = {
    mosaic: { sensors: 'S2L2A', period: '2026-06', max_cloud: 40, selection: 'median' },
    bm_type: 'NDVI',
    name_alias: 'June',
    calibrate: 1,
    crs: 'EPSG:3857',
    cropper_ref: ref,
  };
  assert.equal((await app.post('/api', { type: 'bandmath', params })).status, 202);
  assert.deepEqual(orders[3]?.order, orders[1]?.order);
  const open = await app.create({ ...search, style: {} });
  const without = await app.order(open.id, 'download');
  assert.deepEqual([without.status, (await readError(without)).code], [400, 'no-area']);
});
