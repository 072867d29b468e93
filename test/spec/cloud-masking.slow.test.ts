/** MASKING and MASK_COLOR through the real application: clouds of the demo world, painted over its pictures. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import type { AreaOutline, Tile } from '../../src/geo/index.ts';
import { gridBounds, tileAt, tileGrid, toOutline } from '../../src/geo/index.ts';
import { makeTestApp } from '../../src/http/testing/make-test-app.ts';
import { makePixelMapping, makeProjection, projectBounds } from '../../src/proj/index.ts';
import { makeFindContrast } from '../../src/render/intensity/find-contrast.ts';
import { DEFAULT_LIMITS } from '../../src/render/plan/plan-inputs.ts';
import { makeRenderer } from '../../src/render/renderer.ts';
import { makeCompareScene } from '../../src/render/scenes/file-watch.ts';
import { stillFiles } from '../../src/render/scenes/testing/still-files.ts';
import { sensorByDataset } from '../../src/sensors/index.ts';
import { expose } from '../../world/light/index.ts';
import type { MadeProducts } from '../world/make-products.ts';
import { makeProducts, productOf } from '../world/make-products.ts';
import { toLocations, toMoment } from '../world/see-product.ts';

/** The band whose pixels clouds were found on, a band to be shown, and whether cirrus counts. */
const SOURCES = {
  'sentinel2-l1c-polygons': ['B01', 'B04', true],
  'sentinel2-l1c-images': ['B01', 'B04', true],
  'sentinel2-l2a': ['SCL', 'B04', true],
  'landsat8-c2': ['BQA', 'B4', false],
  'landsat8-c1': ['BQA', 'B4', false],
} as const;
type Key = keyof typeof SOURCES;

const AREA = 'c6af0ad18db8d56a0ff4934f6dedd2e1';
let made: MadeProducts;
let app: ReturnType<typeof makeTestApp>;
let area: AreaOutline;

before(async () => {
  made = await makeProducts([...Object.keys(SOURCES), 'landsat7-c2', 'modis', 'sentinel1']);
  const { pool } = made;
  const { store } = made.folder.options;
  const scenes = { findByViewId: store.findByViewId, findByName: store.findByName } as never;
  const findContrast = makeFindContrast({
    limits: DEFAULT_LIMITS,
    pool,
    onForgotten: (error: unknown) => assert.fail(String(error)),
    store: { find: async () => null, put: async () => {} },
  });
  const pictures = { find: async () => null, store: () => false } as never;
  const compareScene = makeCompareScene({ scenes, watch: stillFiles, nowMs: () => performance.now() });
  const renderer = makeRenderer({
    limits: DEFAULT_LIMITS,
    scenes,
    compareScene,
    watch: stillFiles,
    findContrast,
    pool,
    pictures,
  });
  const areas = { find: async (ref: string) => (ref === AREA ? { outline: area } : null) } as never;
  app = makeTestApp({ renderer, areas });
});
after(() => made.folder.remove());

function tileOf(key: string, band: string, zoom = 15): Tile {
  const { epsg, transform, width, height } = made.sceneOf.get(key)!.assets[band]!;
  const bounds = projectBounds(gridBounds({ transform, width, height }), epsg, 3857)!;
  return tileAt(zoom, (bounds.minX + bounds.maxX) / 2, (bounds.minY + bounds.maxY) / 2);
}

const ask = (key: string, bands: string, { z, x, y }: Tile, query = '') =>
  app.call(`/api/render/${made.sceneOf.get(key)!.viewId}/${bands}/${z}/${x}/${y}?${query}`);

async function draw(key: string, bands: string, tile: Tile, query = ''): Promise<Uint8Array> {
  const response = await ask(key, bands, tile, query);
  if (response.status !== 200) assert.fail(`${response.status} ${await response.text()}`);
  return sharp(await response.arrayBuffer())
    .ensureAlpha()
    .raw()
    .toBuffer();
}

const pixelAt = (rgba: Uint8Array, i: number): string =>
  Buffer.from(rgba.subarray(4 * i, 4 * i + 4)).toString('hex');

/** Whether the world has a cloud at each pixel of a tile; null where that is a matter of rounding, or outside. */
function cloudsOf(key: Key, tile: Tile): (boolean | null)[] {
  const [maskBand, , onlyOpaque] = SOURCES[key];
  const asset = made.sceneOf.get(key)!.assets[maskBand]!;
  const { epsg, transform, width, height } = asset;
  const survey = made.world.ground.survey(toLocations(asset, transform[1]));
  const { opaque, cirrus } = expose(made.world, { survey, bands: [], ...toMoment(productOf(key).part) });
  const { toSource } = makePixelMapping(tileGrid(tile), { epsg, transform, width, height });
  return Array.from({ length: 65_536 }, (_, i) => {
    const [x, y] = toSource((i % 256) + 0.5, Math.floor(i / 256) + 0.5);
    if ([x, y].some((at) => Math.abs(at - Math.round(at)) < 0.01)) return null;
    if (x < 0 || y < 0 || x >= width || y >= height) return null;
    const at = Math.floor(y) * width + Math.floor(x);
    return opaque[at] === 1 || (!onlyOpaque && cirrus[at] === 1);
  });
}

for (const key of Object.keys(SOURCES) as Key[]) {
  test(`MASKING (${key}): clouds are painted over, nothing else changes, nothing outside of the scene`, async () => {
    const [maskBand, band] = SOURCES[key];
    const tile = tileOf(key, maskBand);
    const query = 'mimetype=image/png&MIN_MAX=0,30000&RESAMPLE=near';
    const plain = await draw(key, band, tile, query);
    const masked = await draw(key, band, tile, `${query}&MASKING=CLOUD&MASK_COLOR=ff0080`);
    const clouds = cloudsOf(key, tile);
    const seen = { cloud: 0, clear: 0, outside: 0 };
    for (const [i, isCloud] of clouds.entries()) {
      const before = pixelAt(plain, i);
      if (before.endsWith('00')) {
        assert.equal(pixelAt(masked, i), before);
        seen.outside += 1;
      } else if (isCloud !== null) {
        assert.equal(pixelAt(masked, i), isCloud ? 'ff0080ff' : before, `pixel ${i}`);
        seen[isCloud ? 'cloud' : 'clear'] += 1;
      }
    }
    assert.ok(seen.cloud > 1000 && seen.clear > 1000, JSON.stringify(seen));
  });
}

test('MASKING=CLOUD_SHADOW paints over clouds, cirrus and shadows, whether classes or bits mark them', async () => {
  const query = 'mimetype=image/png&MIN_MAX=0,255&RESAMPLE=near';
  const painted = async (key: Key, masking: string): Promise<readonly boolean[]> => {
    const [maskBand, band] = SOURCES[key];
    const rgba = await draw(
      key,
      band,
      tileOf(key, maskBand),
      `${query}&MASKING=${masking}&MASK_COLOR=ff0080`,
    );
    return Array.from({ length: 65_536 }, (_, i) => pixelAt(rgba, i) === 'ff0080ff');
  };
  for (const key of ['sentinel2-l2a', 'landsat8-c2'] as const) {
    const [clouds, obscured] = [await painted(key, 'CLOUD'), await painted(key, 'CLOUD_SHADOW')];
    assert.ok(clouds.every((isCloud, i) => !isCloud || obscured[i]));
    const more = obscured.filter((isPainted, i) => isPainted && !clouds[i]).length;
    assert.ok(more > 100, `${key}: ${more} pixels of cirrus or shadow`);
  }
  const classes = await draw('sentinel2-l2a', 'SCL*1', tileOf('sentinel2-l2a', 'SCL'), query);
  const obscured = await painted('sentinel2-l2a', 'CLOUD_SHADOW');
  for (const [i, isPainted] of obscured.entries()) {
    if (classes[4 * i + 3] === 0) continue;
    assert.equal(isPainted, [3, 8, 9, 10].includes(classes[4 * i]!), `pixel ${i} of class ${classes[4 * i]}`);
  }
});

test('MASK_COLOR: white by default, three or six digits, with or without #', async () => {
  const key = 'sentinel2-l2a';
  const tile = tileOf(key, 'SCL');
  const cloudy = cloudsOf(key, tile).indexOf(true);
  for (const [query, color] of [
    ['', 'ffffffff'],
    ['&MASK_COLOR=fefefe', 'fefefeff'],
    ['&MASK_COLOR=%230aF', '00aaffff'],
    ['&MASK_COLOR=%231A2b3C', '1a2b3cff'],
  ]) {
    const rgba = await draw(key, 'B04,B03,B02', tile, `mimetype=image/png&MASKING=CLOUD${query}`);
    assert.equal(pixelAt(rgba, cloudy), color);
  }
  const off = await draw(key, 'B04', tile, 'mimetype=image/png&MASKING=0&MASK_COLOR=f00');
  assert.deepEqual(off, await draw(key, 'B04', tile, 'mimetype=image/png'));
});

test('MASKING with colormaps, range colours and palettes: the PNG still has a palette', async () => {
  const key = 'sentinel2-l2a';
  const tile = tileOf(key, 'SCL');
  const clouds = cloudsOf(key, tile);
  const palette = encodeURIComponent('{"4": "#00ff00"}');
  for (const [bands, query] of [
    ['NDVI', 'COLORMAP=RdYlGn&MIN_MAX=-1,1'],
    ['NDVI', 'COLORMAP=RdYlGn&COLORS_LIMIT=5&MIN_MAX=-1,1'],
    ['NDVI', ''],
    ['SCL', ''],
    ['SCL', `PALETTE=${palette}`],
  ]) {
    const plain = await draw(key, bands!, tile, `mimetype=image/png&${query}`);
    const response = await ask(
      key,
      bands!,
      tile,
      `mimetype=image/png&${query}&MASKING=CLOUD&MASK_COLOR=010203`,
    );
    assert.equal(response.status, 200, await response.clone().text());
    const bytes = await response.arrayBuffer();
    // The colour type of IHDR: 3 is a palette.
    assert.equal(new Uint8Array(bytes)[25], 3, `${bands} ${query}`);
    const masked = await sharp(bytes).ensureAlpha().raw().toBuffer();
    for (const [i, isCloud] of clouds.entries()) {
      if (isCloud === null) continue;
      assert.equal(pixelAt(masked, i), isCloud ? '010203ff' : pixelAt(plain, i), `${bands} ${query} ${i}`);
    }
  }
});

test('MASKING: clouds are also painted where the picture shows nothing, but not outside of the scene or the area', async () => {
  const key = 'sentinel2-l2a';
  const tile = tileOf(key, 'SCL', 14);
  const query = 'mimetype=image/png&MASKING=CLOUD';
  const nothing = await draw(key, '(B04-B04)/(B04-B04)', tile, query);
  const plain = await draw(key, 'B04', tile, 'mimetype=image/png');
  const { minX, maxX, minY, maxY } = gridBounds(tileGrid(tile));
  const middle = makeProjection(3857, 4326).forward((minX + maxX) / 2, (minY + maxY) / 2);
  const [west, north] = makeProjection(3857, 4326).forward(minX, maxY);
  const ring = [
    [west, middle[1]],
    [middle[0], middle[1]],
    [middle[0], north],
    [west, north],
    [west, middle[1]],
  ];
  area = toOutline({ type: 'Polygon', coordinates: [ring.map(([lon, lat]) => [lon!, lat!] as const)] });
  const cropped = await draw(key, 'B04', tile, `${query}&MASK_COLOR=f0f&cropper_ref=${AREA}`);
  const clouds = cloudsOf(key, tile);
  let painted = 0;
  for (const [i, isCloud] of clouds.entries()) {
    const isData = pixelAt(plain, i).endsWith('ff');
    if (isCloud !== null && isData) {
      assert.equal(pixelAt(nothing, i), isCloud ? 'ffffffff' : '00000000');
      painted += Number(isCloud);
    }
    if (!isData) assert.equal(pixelAt(nothing, i), '00000000');
    const isInside = i % 256 < 128 && i < 32_768;
    if (!isInside) assert.equal(pixelAt(cropped, i), '00000000');
    else if (isCloud !== null && isData) assert.equal(pixelAt(cropped, i) === 'ff00ffff', isCloud);
  }
  assert.ok(painted > 100);
});

test('MASKING as JPEG and WebP, and by default as what fits', async () => {
  const key = 'landsat8-c2';
  const tile = tileOf(key, 'BQA', 16);
  const clouds = cloudsOf(key, tile);
  for (const mimetype of ['image/jpeg', 'image/webp']) {
    const response = await ask(key, 'NDVI', tile, `mimetype=${mimetype}&MASKING=CLOUD&MASK_COLOR=00f`);
    assert.equal(response.headers.get('content-type'), mimetype);
    const { data } = await sharp(await response.arrayBuffer())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const blue = clouds.map((isCloud, i) => isCloud && data[3 * i]! < 60 && data[3 * i + 2]! > 180);
    const wanted = clouds.filter((isCloud) => isCloud).length;
    assert.ok(wanted > 1000 && blue.filter(Boolean).length > 0.95 * wanted, mimetype);
  }
  const byDefault = await ask(key, 'B4', tile, 'MASKING=CLOUD');
  const plain = await ask(key, 'B4', tile);
  assert.equal(byDefault.headers.get('content-type'), plain.headers.get('content-type'));
  assert.notEqual(byDefault.headers.get('etag'), plain.headers.get('etag'));
});

test('MASKING has no seams: four tiles are a larger one', async () => {
  for (const key of ['sentinel2-l1c-polygons', 'sentinel2-l1c-images', 'landsat8-c1'] as const) {
    const [maskBand, band] = SOURCES[key];
    const tile = tileOf(key, maskBand, 14);
    const query = 'mimetype=image/png&MIN_MAX=0,30000&MASKING=CLOUD&MASK_COLOR=f0f';
    const large = await draw(key, band, tile, `${query}&TILE_SIZE=512,512`);
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const part = await draw(key, band, { z: 15, x: 2 * tile.x + dx, y: 2 * tile.y + dy }, query);
      for (let y = 0; y < 256; y += 1) {
        const from = 4 * ((dy * 256 + y) * 512 + dx * 256);
        assert.deepEqual(part.subarray(1024 * y, 1024 * (y + 1)), large.subarray(from, from + 1024));
      }
    }
  }
});

test('MASKING of a scene without known clouds is refused with the reason', async () => {
  for (const [key, band, reason] of [
    ['landsat7-c2', 'B3', /only the cloud cover of whole scenes/],
    ['modis', 'B01', /transparent already/],
    ['sentinel1', 'VV', /sees through clouds/],
  ] as const) {
    const response = await ask(key, band, { z: 0, x: 0, y: 0 }, 'MASKING=CLOUD');
    const { code, error } = (await response.json()) as { code: string; error: string };
    assert.deepEqual([response.status, code], [422, 'no-cloud-mask']);
    assert.match(error, reason);
  }
  const scene = made.sceneOf.get('sentinel2-l2a')!;
  const { cloudMask, ...bare } = scene;
  assert.ok(cloudMask !== undefined && sensorByDataset(scene.dataset) !== null);
  made.folder.scenes.set(scene.viewId, bare);
  const response = await ask('sentinel2-l2a', 'B04', tileOf('sentinel2-l2a', 'B04'), 'MASKING=CLOUD');
  made.folder.scenes.set(scene.viewId, scene);
  assert.equal(response.status, 422);
  assert.match(((await response.json()) as { error: string }).error, /without a cloud mask/);
});

test('invalid MASKING and MASK_COLOR are refused by name', async () => {
  for (const [query, status, code] of [
    ['MASKING=SNOW', 400, 'bad-masking'],
    ['MASKING=', 400, 'bad-masking'],
    ['MASKING=CLOUD&MASK_COLOR=white', 400, 'bad-mask-color'],
    ['MASKING=CLOUD&MASK_COLOR=12345', 400, 'bad-mask-color'],
    ['MASKING=0&MASK_COLOR=12345', 400, 'bad-mask-color'],
    ['MASK_COLOR=fefefe', 422, 'lone-mask-color'],
  ] as const) {
    const response = await ask('sentinel2-l2a', 'B04', tileOf('sentinel2-l2a', 'B04'), query);
    const { code: found } = (await response.json()) as { code: string };
    assert.deepEqual([response.status, found], [status, code], query);
  }
});
