import type { SceneHit } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import type { AreaOutline, Grid, LonLat, Ring } from '../../geo/index.ts';
import { LON_LAT_GRID, outlineMeets } from '../../geo/index.ts';
import type { MosaicPictureRequest, Mosaics, PlannedMosaic } from '../../mosaic/index.ts';
import type { Ticket } from '../../pool/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { cutGrid, listWindows } from './plan-mosaic-grid.ts';

/** What the blocks of a mosaic are read from. */
export interface BlockSource {
  readonly mosaics: Pick<Mosaics, 'plan'>;
  readonly request: Omit<MosaicPictureRequest, 'grid'>;
  /** All scenes that count, in the order of the selection. */
  readonly scenes: readonly SceneHit[];
  /** Pixels outside hold no data; null for none. */
  readonly outline: AreaOutline | null;
}

/** A block that was read: its place in the grid, the plan it was read by, and what was read. */
export interface ReadBlock<Result> {
  readonly window: PixelWindow;
  readonly planned: PlannedMosaic;
  readonly result: Result;
}

/** Refusals of pictures that need too much memory or work at once: smaller ones may not. */
const TOO_EXPENSIVE: ReadonlySet<string> = new Set(['mosaic-too-expensive', 'too-expensive']);
/** Smaller blocks are not tried. */
const LEAST_PX = 64;

/**
 * Reads a window of a grid, in one piece or in as many as its memory takes; nothing where no scene or no part of the area
 * is. Fails with its first piece that fails: a gap would look like a place without data.
 */
export async function* readBlocks<Result>(
  source: BlockSource,
  { grid, window, ticket }: { readonly grid: Grid; readonly window: PixelWindow; readonly ticket: Ticket },
  read: (planned: PlannedMosaic, ticket: Ticket) => Promise<Result>,
): AsyncGenerator<ReadBlock<Result>> {
  const { mosaics, request, scenes, outline } = source;
  const own = cutGrid(grid, window);
  if (outline !== null && !meetsGrid(outline, own)) return;
  try {
    const planned = await mosaics.plan({ ...request, grid: own }, scenes);
    if (planned.candidates.length > 0) yield { window, planned, result: await read(planned, ticket) };
  } catch (error) {
    const side = Math.max(window.width, window.height);
    if (!isSwathError(error) || !TOO_EXPENSIVE.has(error.code) || side <= LEAST_PX) throw error;
    for (const part of listWindows(window, Math.ceil(side / 2)))
      yield* readBlocks(source, { grid, window: part, ticket }, read);
  }
}

/** Points along each side of a grid that are projected: between them a side bulges by less than a pixel. */
const PARTS = 8;

/** Whether an area has anything in common with a grid; true where a grid has no outline in degrees. */
export function meetsGrid(outline: AreaOutline, grid: Grid): boolean {
  const ring = toRing(grid);
  return ring === null || outlineMeets(outline, ring);
}

/** The edge of a grid in longitude and latitude; null where it has none, or crosses the antimeridian. */
function toRing(grid: Grid): Ring | null {
  const { toSource } = makePixelMapping(grid, LON_LAT_GRID);
  const { width, height } = grid;
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ] as const;
  const ring = corners.flatMap(([column, row], i): LonLat[] => {
    const [nextColumn, nextRow] = corners[(i + 1) % 4]!;
    return Array.from({ length: PARTS }, (_, part) => {
      const [lon, lat] = toSource(
        column + ((nextColumn - column) * part) / PARTS,
        row + ((nextRow - row) * part) / PARTS,
      );
      return [lon, lat];
    });
  });
  const lons = ring.map(([lon]) => lon);
  const isWhole = ring.every((point) => point.every(Number.isFinite));
  return isWhole && Math.max(...lons) - Math.min(...lons) < 180 ? [...ring, ring[0]!] : null;
}
