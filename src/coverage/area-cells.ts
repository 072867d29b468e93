/** Which pixels of a mask an area covers, cell by cell: found once for all scenes that share a grid. */

import type { AreaSpans } from '../areas/index.ts';
import {
  clipWindow,
  coverPieces,
  coverPixels,
  makeMaskMemory,
  planTouchedWindow,
  planWindowAround,
} from '../areas/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import { moveOrigin, outlineBounds } from '../geo/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import { cropGrid, planAreaWindow } from '../render/native/index.ts';
import { CELL_PX, cellsAcross } from './mask-cells.ts';

/** An area on a grid of pixels. */
export interface AreaOnGrid {
  /** Lies in shared memory. */
  readonly outline: AreaOutline;
  readonly grid: Grid;
}

/** The cells that an area covers a part of; in shared memory, because every count needs them. */
export interface AreaCells {
  /** Pixels of the whole area, also of its part beyond the image. */
  readonly areaPx: number;
  /** Their numbers, in ascending order. */
  readonly cells: Uint32Array;
  /** For each of them, where its runs end in `runs`; those of the next one begin there. */
  readonly ends: Uint32Array;
  /** Runs of pixels of a cell, counted in it row by row: the first pixel of each, and the one after its last. */
  readonly runs: Uint32Array;
}

/** Cells on each side of what is rasterised at once: a mask of a megabyte. */
const BLOCK_CELLS = 8;
const BLOCK_PX = BLOCK_CELLS * CELL_PX;

const allocate = makeMaskMemory();

/**
 * Finds the pixels of a grid whose centre lies in an area; those that it touches if there are none. For a pixel thread:
 * an area of ten thousand corners takes tens of milliseconds.
 */
export function coverCells({ outline, grid }: AreaOnGrid): AreaCells {
  const window = planWindow({ outline, grid });
  if (window === null) return toAreaCells(countAround({ outline, grid }), new Map());
  const windows = toBlocks(window);
  const { pieces, count } = coverPieces(
    windows.map((block) => cropGrid(grid, block)),
    (rule, block) => coverPixels(rule, outline, block, allocate),
  );
  const runsOf = new Map<number, number[]>();
  for (const [i, { spans }] of pieces.entries()) addRuns(runsOf, spans, windows[i] as PixelWindow, grid);
  const areaPx = isAtEdge(window, grid) ? Math.max(count, countAround({ outline, grid })) : count;
  return toAreaCells(areaPx, runsOf);
}

/** Areas of this size have edges that are straight in pixels as well: over 15 km they are bent by less than 20 m. */
const SMALL_PX = 512;

/** The window around the area, with a pixel more on each side for those that it touches; null if it lies outside. */
function planWindow({ outline, grid }: AreaOnGrid): PixelWindow | null {
  const around = grow(planWindowAround(outline, grid), 2);
  const isSmall = around.width <= SMALL_PX && around.height <= SMALL_PX;
  // A field in one of Landsat's scenes, each of which has a grid of its own: the general way takes ten times as long.
  const near = isSmall ? clipWindow(around, grid) : null;
  if (near !== null) return near;
  const { west, south, east, north } = outlineBounds(outline);
  const bounds = { minX: west, minY: south, maxX: east, maxY: north };
  const window = planAreaWindow(grid, bounds) ?? planTouchedWindow(outline, grid);
  return window === null ? null : clipWindow(grow(window, 1), grid);
}

const grow = ({ x, y, width, height }: PixelWindow, px: number): PixelWindow => ({
  x: x - px,
  y: y - px,
  width: width + 2 * px,
  height: height + 2 * px,
});

const isAtEdge = ({ x, y, width, height }: PixelWindow, image: Grid): boolean =>
  x === 0 || y === 0 || x + width === image.width || y + height === image.height;

/** Cuts a window at the edges of blocks. */
function toBlocks(window: PixelWindow): readonly PixelWindow[] {
  const starts = (from: number, length: number): readonly number[] => {
    const first = Math.floor(from / BLOCK_PX);
    const count = Math.ceil((from + length) / BLOCK_PX) - first;
    return Array.from({ length: count }, (_, i) => (first + i) * BLOCK_PX);
  };
  return starts(window.y, window.height).flatMap((y) =>
    starts(window.x, window.width).map((x) => {
      const [left, top] = [Math.max(x, window.x), Math.max(y, window.y)];
      return {
        x: left,
        y: top,
        width: Math.min(x + BLOCK_PX, window.x + window.width) - left,
        height: Math.min(y + BLOCK_PX, window.y + window.height) - top,
      };
    }),
  );
}

/** Adds the runs of a block to those of the cells that they lie in. */
function addRuns(
  runsOf: Map<number, number[]>,
  spans: AreaSpans,
  { x, y, width }: PixelWindow,
  image: Grid,
): void {
  const across = cellsAcross(image);
  for (let i = 0; i < spans.length; i += 2) {
    const end = spans[i + 1] as number;
    // A run of a mask goes on in the next row, that of a cell ends where the row or the cell ends.
    for (let from = spans[i] as number; from < end; ) {
      const row = Math.floor(from / width);
      const [col, line] = [x + from - row * width, y + row];
      const [cellCol, cellRow] = [Math.floor(col / CELL_PX), Math.floor(line / CELL_PX)];
      const length = Math.min(end - from, (row + 1) * width - from, (cellCol + 1) * CELL_PX - col);
      const cell = cellRow * across + cellCol;
      const cellWidth = Math.min(CELL_PX, image.width - cellCol * CELL_PX);
      const at = (line - cellRow * CELL_PX) * cellWidth + col - cellCol * CELL_PX;
      let runs = runsOf.get(cell);
      if (runs === undefined) {
        runs = [];
        runsOf.set(cell, runs);
      }
      // A row that is covered whole continues the run of the row above it.
      if (runs.at(-1) === at) runs[runs.length - 1] = at + length;
      else runs.push(at, at + length);
      from += length;
    }
  }
}

/** The max number of pixels with which the size of an area beyond an image is found. */
const MAX_AROUND_PX = 4 * 2 ** 20;

/** Pixels of an area on a grid that goes on beyond the image; of larger ones on a large area. */
function countAround({ outline, grid }: AreaOnGrid): number {
  // Edges are straight in degrees, and bent by less than this between their corners.
  const { x, y, width, height } = grow(planWindowAround(outline, grid), 2);
  if (!Number.isFinite(width * height)) return 0;
  const times = Math.max(1, Math.ceil(Math.sqrt((width * height) / MAX_AROUND_PX)));
  const [left, pixelWidth, rowShear, top, colShear, pixelHeight] = moveOrigin(grid.transform, { x, y });
  const around: Grid = {
    ...grid,
    transform: [left, pixelWidth * times, rowShear * times, top, colShear * times, pixelHeight * times],
    width: Math.ceil(width / times),
    height: Math.ceil(height / times),
  };
  return coverPixels('centres', outline, around, allocate).count * times * times;
}

function toAreaCells(areaPx: number, runsOf: ReadonlyMap<number, readonly number[]>): AreaCells {
  const sorted = [...runsOf].toSorted(([a], [b]) => a - b);
  const cells = share(sorted.length);
  const ends = share(sorted.length);
  const runs = share(sorted.reduce((sum, [, own]) => sum + own.length, 0));
  let end = 0;
  for (const [i, [cell, own]] of sorted.entries()) {
    runs.set(own, end);
    end += own.length;
    cells[i] = cell;
    ends[i] = end;
  }
  return { areaPx, cells, ends, runs };
}

const share = (length: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * length));
