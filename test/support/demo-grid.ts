import proj4 from 'proj4';
import { openTiff, readBlock } from '../../src/formats/tiff/index.ts';
import { makeOpenSource } from '../../src/sources/index.ts';
import { DEMO_SCENE } from './demo-data.ts';

type Pair = [x: number, y: number];

/** Where the pixels of the demo scene lie, worked out from its file and by another library than the service uses. */
export interface DemoGrid {
  readonly width: number;
  readonly height: number;
  /** Position in pixels of a point in Web Mercator metres. */
  fromMercator(point: Pair): Pair;
  /** Longitude and latitude of a position in pixels. */
  toDegrees(position: Pair): Pair;
}

const HALF_WORLD_M = 20037508.342789244;

/** Reads the grid of a band of 10 m. */
export async function readDemoGrid(dataDir: string): Promise<DemoGrid> {
  const source = await makeOpenSource({ dataDir })(`${DEMO_SCENE.folder}/B04.tif`);
  const { transform, images, epsg } = await openTiff(source);
  await source.close();
  if (transform === null || epsg !== 32610) throw new Error('the demo scene is not on its grid');
  const [originX, pixelWidth, , originY, , pixelHeight] = transform;
  const utm = '+proj=utm +zone=10 +datum=WGS84 +units=m';
  const [mercator, degrees] = [proj4('EPSG:3857', utm), proj4(utm, 'EPSG:4326')];
  return {
    width: images[0].width,
    height: images[0].height,
    fromMercator(point) {
      const [easting, northing] = mercator.forward(point);
      return [(easting - originX) / pixelWidth, (northing - originY) / pixelHeight];
    },
    toDegrees: ([x, y]) => degrees.forward([originX + x * pixelWidth, originY + y * pixelHeight]),
  };
}

/** Web Mercator metres of a position in pixels of a tile. */
export function toMercator([z, x, y]: readonly [number, number, number], column: number, row: number): Pair {
  const metres = (2 * HALF_WORLD_M) / 2 ** z / 256;
  return [(x * 256 + column) * metres - HALF_WORLD_M, HALF_WORLD_M - (y * 256 + row) * metres];
}

/** The tiles of a zoom that lie wholly inside of the scene, and those that its edge crosses, by name `z/x/y`. */
export function listDemoTiles(grid: DemoGrid, z: number): { inside: string[]; edge: string[] } {
  const [lon, lat] = grid.toDegrees([grid.width / 2, grid.height / 2]);
  const sine = Math.sin((lat * Math.PI) / 180);
  const middleX = Math.floor((lon / 360 + 0.5) * 2 ** z);
  const middleY = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z);
  const steps = [0, 32, 64, 96, 128, 160, 192, 224, 256];
  const [inside, edge]: [string[], string[]] = [[], []];
  // The scene is about six kilometres wide: ten tiles of zoom 15.
  for (let y = middleY - 8; y <= middleY + 8; y++) {
    for (let x = middleX - 8; x <= middleX + 8; x++) {
      const covered = steps.flatMap((row) =>
        steps.map((column) => {
          const [px, py] = grid.fromMercator(toMercator([z, x, y], column, row));
          return px >= 0 && py >= 0 && px <= grid.width && py <= grid.height;
        }),
      );
      const name = `${z}/${x}/${y}`;
      if (covered.every(Boolean)) inside.push(name);
      else if (covered.some(Boolean)) edge.push(name);
    }
  }
  return { inside, edge };
}

/** Reads the stored number at a position of the 10 m grid, from a band of any resolution. */
export async function readDemoPixel(dataDir: string, band: string, [px, py]: Pair): Promise<number> {
  const [grid, source] = await Promise.all([
    readDemoGrid(dataDir),
    makeOpenSource({ dataDir })(`${DEMO_SCENE.folder}/${band}.tif`),
  ]);
  const tiff = await openTiff(source);
  const [image] = tiff.images;
  const { blockWidth, blockHeight, width, height } = image;
  const [x, y] = [Math.floor((px * width) / grid.width), Math.floor((py * height) / grid.height)];
  const block = await readBlock(tiff, image, {
    band: 0,
    column: Math.floor(x / blockWidth),
    row: Math.floor(y / blockHeight),
  });
  await source.close();
  return block.pixels[(y % blockHeight) * blockWidth + (x % blockWidth)] as number;
}
