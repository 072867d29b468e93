import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMosaicOrder, makeDownloads } from '../../exports/index.ts';
import { readError } from '../testing/make-test-app.ts';
import { createTask, leaseTask, makeTaskService } from './testing/make-task-service.ts';

const bbox = [4.01, 42.01, 4.02, 42.02];
const mosaic = { sensors: ['S2L2A'], period: '2026-07' };
const bandmath = (params: object) => ({
  type: 'bandmath',
  params: { bm_type: 'NDVI', mosaic, bbox, ...params },
});

test('a mosaic order has the syntax of mosaic addresses, and stores a search', async () => {
  await using service = await makeTaskService();
  const body = bandmath({
    mosaic: {
      sensors: 'S2L2A,L8',
      period: '2026-07-04..2026-07-20',
      selection: 'highest',
      by: 'NDVI',
      max_cloud: 40,
      mask: ['clouds', 'shadows'],
      dilate: 60,
      feather: '',
      within: null,
    },
    px_size: 20,
    crs: 'EPSG:32631',
    calibrate: 1,
    name_alias: 'green',
  });
  await createTask(service, body);
  const { kind, order } = service.orders[0]!;
  assert.equal(kind, 'index');
  const { area, ...rest } = order;
  assert.deepEqual(rest, {
    mosaic: {
      search: {
        datasets: ['sentinel2l2a', 'landsat8'],
        period: { from: '2026-07-04', to: '2026-07-20' },
        maxCloudPercent: 40,
        area: null,
      },
      composition: {
        selection: { kind: 'highest', by: 'NDVI' },
        masked: { clouds: true, cirrus: false, shadows: true },
        dilateM: 60,
        featherPx: 0,
      },
    },
    bands: 'NDVI',
    nameAlias: 'green',
    pixelM: 20,
    epsg: 32_631,
    content: { kind: 'values', areBands: false, calibrated: true },
  });
  assert.equal((area as { kind: string }).kind, 'bounds');
});

test('a stored mosaic order reads back unchanged', async () => {
  await using service = await makeTaskService();
  const { geometry } = {
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [4, 42],
          [4.1, 42],
          [4.1, 42.1],
          [4, 42],
        ],
      ],
    },
  };
  const { task_id: id } = await createTask(service, {
    type: 'lbe',
    params: { mosaic, bands: ['B04', 'B08'], geometry },
  });
  await leaseTask(service);
  const stored = (await service.store.find(String(id)))!;
  assert.deepEqual([stored.kind, stored.viewId], ['bands', null]);
  const none = () => Promise.reject(new Error('not planned here'));
  const downloads = makeDownloads(
    { bands: none, index: none, picture: none, mosaic: none },
    { findByViewId: async () => null },
  );
  const given = service.orders[0]!.order;
  assert.ok(isMosaicOrder(given));
  const text = downloads.toStored(given);
  const back = downloads.fromStored({
    order: JSON.parse(JSON.stringify(text.order)),
    area: JSON.parse(text.area ?? 'null'),
  });
  const { area: was, ...order } = given;
  const { area: is, ...same } = back;
  assert.deepEqual(same, order);
  assert.ok(was.kind === 'outline' && is?.kind === 'outline');
  assert.deepEqual(is.outline, was.outline);
});

test('a picture of a mosaic is drawn like one of a scene', async () => {
  await using service = await makeTaskService();
  await createTask(service, {
    type: 'jpeg',
    params: { mosaic, bbox, bm_type: 'B04,B03,B02', format: 'png', levels: '0,3000', px_size: 100 },
  });
  const { kind, order } = service.orders[0]!;
  assert.equal(kind, 'picture');
  assert.deepEqual([order.bands, order.pixelM, order.epsg], ['B04,B03,B02', 100, null]);
  const { content } = order as { content: { options: Record<string, unknown>; file: unknown } };
  assert.deepEqual(content.file, { kind: 'image', format: 'png' });
  assert.deepEqual([content.options.range, content.options.isComposite], [{ min: 0, max: 3_000 }, true]);
});

const REFUSALS: readonly (readonly [string, object, string])[] = [
  ['no area', { bbox: null }, 'no-area'],
  ['a scene too', { view_id: 'S2L2A/31/T/DH/2026/6/21/0' }, 'scene-and-mosaic'],
  ['no period', { mosaic: { sensors: 'S2L2A' } }, 'bad-mosaic'],
  ['no object', { mosaic: 'S2L2A' }, 'bad-mosaic'],
  ['an object inside', { mosaic: { ...mosaic, by: {} } }, 'bad-mosaic'],
  ['an unknown sensor', { mosaic: { ...mosaic, sensors: ['X1'] } }, 'unknown-sensor'],
  ['another period', { mosaic: { ...mosaic, period: 'July' } }, 'bad-period'],
  ['another selection', { mosaic: { ...mosaic, selection: 'best' } }, 'bad-selection'],
  ['highest of nothing', { mosaic: { ...mosaic, selection: 'highest' } }, 'bad-selection'],
  ['more clouds than there are', { mosaic: { ...mosaic, max_cloud: 101 } }, 'bad-max-cloud'],
  ['another system', { crs: 2154 }, 'bad-crs'],
  ['no text and no number as system', { crs: {} }, 'bad-crs'],
];

for (const [what, params, code] of REFUSALS) {
  test(`a mosaic order is refused at once: ${what}`, async () => {
    await using service = await makeTaskService();
    const response = await service.post('/api', bandmath(params));
    assert.equal(response.status, 400);
    assert.equal((await readError(response)).code, code);
    assert.equal(service.orders.length, 0);
  });
}

test('misspelt fields of a mosaic are listed', async () => {
  await using service = await makeTaskService();
  const body = bandmath({ mosaic: { ...mosaic, max_clouds: 5 }, pixel_size: 3 });
  const response = await service.post('/api/tasks/estimate', body);
  assert.equal(response.status, 200);
  assert.match(
    response.headers.get('x-ignored-parameters') ?? '',
    /^max_clouds \(did you mean max_cloud\?\), pixel_size/,
  );
});
