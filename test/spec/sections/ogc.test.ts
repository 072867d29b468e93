/** The same maps through WMTS and its relatives. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { readPng } from '../../../src/formats/testing/read-png.ts';
import { areaBounds } from '../../../src/geo/index.ts';
import { elementAt, localName, parseXml, textAt } from '../../../src/xml/index.ts';
import { listMisplaced } from '../content-models.ts';
import { call, sceneOf } from '../service.ts';
import { ask, bytesOf, dataset, findMiddle, getMap, MIDDLE_ZOOM, sceneLayer } from './ogc-maps.ts';

/** Asks for what must be refused with an ExceptionReport; returns the exception's code and our code. */
async function askRefused(path: string, status: number): Promise<readonly [string, string]> {
  const response = await call(path);
  const text = await response.text();
  assert.equal(response.status, status, `${path}: ${text}`);
  assert.equal(response.headers.get('content-type'), 'text/xml; charset=utf-8');
  const root = parseXml(text, 'the answer');
  assert.equal(localName(root), 'ExceptionReport');
  const exception = elementAt(root, 'Exception');
  assert.ok(exception !== null);
  const sentence = textAt(exception, 'ExceptionText') ?? '';
  return [exception.attributes.exceptionCode ?? '', sentence.slice(0, sentence.indexOf(':'))];
}

/** A tile in the middle of the scene and a pixel of it; known once the service runs. */
const z = MIDDLE_ZOOM;
let { x, y, i, j } = { x: 0, y: 0, i: 0, j: 0 };
before(() => {
  ({ x, y, i, j } = findMiddle());
});

const kvp = (more: Readonly<Record<string, string>>): string =>
  `/ogc/wmts?${new URLSearchParams({
    SERVICE: 'WMTS',
    REQUEST: 'GetTile',
    VERSION: '1.0.0',
    STYLE: '',
    FORMAT: 'image/png',
    TILEMATRIXSET: 'WebMercatorQuad',
    TILEMATRIX: `${z}`,
    TILEROW: `${y}`,
    TILECOL: `${x}`,
    ...more,
  }).toString()}`;

test('ogc layers: capabilities list datasets and terrain, with styles, times and addresses of tiles', async () => {
  const response = await ask('/ogc/wmts?service=WMTS&request=GetCapabilities');
  assert.equal(response.headers.get('content-type'), 'application/xml');
  const text = await response.text();
  const root = parseXml(text, 'the answer');
  assert.equal(localName(root), 'Capabilities');
  for (const key of ['s2', 'l2a', 'l8', 's1'] as const)
    assert.ok(text.includes(`<ows:Identifier>${sceneOf(key).dataset}</ows:Identifier>`), key);
  assert.ok(text.includes('<ows:Identifier>terrain.hillshade</ows:Identifier>'));
  assert.match(text, /<Dimension><ows:Identifier>Time<.*<Value>2026-\d\d-\d\d\/2026-\d\d-\d\d\/P1D<\/Value>/);
  const template = /template="([^"]*sentinel2l2a[^"]*\.png[^"]*)"/.exec(text)?.[1] ?? '';
  const names = {
    Style: 'natural',
    Time: 'current',
    TileMatrixSet: 'WebMercatorQuad',
    TileMatrix: z,
    TileRow: y,
  };
  const address = Object.entries({ ...names, TileCol: x }).reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, String(value)),
    template.replaceAll('&amp;', '&'),
  );
  assert.doesNotMatch(address, /[{}]/);
  assert.equal((await ask(address)).headers.get('content-type'), 'image/png');
  const etag = response.headers.get('etag') ?? '';
  const again = await call('/ogc/wmts?service=WMTS&request=GetCapabilities', {
    headers: { 'if-none-match': etag },
  });
  assert.equal(again.status, 304);
});

test('ogc wmts tile: a tile has the same bytes and ETag as from the render address, by key-value pairs and by path', async () => {
  const first = await ask(`/api/mosaic/S2L2A/2026-06/B04,B03,B02/${z}/${x}/${y}.png`);
  const wanted = await bytesOf(first);
  const time = '2026-06';
  for (const path of [
    kvp({ LAYER: dataset(), STYLE: 'natural', TIME: time }),
    `/ogc/wmts/1.0.0/${dataset()}/default/${time}/WebMercatorQuad/${z}/${y}/${x}.png`,
    `/ogc/wmts/1.0.0/${dataset()}/natural/2026-06-01..2026-06-30/WebMercatorQuad/${z}/${y}/${x}.png`,
  ]) {
    const tile = await ask(path);
    assert.equal(tile.headers.get('etag'), first.headers.get('etag'), path);
    assert.ok(wanted.equals(await bytesOf(tile)), path);
  }
  const hillshade = await bytesOf(await ask(`/api/render/terrain/${z}/${x}/${y}`));
  const relief = kvp({ LAYER: 'terrain.hillshade' });
  assert.ok(hillshade.equals(await bytesOf(await ask(relief))));
});

test('ogc wmts scene: a scene can be requested as a layer by name, also in degrees', async () => {
  const { viewId } = sceneOf('l2a');
  const layer = sceneLayer();
  const text = await (await ask(`/ogc/wmts?REQUEST=GetCapabilities&LAYER=${layer}`)).text();
  assert.ok(text.includes(`<ows:Identifier>${layer}</ows:Identifier>`));
  assert.ok(!text.includes('<ows:Identifier>terrain.hillshade<'));
  const first = await bytesOf(await ask(`/api/render/${viewId}/B08,B04,B03/${z}/${x}/${y}.png`));
  const path = `/ogc/wmts/1.0.0/${layer}/false-colour/WebMercatorQuad/${z}/${y}/${x}.png`;
  assert.ok(first.equals(await bytesOf(await ask(path))));
  const span = 180 / 2 ** 11;
  const [column, row] = [Math.floor((-122.41 + 180) / span), Math.floor((90 - 48.22) / span)];
  const [left, upper] = [-180 + column * span, 90 - row * span];
  const bounds = `11/${left};${left + span};4326/${upper};${upper - span};4326`;
  const inDegrees = await bytesOf(
    await ask(`/api/render/${viewId}/B04,B03,B02/${bounds}?crs=4326&mimetype=image/png`),
  );
  const tile = `/ogc/wmts/1.0.0/${layer}/natural/WorldCRS84Quad/11/${row}/${column}.png`;
  assert.ok(inDegrees.equals(await bytesOf(await ask(tile))));
});

test('ogc wmts info: the values of a pixel equal those of the point in its middle', async () => {
  const info = { REQUEST: 'GetFeatureInfo', LAYER: sceneLayer(), STYLE: 'ndvi', I: `${i}`, J: `${j}` };
  const json = (await (await ask(kvp({ ...info, INFOFORMAT: 'application/json' }))).json()) as {
    index_value: number;
  };
  const lon = ((x + (i + 0.5) / 256) / 2 ** z) * 360 - 180;
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + (j + 0.5) / 256)) / 2 ** z))) * 180) / Math.PI;
  const [sensor, ...scene] = sceneOf('l2a').viewId.split('/');
  const point = await ask(`/api/render/${sensor}/point/${scene.join('/')}/NDVI/${lat}/${lon}`);
  assert.equal(json.index_value, ((await point.json()) as { index_value: number }).index_value);
  assert.ok(Number.isFinite(json.index_value));
  const plain = await (await ask(kvp({ ...info, INFOFORMAT: 'text/plain' }))).text();
  assert.equal(plain, `index_value = ${json.index_value}\n`);
  assert.deepEqual(await askRefused(kvp({ ...info, I: '256', INFOFORMAT: 'text/plain' }), 400), [
    'PointIJOutOfRange',
    'outside-picture',
  ]);
});

test('ogc legend: indices and slopes have one, compositions do not', async () => {
  for (const path of [`${dataset()}/ndvi`, 'terrain.slope/default', `${sceneLayer()}/ndvi`]) {
    const legend = await ask(`/ogc/legends/${path}.png`);
    assert.equal(legend.headers.get('content-type'), 'image/png', path);
  }
  const refused = await call(`/ogc/legends/${dataset()}/natural.png`);
  assert.equal(((await refused.json()) as { code: string }).code, 'no-legend');
});

test('ogc wmts refusals: an ExceptionReport contains our code, and escapes markup from the request', async () => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, number, string, string])[] = [
    [{ LAYER: '<!DOCTYPE a>' }, 400, 'InvalidParameterValue', 'unknown-layer'],
    [{ LAYER: 'recipe.0123456789abcdef0123456789abcdef' }, 400, 'InvalidParameterValue', 'unknown-layer'],
    [{ LAYER: dataset(), STYLE: 'nope' }, 400, 'InvalidParameterValue', 'unknown-style'],
    [{ LAYER: dataset(), TIME: 'yesterday' }, 400, 'InvalidParameterValue', 'bad-time'],
    [{ LAYER: dataset(), TILEROW: '999999' }, 400, 'TileOutOfRange', 'no-such-tile'],
    [{ LAYER: dataset(), TILEMATRIXSET: 'Mars' }, 400, 'InvalidParameterValue', 'unknown-tile-matrix-set'],
    [{ LAYER: dataset(), FORMAT: 'image/gif' }, 400, 'InvalidParameterValue', 'bad-format'],
    [{ LAYER: '' }, 400, 'MissingParameterValue', 'missing-parameter'],
    [{ REQUEST: 'GetMap' }, 400, 'OperationNotSupported', 'unknown-request'],
    [{ SERVICE: 'WFS' }, 400, 'InvalidParameterValue', 'bad-service'],
    [{ REQUEST: 'GetCapabilities', ACCEPTVERSIONS: '2.0.0' }, 400, 'VersionNegotiationFailed', 'bad-version'],
    [
      { LAYER: 'terrain.slope', TILEMATRIXSET: 'WorldCRS84Quad' },
      400,
      'InvalidParameterValue',
      'no-layer-crs',
    ],
  ];
  for (const [more, status, exception, code] of cases)
    assert.deepEqual(await askRefused(kvp(more), status), [exception, code], JSON.stringify(more));
  const withoutKey = await call('/ogc/wmts?REQUEST=GetCapabilities', { apiKey: null });
  assert.equal(withoutKey.status, 401);
  assert.match(await withoutKey.text(), /<ExceptionText>no-key: /);
});

test('ogc wms map: a map equals the picture of the same bounds, in the axis order of either version, with or without a background', async () => {
  const { west, east, south, north } = areaBounds(sceneOf('l2a').footprint);
  // Wider than the scene: its corners show nothing.
  const [left, right, lower, upper] = [west - 0.05, east + 0.05, south - 0.05, north + 0.05];
  const size = 'TILE_SIZE=120,90&mimetype=image/png';
  const bounds = `12/${left};${right};4326/${upper};${lower};4326`;
  const first = await bytesOf(
    await ask(`/api/render/${sceneOf('l2a').viewId}/B04,B03,B02/${bounds}?crs=4326&${size}`),
  );
  const lonLat = `${left},${lower},${right},${upper}`;
  const latLon = `${lower},${left},${upper},${right}`;
  for (const axes of [
    { CRS: 'EPSG:4326', BBOX: latLon },
    { CRS: 'CRS:84', BBOX: lonLat },
    { VERSION: '1.1.1', SRS: 'EPSG:4326', BBOX: lonLat },
  ]) {
    const map = await ask(getMap({ ...axes, TRANSPARENT: 'TRUE' }));
    assert.ok(first.equals(await bytesOf(map)), JSON.stringify(axes));
  }
  const white = readPng(await bytesOf(await ask(getMap({ CRS: 'CRS:84', BBOX: lonLat }))));
  assert.deepEqual([white.colorType, ...white.samples.subarray(0, 3)], [2, 255, 255, 255]);
  const red = readPng(await bytesOf(await ask(getMap({ CRS: 'CRS:84', BBOX: lonLat, BGCOLOR: '0xFF0102' }))));
  assert.deepEqual([...red.samples.subarray(0, 3)], [255, 1, 2]);
  const middle = 3 * (45 * 120 + 60);
  assert.deepEqual(red.samples.subarray(middle, middle + 3), white.samples.subarray(middle, middle + 3));
  const utm = await ask(
    getMap({ CRS: 'EPSG:32610', BBOX: '545000,5335000,550000,5340000', LAYERS: dataset() }),
  );
  assert.equal(utm.headers.get('content-type'), 'image/png');
  const pixel = {
    REQUEST: 'GetFeatureInfo',
    QUERY_LAYERS: sceneLayer(),
    STYLES: 'ndvi',
    CRS: 'CRS:84',
    BBOX: lonLat,
  };
  const info = await ask(getMap({ ...pixel, I: '60', J: '45', INFO_FORMAT: 'application/json' }));
  assert.ok(Number.isFinite(((await info.json()) as { index_value: number }).index_value));
  const beside = await ask(getMap({ ...pixel, I: '0', J: '0' }));
  assert.equal(await beside.text(), 'index_value = null\n');
  const legend = await ask(
    `/ogc/wms?REQUEST=GetLegendGraphic&LAYER=${dataset()}&STYLE=ndvi&FORMAT=image/png`,
  );
  assert.equal(legend.headers.get('content-type'), 'image/png');
});

test('ogc wms refusals: a ServiceExceptionReport contains our code, and a posted document is not read', async () => {
  const place = { CRS: 'CRS:84', BBOX: '0,0,1,1' };
  const cases: readonly (readonly [Readonly<Record<string, string>>, number, string, string])[] = [
    [{ ...place, LAYERS: 'nope' }, 400, 'LayerNotDefined', 'unknown-layer'],
    [{ ...place, LAYERS: `${dataset()},${dataset()}` }, 400, '', 'several-layers'],
    [{ ...place, STYLES: 'nope' }, 400, 'StyleNotDefined', 'unknown-style'],
    [{ ...place, FORMAT: 'image/gif' }, 400, 'InvalidFormat', 'bad-format'],
    [{ ...place, CRS: 'EPSG:9999' }, 400, 'InvalidCRS', 'unknown-crs'],
    [{ ...place, CRS: 'AUTO:42001' }, 400, 'InvalidCRS', 'bad-crs'],
    [{ VERSION: '1.1.1', SRS: 'EPSG:9999', BBOX: '0,0,1,1' }, 400, 'InvalidSRS', 'unknown-crs'],
    [{ ...place, LAYERS: 'terrain.slope', STYLES: '' }, 400, 'InvalidCRS', 'no-layer-crs'],
    [{ ...place, BBOX: '1,1,0,0' }, 400, '', 'bad-bbox'],
    [{ ...place, BBOX: '0,0,1' }, 400, '', 'bad-bbox'],
    [{ ...place, WIDTH: '99999' }, 400, '', 'bad-size'],
    [{ ...place, BGCOLOR: 'red' }, 400, '', 'bad-bgcolor'],
    [{ ...place, LAYERS: dataset(), TIME: '2026-13-01' }, 400, 'InvalidDimensionValue', 'bad-time'],
    [{ ...place, SLD_BODY: '<!DOCTYPE a>' }, 400, 'OperationNotSupported', 'no-sld'],
    [{ BBOX: '0,0,1,1' }, 400, 'MissingParameterValue', 'missing-parameter'],
    [{ REQUEST: 'GetTile' }, 400, 'OperationNotSupported', 'unknown-request'],
  ];
  const read = async (response: Response): Promise<readonly [number, string, string]> => {
    const root = parseXml(await response.text(), 'the answer');
    assert.equal(localName(root), 'ServiceExceptionReport');
    const exception = elementAt(root, 'ServiceException');
    const sentence = textAt(root, 'ServiceException') ?? '';
    return [response.status, exception?.attributes.code ?? '', sentence.slice(0, sentence.indexOf(':'))];
  };
  for (const [more, ...wanted] of cases)
    assert.deepEqual(await read(await call(getMap(more))), wanted, JSON.stringify(more));
  const posted = await call('/ogc/wms?SERVICE=WMS', { body: '<!DOCTYPE a [<!ENTITY b "&b;">]><a>&b;</a>' });
  assert.deepEqual(await read(posted), [405, 'OperationNotSupported', 'no-post']);
  const posts = await call('/ogc/wmts', { body: '<a/>' });
  assert.match(await posts.text(), /<ExceptionText>no-post: /);
  for (const version of ['1.3.0', '1.1.1']) {
    const text = await (await ask(`/ogc/wms?REQUEST=GetCapabilities&VERSION=${version}`)).text();
    const root = parseXml(text.replace(/<!DOCTYPE[^>]*>/, ''), 'the capabilities');
    assert.equal(root.attributes.version, version);
    assert.ok(text.includes(`<Name>${dataset()}</Name>`));
  }
});

test('ogc xyz: an address with a token draws the tile of a layer without a key, and TileJSON has it', async () => {
  const { expires, layers } = (await (await ask('/ogc/xyz?days=7')).json()) as {
    expires: string;
    layers: { id: string; tilejson: string; tiles: string[]; bounds: number[] }[];
  };
  assert.ok(Date.parse(expires) > Date.now());
  const layer = layers.find(({ id }) => id === dataset());
  assert.deepEqual([layer?.tilejson, layer?.bounds.length, layer?.tiles.length], ['3.0.0', 4, 1]);
  const address = (layer?.tiles[0] ?? '')
    .replace('/default/', '/ndvi/')
    .replace('{z}/{x}/{y}', `${z}/${x}/${y}`);
  const tile = await call(`${address}?TIME=2026-06`, { apiKey: null });
  assert.equal(tile.status, 200);
  const first = await ask(`/api/mosaic/S2L2A/2026-06/NDVI/${z}/${x}/${y}.png?COLORMAP=RdYlGn&MIN_MAX=-1,1`);
  assert.ok((await bytesOf(first)).equals(await bytesOf(tile)));
  const wrong = await call(address.replace(/.(?=\/[^/]*\/ndvi)/, '_'), { apiKey: null });
  assert.deepEqual([wrong.status, ((await wrong.json()) as { code: string }).code], [404, 'unknown-map']);
});

test('ogc xyz: a signed address draws one layer, style and time, and anyone may cache its tiles', async () => {
  const asked = await ask(
    `/ogc/xyz/signed?layer=${dataset()}&style=ndvi&TIME=2026-06&minutes=5&max_age=86400`,
  );
  const { expires, tilejson } = (await asked.json()) as { expires: string; tilejson: { tiles: string[] } };
  assert.ok(Date.parse(expires) > Date.now());
  const address = (tilejson.tiles[0] ?? '').replace('{z}/{x}/{y}', `${z}/${x}/${y}`);
  const tile = await call(address, { apiKey: null });
  assert.equal(tile.status, 200);
  const [, maxAge = ''] = /^public, max-age=(\d+)$/.exec(tile.headers.get('cache-control') ?? '') ?? [];
  assert.ok(Number(maxAge) > 0 && Number(maxAge) <= 300, `max-age is ${maxAge}`);
  assert.doesNotMatch(tile.headers.get('vary') ?? '', /x-api-key/);
  const first = await ask(`/api/mosaic/S2L2A/2026-06/NDVI/${z}/${x}/${y}.png?COLORMAP=RdYlGn&MIN_MAX=-1,1`);
  assert.ok((await bytesOf(first)).equals(await bytesOf(tile)));
  const same = { 'if-none-match': tile.headers.get('etag') ?? '' };
  const again = await call(address, { apiKey: null, headers: same });
  assert.deepEqual([again.status, /^public/.test(again.headers.get('cache-control') ?? '')], [304, true]);
  for (const other of [
    address.replace('/ndvi/', '/default/'),
    address.replace('2026-06', '2026-05'),
    address.replace(/\?.*/, ''),
  ]) {
    const refused = await call(other, { apiKey: null });
    assert.deepEqual(
      [refused.status, ((await refused.json()) as { code: string }).code],
      [404, 'unknown-map'],
    );
    assert.equal(refused.headers.get('cache-control'), 'no-store');
  }
  assert.equal((await call('/ogc/xyz/signed?layer=nothing')).status, 404);
  assert.equal((await call(`/ogc/xyz/signed?layer=${dataset()}&minutes=0`)).status, 400);
});

test('ogc schemas: capabilities and errors have the elements of their schemas, in order', async () => {
  const parse = async (path: string) => parseXml(await (await call(path)).text(), path);
  for (const [schema, ...paths] of [
    ['WMTS 1.0.0 capabilities', '/ogc/wmts?REQUEST=GetCapabilities'],
    ['WMTS 1.0.0 capabilities', `/ogc/wmts?REQUEST=GetCapabilities&LAYER=${sceneLayer()}`],
    ['WMTS 1.0.0 exceptions', '/ogc/wmts?REQUEST=GetTile', '/ogc/wmts?SERVICE=WFS'],
    ['WMS 1.3.0 capabilities', '/ogc/wms?REQUEST=GetCapabilities'],
    ['WMS 1.3.0 exceptions', '/ogc/wms?REQUEST=GetMap', '/ogc/wms?REQUEST=GetMap&SLD=a'],
  ] as const)
    for (const path of paths) assert.deepEqual(listMisplaced(schema, await parse(path)), [], path);
  // The check can fail.
  const wrong = parseXml('<Capabilities><Contents><Layer><Title/></Layer></Contents></Capabilities>', 'it');
  assert.deepEqual(listMisplaced('WMTS 1.0.0 capabilities', wrong), ['Contents/Layer has Title ']);
});
