import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unsupported } from '../../errors.ts';
import type { PictureOrder } from '../../exports/index.ts';
import { createArea } from '../../library/testing/memory-library.ts';
import { readError } from '../testing/make-test-app.ts';
import { createTask, indexOrder, makeTaskService, VIEW_ID } from './testing/make-task-service.ts';

/** The kind of an area. */
const kindOf = (area: unknown): unknown => (area as { kind?: string } | undefined)?.kind;

test('malformed orders are 400, and the message names the parameter', async () => {
  await using service = await makeTaskService();
  const params = (more: object, type = 'bandmath') => ({
    type,
    params: { view_id: VIEW_ID, bm_type: 'NDVI', bands: ['B04'], ...more },
  });
  const statistics = (histogram: object) =>
    params({ bm_type: ['NDVI', 'EVI'], limit: 300, histogram }, 'mt_stats');
  const box = [2, 42, 3, 43];
  const polygon = {
    type: 'Polygon',
    coordinates: [
      [
        [2, 42],
        [3, 42],
        [3, 43],
        [2, 42],
      ],
    ],
  };
  for (const [body, code, words] of [
    [[], 'bad-body', /object/],
    [{ type: 'bandmath' }, 'bad-body', /params/],
    [{ type: 'nothing', params: {} }, 'bad-type', /lbe, bandmath, jpeg/],
    [params({ view_id: null }), 'bad-view-id', /view_id/],
    [params({ bm_type: '' }), 'bad-bm-type', /bm_type/],
    [params({ bm_type: 7 }), 'bad-bm-type', /bm_type/],
    [params({ reference: { a: 1 } }), 'bad-reference', /reference/],
    [params({ reference: 'x'.repeat(201) }), 'bad-reference', /200/],
    [params({ bbox: box, geometry: polygon }), 'several-areas', /bbox and geometry/],
    [params({ bbox: [2, 42, 3] }), 'bad-bbox', /west, south, east, north/],
    [params({ bbox: [2, 43, 3, 42] }), 'bad-bbox', /south below north/],
    [params({ bbox: ['2', 42, 3, 43] }), 'bad-bbox', /numbers/],
    [statistics({ bins: 1_001 }), 'bad-histogram', /histogram\.bins must be from 1 to 1000/],
    [
      statistics({ bins: 1_000 }),
      'bad-histogram',
      /histogram\.bins \(1000\) .* \(2\) .*limit \(300\) is 600000.* 500000/,
    ],
    [params({ bands: [] }, 'lbe'), 'bad-bands', /bands/],
    [params({ bands: [{}] }, 'lbe'), 'bad-bands', /bands/],
    [params({ merge: 'maybe' }, 'lbe'), 'bad-merge', /merge/],
    [params({ metadata: [{ label: 'a' }] }, 'lbe'), 'bad-metadata', /url/],
    [params({ resample: 'nice' }, 'jpeg'), 'bad-resample', /cubicspline/],
    [params({ levels: '1,0', colormap: 'viridis' }, 'jpeg'), 'bad-levels', /levels/],
    [params({ stretch: 'nice' }, 'jpeg'), 'bad-stretch', /stretch must be one of auto, natural/],
    [params({ gamma: 11 }, 'jpeg'), 'bad-gamma', /gamma must be a number from 0.1 to 10/],
    [params({ px_size: 0 }, 'jpeg'), 'bad-px-size', /px_size/],
    [params({ format: 'gif' }, 'jpeg'), 'bad-format', /jpeg/],
    [params({ georeference: 'moon' }, 'jpeg'), 'bad-georeference', /kmz/],
    [params({ calibrate: 2 }, 'jpeg'), 'bad-calibrate', /calibrate/],
    [params({ calibrate: 'yes' }, 'bandmath'), 'bad-calibrate', /calibrate/],
  ] as const) {
    const response = await service.post('/api', body);
    assert.equal(response.status, 400, JSON.stringify(body));
    const error = await readError(response);
    assert.equal(error.code, code);
    assert.match(error.error, words);
  }
  const unknown = await service.post('/api', params({ cropper_ref: '0'.repeat(32) }));
  assert.equal(unknown.status, 404);
  assert.equal((await service.post('/api', params({ view_id: 'S2/nowhere' }))).status, 404);
  assert.equal((await service.store.list({ limit: 9 })).length, 0);
});

test('an impossible order is 400 at once, where a picture would be 422', async () => {
  await using service = await makeTaskService({}, () =>
    Promise.reject(unsupported('unknown-band', '"B99" is not a band.')),
  );
  const response = await service.post('/api', indexOrder);
  assert.equal(response.status, 400);
  assert.equal((await readError(response)).code, 'unknown-band');
  assert.equal((await service.store.list({ limit: 9 })).length, 0);
});

test('unknown names of an order are listed in a header, on both addresses', async () => {
  await using service = await makeTaskService();
  const { params: known } = indexOrder;
  for (const path of ['/api', '/api/gdw/api', '/api/tasks/estimate']) {
    const order = { ...indexOrder, prio: 1, params: { ...known, name_allias: 'x' } };
    const told = (await service.post(`${path}?dry=1`, order)).headers.get('x-ignored-parameters');
    assert.match(told ?? '', /^dry, name_allias \(did you mean name_alias\?\), prio$/, path);
    const plain = await service.post(path, indexOrder);
    assert.equal(plain.headers.get('x-ignored-parameters'), null, path);
  }
});

test('refusals use the parameter names of tasks, not those of tiles', async () => {
  await using service = await makeTaskService({}, () =>
    Promise.reject(
      unsupported(
        'lone-range-colors',
        (name) =>
          `${name('COLORS')} needs ${name('THRESHOLDS')}, ${name('MIN_MAX')} and ${name('COLORS_LIMIT')}.`,
      ),
    ),
  );
  const { error } = await readError(await service.post('/api', indexOrder));
  assert.equal(error, 'colors needs thresholds, levels and colors_limit.');
});

test('orders are accepted as existing programs send them', async () => {
  await using service = await makeTaskService();
  const { orders } = service;
  const ref = await createArea(
    service.areas,
    {
      type: 'Polygon',
      coordinates: [
        [
          [2, 42],
          [3, 42],
          [3, 43],
          [2, 42],
        ],
      ],
    },
    'configured',
  );
  await createTask(service, {
    type: 'lbe',
    params: {
      view_id: `/${VIEW_ID.replaceAll('/', '%2F')}`,
      bands: 'B04, B03',
      merge: 'false',
      bbox: null,
      metadata: [{ label: 'tile', url: 'a.xml' }],
      reference: 12,
      unknown: 1,
    },
  });
  assert.deepEqual(orders.at(-1), {
    kind: 'bands',
    order: {
      viewId: VIEW_ID,
      sceneName: VIEW_ID.slice(3),
      sensor: 'S2',
      bands: ['B04', 'B03'],
      merge: false,
      metadata: [{ label: 'tile', url: 'a.xml' }],
      area: null,
    },
  });
  await createTask(service, {
    type: 'bandmath',
    params: { view_id: VIEW_ID, bm_type: ['NDVI', 'B04'], name_alias: 'my index', bbox: [2, 42, 3, 43] },
  });
  assert.deepEqual(orders.at(-1)?.order, {
    viewId: VIEW_ID,
    sceneName: VIEW_ID.slice(3),
    sensor: 'S2',
    expressions: 'NDVI,B04',
    calibrated: false,
    nameAlias: 'my index',
    area: { kind: 'bounds', bounds: { minX: 2, minY: 42, maxX: 3, maxY: 43 } },
  });
  await createTask(service, {
    type: 'bandmath',
    params: { view_id: VIEW_ID, bm_type: 'NDVI', cropper_ref: ref },
  });
  assert.equal(kindOf(orders.at(-1)?.order.area), 'outline');
  await createTask(service, {
    type: 'bandmath',
    params: { view_id: VIEW_ID, bm_type: 'NDVI', bbox: [179, 42, -179, 43] },
  });
  assert.equal(kindOf(orders.at(-1)?.order.area), 'outline', 'two boxes');
});

test('picture orders accept every parameter of the table', async () => {
  await using service = await makeTaskService();
  const order = async (more: object): Promise<Partial<PictureOrder>> => {
    await createTask(service, {
      type: 'jpeg',
      params: { view_id: VIEW_ID, bm_type: 'B04,B03,B02', ...more },
    });
    return service.orders.at(-1)?.order as Partial<PictureOrder>;
  };
  const plain = await order({ size: 'XL' });
  assert.deepEqual(plain.options, {
    method: null,
    range: null,
    calibrated: false,
    isComposite: true,
    isSharpened: false,
    color: {},
  });
  assert.deepEqual([plain.pixel, plain.file], [null, { kind: 'image', format: 'jpeg' }]);
  const coloured = await order({ bm_type: 'NDVI', colormap: 'viridis', colors_limit: 5, calibrate: 1 });
  assert.deepEqual(coloured.options?.range, { min: -0.5, max: 0.5 });
  assert.deepEqual(
    [coloured.options?.color.colorsLimit, coloured.options?.calibrated, coloured.options?.isComposite],
    ['5', true, false],
  );
  assert.equal(coloured.options?.color.colormap?.kind, 'named');
  const levels = await order({ bm_type: 'NDVI', colormap: 'viridis', levels: '0,1' });
  assert.deepEqual(levels.options?.range, { min: 0, max: 1 });
  const natural = await order({ stretch: 'natural', gamma: '1.8' });
  const { range, isNatural, gamma } = natural.options ?? {};
  assert.deepEqual([range, isNatural, gamma], [null, true, 1.8]);
  const ranges = await order({ bm_type: 'NDVI', colors: ['ff0000', '00ff00'], thresholds: [0.2] });
  assert.deepEqual(ranges.options?.color, { colors: 'ff0000,00ff00', thresholds: '0.2' });
  assert.deepEqual((await order({ px_size: 60, resample: 'near' })).pixel, { groundM: 60 });
  assert.equal(service.orders.at(-1)?.kind, 'picture');
  const composite = await order({ bm_type: 'B08-B04,(B03+B02)/2,where(B04>1,B02,B03)' });
  assert.equal(composite.options?.isComposite, true);
  for (const [more, file] of [
    [{ format: 'png' }, { kind: 'image', format: 'png' }],
    [{ format: 'tiff' }, { kind: 'image', format: 'tiff' }],
    [{ georeference: 'tiff' }, { kind: 'image', format: 'tiff' }],
    [{ georeference: 'jpeg' }, { kind: 'image', format: 'jpeg' }],
    [
      { georeference: 'jpeg', format: 'png' },
      { kind: 'image', format: 'png' },
    ],
    [{ georeference: 'world' }, { kind: 'world', format: 'jpeg' }],
    [
      { georeference: 'world', format: 'png' },
      { kind: 'world', format: 'png' },
    ],
    [{ georeference: 'kmz' }, { kind: 'kmz' }],
    [
      { georeference: null, format: null },
      { kind: 'image', format: 'jpeg' },
    ],
  ] as const) {
    assert.deepEqual((await order(more)).file, file, JSON.stringify(more));
  }
  const sharp = await order({ view_id: 'L8/LC81970312026172LGN00', bm_type: 'PS:B4:B3:B2:B8' });
  assert.deepEqual([sharp.bands, sharp.options?.isSharpened], ['B4,B3,B2', true]);
});

test('soil moisture for too many days is refused before a task exists', async () => {
  await using service = await makeTaskService();
  const params = {
    bm_type: 'soilmoisture',
    geometry: { type: 'Point', coordinates: [-122.4, 48.22] },
    date_start: '1990-01-01',
    date_end: '2020-02-13',
  };
  for (const [path, body] of [
    ['/api', { type: 'mt_stats', params }],
    ['/api/gdw/api', { type: 'mt_stats', params }],
    ['/api/statistics', { ...params, expressions: 'soilmoisture' }],
  ] as const) {
    const response = await service.post(path, body);
    const { code, error } = await readError(response);
    assert.deepEqual([response.status, code], [400, 'too-many-days'], path);
    assert.match(error, /date_start 1990-01-01 and date_end 2020-02-13 span 11001 days; .* 11000 at most/);
  }
  assert.deepEqual(await service.store.count(), []);
  const longest = { ...params, date_end: '2020-02-12' };
  assert.equal((await service.post('/api', { type: 'mt_stats', params: longest })).status, 202);
});
