import type { HeightGrid } from './height-grid.ts';

/**
 * How lines of one height run from edge to edge. An edge lies between two neighbouring pixels: edge i between pixel i
 * and the next one in its row, edge i + `pixelCount` between pixel i and the one below.
 */
export interface EdgeLinks {
  /** The edge where a line leaves the cell that it enters through an edge; -1 where no line enters. */
  readonly next: Int32Array;
  /** 1 for edges through which a line leaves a cell. */
  readonly hasPrevious: Uint8Array;
  /** Edges through which lines enter cells, in the order of the cells. */
  readonly entries: Int32Array;
}

/** Memory for the links of one height at a time: following a link clears it. */
export const makeEdgeLinks = (pixelCount: number, maxCells: number): EdgeLinks => ({
  next: new Int32Array(2 * pixelCount).fill(-1),
  hasPrevious: new Uint8Array(2 * pixelCount),
  // A saddle has two lines.
  entries: new Int32Array(2 * maxCells),
});

/** One contour height and the cells that it passes through. */
export interface CellsOfStep {
  readonly step: number;
  readonly heightM: number;
  readonly cells: Int32Array;
}

const [TOP, RIGHT, BOTTOM, LEFT] = [0, 1, 2, 3];

/**
 * Where a line enters and leaves a cell, by the corners that are not below it: 1 upper left, 2 upper right, 4 lower
 * right, 8 lower left, in their sum. Higher ground is on the right of the line. Cells 5 and 10 are saddles whose middle
 * is lower; 16 and 17 are the same with a higher middle.
 */
const ROUTES: readonly (readonly number[])[] = [
  [],
  [TOP, LEFT],
  [RIGHT, TOP],
  [RIGHT, LEFT],
  [BOTTOM, RIGHT],
  [TOP, LEFT, BOTTOM, RIGHT],
  [BOTTOM, TOP],
  [BOTTOM, LEFT],
  [LEFT, BOTTOM],
  [TOP, BOTTOM],
  [RIGHT, TOP, LEFT, BOTTOM],
  [RIGHT, BOTTOM],
  [LEFT, RIGHT],
  [TOP, RIGHT],
  [LEFT, TOP],
  [],
  [TOP, RIGHT, BOTTOM, LEFT],
  [LEFT, TOP, RIGHT, BOTTOM],
];

/** Upper corners, and left corners, are not below the line; the others are. */
const [UPPER, LEFTMOST] = [3, 9];

/** Links the edges of one height's cells, by marching squares; returns the number of entries. */
export function linkCells(
  { heights, width }: HeightGrid,
  steps: Int32Array,
  { step, heightM, cells }: CellsOfStep,
  { next, hasPrevious, entries }: EdgeLinks,
): number {
  const pixelCount = heights.length;
  /** From the index of a cell to its edges: top, right, bottom, left. */
  const toEdge = [0, pixelCount + 1, width, pixelCount];
  const isOnLine = (pixel: number): boolean => heights[pixel]! === heightM;
  let count = 0;
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!;
    let corners =
      (steps[cell]! >= step ? 1 : 0) +
      (steps[cell + 1]! >= step ? 2 : 0) +
      (steps[cell + width + 1]! >= step ? 4 : 0) +
      (steps[cell + width]! >= step ? 8 : 0);
    if (corners === 5 || corners === 10) {
      const sum = heights[cell]! + heights[cell + 1]! + heights[cell + width + 1]! + heights[cell + width]!;
      if (sum >= 4 * heightM) corners = corners === 5 ? 16 : 17;
    }
    const route = ROUTES[corners]!;
    for (let end = 0; end < route.length; end += 2) {
      const entry = cell + toEdge[route[end]!]!;
      const exit = cell + toEdge[route[end + 1]!]!;
      next[entry] = exit;
      hasPrevious[exit] = 1;
      entries[count++] = entry;
    }
    if (corners === UPPER && cell >= width && isOnLine(cell) && isOnLine(cell + 1)) {
      const left = cell - width + pixelCount;
      if (next[left] === left + 1) swapExits(next, left, cell + pixelCount + 1);
    } else if (corners === LEFTMOST && cell % width > 0 && isOnLine(cell) && isOnLine(cell + width)) {
      const bottom = cell + width - 1;
      if (next[bottom] === bottom - width) swapExits(next, bottom, cell);
    }
  }
  return count;
}

/**
 * Two neighbouring pixels exactly on a line, with lower ground on both sides, are a ridge that only touches the height:
 * the line would run along it on one side and back on the other. The two pieces exchange their exits, so that the line
 * that comes to a pixel on one side goes on from the same pixel on the other side.
 */
function swapExits(next: Int32Array, one: number, other: number): void {
  const exit = next[one]!;
  next[one] = next[other]!;
  next[other] = exit;
}
