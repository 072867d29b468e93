import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SceneHit } from '../../catalog/index.ts';
import { box } from '../../catalog/testing/make-scene.ts';
import { unavailable, unsupported } from '../../errors.ts';
import type { MosaicPictureRequest, Mosaics, PlannedMosaic, SourceShare } from '../../mosaic/index.ts';
import { makeTestApp, readError } from '../testing/make-test-app.ts';

const MOSAIC = 'S2L2A/2026-07/B04';
const TILE = `/api/mosaic/${MOSAIC}/12/655/1420`;

const hitOf = (day: number): SceneHit =>
  ({
    viewId: `S2L2A/10/U/EU/2026/7/${day}/0`,
    acquiredAt: `2026-07-0${day}T19:10:00.000Z`,
    dataset: 'sentinel2l2a',
    provenance: 'demo',
  }) as SceneHit;

const SOURCES: readonly SourceShare[] = [
  { hit: hitOf(5), pixels: 60_000 },
  { hit: hitOf(3), pixels: 5_536 },
];

interface Made {
  readonly failure?: Error;
  readonly sources?: readonly SourceShare[];
  readonly values?: Awaited<ReturnType<Mosaics['readValues']>>;
}

function makeApp({ failure, sources = SOURCES, values }: Made = {}) {
  const asked: MosaicPictureRequest[] = [];
  let drawn = 0;
  const plan = async (request: MosaicPictureRequest): Promise<PlannedMosaic> => {
    if (failure !== undefined) throw failure;
    asked.push(request);
    return { request, etag: 'abc123', look: { color: null } } as Partial<PlannedMosaic> as PlannedMosaic;
  };
  const picture = { bytes: new Uint8Array([1, 2, 3]), format: 'png', stagesMs: { read: 1 } } as const;
  const mosaics: Partial<Mosaics> = {
    plan,
    planSomewhere: (request) => plan({ ...request, grid: {} as MosaicPictureRequest['grid'] }),
    async render() {
      drawn += 1;
      return { ...picture, etag: 'abc123' };
    },
    async drawSources() {
      drawn += 1;
      return { ...picture, etag: 'newer', sources };
    },
    findContrast: async () => [{ min: 10, max: 3_000 }],
    describe: async () => ({
      found: 2,
      bounds: { west: -123, south: 48, east: -122, north: 49 },
      hits: sources.map(({ hit }) => hit),
    }),
    ...(values === undefined ? {} : { readValues: async () => values }),
  };
  return { ...makeTestApp({ mosaics }), asked, countDrawn: () => drawn };
}

test('a tile has an ETag, and a client that already has it gets 304 without drawing', async () => {
  const { call, countDrawn, asked } = makeApp();
  const response = await call(`${TILE}?MIN_MAX=0,3000&selection=median`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'image/png');
  assert.equal(response.headers.get('etag'), '"abc123"');
  assert.equal(response.headers.get('cache-control'), 'private, max-age=60');
  assert.deepEqual(asked[0]?.composition.selection, { kind: 'median' });
  assert.deepEqual(asked[0]?.options.range, { min: 0, max: 3_000 });
  assert.deepEqual([asked[0]?.grid.epsg, asked[0]?.grid.width], [3857, 256]);
  const again = await call(TILE, { headers: { 'if-none-match': '"abc123"' } });
  assert.deepEqual([again.status, await again.text(), countDrawn()], [304, '', 1]);
});

test('a key is required', async () => {
  const { call, asked } = makeApp();
  assert.equal((await call(TILE, { key: null })).status, 401);
  assert.equal((await call(TILE, { key: 'not-a-key' })).status, 403);
  assert.equal(asked.length, 0);
});

test('refusals have the status and code of their kind', async () => {
  const { call } = makeApp();
  for (const [path, status, code] of [
    ['/api/mosaic/S2L2A/2026-07/B04/12/655', 404, 'unknown-route'],
    ['/api/mosaic/S99/2026-07/B04/12/655/1420', 400, 'unknown-sensor'],
    ['/api/mosaic/S2L2A/July/B04/12/655/1420', 400, 'bad-period'],
    [`${TILE}?selection=highest`, 400, 'bad-selection'],
    [`${TILE}?mask=fog`, 400, 'bad-mask'],
    [`${TILE}?MIN_MAX=1`, 400, 'bad-min-max'],
    [`/api/mosaic/point/${MOSAIC}/91/0`, 400, 'bad-point'],
  ] as const) {
    const response = await call(path);
    assert.deepEqual([response.status, (await readError(response)).code], [status, code], path);
  }
  const many = makeApp({ failure: unsupported('too-many-scenes', '65 scenes touch this picture.') });
  const refused = await many.call(TILE);
  assert.deepEqual([refused.status, (await readError(refused)).code], [422, 'too-many-scenes']);
  const incomplete = makeApp({ failure: unavailable('catalog-incomplete', 'A catalog is slow today.') });
  assert.equal((await incomplete.call(TILE)).status, 503);
});

test('the picture of sources has its own ETag, and never comes from a pyramid', async () => {
  const { call, asked } = makeApp();
  const response = await call(`/api/mosaic/sources/${MOSAIC}/12/655/1420`);
  assert.equal(response.headers.get('etag'), '"sources-newer"', 'that of the plan it was drawn by');
  const headers = { 'if-none-match': '"sources-abc123"' };
  assert.equal((await call(`/api/mosaic/sources/${MOSAIC}/12/655/1420`, { headers })).status, 304);
  assert.equal((await call(TILE, { headers })).status, 200);
  assert.equal((await call(`/api/mosaic/sources/legend/${MOSAIC}/12/655/1420`)).status, 200);
  assert.deepEqual(
    asked.map(({ withoutPyramid = false }) => withoutPyramid),
    [true, true, false, true],
  );
});

test('the legend of sources lists scenes, with colours and pixel counts unless pixels are computed from several scenes', async () => {
  const { call } = makeApp();
  const path = `/api/mosaic/sources/legend/${MOSAIC}/12/655/1420`;
  const { picks, sources } = (await (await call(path)).json()) as {
    picks: boolean;
    sources: readonly Record<string, unknown>[];
  };
  assert.equal(picks, true);
  assert.deepEqual(
    sources.map(({ view_id, date, sensor, pixels }) => [view_id, date, sensor, pixels]),
    [
      ['S2L2A/10/U/EU/2026/7/5/0', '2026-07-05T19:10:00.000Z', 'S2L2A', 60_000],
      ['S2L2A/10/U/EU/2026/7/3/0', '2026-07-03T19:10:00.000Z', 'S2L2A', 5_536],
    ],
  );
  for (const { color } of sources) assert.match(String(color), /^#[0-9a-f]{6}$/);
  const computed = makeApp({ sources: [{ hit: hitOf(5), pixels: null }] });
  const body = await (await computed.call(`${path}?selection=mean`)).json();
  assert.deepEqual(body, {
    picks: false,
    attribution: 'Swath demo world',
    sources: [{ view_id: 'S2L2A/10/U/EU/2026/7/5/0', date: '2026-07-05T19:10:00.000Z', sensor: 'S2L2A' }],
  });
});

test('the legend and the range describe the whole mosaic', async () => {
  const { call } = makeApp();
  const legend = await (await call(`/api/mosaic/legend/${MOSAIC}/12/655/1420`)).json();
  assert.deepEqual((legend as { bands: unknown }).bands, [{ band: 'B04', min: 10, max: 3_000 }]);
  const range = await (await call(`/api/mosaic/ir/${MOSAIC}`)).json();
  assert.deepEqual(range, { bands: [{ band: 'B04', min: 10, max: 3_000 }] });
});

test('a point returns the value of its pixel, and names its scenes', async () => {
  const values = {
    channels: [Float32Array.of(0.1)],
    mask: Uint8Array.of(1),
    indexes: Uint16Array.of(0),
    counts: null,
    areaPx: null,
    sources: [{ hit: hitOf(5), pixels: 1 }],
  };
  const { call, asked } = makeApp({ values });
  const response = await call(`/api/mosaic/point/${MOSAIC}/48.2/-122.4`);
  assert.deepEqual(await response.json(), {
    index_value: 0.1,
    scenes: 1,
    sources: [{ view_id: 'S2L2A/10/U/EU/2026/7/5/0', date: '2026-07-05T19:10:00.000Z', sensor: 'S2L2A' }],
  });
  const { epsg, width, height, transform } = asked[0]!.grid;
  assert.deepEqual([epsg, width, height, transform[1]], [32610, 1, 1, 10]);
  assert.equal(asked[0]?.options.method, 'near');
  const empty = makeApp({ values: { ...values, mask: Uint8Array.of(0), sources: [] } });
  assert.deepEqual(await (await empty.call(`/api/mosaic/point/${MOSAIC}/48.2/-122.4`)).json(), {
    index_value: null,
    scenes: 0,
    sources: [],
  });
});

test('statistics are counted on square pixels of the UTM zone', async () => {
  const values = {
    channels: [Float32Array.of(1, 3, 99)],
    mask: Uint8Array.of(1, 1, 0),
    indexes: null,
    counts: Uint16Array.of(2, 2, 0),
    areaPx: 3,
    sources: [{ hit: hitOf(5), pixels: null }],
  };
  const { post, asked } = makeApp({ values });
  const geometry = box(-122.45, 48.2, -122.4, 48.23);
  const response = await post(`/api/mosaic/statistics/${MOSAIC}?selection=mean`, {
    geometry,
    resolution: 20,
  });
  assert.equal(response.status, 200, await response.clone().text());
  const body = (await response.json()) as { pixel_m: number; bands: readonly Record<string, unknown>[] };
  assert.equal(body.pixel_m, 20);
  const [{ band, count, min, max, average }] = body.bands as [Record<string, unknown>];
  assert.deepEqual([band, count, min, max, average], ['B04', 2, 1, 3, 2]);
  const { epsg, transform, width, height } = asked[0]!.grid;
  assert.deepEqual([epsg, transform[1], transform[5]], [32610, 20, -20]);
  assert.ok(transform[0] % 20 === 0 && transform[3] % 20 === 0, 'on a lattice of their size');
  // 3.72 km x 3.34 km, and the turn of the meridian.
  assert.ok(width > 185 && width < 195 && height > 166 && height < 176, `${width} x ${height}`);
  const wide = box(-123, 48, -122, 49);
  await post(`/api/mosaic/statistics/${MOSAIC}`, { geometry: wide });
  assert.ok(asked[1]!.grid.width <= 1_024 && asked[1]!.grid.height <= 1_024);
  const wrong = await post(`/api/mosaic/statistics/${MOSAIC}`, { geometry, resolution: 0 });
  assert.equal(wrong.status, 400);
});

test('TileJSON has the template with the query, bounds, zooms and the attribution', async () => {
  const { call } = makeApp();
  const response = await call(`/api/mosaic/tilejson/S2L2A,L8/2026-07/RED/?selection=median&MIN_MAX=0,1`);
  assert.equal(response.status, 200, await response.clone().text());
  assert.equal(response.headers.get('cache-control'), 'private, max-age=0');
  const body = (await response.json()) as Record<string, unknown>;
  assert.deepEqual(body.tiles, [
    'http://swath.test/api/mosaic/S2L2A,L8/2026-07/RED/{z}/{x}/{y}?selection=median&MIN_MAX=0%2C1',
  ]);
  assert.deepEqual(body.bounds, [-123, 48, -122, 49]);
  assert.equal(body.name, 'RED, 2026-07-01 to 2026-07-31');
  assert.equal(body.attribution, 'Swath demo world');
  assert.deepEqual([body.tilejson, body.scheme, body.maxzoom], ['3.0.0', 'xyz', 14]);
  assert.equal((await call(`/api/mosaic/tilejson/${MOSAIC}?MIN_MAX=1`)).status, 400);
});
