import { internal } from '../errors.ts';
import type { ContourLine } from './contour-line.ts';
import type { HeightGrid } from './sort-cells.ts';
import { makeContourSteps, sortCells, tooManyContours } from './sort-cells.ts';

/** Which lines to trace. */
interface ContourOptions {
  /** Lines are at the multiples of this height. */
  readonly intervalM: number;
  /** Upper bound for the points of all lines together, coinciding ones included. */
  readonly maxPoints: number;
}

/** Index contours are every fifth line: 100 m at an interval of 20 m, as on topographic maps. */
const INDEX_EVERY = 5;

/**
 * Traces the contour lines of a grid by marching squares: heights are linear along the edges between pixels, saddles
 * are decided by the mean of their corners, and a pixel exactly on a line counts as higher ground. Cells with an unknown
 * corner have no lines. Ground that touches a height without exceeding it, a peak or a ridge, has no line.
 *
 * Lines are ordered by height; of one height open lines go before rings, each by the first cell, row by row. The lines
 * of two grids that overlap by whole pixels are the same there to the last bit, more than a pixel away from the borders.
 */
export function traceContours(grid: HeightGrid, { intervalM, maxPoints }: ContourOptions): ContourLine[] {
  const { heights, width, height, mask } = grid;
  if (heights.length !== width * height || (mask != null && mask.length !== heights.length))
    throw internal('height-grid', `A grid of ${width} × ${height} cannot have ${heights.length} heights.`);
  const rule = makeContourSteps(intervalM);
  const { steps, firstStep, cells, begins } = sortCells(grid, rule, maxPoints);
  const stepCount = begins.length - 1;
  let maxCells = 0;
  for (let i = 0; i < stepCount; i++) maxCells = Math.max(maxCells, begins[i + 1]! - begins[i]!);
  const links = makeEdgeLinks(heights.length, maxCells);
  // A line passes each entry at most once, and ends at one more point.
  const points = new Float64Array(2 * (links.entries.length + 1));
  const lines: ContourLine[] = [];
  let pointCount = 0;

  for (let i = 0; i < stepCount; i++) {
    const step = firstStep + i;
    const heightM = rule.heightOf(step);
    const isIndex = step % INDEX_EVERY === 0;
    const cellsOfStep = { step, heightM, cells: cells.subarray(begins[i], begins[i + 1]) };
    const entryCount = linkCells(grid, steps, cellsOfStep, links);
    const follow = (entry: number): void => {
      const length = followLine(grid, heightM, links, entry, points);
      pointCount += length / 2;
      if (pointCount > maxPoints) throw tooManyContours(maxPoints);
      if (length > 2) lines.push({ heightM, isIndex, points: points.slice(0, length) });
    };
    for (let at = 0; at < entryCount; at++) {
      const entry = links.entries[at]!;
      if (links.hasPrevious[entry] === 0 && links.next[entry]! >= 0) follow(entry);
    }
    // The remaining lines are rings.
    for (let at = 0; at < entryCount; at++) {
      const entry = links.entries[at]!;
      if (links.next[entry]! >= 0) follow(entry);
    }
  }
  return lines;
}

/** Writes the points of the line that begins at an edge, without repeated ones; returns how many numbers they are. */
function followLine(
  { heights, width }: HeightGrid,
  heightM: number,
  { next, hasPrevious }: EdgeLinks,
  entry: number,
  points: Float64Array,
): number {
  const pixelCount = heights.length;
  let length = 0;
  for (let edge = entry; ; ) {
    const isAcrossRow = edge >= pixelCount;
    const pixel = isAcrossRow ? edge - pixelCount : edge;
    const from = heights[pixel]!;
    const to = heights[isAcrossRow ? pixel + width : pixel + 1]!;
    const part = Math.round(((heightM - from) / (to - from)) * PARTS) / PARTS;
    const row = Math.floor(pixel / width);
    const x = pixel - row * width + 0.5 + (isAcrossRow ? 0 : part);
    const y = row + 0.5 + (isAcrossRow ? part : 0);
    if (length === 0 || x !== points[length - 2] || y !== points[length - 1]) {
      points[length++] = x;
      points[length++] = y;
    }
    const following = next[edge]!;
    if (following < 0) return length;
    next[edge] = -1;
    hasPrevious[following] = 0;
    edge = following;
  }
}

/**
 * Points lie on this many positions between two pixels. The sum of a column and such a part is exact in double
 * precision, so that a point is the same in every grid that contains it, wherever the grid begins.
 */
const PARTS = 2 ** 30;

/**
 * How lines of one height run from edge to edge. An edge lies between two neighbouring pixels: edge i between pixel i
 * and the next one in its row, edge i + `pixelCount` between pixel i and the one below.
 */
interface EdgeLinks {
  /** The edge where a line leaves the cell that it enters through an edge; -1 where no line enters. */
  readonly next: Int32Array;
  /** 1 for edges through which a line leaves a cell. */
  readonly hasPrevious: Uint8Array;
  /** Edges through which lines enter cells, in the order of the cells. */
  readonly entries: Int32Array;
}

/** Memory for the links of one height at a time: following a link clears it. */
const makeEdgeLinks = (pixelCount: number, maxCells: number): EdgeLinks => ({
  next: new Int32Array(2 * pixelCount).fill(-1),
  hasPrevious: new Uint8Array(2 * pixelCount),
  // A saddle has two lines.
  entries: new Int32Array(2 * maxCells),
});

/** One contour height and the cells that it passes through. */
interface CellsOfStep {
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
function linkCells(
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
