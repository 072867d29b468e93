import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSwathError } from '../../errors.ts';
import type { Affine, LonLatBounds, Tile } from '../../geo/index.ts';
import { isTile, MAX_ZOOM, MERCATOR_HALF_SIDE_M, tileAt } from '../../geo/index.ts';
import { makeProjection } from '../../proj/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import type { DemFile } from '../dem.ts';
import { toDemFileId } from '../dem.ts';
import { sourceBroken, unsupported } from '../errors.ts';
import { toPixelSizeM } from './placed-image.ts';

/** Zoom levels that a pyramid has, without gaps. */
interface ZoomRange {
  readonly min: number;
  readonly max: number;
}

/** A pyramid of tiles. */
interface Pyramid {
  /** A template with {z}, {x} and {y}. */
  readonly href: string;
  readonly tileSizePx: 256 | 512;
  readonly zooms: ZoomRange;
  readonly bounds: LonLatBounds;
}

/** The record of a pyramid: one image of the whole Mercator square, of which only some tiles may exist. */
export function toPyramidFile(dem: string, { href, tileSizePx, zooms, bounds }: Pyramid): DemFile {
  const side = tileSizePx * 2 ** zooms.max;
  const pixelM = (2 * MERCATOR_HALF_SIDE_M) / side;
  const transform: Affine = [-MERCATOR_HALF_SIDE_M, pixelM, 0, MERCATOR_HALF_SIDE_M, 0, -pixelM];
  const levels = Array.from({ length: zooms.max - zooms.min }, (_, i) => side / 2 ** (i + 1));
  return {
    id: toDemFileId({ dem, overview: 0, href }),
    dem,
    overview: 0,
    format: 'terrarium',
    href,
    bandIndex: 0,
    epsg: 3857,
    transform,
    width: side,
    height: side,
    levels: levels.map((size) => ({ width: size, height: size })),
    nodata: null,
    scale: 1,
    offset: 0,
    // Steps of 1/256 m are finer than any model is right.
    stepM: 0,
    resolutionM: toPixelSizeM({ crs: 3857, ...toMiddlePixel(bounds, pixelM) }),
    bounds,
    pyramid: { minZoom: zooms.min, maxZoom: zooms.max, tilePx: tileSizePx },
    stamps: [],
  };
}

/** The pixel in the middle of the bounds, as an image of its own. */
function toMiddlePixel({ west, south, east, north }: LonLatBounds, pixelM: number) {
  const [x, y] = makeProjection(4326, 3857).forward((west + east) / 2, (south + north) / 2);
  const transform: Affine = [x - pixelM / 2, pixelM, 0, y + pixelM / 2, 0, -pixelM];
  return { transform, width: 1, height: 1 };
}

/** Bounds of a block of tiles of one zoom, from the upper left to the lower right one. */
function toTileBounds(upperLeft: Tile, lowerRight: Tile): LonLatBounds {
  const { forward } = makeProjection(3857, 4326);
  const tileM = (2 * MERCATOR_HALF_SIDE_M) / 2 ** upperLeft.z;
  const toLat = (row: number): number => forward(0, MERCATOR_HALF_SIDE_M - row * tileM)[1];
  const toLon = (column: number): number => (360 * column) / 2 ** upperLeft.z - 180;
  return {
    west: toLon(upperLeft.x),
    south: toLat(lowerRight.y + 1),
    east: toLon(lowerRight.x + 1),
    north: toLat(upperLeft.y),
  };
}

/** Whether a path or address is a template of tiles. */
export const isTileTemplate = (text: string): boolean =>
  ['{z}', '{x}', '{y}'].every((name) => text.includes(name));

/** The path or address of one tile. */
export const toTileAddress = (template: string, { z, x, y }: Tile): string =>
  template.replaceAll('{z}', String(z)).replaceAll('{x}', String(x)).replaceAll('{y}', String(y));

/** A pyramid of tiles in a folder. */
export interface FoundPyramid {
  readonly zooms: ZoomRange;
  readonly bounds: LonLatBounds;
  /** A tile that exists. */
  readonly tile: Tile;
}

/**
 * Finds tiles `{z}/{x}/{y}.png` in a folder; null if there are none. Folders are listed for the deepest zoom only, and
 * no tile is touched: a pyramid may have millions.
 */
export async function findPyramid(folder: string): Promise<FoundPyramid | null> {
  const present: { readonly zoom: number; readonly columns: readonly number[] }[] = [];
  for (const zoom of await readNumbers(folder, 'folder', /^(\d{1,2})$/)) {
    if (zoom > MAX_ZOOM) continue;
    const columns = await readNumbers(join(folder, String(zoom)), 'folder', /^(\d{1,8})$/);
    const first = columns[0];
    if (first === undefined) continue;
    const rows = await readNumbers(join(folder, String(zoom), String(first)), 'file', ROW);
    if (rows.length > 0) present.push({ zoom, columns });
  }
  const deepest = present.at(-1);
  if (deepest === undefined) return null;
  let min = deepest.zoom;
  while (present.some(({ zoom }) => zoom === min - 1)) min--;
  const found = await findExtent(join(folder, String(deepest.zoom)), deepest);
  return found === null ? null : { ...found, zooms: { min, max: deepest.zoom } };
}

const ROW = /^(\d{1,8})\.png$/;

async function findExtent(
  folder: string,
  { zoom: z, columns }: { zoom: number; columns: readonly number[] },
) {
  const tiles: Tile[] = [];
  for (const x of columns) {
    const rows = (await readNumbers(join(folder, String(x)), 'file', ROW)).filter((y) => isTile({ z, x, y }));
    if (rows.length > 0) tiles.push({ z, x, y: rows[0]! }, { z, x, y: rows.at(-1)! });
  }
  const [tile] = tiles;
  if (tile === undefined) return null;
  const xs = tiles.map(({ x }) => x);
  const ys = tiles.map(({ y }) => y);
  const upperLeft = { z, x: Math.min(...xs), y: Math.min(...ys) };
  const lowerRight = { z, x: Math.max(...xs), y: Math.max(...ys) };
  return { tile, bounds: toTileBounds(upperLeft, lowerRight) };
}

/** Numbers that entries of a folder are named by, in order; none for a folder that cannot be read. */
async function readNumbers(folder: string, kind: 'folder' | 'file', name: RegExp): Promise<number[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return entries
    .filter((entry) => (kind === 'folder' ? entry.isDirectory() : entry.isFile()))
    .flatMap((entry) => {
      const digits = name.exec(entry.name)?.[1];
      // Another spelling (`07`) would not be found again by its number.
      return digits === undefined || String(Number(digits)) !== digits ? [] : [Number(digits)];
    })
    .sort((a, b) => a - b);
}

interface ProbeDeps {
  readonly open: OpenSource;
  readonly signal?: AbortSignal | undefined;
  /** The ground that has tiles; null for the whole Mercator square. */
  readonly bounds: LonLatBounds | null;
}

const WHOLE: LonLatBounds = toTileBounds({ z: 0, x: 0, y: 0 }, { z: 0, x: 0, y: 0 });

/**
 * Finds out which zoom levels a template has, and how large its tiles are: from the first zoom that has the tile in the
 * middle of the bounds downwards, as long as one of the four tiles below a tile exists. Throws `no-tiles` if none does.
 */
export async function probeTemplate(href: string, { open, signal, bounds }: ProbeDeps): Promise<Pyramid> {
  const covered = bounds ?? WHOLE;
  const read = (tile: Tile) => readTileSize(toTileAddress(href, tile), { open, signal });
  const middleLon = (covered.west + covered.east) / 2;
  const [x, y] = makeProjection(4326, 3857).forward(
    middleLon > 180 ? middleLon - 360 : middleLon,
    (covered.south + covered.north) / 2,
  );
  for (let z = 0; z <= MAX_ZOOM; z++) {
    const tile = tileAt(z, x, y);
    const tileSizePx = await read(tile);
    if (tileSizePx === null) continue;
    const max = await findDeepest(tile, { read, middle: { x, y } });
    return { href, tileSizePx, zooms: { min: z, max }, bounds: covered };
  }
  throw sourceBroken('no-tiles', 'The template has no tile in the middle of its bounds, at any zoom.');
}

async function findDeepest(
  top: Tile,
  { read, middle }: { read: (tile: Tile) => Promise<unknown>; middle: { x: number; y: number } },
): Promise<number> {
  let tile = top;
  while (tile.z < MAX_ZOOM) {
    const below = await findChild(tile, { read, middle });
    if (below === null) break;
    tile = below;
  }
  return tile.z;
}

/** A tile below another one that exists; the one nearest to the middle is tried first. */
async function findChild(
  { z, x, y }: Tile,
  { read, middle }: Parameters<typeof findDeepest>[1],
): Promise<Tile | null> {
  const central = tileAt(z + 1, middle.x, middle.y);
  const children = [0, 1, 2, 3].map((i) => ({ z: z + 1, x: 2 * x + (i % 2), y: 2 * y + (i >> 1) }));
  const distance = (tile: Tile) => Math.abs(tile.x - central.x) + Math.abs(tile.y - central.y);
  for (const child of children.sort((a, b) => distance(a) - distance(b))) {
    if ((await read(child)) !== null) return child;
  }
  return null;
}

/** The signature of a PNG, and its first chunk up to the colour type (PNG 3rd edition, 5.2 and 11.2.1). */
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEAD_BYTES = 26;
const COLOR_TYPES: ReadonlySet<number> = new Set([2, 6]);

/** Reads the side of a tile in pixels from its header; null if there is no such tile. */
export async function readTileSize(
  href: string,
  { open, signal }: { readonly open: OpenSource; readonly signal?: AbortSignal | undefined },
): Promise<256 | 512 | null> {
  const source = await open(href, signal).catch((error: unknown) => {
    if (isSwathError(error) && error.code === 'source-gone') return null;
    throw error;
  });
  if (source === null) return null;
  try {
    if (source.size < HEAD_BYTES) throw sourceBroken('not-a-png', 'A tile of the pyramid is not a PNG.');
    return parseTileSize(await source.read(0, HEAD_BYTES, signal));
  } finally {
    await source.close();
  }
}

function parseTileSize(head: Uint8Array): 256 | 512 {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const isPng = SIGNATURE.every((byte, i) => head[i] === byte) && view.getUint32(12) === 0x49484452;
  if (!isPng) throw sourceBroken('not-a-png', 'A tile of the pyramid is not a PNG.');
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const [bits, colorType] = [view.getUint8(24), view.getUint8(25)];
  if (bits !== 8 || !COLOR_TYPES.has(colorType)) {
    throw unsupported('not-terrarium', 'The tiles are not 8-bit RGB, in which terrarium encodes heights.');
  }
  if (width === height && (width === 256 || width === 512)) return width;
  throw unsupported('tile-size', `A tile has ${width} × ${height} pixels; possible are 256 and 512 a side.`);
}
