import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { openTiff } from '../../formats/tiff/index.ts';
import type { Grid, Tile } from '../../geo/index.ts';
import { tileAt, tileGrid, toOutline } from '../../geo/index.ts';
import { aTicket } from '../../pool/testing/run-here.ts';
import { makeProjection } from '../../proj/index.ts';
import { openFileSource } from '../../sources/local-files.ts';
import type { PictureOrder } from './plan-picture-file.ts';
import { anOrder, aRun, scene, sensor, usePictures } from './testing/picture-kit.ts';

const kit = usePictures();

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Buffer;
}

async function readPixels(file: string | Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: data };
}

/** Draws a tile of the same request. */
async function drawTile({ bands, options, area }: PictureOrder, tile: Tile): Promise<Pixels> {
  const { viewId, sceneId: sceneName } = scene;
  const planned = await kit.renderer.plan({
    viewId,
    sceneName,
    sensor,
    bands,
    grid: tileGrid(tile),
    options: {
      ...options,
      method: options.method ?? (options.clusters === undefined ? 'cubic' : null),
      format: 'png',
      watermark: null,
      area: area?.kind === 'outline' ? { ref: 'the area', outline: area.outline } : null,
    },
  });
  const { bytes } = await kit.renderer.render(planned, aTicket);
  return readPixels(bytes);
}

/** All tiles of a zoom level that hold a pixel of the grid. */
function tilesOf({ transform, width, height }: Grid, z: number): readonly Tile[] {
  const [x, pixel, , y] = transform;
  const first = tileAt(z, x + pixel / 2, y - pixel / 2);
  const last = tileAt(z, x + (width - 0.5) * pixel, y - (height - 0.5) * pixel);
  const tiles: Tile[] = [];
  for (let row = first.y; row <= last.y; row += 1) {
    for (let col = first.x; col <= last.x; col += 1) tiles.push({ z, x: col, y: row });
  }
  return tiles;
}

/** Where the first pixel of a picture lies among those of a zoom level. */
function originOf(picture: Grid, z: number): readonly [col: number, row: number] {
  const world = tileGrid({ z, x: 0, y: 0 }).transform;
  const [x, pixel, , y] = picture.transform;
  return [Math.round((x - world[0]) / pixel), Math.round((world[3] - y) / pixel)];
}

/** Compares a picture with the tiles of its ground; outside of it they must show nothing. Returns the shown pixels. */
async function compareWithTiles(
  order: PictureOrder,
  grid: Grid,
  z: number,
  picture: Pixels,
): Promise<number> {
  const [left, top] = originOf(grid, z);
  let shown = 0;
  for (const tile of tilesOf(grid, z)) {
    const { rgba } = await drawTile(order, tile);
    for (let row = 0; row < 256; row += 1) {
      for (let col = 0; col < 256; col += 1) {
        const [x, y] = [tile.x * 256 + col - left, tile.y * 256 + row - top];
        const isInside = x >= 0 && y >= 0 && x < grid.width && y < grid.height;
        const wanted = rgba.readUInt32BE((row * 256 + col) * 4);
        const got = isInside ? picture.rgba.readUInt32BE((y * grid.width + x) * 4) : 0;
        if (got !== wanted)
          assert.equal(got.toString(16), wanted.toString(16), `${tile.x}/${tile.y} ${col},${row}`);
        if (wanted !== 0) shown += 1;
      }
    }
  }
  return shown;
}

/** The grid of a written picture, by the COG of the same order. */
async function gridOf(order: PictureOrder, name: string): Promise<Grid> {
  const path = join(kit.folder, `${name}.tiff`);
  await (await kit.plan({ ...order, file: { kind: 'image', format: 'tiff' } })).write(path, aRun);
  const source = await openFileSource(path);
  try {
    const { images, epsg, transform } = await openTiff(source);
    const { width, height } = images[0];
    assert.equal(epsg, 3857);
    return { epsg, transform: transform!, width, height };
  } finally {
    await source.close();
  }
}

const toMercator = makeProjection(32631, 3857).forward;
const corner = makeProjection(32631, 4326).forward;
const field = toOutline({
  type: 'Polygon',
  coordinates: [
    [
      corner(501_000, 4_699_000),
      corner(507_500, 4_698_200),
      corner(506_100, 4_693_000),
      corner(503_000, 4_695_500),
      corner(501_000, 4_699_000),
    ],
  ],
});

const viridis = { colormap: { kind: 'named', name: 'viridis', isReversed: false } } as const;
const plain = anOrder.options;
const CASES: Readonly<Record<string, Partial<PictureOrder>>> = {
  'three bands': {},
  'one band in a range': { bands: 'B4', options: { ...plain, range: { min: 9_200, max: 11_500 } } },
  'three bands by nearest neighbours': { options: { ...plain, method: 'near' } },
  'three bands by averages': { options: { ...plain, method: 'average' } },
  'an index by a colormap': {
    bands: '(B5-B4)/(B5+B4)',
    options: { ...plain, range: { min: -0.1, max: 0.1 }, color: viridis },
  },
  'an index by a few colours of its own contrast': {
    bands: '(B5-B4)/(B5+B4)',
    options: { ...plain, color: { ...viridis, colorsLimit: '5' } },
  },
  'an alias by range colours': {
    bands: 'NDVI',
    options: { ...plain, color: { colors: 'ff0000,ffff00,00ff00', thresholds: '0,0.02' } },
  },
  'a composite of indices': {
    bands: '(B5-B4)/(B5+B4),B3/B4,B2',
    options: { ...plain, isComposite: true },
  },
  'a sharpened picture': { options: { ...plain, isSharpened: true } },
  'a sharpened index': { bands: '(B4-B3)/(B4+B3)', options: { ...plain, isSharpened: true } },
  'an area': { area: { kind: 'outline', outline: field } },
  'classes of an area': {
    bands: 'B4',
    area: { kind: 'outline', outline: field },
    options: { ...plain, clusters: { count: 4, minAreaM2: 0 } },
  },
};

/** Drawn in several strips and parts as well, which takes longer. */
const LARGE = ['three bands', 'an alias by range colours', 'a sharpened index', 'classes of an area'];

for (const [name, more] of Object.entries(CASES)) {
  for (const z of LARGE.includes(name) ? [12, 14] : [12]) {
    test(`${name}, zoom ${z}: the picture equals the tiles, pixel for pixel`, async () => {
      const mapM = tileGrid({ z, x: 0, y: 0 }).transform[1];
      const order: PictureOrder = { ...anOrder, ...more, pixel: { mapM } };
      const file = `${name} ${z}`;
      const path = join(kit.folder, `${file}.png`);
      const planned = await kit.plan(order);
      await planned.write(path, aRun);
      const picture = await readPixels(path);
      const grid = await gridOf(order, file);
      assert.deepEqual([picture.width, picture.height], [grid.width, grid.height]);
      const shown = await compareWithTiles(order, grid, z, picture);
      const whole = grid.width * grid.height;
      assert.ok(shown > whole / 4 && shown < whole, `${shown} of ${whole} pixels are shown`);
      const cog = await readPixels(join(kit.folder, `${file}.tiff`));
      assert.ok(cog.rgba.equals(picture.rgba), 'a COG has the same pixels');
      if (z === 14 && order.area === null) assert.ok(planned.blocks > 4, `${planned.blocks} strips`);
    });
  }
}

test('bounds along tiles give exactly their pixels', async () => {
  const z = 13;
  const tile = tileAt(z, ...toMercator(504_500, 4_695_500));
  const { transform } = tileGrid(tile);
  const toLonLat = makeProjection(3857, 4326).forward;
  const [west, north] = toLonLat(transform[0], transform[3]);
  const [east, south] = toLonLat(transform[0] + 512 * transform[1], transform[3] + 256 * transform[5]);
  const order: PictureOrder = {
    ...anOrder,
    area: { kind: 'bounds', bounds: { minX: west, minY: south, maxX: east, maxY: north } },
    pixel: { mapM: transform[1] },
  };
  const path = join(kit.folder, 'two tiles.png');
  await (await kit.plan(order)).write(path, aRun);
  const picture = await readPixels(path);
  const frame = await gridOf({ ...order, area: null }, 'whole');
  // The scene ends within the second tile.
  assert.equal(picture.height, 256);
  const right = originOf(frame, z)[0] + frame.width - tile.x * 256;
  assert.equal(picture.width, Math.min(512, right));
});
