import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import proj4 from 'proj4';
import sharp from 'sharp';
import { makeTempFolder } from '../../src/testing/temp-folder.ts';
import { spots } from '../../world/setting.ts';
import { readImage } from '../../world/testing/read-image.ts';
import { ask } from './service.ts';

const UTM = '+proj=utm +zone=10 +datum=WGS84 +units=m';
/** Half the side of the map. */
export const HALF_WORLD_M = 20037508.342789244;

/** Longitude and latitude of a spot of the demo world. */
export function locate({ x, y }: { readonly x: number; readonly y: number }): [lon: number, lat: number] {
  return proj4(UTM, 'EPSG:4326', [499_980 + x, 5_400_000 - y]) as [number, number];
}

/** A tile of terrain. */
export interface TilePath {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** The tile that a spot lies in. */
export function tileAround(spot: { readonly x: number; readonly y: number }, z: number): TilePath {
  const [mx, my] = proj4('EPSG:4326', 'EPSG:3857', locate(spot)) as [number, number];
  const side = (2 * HALF_WORLD_M) / 2 ** z;
  return { z, x: Math.floor((mx + HALF_WORLD_M) / side), y: Math.floor((HALF_WORLD_M - my) / side) };
}

/** The path of a tile. */
export const toPath = ({ z, x, y }: TilePath): string => `terrain/${z}/${x}/${y}`;

/** Mountains: steep in all directions, without defects. */
export const summit = tileAround(spots.summit, 11);

/** A decoded picture. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** Asks for a picture that must come. */
export async function askPixels(path: string, query: string): Promise<Pixels> {
  const response = await ask(path, { query });
  assert.equal(response.status, 200, `${path} ${query}: ${await response.clone().text()}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: new Uint8Array(data) };
}

/** The red of every pixel: the shade of a grey one. */
export const redsOf = ({ rgba }: Pixels): number[] =>
  Array.from({ length: rgba.length / 4 }, (_, i) => rgba[4 * i]!);

/** The colour of a pixel, six hexadecimal digits. */
export const colorOf = ({ rgba }: Pixels, i: number): string =>
  Buffer.from(rgba.subarray(4 * i, 4 * i + 3)).toString('hex');

/** Heights of a tile as its GeoTIFF has them. */
export async function askHeights(path: string, query = ''): Promise<{ width: number; values: Float32Array }> {
  const response = await ask(path, { query: `format=geotiff&${query}` });
  assert.equal(response.headers.get('content-type'), 'image/tiff');
  const file = join(makeTempFolder('swath-spec-'), 'heights.tif');
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const { width, bands, epsg, transform } = await readImage(file);
  const [, z, x, y] = /terrain\/(\d+)\/(\d+)\/(\d+)/.exec(path)!.map(Number) as [0, number, number, number];
  const side = (2 * HALF_WORLD_M) / 2 ** z;
  assert.equal(epsg, 3857);
  for (const [i, wanted] of [
    [0, x * side - HALF_WORLD_M],
    [1, side / width],
    [3, HALF_WORLD_M - y * side],
    [5, -side / width],
  ] as const)
    assert.ok(Math.abs(transform![i]! - wanted) < 1e-6, `${i}: ${transform![i]}, not ${wanted}`);
  return { width, values: bands[0] as Float32Array };
}

/** The slope of a pixel, and the rise of its ground to the east and to the north. */
export interface Slopes {
  readonly slopeDeg: number;
  readonly east: number;
  readonly north: number;
}

/** Horn's differences at an inner pixel of a tile, in metres per metre of ground. */
export function slopesAt(values: Float32Array, column: number, row: number, { z, y }: TilePath): Slopes {
  const w = (dx: number, dy: number): number => values[(row + dy) * 256 + column + dx]!;
  const side = (2 * HALF_WORLD_M) / 2 ** z;
  const northing = HALF_WORLD_M - y * side - ((row + 0.5) * side) / 256;
  const lat = Math.atan(Math.sinh(northing / 6_378_137));
  const ground = (side / 256) * Math.cos(lat);
  const east = (w(1, -1) + 2 * w(1, 0) + w(1, 1) - w(-1, -1) - 2 * w(-1, 0) - w(-1, 1)) / (8 * ground);
  const north = (w(-1, -1) + 2 * w(0, -1) + w(1, -1) - w(-1, 1) - 2 * w(0, 1) - w(1, 1)) / (8 * ground);
  return { slopeDeg: (Math.atan(Math.hypot(east, north)) * 180) / Math.PI, east, north };
}

/** Pixels all over a tile, without its rim. */
export const INNER = Array.from({ length: 500 }, (_, i) => ({
  column: 1 + ((i * 37) % 254),
  row: 1 + ((i * 91) % 254),
}));
