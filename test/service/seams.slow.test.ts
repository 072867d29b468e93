/**
 * No seams: three by three pictures side by side, or the sixteen of a tile two zooms up, are the one picture of all their ground, to the last
 * bit, with every resampling method and every effect, where pixels are magnified and where they are reduced.
 *
 * `SEAMS=all npm run node -- test/service/seams.slow.test.ts` tries every effect with every method, four by four, which takes minutes.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import type { Scene } from '../../src/catalog/index.ts';
import type { Bounds } from '../../src/geo/index.ts';
import { areaBounds, MERCATOR_HALF_SIDE_M } from '../../src/geo/index.ts';
import { RESAMPLE_NAMES } from '../../src/http/pictures/picture.ts';
import { makeProjection } from '../../src/proj/index.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import { spots } from '../../world/setting.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { SERVICE_KEY } from '../support/start-swath.ts';
import { productOf } from '../world/make-products.ts';
import type { ServedProducts } from '../world/serve-products.ts';
import { serveProducts } from '../world/serve-products.ts';

const SIDE_PX = 256;
const IS_ALL = process.env.SEAMS === 'all';
/** Pictures along a side: with three, one has neighbours on all sides. */
const AROUND = IS_ALL ? 4 : 3;
/** Of a tile two zooms up. */
const INSIDE = 4;

/** The forest before and after the fire, in pixels of 60 m. */
function toFirePart(date: string): DemoPart {
  const sizeM = 12_000;
  const corner = (middle: number): number => Math.round((middle - sizeM / 2) / 60) * 60;
  return {
    key: `fire-${date}`,
    cost: 1,
    kind: 'sentinel2-l2a',
    plan: {
      satellite: 'S2A',
      atMs: Date.parse(`${date}T19:10:00Z`),
      sequence: 0,
      baseline: '05.11',
      seed: 7,
      sky: { seed: 1, opaque: 0, cirrus: 0, haze: 0 },
      finestM: 60,
      window: { x: corner(spots.fire.x), y: corner(spots.fire.y), width: sizeM, height: sizeM },
    },
  };
}

/** The scenes by a name: how its view id begins, and zooms where its pixels are magnified and reduced. */
const SCENES = {
  demo: [DEMO_SCENE.viewId, 14, 12],
  burnt: ['S2L2A/10/U/EU/2026/8/17', 13, 9],
  cloudPolygons: ['S2/10/U/EU/2021/6/14', 17, 12],
  landsat8: ['L8/', 16, 11],
  landsat7: ['L7/', 16, 11],
  modis: ['MODIS/', 13, 8],
  radar: ['S1/', 14, 11],
} as const;
type Name = keyof typeof SCENES;
const SMALL = ['sentinel2-l1c-polygons', 'landsat8-c2', 'landsat7-c2', 'modis', 'sentinel1'];

let served: ServedProducts;
before(async () => {
  const parts = [...SMALL.map((key) => productOf(key).part), ...['2026-08-02', '2026-08-17'].map(toFirePart)];
  served = await serveProducts({ parts, dataDir: await makeDemoData() });
});
after(() => served?.remove());

function sceneOf(name: Name): Scene {
  const scene = served.scenes.find(({ viewId }) => viewId.startsWith(SCENES[name][0]));
  assert.ok(scene !== undefined, name);
  return scene;
}

/** The middle of a scene in degrees. */
function middleOf(scene: Scene): readonly [lon: number, lat: number] {
  const { west, south, east, north } = areaBounds(scene.footprint);
  return [(west + east) / 2, (south + north) / 2];
}

const get = (path: string) =>
  fetch(`${served.swath.url}/api/render/${path}`, { headers: { 'x-api-key': SERVICE_KEY } });

async function readPixels(path: string): Promise<Buffer> {
  const response = await get(path);
  if (response.status !== 200) assert.fail(`${path}: ${response.status} ${await response.text()}`);
  return sharp(await response.arrayBuffer())
    .ensureAlpha()
    .raw()
    .toBuffer();
}

interface Block {
  /** Parts along a side. */
  readonly perSide: number;
  /** The address after the bands, and what the query needs in addition to the case's own. */
  readonly whole: readonly [address: string, query: string];
  partAt(column: number, row: number): readonly [address: string, query: string];
}

/** Tiles around the middle of a scene, and all of them as bounds. */
function tilesAround(name: Name, z: number): Block {
  const [x, y] = makeProjection(4326, 3857).forward(...middleOf(sceneOf(name)));
  const sideM = (2 * MERCATOR_HALF_SIDE_M) / 2 ** z;
  // Whole tiles to both sides of the middle, so that the seams run through the scene.
  const left = Math.round((x + MERCATOR_HALF_SIDE_M) / sideM) - Math.floor(AROUND / 2);
  const top = Math.round((MERCATOR_HALF_SIDE_M - y) / sideM) - Math.floor(AROUND / 2);
  const toX = (column: number): number => column * sideM - MERCATOR_HALF_SIDE_M;
  const toY = (row: number): number => MERCATOR_HALF_SIDE_M - row * sideM;
  const xBounds = `${toX(left)};${toX(left + AROUND)};3857`;
  const yBounds = `${toY(top)};${toY(top + AROUND)};3857`;
  return {
    perSide: AROUND,
    whole: [`${z}/${xBounds}/${yBounds}`, `TILE_SIZE=${AROUND * SIDE_PX},${AROUND * SIDE_PX}`],
    partAt: (column, row) => [`${z}/${left + column}/${top + row}`, ''],
  };
}

/** The tile two zooms up with as many pixels, and those that it consists of. */
function tilesInside(name: Name, z: number): Block {
  const [x, y] = makeProjection(4326, 3857).forward(...middleOf(sceneOf(name)));
  const sideM = (INSIDE * 2 * MERCATOR_HALF_SIDE_M) / 2 ** z;
  const column = Math.floor((x + MERCATOR_HALF_SIDE_M) / sideM);
  const row = Math.floor((MERCATOR_HALF_SIDE_M - y) / sideM);
  return {
    perSide: INSIDE,
    whole: [`${z - 2}/${column}/${row}`, `TILE_SIZE=${INSIDE * SIDE_PX},${INSIDE * SIDE_PX}`],
    partAt: (dx, dy) => [`${z}/${INSIDE * column + dx}/${INSIDE * row + dy}`, ''],
  };
}

/** Bounds in a reference system around a middle, as parts and as a whole, drawn in that system. */
function boundsAround(epsg: number, middle: readonly [number, number], pixel: number): Block {
  const toBlock = ({ minX, maxX, minY, maxY }: Bounds, side: number): readonly [string, string] => [
    `0/${minX};${maxX};${epsg}/${maxY};${minY};${epsg}`,
    `crs=EPSG:${epsg}&TILE_SIZE=${side},${side}`,
  ];
  // Multiples of a part of the ground, as tiles are: where cells of the approximation begin depends on it.
  const part = SIDE_PX * pixel;
  const [left, top] = [
    Math.round(middle[0] / part) - Math.floor(AROUND / 2),
    Math.round(middle[1] / part) + Math.floor(AROUND / 2),
  ];
  const boundsOf = (column: number, row: number, count: number): Bounds => ({
    minX: (left + column) * part,
    maxX: (left + column + count) * part,
    minY: (top - row - count) * part,
    maxY: (top - row) * part,
  });
  return {
    perSide: AROUND,
    whole: toBlock(boundsOf(0, 0, AROUND), AROUND * SIDE_PX),
    partAt: (column, row) => toBlock(boundsOf(column, row, 1), SIDE_PX),
  };
}

interface Wanted {
  /** Fewest different colours that the picture must have for the comparison to mean something. */
  readonly colors?: number;
  /** Fewest pixels that are not transparent. */
  readonly shownPx?: number;
}

/** Compares the picture of a block with its parts; every pixel. */
async function compare(name: Name, bands: string, query: string, block: Block, wanted: Wanted = {}) {
  const toPath = ([address, more]: readonly [string, string]): string =>
    `${sceneOf(name).viewId}/${bands}/${address}?mimetype=image/png&${[query, more].filter(Boolean).join('&')}`;
  const whole = await readPixels(toPath(block.whole));
  const { perSide } = block;
  const allPx = perSide * SIDE_PX;
  assert.equal(whole.length, 4 * allPx ** 2);
  checkContent(whole, wanted, bands);
  const cells = Array.from({ length: perSide ** 2 }, (_, i) => [i % perSide, Math.floor(i / perSide)]);
  const different: string[] = [];
  await Promise.all(
    cells.map(async ([column = 0, row = 0]) => {
      const part = await readPixels(toPath(block.partAt(column, row)));
      for (let y = 0; y < SIDE_PX; y++) {
        const from = 4 * ((row * SIDE_PX + y) * allPx + column * SIDE_PX);
        const [ours, same] = [
          part.subarray(4 * SIDE_PX * y, 4 * SIDE_PX * (y + 1)),
          whole.subarray(from, from + 4 * SIDE_PX),
        ];
        if (ours.equals(same)) continue;
        const at = ours.findIndex((byte, i) => byte !== same[i]);
        const x = column * SIDE_PX + Math.floor(at / 4);
        different.push(`${x}, ${row * SIDE_PX + y}: ${ours[at]}, not ${same[at]}`);
      }
    }),
  );
  assert.deepEqual(different, [], `${bands}?${query} ${block.whole[0]}: rows that differ, and where first`);
}

/** Two equal pictures of nothing would say nothing. */
function checkContent(rgba: Buffer, { colors = 5, shownPx = 300 }: Wanted, what: string): void {
  const pixels = new Uint32Array(new Uint8Array(rgba).buffer);
  const seen = new Set<number>();
  let shown = 0;
  for (let i = 0; i < pixels.length; i++) {
    const pixel = pixels[i] as number;
    if (pixel === 0) continue;
    shown += 1;
    if (seen.size < colors) seen.add(pixel);
  }
  assert.ok(seen.size >= colors, `${what} shows ${seen.size} colours`);
  assert.ok(shown >= shownPx, `${what} shows ${shown} pixels`);
}

/** At both zooms of a scene. */
async function compareBoth(name: Name, bands: string, query: string, wanted?: Wanted): Promise<void> {
  const [, fine, coarse] = SCENES[name];
  await compare(name, bands, query, tilesAround(name, fine), wanted);
  await compare(name, bands, query, tilesAround(name, coarse), wanted);
}

for (const method of RESAMPLE_NAMES) {
  test(`RESAMPLE=${method} has no seams`, () => compareBoth('demo', 'B08', `RESAMPLE=${method}`));
}

test('a large tile and the small ones it consists of have no seams', async () => {
  for (const zoom of [SCENES.demo[1], SCENES.demo[2]])
    await compare('demo', 'B04,B03,B02', 'RESAMPLE=cubic', tilesInside('demo', zoom));
});

test('images in UTM and in degrees have no seams between them', async () => {
  const middle = middleOf(sceneOf('demo'));
  const utm = makeProjection(4326, 32610).forward(...middle);
  await compare('demo', 'B11', 'RESAMPLE=lanczos', boundsAround(32610, utm, 4));
  await compare('demo', 'B04', '', boundsAround(4326, middle, 2 ** -12));
});

/** Mixtures of classes are not classes, and are not shown. */
const ANYTHING: Wanted = { colors: 1, shownPx: 1 };

const encode = encodeURIComponent;
const INDEX = encode('(B08-B04)/(B08+B04)');

/** Effects by a name: the scene, bands and query, at both of its zooms. */
const EFFECTS: Readonly<Record<string, readonly [Name, string, string, Wanted?]>> = {
  'expressions in grey': [
    'demo',
    encode('where(greater(B04,700.0),sqrt(B08)/2.0,NODATA)'),
    'RESAMPLE=bilinear',
  ],
  'bands of two resolutions': ['demo', encode('B11/(B8A+1.0)'), 'RESAMPLE=cubicspline'],
  'a colormap': ['demo', INDEX, 'COLORMAP=viridis&COLORS_LIMIT=40'],
  'range colours': ['demo', INDEX, 'COLORS=ad0028,fdfec2,007e47&THRESHOLDS=0.3,0.6', { colors: 3 }],
  'the range colours of NDVI': ['demo', 'NDVI', 'CALIBRATE=1'],
  'a composite of expressions': ['demo', `${INDEX},B04*2,${encode('B11-B03')}`, 'COMPOSITE=1'],
  'the palette of classes': ['demo', 'SCL', '', { colors: 3 }],
  'a palette': [
    'demo',
    'SCL',
    `PALETTE=${encode('{"4":"#00ff00","5":[1,0,0.5],"6":"#0000ff"}')}`,
    { colors: 3 },
  ],
  'the palette of quality bits': ['landsat8', 'BQA', '', { colors: 2 }],
  'calibrated bands': ['landsat8', 'B4,B3,B2', 'CALIBRATE=1'],
  'a temperature': ['landsat8', 'B10', 'CALIBRATE=1&RESAMPLE=lanczos'],
  'clouds of polygons': ['cloudPolygons', 'B04,B03,B02', 'MASKING=CLOUD&MASK_COLOR=f0f'],
  'clouds of a quality band': ['landsat8', 'B4', 'MASKING=CLOUD&RESAMPLE=average'],
  'clouds of classes': ['demo', 'NDVI', 'MASKING=CLOUD&MASK_COLOR=0000ff'],
  'sharpened colours': ['landsat8', 'B4,B3,B2', 'PANSHARPENING=1'],
  'a sharpened band': ['landsat8', 'PS:B5:B8', 'RESAMPLE=cubic'],
  'a sharpened index': ['landsat8', 'NDVI', 'PANSHARPENING=1&RESAMPLE=near'],
  'sharpened colours of Landsat 7': ['landsat7', 'PS:B3:B2:B1:B8', 'RESAMPLE=bilinear'],
  'classes of a scene': ['demo', 'B04,B08,B11', 'CLUSTERING=kmeans&CLUSTERS_NO=6', { colors: 6 }],
  'change since an earlier scene': ['burnt', 'PR_FD', 'MIN_MAX=-10,41'],
  'MODIS in its sinusoidal projection': ['modis', 'B01', ''],
  'MODIS as an index': ['modis', encode('(B02-B01)/(B02+B01)'), 'RESAMPLE=cubic'],
  'radar on its lattice': ['radar', 'VV', ''],
  'radar as sigma nought': ['radar', 'VH', 'CALIBRATE=1&RESAMPLE=average'],
};

for (const [name, [scene, bands, query, wanted]] of Object.entries(EFFECTS)) {
  const others = query.split('&').filter((part) => part !== '' && !part.startsWith('RESAMPLE='));
  const queries = IS_ALL
    ? RESAMPLE_NAMES.map((method) => [...others, `RESAMPLE=${method}`].join('&'))
    : [query];
  test(`${name}: no seams`, async () => {
    for (const one of queries) await compareBoth(scene, bands, one, IS_ALL ? ANYTHING : wanted);
  });
}

/** Keeps an area of two polygons around the middle of a scene, one with a hole. */
async function keepArea(name: Name, sideDeg: number): Promise<string> {
  const [lon, lat] = middleOf(sceneOf(name));
  const at = (points: readonly (readonly [number, number])[]) =>
    points.map(([x, y]) => [lon + x * sideDeg, lat + y * sideDeg * 0.65]);
  const blunt = at([
    [-0.5, -0.4],
    [0.1, -0.5],
    [0.3, 0.2],
    [-0.4, 0.45],
    [-0.5, -0.4],
  ]);
  const hole = at([
    [-0.2, -0.1],
    [0.05, -0.2],
    [-0.03, 0.13],
    [-0.2, -0.1],
  ]);
  const neighbour = at([
    [0.35, -0.3],
    [0.5, -0.1],
    [0.36, 0.5],
    [0.35, -0.3],
  ]);
  const response = await fetch(`${served.swath.url}/api/render/cropper`, {
    method: 'POST',
    headers: { 'x-api-key': SERVICE_KEY },
    body: JSON.stringify({ type: 'MultiPolygon', coordinates: [[blunt, hole], [neighbour]] }),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return ((await response.json()) as { cropper_ref: string }).cropper_ref;
}

test('an area with a hole has no seams, alone and with every effect that supports it', async () => {
  const ref = `cropper_ref=${await keepArea('demo', 0.07)}`;
  await compareBoth('demo', 'B04,B03,B02', ref);
  const [, fine, coarse] = SCENES.demo;
  const classes = `${ref}&CLUSTERING=kmeans`;
  await compare('demo', 'NDVI', classes, tilesAround('demo', coarse));
  await compare('demo', 'NDVI', `${classes}&MIN_AREA=5000`, tilesAround('demo', fine));
  await compare('demo', 'NDVI', `${classes}&MIN_AREA=5000`, tilesAround('demo', coarse));
  await compare('demo', 'B04', `${ref}&MASKING=CLOUD&MASK_COLOR=f0f`, tilesAround('demo', fine));
});

test('a picture that is sharpened, cropped and under clouds has no seams', async () => {
  const ref = `cropper_ref=${await keepArea('landsat8', 0.02)}`;
  await compareBoth('landsat8', 'B4,B3,B2', `${ref}&PANSHARPENING=1&MASKING=CLOUD`);
});
