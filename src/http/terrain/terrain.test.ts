import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceBroken } from '../../errors.ts';
import { makeColormaps } from '../../library/index.ts';
import { makeMemoryColormaps, unlimitedColormaps } from '../../library/testing/memory-library.ts';
import type { ListedDem, TerrainFormat, TerrainTileRequest, TerrainTiles } from '../../terrain/index.ts';
import { makeTestApp, readError } from '../testing/make-test-app.ts';

const TILE = '/api/render/terrain/11/328/710';

/** The application over tiles that are recorded instead of drawn. */
function makeTerrainApp(
  options: {
    readonly isUnknown?: boolean;
    readonly failure?: Error;
    /** Models after the one of the Alps, or instead of it. */
    readonly list?: (alps: ListedDem) => readonly ListedDem[];
  } = {},
) {
  const requests: TerrainTileRequest[] = [];
  const terrainTiles: TerrainTiles = {
    async plan(request) {
      requests.push(request);
      return {
        request,
        plan: {} as never,
        planJson: '{}',
        etag: 'a1',
        isUnknown: options.isUnknown === true,
      };
    },
    async render({ request }) {
      if (options.failure !== undefined) throw options.failure;
      const { product } = request;
      const format: TerrainFormat =
        'format' in product ? product.format : product.kind === 'geotiff' ? 'tiff' : 'png';
      return { bytes: new Uint8Array([1, 2]), format, etag: 'a1', stagesMs: { read: 1.5 } };
    },
    onCurrent: (tile, run) => run(tile),
    isCached: async () => true,
  };
  const colormaps = makeColormaps({ store: makeMemoryColormaps().store, ...unlimitedColormaps });
  const dem: ListedDem = {
    name: 'alps',
    order: 0,
    gaps: 'unknown',
    attribution: '© Me',
    overviews: [],
    ingestedAt: '2026-01-01T00:00:00.000Z',
    fileCount: 1,
    finestM: 30,
    coarsestM: 30,
    bounds: { west: 7, south: 46, east: 8, north: 47 },
  };
  const app = makeTestApp({
    colormaps,
    terrain: { terrainTiles, listDems: async () => options.list?.(dem) ?? [dem] },
  });
  return { ...app, requests };
}

async function productOf(query: string) {
  const { call, requests } = makeTerrainApp();
  const response = await call(`${TILE}?${query}`);
  assert.equal(response.status, 200, await response.clone().text());
  const [request] = requests;
  return { ...(request as TerrainTileRequest), type: response.headers.get('content-type') };
}

test('a tile is by default a hillshade with light from the north-west', async () => {
  const { product, isFiltered, grid, type } = await productOf('');
  assert.deepEqual(product, {
    kind: 'hillshade',
    azimuthDeg: 315,
    altitudeDeg: 45,
    color: null,
    format: 'png',
  });
  assert.deepEqual([isFiltered, grid.width, grid.epsg, type], [false, 256, 3857, 'image/png']);
});

test('parameter names may be in any case, with or without underscores', async () => {
  for (const query of [
    'format=slope&SLOPE_RANGE=(0.0,45.0)&MIN_SLOPE=5&FILTERING=TRUE&COLORMAP=viridis',
    'FORMAT=slope&slopeRange=0,45&minSlope=5&filtering=true&colormap=viridis',
    'Format=SLOPE&slope_range=0,45&min_slope=5&Filtering=1&Colormap=viridis',
  ]) {
    const { product, isFiltered } = await productOf(query);
    assert.ok(product.kind === 'slope' && product.color.kind === 'ramp');
    assert.deepEqual(product.color.range, { min: 0, max: 45 });
    assert.equal(product.minSlopeDeg, 5);
    assert.equal(isFiltered, true);
  }
  const { call } = makeTerrainApp();
  assert.equal((await readError(await call(`${TILE}?azimuth=1&AZIMUTH=2`))).code, 'repeated-parameter');
});

test('every format has its media type', async () => {
  for (const [query, type] of [
    ['format=geotiff', 'image/tiff'],
    ['format=terrarium', 'image/png'],
    ['format=terrainrgb', 'image/png'],
    ['format=aspect&mimetype=image/webp', 'image/webp'],
    ['format=slope&mimetype=image/jpeg', 'image/jpeg'],
    ['format=contours', 'application/vnd.mapbox-vector-tile'],
    ['format=contours&mimetype=application/geo%2Bjson', 'application/geo+json'],
  ] as const)
    assert.equal((await productOf(query)).type, type, query);
});

test('@2x gives a tile of 512 pixels on the same ground', async () => {
  const { call, requests } = makeTerrainApp();
  await call(TILE);
  assert.equal((await call(`${TILE}@2x`)).status, 200);
  const [single, double] = requests.map(({ grid }) => grid);
  assert.deepEqual([double?.width, double?.height], [512, 512]);
  assert.equal(double?.transform[0], single?.transform[0]);
  assert.equal((double?.transform[1] as number) * 2, single?.transform[1]);
});

test('invalid input is refused with a code and a message that names the parameter', async () => {
  const { call } = makeTerrainApp();
  for (const [query, status, code, name] of [
    ['format=relief', 400, 'bad-format', 'format'],
    ['AZIMUTH=361', 400, 'bad-azimuth', 'AZIMUTH'],
    ['azimuth=north', 400, 'bad-azimuth', 'AZIMUTH'],
    ['ALTITUDE=-1', 400, 'bad-altitude', 'ALTITUDE'],
    ['format=slope&SLOPE_RANGE=45', 400, 'bad-slope-range', 'SLOPE_RANGE'],
    ['format=slope&SLOPE_RANGE=45,10', 400, 'bad-slope-range', 'SLOPE_RANGE'],
    ['format=slope&MIN_SLOPE=x', 400, 'bad-min-slope', 'MIN_SLOPE'],
    ['FILTERING=perhaps', 400, 'bad-filtering', 'FILTERING'],
    ['THRESHOLDS=100', 422, 'lone-range-colors', 'THRESHOLDS'],
    ['COLORS=zzzzzz&THRESHOLDS=', 422, 'bad-colors', 'COLORS'],
    ['format=slope&COLORMAP=nothing', 404, 'unknown-colormap', 'nothing'],
    ['format=contours&INTERVAL=0', 400, 'bad-interval', 'INTERVAL'],
    ['format=terrarium&UNKNOWN=x', 400, 'bad-unknown', 'UNKNOWN'],
    ['format=geotiff&mimetype=image/png', 422, 'bad-mimetype', 'mimetype'],
  ] as const) {
    const response = await call(`${TILE}?${query}`);
    assert.equal(response.status, status, query);
    const error = await readError(response);
    assert.equal(error.code, code, query);
    assert.ok(error.error.includes(name), error.error);
  }
  for (const path of ['11/331', 'foo/bar/baz/qux', 'point/1']) {
    const { code, error } = await readError(await call(`/api/render/terrain/${path}`));
    assert.equal(code, 'unknown-route', path);
    assert.match(error, /terrain\/point\/\{lat\}\/\{lon\}/);
  }
  for (const path of ['0/0/0', '17/0/0', '3/8/0', '3/0/8', '3/-1/0', '3/0/8@2x.png']) {
    const response = await call(`/api/render/terrain/${path}`);
    assert.equal(response.status, 404, path);
    assert.equal((await readError(response)).code, 'no-such-tile', path);
  }
});

test('a tile that the client already has is 304; a tile of unknown heights is revalidated each time', async () => {
  const { call } = makeTerrainApp();
  const first = await call(TILE);
  assert.equal(first.headers.get('etag'), '"a1"');
  assert.match(first.headers.get('cache-control') ?? '', /max-age=60/);
  assert.match(first.headers.get('server-timing') ?? '', /plan;dur=.*read;dur=1\.50.*total;dur=/);
  assert.equal((await call(TILE, { headers: { 'if-none-match': '"a1"' } })).status, 304);
  const unknown = await makeTerrainApp({ isUnknown: true }).call(TILE);
  assert.equal(unknown.headers.get('cache-control'), 'private, no-cache');
});

test('a broken file is 502 and is not cached', async () => {
  const { call } = makeTerrainApp({ failure: sourceBroken('source-short', 'A file ends too early.') });
  const response = await call(TILE);
  assert.equal(response.status, 502);
  assert.equal(response.headers.get('cache-control'), 'no-store');
});

test('the legend of a slope has the ends of its range; heights have no legend', async () => {
  const { call } = makeTerrainApp();
  const slope = (await (
    await call('/api/render/legend/terrain/3/1/1?format=slope&slopeRange=0,45')
  ).json()) as {
    colors: string[];
    thresholds: number[];
    bands: unknown[];
  };
  assert.deepEqual([slope.colors.length, slope.thresholds.length], [256, 255]);
  assert.deepEqual(slope.bands, [{ band: 'slope', min: 0, max: 45 }]);
  const ranges = await call('/api/render/legend/terrain/3/1/1?THRESHOLDS=90,180&COLORS=000000,777777,ffffff');
  assert.deepEqual(await ranges.json(), {
    colors: ['#000000', '#777777', '#ffffff'],
    thresholds: [90, 180],
    bands: [{ band: 'hillshade', min: 1, max: 255 }],
  });
  const none = await call('/api/render/legend/terrain/3/1/1?format=geotiff');
  assert.deepEqual([none.status, (await readError(none)).code], [422, 'no-legend']);
});

test('TileJSON has the tile template with its query, the encoding and the attribution', async () => {
  const { call } = makeTerrainApp();
  const read = async (query: string) =>
    (await (await call(`/api/render/terrain/tilejson.json?${query}`)).json()) as Record<string, unknown>;
  const terrarium = await read('format=terrarium&scale=2');
  assert.deepEqual(terrarium, {
    tilejson: '3.0.0',
    name: 'Terrain: terrarium',
    attribution: '© Me',
    scheme: 'xyz',
    tiles: ['http://swath.test/api/render/terrain/{z}/{x}/{y}@2x?format=terrarium&UNKNOWN=0'],
    minzoom: 1,
    maxzoom: 16,
    bounds: [7, 46, 8, 47],
    tileSize: 512,
    encoding: 'terrarium',
  });
  assert.equal((await read('format=terrainrgb')).encoding, 'mapbox');
  assert.deepEqual((await read('format=contours')).vector_layers, [
    { id: 'contours', fields: { ele: 'Number', index: 'Boolean' } },
  ]);
  const wrong = await call('/api/render/terrain/tilejson.json?format=slope&SLOPE_RANGE=9');
  assert.equal((await readError(wrong)).code, 'bad-slope-range');
});

test('a point has an elevation, or null', async () => {
  const asked: unknown[] = [];
  const { call } = makeTestApp({
    terrain: {
      readElevation: async (location) => {
        asked.push(location);
        return location.lat > 0 ? Math.fround(123.4) : null;
      },
    },
  });
  assert.deepEqual(await (await call('/api/render/terrain/point/46.5/7.25')).json(), { index_value: 123.4 });
  assert.deepEqual(await (await call('/api/render/terrain/point/-46.5/7.25')).json(), { index_value: null });
  assert.deepEqual(asked[0], { lat: 46.5, lon: 7.25 });
  for (const path of ['91/0', '0/181', 'north/0'])
    assert.equal((await readError(await call(`/api/render/terrain/point/${path}`))).code, 'bad-point');
});

test('a profile needs a line on Earth and a number of samples', async () => {
  const { call } = makeTestApp({
    terrain: {
      readProfile: async ({ line, samples }) => ({
        lengthM: samples,
        points: line.map(([lon, lat]) => ({ lon, lat, distanceM: 0, heightM: null })),
        minM: null,
        maxM: null,
        ascentM: 0,
        descentM: 0,
      }),
    },
  });
  const profile = await (await call('/api/render/terrain/profile?line=7,46;8,47&samples=5')).json();
  assert.deepEqual(profile, {
    length_m: 5,
    min: null,
    max: null,
    ascent_m: 0,
    descent_m: 0,
    points: [
      { distance_m: 0, lat: 46, lon: 7, elevation: null },
      { distance_m: 0, lat: 47, lon: 8, elevation: null },
    ],
  });
  for (const [query, code] of [
    ['', 'bad-line'],
    ['line=7,46', 'bad-line'],
    ['line=7,46;8', 'bad-line'],
    ['line=7,46;200,1', 'bad-line'],
    [`line=${'7,46;'.repeat(100)}8,47`, 'bad-line'],
    ['line=7,46;8,47&samples=1', 'bad-samples'],
    ['line=7,46;8,47&samples=2001', 'bad-samples'],
  ] as const)
    assert.equal((await readError(await call(`/api/render/terrain/profile?${query}`))).code, code, query);
});

test('the end of the row may name the format of a terrain tile, and @2x doubles its pixels', async () => {
  const { call, requests } = makeTerrainApp();
  for (const [ending, type, width] of [
    ['.jpg', 'image/jpeg', 256],
    ['@2x.webp', 'image/webp', 512],
    ['.png?mimetype=image/webp', 'image/webp', 256],
  ] as const) {
    const response = await call(`${TILE}${ending}`);
    assert.equal(response.headers.get('content-type'), type, ending);
    assert.equal(requests.at(-1)?.grid.width, width, ending);
  }
  assert.equal((await readError(await call(`${TILE}.png?format=contours`))).code, 'bad-mimetype');
  const wrong = await call('/api/render/terrain/11/328/7.5');
  assert.deepEqual([wrong.status, (await readError(wrong)).code], [400, 'bad-y']);
});

test('TileJSON begins at the zoom level from which a live model has tiles, unless there is an ingested one', async () => {
  const toLive = (dem: ListedDem): ListedDem => ({ ...dem, gaps: 'sea', live: { unreleased: [] } });
  const lists: readonly ((alps: ListedDem) => readonly ListedDem[])[] = [
    (alps) => [toLive(alps)],
    (alps) => [alps, toLive(alps)],
    () => [],
  ];
  const found = await Promise.all(
    lists.map(async (list) => {
      const { call } = makeTerrainApp({ list });
      const { minzoom } = (await (await call('/api/render/terrain/tilejson.json')).json()) as {
        minzoom: number;
      };
      return minzoom;
    }),
  );
  assert.deepEqual(found, [7, 1, 1]);
});
