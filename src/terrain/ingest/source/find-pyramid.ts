import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LonLatBounds, Tile } from '../../../geo/index.ts';
import { isTile, MAX_ZOOM } from '../../../geo/index.ts';
import type { ZoomRange } from '../record/to-pyramid-file.ts';
import { toTileBounds } from '../record/to-pyramid-file.ts';

/** A pyramid of tiles in a folder. */
export interface FoundPyramid {
  readonly zooms: ZoomRange;
  readonly bounds: LonLatBounds;
  /** One that exists. */
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
