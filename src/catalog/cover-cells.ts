import type { LonLatBounds, MultiPolygonGeometry } from '../geo/index.ts';
import { boundsRing } from '../geo/index.ts';

/** Searches for scenes take a shape; more corners would slow them down. */
const MAX_CELLS = 64;

/** The side of the first cells, in degrees: a fraction of a Sentinel-2 tile would find no fewer scenes. */
const FIRST_DEG = 0.5;

/**
 * Boxes on a grid of degrees that cover fields: fields of one farm on two continents do not have the scenes between them
 * searched. Cells grow until they are few.
 */
export function coverWithCells(all: readonly LonLatBounds[]): MultiPolygonGeometry | null {
  if (all.length === 0) return null;
  for (let sideDeg = FIRST_DEG; ; sideDeg *= 2) {
    const cells = listCells(all, sideDeg);
    if (cells.size > MAX_CELLS) continue;
    return { type: 'MultiPolygon', coordinates: [...cells.values()].map((box) => [boundsRing(box)]) };
  }
}

/** The part of each cell that has something in it. */
function listCells(all: readonly LonLatBounds[], sideDeg: number): ReadonlyMap<string, LonLatBounds> {
  const cells = new Map<string, LonLatBounds>();
  for (const { west, south, east, north } of all) {
    // A field that lies in several cells enlarges the first: it is far smaller than a cell.
    const key = `${Math.floor(west / sideDeg)} ${Math.floor(south / sideDeg)}`;
    const before = cells.get(key);
    cells.set(key, {
      west: Math.min(before?.west ?? west, west),
      south: Math.min(before?.south ?? south, south),
      east: Math.max(before?.east ?? east, east),
      north: Math.max(before?.north ?? north, north),
    });
    if (cells.size > MAX_CELLS) break;
  }
  return cells;
}
