import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceBroken, timedOut, tooBusy } from '../../errors.ts';
import type { Renderer } from '../../render/index.ts';
import { defaultOptions } from '../../render/pictures/testing/default-options.ts';
import { makeTestApp, readError, TEST_KEY } from '../testing/make-test-app.ts';

const TILE = '/api/render/S2/31/T/DH/2026/6/21/0/B04,B03,B02/12/2081/1510';
const AREA = 'c6af0ad18db8d56a0ff4934f6dedd2e1';
const OUTLINE = Float64Array.of(2, 42, 3, 42, 3, 42, 2, 43, 2, 43, 2, 42);
type Request = Parameters<Renderer['plan']>[0];

function makeTiles(failure?: Error, drawn = 'abc123') {
  const asked: Request[] = [];
  let renders = 0;
  const renderer: Renderer = {
    findContrast: async () => [{ min: 0, max: 1 }],
    findColor: async () => null,
    async plan(request) {
      asked.push(request);
      return { plan: {}, scene: {}, request, etag: 'abc123', outline: null } as never;
    },
    async render() {
      renders += 1;
      if (failure !== undefined) throw failure;
      return {
        bytes: new Uint8Array([1, 2, 3]),
        format: 'png',
        stagesMs: { read: 1.25, warp: 0.5 },
        etag: drawn,
      };
    },
  };
  const areas = { find: async (ref: string) => (ref === AREA ? ({ outline: OUTLINE } as never) : null) };
  const colormaps = { find: async () => null };
  return { ...makeTestApp({ renderer, areas, colormaps }), asked, countRenders: () => renders };
}

test('a picture whose files were replaced before drawing has the ETag of the newer plan', async () => {
  const { call } = makeTiles(undefined, 'newer');
  const response = await call(TILE);
  assert.deepEqual([response.status, response.headers.get('etag')], [200, '"newer"']);
});

test('a tile has headers for its type, ETag, caching and timing', async () => {
  const { call, asked } = makeTiles();
  const response = await call(TILE);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'image/png');
  assert.equal(response.headers.get('etag'), '"abc123"');
  assert.equal(response.headers.get('cache-control'), 'private, max-age=60');
  assert.match(
    response.headers.get('server-timing') ?? '',
    /^plan;dur=[\d.]+, read;dur=1\.25, warp;dur=0\.50, total;dur=/,
  );
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array([1, 2, 3]));
  assert.equal(asked[0]?.viewId, 'S2/31/T/DH/2026/6/21/0');
  assert.deepEqual(asked[0]?.options, defaultOptions);
});

test('a tile that the client already has is 304, without rendering', async () => {
  const { call, countRenders } = makeTiles();
  for (const tags of ['"abc123"', 'W/"abc123"', '"x", "abc123"', '*']) {
    const response = await call(TILE, { headers: { 'if-none-match': tags } });
    assert.equal(response.status, 304, tags);
    assert.equal(response.headers.get('etag'), '"abc123"');
    assert.equal(await response.text(), '');
  }
  assert.equal(countRenders(), 0);
  assert.equal((await call(TILE, { headers: { 'if-none-match': '"other"' } })).status, 200);
});

test('HEAD is answered like GET, without a body', async () => {
  const { call } = makeTiles();
  const response = await call(TILE, { method: 'HEAD' });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('etag'), '"abc123"');
  assert.equal(await response.text(), '');
});

test('MIN_MAX, RESAMPLE, mimetype and crs reach the renderer', async () => {
  const { call, asked } = makeTiles();
  await call(
    `${TILE}?MIN_MAX=-0.5,3000&RESAMPLE=near&mimetype=image/webp&crs=EPSG:3857&CALIBRATE=0&PANSHARPENING=false&_=123`,
  );
  assert.deepEqual(asked[0]?.options, {
    ...defaultOptions,
    format: 'webp',
    method: 'near',
    range: { min: -0.5, max: 3000 },
  });
});

test('CALIBRATE and COMPOSITE are on with true or 1, off with false or 0', async () => {
  const { call, asked } = makeTiles();
  for (const word of ['1', 'true', 'True', '0', 'false', 'FALSE'])
    await call(`${TILE}?CALIBRATE=${word}&COMPOSITE=${word}`);
  const isOn = [true, true, true, false, false, false];
  assert.deepEqual(
    asked.map(({ options }) => [options.calibrated, options.isComposite]),
    isOn.map((on) => [on, on]),
  );
});

test('an expression reaches the renderer unchanged: slashes plain or encoded, plus signs, spaces', async () => {
  const { call, asked } = makeTiles();
  const scene = TILE.slice(0, TILE.indexOf('/B04'));
  for (const written of ['(B08-B04)/(B08+B04)', '(B08-B04)%2F(B08+B04)', '(B08-B04)%2f(B08%2BB04)'])
    assert.equal((await call(`${scene}/${written}/12/2081/1510`)).status, 200, written);
  assert.deepEqual(
    asked.map(({ bands }) => bands),
    Array(3).fill('(B08-B04)/(B08+B04)'),
  );
  await call(`${scene}/B08%20*%202.0//B04/12/2081/1510`);
  assert.equal(asked.at(-1)?.bands, 'B08 * 2.0//B04');
});

test('all twelve methods of RESAMPLE are known', async () => {
  const { call, asked } = makeTiles();
  const names = 'near bilinear cubic cubicspline lanczos average mode max min med q1 q3'.split(' ');
  for (const name of names) assert.equal((await call(`${TILE}?RESAMPLE=${name}`)).status, 200, name);
  assert.deepEqual(
    asked.map(({ options }) => options.method),
    names,
  );
});

test('invalid parameters are refused by name', async () => {
  const { call } = makeTiles();
  const wrong: [string, number, RegExp][] = [
    ['MIN_MAX=1', 400, /MIN_MAX/],
    ['MIN_MAX=1,2,3', 400, /MIN_MAX/],
    ['MIN_MAX=2,1', 422, /MIN_MAX/],
    ['MIN_MAX=1,1', 422, /MIN_MAX/],
    ['MIN_MAX=NaN,Infinity', 400, /MIN_MAX/],
    ['MIN_MAX=0x1,0x2', 400, /MIN_MAX/],
    ['MIN_MAX=', 400, /MIN_MAX/],
    ['RESAMPLE=magic', 400, /RESAMPLE/],
    ['mimetype=image/gif', 400, /mimetype/],
    ['MIN_MAX=0,1&MIN_MAX=0,2', 400, /MIN_MAX/],
    ['COLORMAP=nothing', 404, /colormap/],
    ['COLORMAP=0123456789abcdef0123456789abcdef', 404, /colormap/],
    ['cropper_ref=abc', 404, /cropper_ref/],
    ['crs=WGS84', 400, /crs/],
    ['crs=EPSG:1234', 422, /EPSG:1234/],
    ['TILE_SIZE=256', 422, /TILE_SIZE/],
    ['TILE_SIZE=256,', 422, /TILE_SIZE/],
    ['TILE_SIZE=0,256', 422, /TILE_SIZE/],
    ['TILE_SIZE=-1,256', 422, /TILE_SIZE/],
    ['TILE_SIZE=2049,1', 422, /TILE_SIZE/],
    ['TILE_SIZE=9007199254740993,1', 422, /TILE_SIZE/],
    ['CALIBRATE=yes', 400, /CALIBRATE/],
    ['CALIBRATE=', 400, /CALIBRATE/],
    ['COMPOSITE=3', 400, /COMPOSITE/],
    ['MIN_MAX=%E0%A4%A', 400, /percent-encoded/],
  ];
  for (const [query, status, words] of wrong) {
    const response = await call(`${TILE}?${query}`);
    assert.equal(response.status, status, query);
    assert.match((await readError(response)).error, words, query);
  }
});

test('a failed render is never cached and never a picture', async () => {
  const failures: [Error, number][] = [
    [sourceBroken('tiff-truncated', 'The TIFF ends too early.'), 502],
    [timedOut('render-timeout', 'The render did not finish within 10 s.'), 504],
    [tooBusy('pool-full', 'Too busy.', { details: { retryAfterS: 2 } }), 503],
    [new Error('secret detail'), 500],
  ];
  for (const [failure, status] of failures) {
    const response = await makeTiles(failure).call(TILE);
    assert.equal(response.status, status);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('etag'), null);
    assert.ok(!(await readError(response)).error.includes('secret'));
    if (status === 503) assert.equal(response.headers.get('retry-after'), '2');
  }
});

test('size, reference system and area reach the renderer', async () => {
  const { call, asked } = makeTiles();
  const bounds = TILE.replace('12/2081/1510', '12/2.5;2.6;4326/42.6;42.5;4326');
  for (const path of [
    `${TILE}?TILE_SIZE=512,512`,
    `${TILE}?crs=EPSG:4326`,
    `${bounds}?crs=32631&TILE_SIZE=600,400&cropper_ref=${AREA}`,
    `${bounds}?TILE_SIZE=1,2048&crs=epsg:4326`,
  ])
    assert.equal((await call(path)).status, 200, path);
  const sizes = asked.map(({ grid }) => [grid.epsg, grid.width, grid.height]);
  assert.deepEqual(sizes, [
    [3857, 512, 512],
    [4326, 256, 256],
    [32631, 600, 400],
    [4326, 1, 2048],
  ]);
  assert.deepEqual(asked[3]?.grid.transform, [2.5, 2.6 - 2.5, 0, 42.6, 0, -(42.6 - 42.5) / 2048]);
  assert.deepEqual(asked[2]?.options.area, { ref: AREA, outline: OUTLINE });
});

test('{y}.png, {y}.jpg, {y}.webp and {y}@2x set the format and 512 pixels; the query overrides them', async () => {
  const { call, asked } = makeTiles();
  const cases = [
    ['', 'auto', 256],
    ['.png', 'png', 256],
    ['.jpg', 'jpeg', 256],
    ['.webp', 'webp', 256],
    ['@2x', 'auto', 512],
    ['@2x.png', 'png', 512],
    ['.png?mimetype=image/webp', 'webp', 256],
    ['@2x.png?TILE_SIZE=300,200', 'png', 300],
  ] as const;
  for (const [ending, format, width] of cases) {
    assert.equal((await call(`${TILE}${ending}`)).status, 200, ending);
    const { options, grid } = asked.at(-1) as Request;
    assert.deepEqual([options.format, grid.width], [format, width], ending);
  }
  const error = await readError(await call(TILE.replace('1510', '14.0')));
  assert.deepEqual([error.code, error.error], ['bad-y', 'y must be a whole number, not "14.0".']);
});

test('a view id with encoded slashes, as generated clients send it, finds its scene', async () => {
  const { call, asked } = makeTiles();
  const response = await call('/api/render/L8%2FLC80110312016028LGN00/B4%2CB3%2CB2/12/655/1420');
  assert.equal(response.status, 200);
  assert.deepEqual(
    asked.map(({ viewId, bands }) => [viewId, bands]),
    [['L8/LC80110312016028LGN00', 'B4,B3,B2']],
  );
});

test('parameter names may be in any case; a header that other origins may read lists the ignored ones', async () => {
  const { call, asked } = makeTiles();
  const response = await call(`${TILE}?min_max=0,1&Calibrate=1&tileSize=64,64&colomap=viridis&_=17`);
  assert.equal(response.status, 200);
  const { options, grid } = asked[0] as Request;
  assert.deepEqual([options.range, options.calibrated, grid.width], [{ min: 0, max: 1 }, true, 64]);
  assert.equal(response.headers.get('x-ignored-parameters'), 'colomap (did you mean COLORMAP?), _');
  assert.match(response.headers.get('access-control-expose-headers') ?? '', /x-ignored-parameters/);
  assert.equal((await call(`${TILE}?MIN_MAX=0,1`)).headers.get('x-ignored-parameters'), null);
  const twice = await readError(await call(`${TILE}?MIN_MAX=0,1&min_max=0,2`));
  assert.equal(twice.code, 'repeated-parameter');
  assert.equal((await readError(await call(`${TILE}?colors[]=ff0000`))).code, 'list-parameter');
});

test('the list of ignored parameters is bounded and escaped, even for a hostile query', async () => {
  const { call } = makeTiles();
  const names = Array.from({ length: 900 }, (_, i) => `n${i}=`).join('&');
  const told = (await call(`${TILE}?%0d%0aset-cookie:%20x=1&${'a'.repeat(500)}=1&${names}`)).headers.get(
    'x-ignored-parameters',
  );
  assert.match(told ?? '', /^\?\?set-cookie\?\?x, a{40}, n0, .*, and 894 more$/);
});

test('the api_key parameter may be in any case, and may be passed only once', async () => {
  const { call } = makeTiles();
  const open = { key: null };
  assert.equal((await call(`${TILE}?API_KEY=${TEST_KEY}`, open)).status, 200);
  assert.equal((await call(`${TILE}?Api_Key=wrong`, open)).status, 403);
  assert.equal((await call(`${TILE}?API_KEY=wrong&api_key=${TEST_KEY}`, open)).status, 400);
});

test('a header notes that a picture mixes stored numbers of different gains, also on a 304', async () => {
  const { call } = makeTiles();
  const ndvi = '/api/render/CBERS4MUX/CBERS_4_MUX_20160518_163_128_L4/NDVI/12/1500/2200';
  const noteOf = async (path: string, headers = {}): Promise<string | null> =>
    (await call(path, { headers })).headers.get('x-swath-note');
  assert.match((await noteOf(ndvi)) ?? '', /BAND8 and BAND7 have different gains/);
  assert.ok((await noteOf(ndvi, { 'if-none-match': '"abc123"' })) !== null);
  assert.equal(await noteOf(`${ndvi}?CALIBRATE=1`), null);
  assert.equal(await noteOf(`${ndvi}?STRETCH=natural`), null);
  assert.equal(await noteOf(TILE), null);
});
