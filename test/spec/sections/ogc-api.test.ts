/** The same maps and values through OGC API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMemorySource } from '../../../src/formats/testing/memory-source.ts';
import { readPng } from '../../../src/formats/testing/read-png.ts';
import { openTiff } from '../../../src/formats/tiff/index.ts';
import { readBands } from '../../../src/formats/tiff/testing/read-band.ts';
import { areaBounds } from '../../../src/geo/index.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import { call, sceneOf } from '../service.ts';
import { ask, bytesOf, dataset, findMiddle, getMap, MIDDLE_ZOOM, sceneLayer } from './ogc-maps.ts';

interface OgcDoc {
  readonly id: string;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
  readonly collections: readonly OgcDoc[];
  readonly tilesets: readonly OgcDoc[];
  readonly conformsTo: readonly string[];
}

const askDoc = async (path: string): Promise<OgcDoc> => (await (await ask(path)).json()) as OgcDoc;
const hrefOf = ({ links }: OgcDoc, rel: string): string =>
  links.find((link) => link.rel === rel || link.rel.endsWith(`/${rel}`))?.href ?? '';

const z = MIDDLE_ZOOM;

test('ogc api: links lead from the landing page to a tile with the same bytes as from the render address', async () => {
  const { x, y } = findMiddle();
  const landing = await askDoc('/ogc');
  const { conformsTo } = await askDoc(hrefOf(landing, 'conformance'));
  assert.ok(conformsTo.includes('http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/core'));
  const { collections } = await askDoc(hrefOf(landing, 'data'));
  const listed = collections.find(({ id }) => id === dataset());
  assert.ok(listed !== undefined);
  const collection = await askDoc(hrefOf(listed, 'self'));
  assert.equal(collection.id, dataset());
  const { tilesets } = await askDoc(hrefOf(collection, 'tilesets-map'));
  assert.deepEqual(
    tilesets.map((one) => hrefOf(one, 'self').split('/').at(-1)?.replace(/\?.*/, '')),
    ['WebMercatorQuad', 'WorldCRS84Quad', 'UTM10WGS84Quad'],
  );
  const tileset = await askDoc(hrefOf(tilesets[0] as OgcDoc, 'self'));
  const set = (await (await ask(hrefOf(tileset, 'tiling-scheme'))).json()) as {
    id: string;
    tileMatrices: { id: string; scaleDenominator: number }[];
  };
  assert.equal(set.id, 'WebMercatorQuad');
  // As the register of OGC has it.
  assert.ok(Math.abs((set.tileMatrices[0]?.scaleDenominator ?? 0) - 559_082_264.028_717_6) < 1e-3);
  const item = hrefOf(tileset, 'item')
    .replace('{tileMatrix}', `${z}`)
    .replace('{tileRow}', `${y}`)
    .replace('{tileCol}', `${x}`);
  const first = await bytesOf(await ask(`/api/mosaic/S2L2A/2026-06/B04,B03,B02/${z}/${x}/${y}.png`));
  const address = new URL(item);
  address.searchParams.set('datetime', '2026-06');
  assert.ok(first.equals(await bytesOf(await ask(address.href))));
  const tilejson = (await (await ask(hrefOf(collection, 'tilejson'))).json()) as {
    tilejson: string;
    tiles: string[];
  };
  assert.equal(tilejson.tilejson, '3.0.0');
  const template = tilejson.tiles[0] ?? '';
  await ask(template.replace('{z}', `${z}`).replace('{y}', `${y}`).replace('{x}', `${x}`));
});

test('ogc api map: a map has the same pixels as WMS, and refusals are problem documents with our code', async () => {
  const { west, east, south, north } = areaBounds(sceneOf('l2a').footprint);
  const box = `${west},${south},${east},${north}`;
  const map = `/ogc/collections/${sceneLayer()}/map`;
  const wanted = await bytesOf(await ask(getMap({ CRS: 'CRS:84', BBOX: box, TRANSPARENT: 'TRUE' })));
  assert.ok(wanted.equals(await bytesOf(await ask(`${map}?bbox=${box}&width=120&height=90`))));
  const latLon = `${south},${west},${north},${east}`;
  const crs = 'http://www.opengis.net/def/crs/EPSG/0/4326';
  const turned = await ask(`${map}?bbox=${latLon}&bbox-crs=${crs}&width=120&height=90`);
  assert.ok(wanted.equals(await bytesOf(turned)));
  const whole = readPng(await bytesOf(await ask(`${map}?bgcolor=0x010203`)));
  assert.deepEqual([Math.max(whole.width, whole.height), whole.colorType], [1_024, 2]);
  const utm = await ask(`${map}?bbox=${box}&crs=[EPSG:32610]&f=jpeg&width=100`);
  assert.equal(utm.headers.get('content-type'), 'image/jpeg');
  for (const [path, status, code] of [
    ['/ogc/collections/nope/map', 404, 'unknown-layer'],
    [`${map}?width=0`, 400, 'bad-size'],
    [`${map}?bbox=1`, 400, 'bad-bbox'],
    [`${map}?bbox=${box}&crs=moon`, 400, 'bad-crs'],
    ['/ogc/tileMatrixSets/Mars', 404, 'unknown-tile-matrix-set'],
  ] as const) {
    const refused = await call(path);
    assert.equal(refused.headers.get('content-type'), 'application/problem+json');
    const problem = (await refused.json()) as { status: number; title: string; detail: string };
    assert.deepEqual([refused.status, problem.status, problem.title], [status, status, code], path);
  }
});

test('ogc api coverage: a pixel of the GeoTIFF has the value of the point in its middle', async () => {
  const { west, east, south, north } = areaBounds(sceneOf('l2a').footprint);
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  const [e, n] = makeProjection(4326, 32_610)
    .forward(lon, lat)
    .map((metres) => Math.round(metres / 60) * 60) as [number, number];
  const box = `bbox=${e},${n},${e + 120},${n + 60}&bbox-crs=EPSG:32610`;
  const coverage = `/ogc/collections/${sceneLayer()}/coverage`;
  const answer = await ask(`${coverage}?${box}&properties=NDVI,B08`);
  assert.equal(answer.headers.get('content-type'), 'image/tiff; application=geotiff');
  const tiff = await openTiff(makeMemorySource(await bytesOf(answer)));
  const [image] = tiff.images;
  assert.deepEqual([image.width, image.height, image.bandCount], [12, 6, 2]);
  assert.deepEqual(
    tiff.bands.map(({ description }) => description),
    ['NDVI', 'B08'],
  );
  const etag = answer.headers.get('etag') ?? assert.fail();
  const again = await call(`${coverage}?${box}&properties=NDVI,B08`, { headers: { 'if-none-match': etag } });
  assert.deepEqual([again.status, (await again.arrayBuffer()).byteLength], [304, 0]);
  const [ndvi] = await readBands(tiff, image);
  const [px, py] = makeProjection(32_610, 4326).forward(e + 35, n + 60 - 25);
  const [sensor, ...scene] = sceneOf('l2a').viewId.split('/');
  const point = await ask(`/api/render/${sensor}/point/${scene.join('/')}/NDVI/${py}/${px}`);
  const { index_value: wanted } = (await point.json()) as { index_value: number };
  assert.ok(Number.isFinite(wanted) && Math.abs((ndvi?.[2 * 12 + 3] ?? 0) - wanted) < 1e-6, `${wanted}`);
  const refused = await call(`${coverage}?${box}&scale-factor=0.0001`);
  assert.deepEqual(
    [refused.status, ((await refused.json()) as { code: string }).code],
    [400, 'coverage-too-large'],
  );
});
