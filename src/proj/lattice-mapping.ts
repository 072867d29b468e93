import type { Lattice, Size } from '../geo/index.ts';
import { applyAffine, invertAffine, nearestAffine } from '../geo/index.ts';
import { makeDegreePlane, makeMetrePlane } from './ground-plane.ts';
import { makeLatticeAxis } from './lattice-axis.ts';
import type { Position } from './projection.ts';

/** The mapping between the pixels of an image and the ground, through a lattice of control points. */
export interface LatticeMapping {
  toGround(col: number, row: number): Position;
  /** The inverse; [NaN, NaN] where the lattice does not cover the image, or no position is found for the location. */
  toImage(x: number, y: number): Position;
}

/** Newton's method ends when a step is this short: in a map this smooth, the remaining error is about its square. */
const LAST_STEP_PX = 1e-4;
/** Real products need three or four. */
const MAX_STEPS = 20;

/**
 * Builds the mapping through a lattice. Locations between the nodes are interpolated (`lattice-axis.ts`) in a plane in
 * which the image is nearly a parallelogram; the nodes themselves map exactly. Heights of nodes are ignored, as in
 * GDAL.
 */
export function makeLatticeMapping(lattice: Lattice, size: Size, isDegrees: boolean): LatticeMapping {
  const { cols, rows } = lattice;
  const { toPlane, fromPlane } = (isDegrees ? makeDegreePlane : makeMetrePlane)(lattice.x, lattice.y);
  const inPlane = lattice.x.map((x, i) => toPlane(x, lattice.y[i]!));
  const affine = nearestAffine({
    cols,
    rows,
    x: inPlane.map(([x]) => x),
    y: inPlane.map(([, y]) => y),
  });
  const inverse = invertAffine(affine);
  const [originX, xCol, xRow, originY, yCol, yRow] = affine;
  const offX = new Float64Array(inPlane.length);
  const offY = new Float64Array(inPlane.length);
  for (const [i, [x, y]] of inPlane.entries()) {
    const [nearX, nearY] = applyAffine(affine, cols[i % cols.length]!, rows[Math.floor(i / cols.length)]!);
    offX[i] = x - nearX;
    offY[i] = y - nearY;
  }
  const acrossAt = makeLatticeAxis(cols);
  const downAt = makeLatticeAxis(rows);
  // Written by `evaluate`, which runs some thousand times per tile: location, then its slopes along columns and along
  // rows.
  const at = { x: 0, y: 0, xCol: 0, yCol: 0, xRow: 0, yRow: 0 };

  const evaluate = (col: number, row: number): void => {
    const across = acrossAt(col);
    const down = downAt(row);
    at.x = originX + col * xCol + row * xRow;
    at.y = originY + col * yCol + row * yRow;
    at.xCol = xCol;
    at.yCol = yCol;
    at.xRow = xRow;
    at.yRow = yRow;
    for (let j = 0; j < down.count; j++) {
      const base = (down.first + j) * cols.length + across.first;
      let [x, y, slopeX, slopeY] = [0, 0, 0, 0];
      for (let i = 0; i < across.count; i++) {
        const [dx, dy] = [offX[base + i]!, offY[base + i]!];
        x += across.values[i]! * dx;
        y += across.values[i]! * dy;
        slopeX += across.slopes[i]! * dx;
        slopeY += across.slopes[i]! * dy;
      }
      at.x += down.values[j]! * x;
      at.y += down.values[j]! * y;
      at.xCol += down.values[j]! * slopeX;
      at.yCol += down.values[j]! * slopeY;
      at.xRow += down.slopes[j]! * x;
      at.yRow += down.slopes[j]! * y;
    }
  };

  /** The pixel position of a location, from a first guess; null when the steps do not converge. */
  const approach = (x: number, y: number, [firstCol, firstRow]: Position): Position | null => {
    let [col, row] = [firstCol, firstRow];
    for (let step = 0; step < MAX_STEPS; step++) {
      evaluate(col, row);
      const determinant = at.xCol * at.yRow - at.xRow * at.yCol;
      const [missX, missY] = [x - at.x, y - at.y];
      const stepCol = (missX * at.yRow - missY * at.xRow) / determinant;
      const stepRow = (missY * at.xCol - missX * at.yCol) / determinant;
      col += stepCol;
      row += stepRow;
      // Far away a step of this length would be less than the last digit of the position.
      if (Math.abs(stepCol) + Math.abs(stepRow) <= LAST_STEP_PX + 1e-12 * (Math.abs(col) + Math.abs(row))) {
        return [col, row];
      }
    }
    return null;
  };

  const nearestNode = (x: number, y: number): Position => {
    let [nearest, minDistance] = [0, Infinity];
    for (const [i, [nodeX, nodeY]] of inPlane.entries()) {
      const distance = Math.hypot(nodeX - x, nodeY - y);
      if (distance < minDistance) [nearest, minDistance] = [i, distance];
    }
    return [cols[nearest % cols.length]!, rows[Math.floor(nearest / cols.length)]!];
  };

  const isKnownCol = makeKnownTest(cols, size.width);
  const isKnownRow = makeKnownTest(rows, size.height);
  return {
    toGround(col, row) {
      evaluate(col, row);
      return fromPlane(at.x, at.y);
    },
    toImage(x, y) {
      const [planeX, planeY] = toPlane(x, y);
      const guess = applyAffine(inverse, planeX, planeY);
      if (!Number.isFinite(guess[0]) || !Number.isFinite(guess[1])) return [Number.NaN, Number.NaN];
      const found = approach(planeX, planeY, guess) ?? approach(planeX, planeY, nearestNode(planeX, planeY));
      if (found === null || !isKnownCol(found[0]) || !isKnownRow(found[1])) return [Number.NaN, Number.NaN];
      return found;
    },
  };
}

/** Lattices run through the centres or the last lines of pixels: the rest of the pixel at the edge is covered too. */
const EDGE_PX = 1;

/**
 * Whether a lattice covers a position along an axis. One that reaches the edge of the image also covers positions
 * beyond it, as any georeference does: they are outside the image.
 */
function makeKnownTest(nodes: readonly number[], length: number): (position: number) => boolean {
  const [first, last] = [nodes[0]!, nodes.at(-1)!];
  const from = first <= EDGE_PX ? -Infinity : first;
  const to = last >= length - EDGE_PX ? Infinity : last;
  return (position) => position >= from && position <= to;
}
