import assert from 'node:assert/strict';
import proj4 from 'proj4';
import sharp from 'sharp';
import { readImage } from '../../world/testing/read-image.ts';
import type { Key } from './service.ts';
import { ask, pathOf, sceneOf } from './service.ts';

/** A band as its file has it; NaN where there is no data. */
export interface BandPixels {
  readonly width: number;
  readonly height: number;
  readonly epsg: number;
  /** West, width of a pixel, north, height of a pixel; north is up. */
  readonly frame: readonly [west: number, pixelWidth: number, north: number, pixelHeight: number];
  readonly values: Float64Array;
}

const known = new Map<string, BandPixels>();

/** Reads a band of a scene. */
export async function readBand(key: Key, band: string): Promise<BandPixels> {
  const name = `${key} ${band}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  const asset = sceneOf(key).assets[band];
  assert.ok(asset !== undefined, `no band ${name}`);
  const { href, bandIndex, nodata, epsg, transform } = asset;
  const { width, height, bands } = await readImage(pathOf(href));
  const values = Float64Array.from(bands[bandIndex] as ArrayLike<number>, (value) =>
    value === nodata ? Number.NaN : value,
  );
  const [west, pixelWidth, , north, , pixelHeight] = transform;
  const read = { width, height, epsg, frame: [west, pixelWidth, north, -pixelHeight] as const, values };
  known.set(name, read);
  return read;
}

/** The pixels of a picture: a rectangle of a reference system. */
export interface PictureGrid {
  readonly epsg: number;
  readonly width: number;
  readonly height: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
  readonly south: number;
}

/** A tile of the map. */
export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

const HALF_WORLD_M = 20037508.342789244;
// Another library than the service has, and its own words for the grids.
const SYSTEMS: Readonly<Record<number, string>> = {
  0: '+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m',
  3857: 'EPSG:3857',
  4326: 'EPSG:4326',
  26910: '+proj=utm +zone=10 +datum=NAD83 +units=m',
  32610: '+proj=utm +zone=10 +datum=WGS84 +units=m',
};
const project = (from: number, to: number) => proj4(SYSTEMS[from] as string, SYSTEMS[to] as string);

/** The pixels of a tile. */
export function tileGrid({ z, x, y }: Tile, size = 256): PictureGrid {
  const side = (2 * HALF_WORLD_M) / 2 ** z;
  const [west, north] = [x * side - HALF_WORLD_M, HALF_WORLD_M - y * side];
  return { epsg: 3857, width: size, height: size, west, north, east: west + side, south: north - side };
}

/** The pixels of a band as a picture's. */
export function bandGrid({
  epsg,
  width,
  height,
  frame: [west, dx, north, dy],
}: Omit<BandPixels, 'values'>): PictureGrid {
  return { epsg, width, height, west, north, east: west + width * dx, south: north - height * dy };
}

/** The middle of a pixel of a band, longitude and latitude. */
export function lonLatOf({ epsg, width, frame: [west, dx, north, dy] }: BandPixels, at: number) {
  const [column, row] = [(at % width) + 0.5, Math.floor(at / width) + 0.5];
  const [lon, lat] = project(epsg, 4326).forward([west + column * dx, north - row * dy]);
  return { lon, lat };
}

/** The tile in which the middle of a band lies. */
export function tileOf(band: BandPixels, z: number): Tile {
  const { lon, lat } = lonLatOf(band, Math.floor(band.height / 2) * band.width + Math.floor(band.width / 2));
  const [x, y] = project(4326, 3857).forward([lon, lat]);
  const side = (2 * HALF_WORLD_M) / 2 ** z;
  return { z, x: Math.floor((x + HALF_WORLD_M) / side), y: Math.floor((HALF_WORLD_M - y) / side) };
}

/** Outside of the band. */
export const OUTSIDE = -1;
/** So near to the edge of a pixel that rounding decides. */
export const UNSURE = -2;

const looked = new Map<string, Int32Array>();

/** Which pixel of a band the middle of every pixel of a picture lies in. */
export function lookUp(grid: PictureGrid, band: BandPixels): Int32Array {
  const { epsg, width, height, frame } = band;
  const name = JSON.stringify([grid, epsg, width, height, frame]);
  const found = looked.get(name) ?? findPixels(grid, band);
  looked.set(name, found);
  return found;
}

function findPixels(grid: PictureGrid, band: BandPixels): Int32Array {
  const { forward } = project(grid.epsg, band.epsg);
  const [west, dx, north, dy] = band.frame;
  return Int32Array.from({ length: grid.width * grid.height }, (_, i) => {
    const [column, row] = [(i % grid.width) + 0.5, Math.floor(i / grid.width) + 0.5];
    const [x, y] = forward([
      grid.west + (column / grid.width) * (grid.east - grid.west),
      grid.north - (row / grid.height) * (grid.north - grid.south),
    ]);
    const [px, py] = [(x - west) / dx, (north - y) / dy];
    // The service interpolates its grids; an eighth of a pixel is what it may be off (gdalwarp's default).
    if ([px, py].some((at) => Math.abs(at - Math.round(at)) < 0.13)) return UNSURE;
    if (px < 0 || py < 0 || px >= band.width || py >= band.height) return OUTSIDE;
    return Math.floor(py) * band.width + Math.floor(px);
  });
}

/** A picture that came, taken apart. */
export interface Picture {
  readonly type: string;
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
  readonly bytes: Uint8Array;
}

/** Asks for a picture that must come. */
export async function draw(path: string, query = ''): Promise<Picture> {
  const response = await ask(path, { query });
  if (response.status !== 200) assert.fail(`${path}?${query}: ${response.status} ${await response.text()}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { data, info } = await sharp(bytes)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.equal(info.channels, 4);
  const type = response.headers.get('content-type') ?? '';
  return { type, width: info.width, height: info.height, rgba: new Uint8Array(data), bytes };
}

/** `{view_id}/{bands}/{z}/{x}/{y}`. */
export const tilePath = (key: Key, bands: string, { z, x, y }: Tile): string =>
  `${sceneOf(key).viewId}/${encodeURIComponent(bands)}/${z}/${x}/${y}`;

/** `{view_id}/{bands}/{z}/{x_bounds}/{y_bounds}`. */
export const boundsPath = (key: Key, bands: string, { epsg, west, east, north, south }: PictureGrid) =>
  `${sceneOf(key).viewId}/${encodeURIComponent(bands)}/12/${west};${east};${epsg}/${north};${south};${epsg}`;

/** PNG of the nearest pixels, unless the query says how else. */
const toExact = (query: string): string =>
  `mimetype=image/png&${query.includes('RESAMPLE=') ? '' : 'RESAMPLE=near&'}${query}`;

/** Draws a tile as PNG, nearest pixels unless told otherwise. */
export const drawTile = (key: Key, bands: string, tile: Tile, query = ''): Promise<Picture> =>
  draw(tilePath(key, bands, tile), toExact(query));

/** Draws the whole of a band's grid, pixel by pixel, as PNG; or as many times the pixels. */
export async function drawNative(
  key: Key,
  bands: string,
  on: Omit<BandPixels, 'values'>,
  query = '',
  times = 1,
): Promise<Picture> {
  const { epsg, width, height } = on;
  const shape = `crs=EPSG:${epsg}&TILE_SIZE=${width * times},${height * times}`;
  return draw(boundsPath(key, bands, bandGrid(on)), `${shape}&${toExact(query)}`);
}

export const TRANSPARENT = '00000000';

/** A pixel as eight hexadecimal digits; all that are transparent are the same. */
export function colorAt({ rgba }: Pick<Picture, 'rgba'>, at: number): string {
  const alpha = rgba[4 * at + 3]!;
  if (alpha === 0) return TRANSPARENT;
  return HEX[rgba[4 * at]!]! + HEX[rgba[4 * at + 1]!] + HEX[rgba[4 * at + 2]!] + HEX[alpha];
}

/**
 * The grey that a value has in a contrast range, as eight digits; transparent where there is no data. Null where the
 * rounding of the service's 32 bit numbers decides.
 */
export function greyOf(value: number, min: number, max: number): string | null {
  if (Number.isNaN(value)) return TRANSPARENT;
  const level = toLevel(value, min, max);
  return level === null ? null : `${toHex(level).repeat(3)}ff`;
}

/** The level that a value has in a contrast range; null where rounding decides. */
export function toLevel(value: number, min: number, max: number): number | null {
  const level = Math.min(Math.max(((value - min) / (max - min)) * 255, 0), 255);
  return Math.abs(level - Math.floor(level) - 0.5) < 2e-3 ? null : Math.floor(level + 0.5);
}

export const toHex = (level: number): string => level.toString(16).padStart(2, '0');
/** By level: millions of pixels are compared. */
const HEX = Array.from({ length: 256 }, (_, level) => toHex(level));

/** What the pixels of a picture must be, by the pixel of the band that they show; null is not judged. */
type Expected = (at: number) => string | null;

/** Compares a picture with what a band makes of it; gives how often each colour was seen. */
export function expectPixels(picture: Picture, where: Int32Array, expected: Expected): Map<string, number> {
  const seen = new Map<string, number>();
  for (const [i, at] of where.entries()) {
    if (at === UNSURE) continue;
    const wanted = at === OUTSIDE ? TRANSPARENT : expected(at);
    if (wanted === null) continue;
    const found = colorAt(picture, i);
    if (found !== wanted) assert.equal(found, wanted, `pixel ${i}, which shows pixel ${at} of the band`);
    seen.set(found, (seen.get(found) ?? 0) + 1);
  }
  assert.ok(
    [...seen.values()].reduce((sum, count) => sum + count, 0) > 0.3 * where.length,
    'too few to judge',
  );
  return seen;
}

/** Two pictures have the same pixels. `deepEqual` would look for the difference of a megabyte for minutes. */
export function expectSame(picture: Picture, other: Picture, message = ''): void {
  assert.deepEqual([picture.width, picture.height], [other.width, other.height], message);
  const at = picture.rgba.findIndex((level, i) => level !== other.rgba[i]);
  if (at >= 0)
    assert.fail(
      `${message} pixel ${at >> 2} is ${colorAt(picture, at >> 2)}, not ${colorAt(other, at >> 2)}`,
    );
}

/** Compares a picture on a band's own grid with what the band makes of it. */
export const expectNative = (picture: Picture, expected: Expected): Map<string, number> =>
  expectPixels(
    picture,
    new Int32Array(picture.width * picture.height).map((_, i) => i),
    expected,
  );
