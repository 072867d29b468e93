import { internal } from '../../errors.ts';
import type { ContourLine } from './contour-line.ts';
import { makeContourSteps } from './contour-steps.ts';
import type { HeightGrid } from './height-grid.ts';
import type { EdgeLinks } from './link-cells.ts';
import { linkCells, makeEdgeLinks } from './link-cells.ts';
import { sortCells, tooManyContours } from './sort-cells.ts';

/** What lines to trace. */
export interface ContourOptions {
  /** Lines are at the multiples of this height. */
  readonly intervalM: number;
  /** Points of all lines together, points that coincide included. */
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
    // What is left has no end.
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
