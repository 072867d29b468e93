import { badInput } from '../../src/errors.ts';
import type { Locations } from '../ground/ground.ts';

/** A smooth function stored at the corners of squares of the world, to be read between them. */
export interface Lattice {
  readonly stepM: number;
  readonly cols: number;
  readonly rows: number;
  /** Position of the first corner in steps; whole numbers, so that lattices of overlapping pictures share corners. */
  readonly firstCol: number;
  readonly firstRow: number;
  readonly values: Float32Array;
}

/** 128 MB; the world's frame has 8 million squares of 40 m. */
const maxCorners = 32_000_000;

/** A box of local metres. */
export interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** The box around all locations. */
export function boxOf({ x, y }: Locations): Box {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < x.length; i++) {
    minX = Math.min(minX, x[i]!);
    maxX = Math.max(maxX, x[i]!);
    minY = Math.min(minY, y[i]!);
    maxY = Math.max(maxY, y[i]!);
  }
  return { minX, minY, maxX, maxY };
}

/** Reckons a function at the corners of all squares that touch a box. */
export function makeLattice(box: Box, stepM: number, value: (x: number, y: number) => number): Lattice {
  const firstCol = Math.floor(box.minX / stepM) - 1;
  const firstRow = Math.floor(box.minY / stepM) - 1;
  const cols = Math.ceil(box.maxX / stepM) + 2 - firstCol;
  const rows = Math.ceil(box.maxY / stepM) + 2 - firstRow;
  if (!(cols * rows <= maxCorners)) {
    throw badInput(
      'lattice-too-large',
      `A picture of ${cols} by ${rows} squares of ${stepM} m is larger than ${maxCorners} squares.`,
    );
  }
  const values = new Float32Array(cols * rows);
  for (let row = 0; row < rows; row++) {
    const y = (firstRow + row) * stepM;
    for (let col = 0; col < cols; col++) values[row * cols + col] = value((firstCol + col) * stepM, y);
  }
  return { stepM, cols, rows, firstCol, firstRow, values };
}

/** The function at a location, linear between the corners; beyond the lattice, as at its edge. */
export function readLattice(
  { stepM, cols, rows, firstCol, firstRow, values }: Lattice,
  x: number,
  y: number,
): number {
  // Shares of a square are taken before the lattice's own first corner comes in, so that they round alike in all.
  const u = Math.min(firstCol + cols - 1.001, Math.max(firstCol, x / stepM));
  const v = Math.min(firstRow + rows - 1.001, Math.max(firstRow, y / stepM));
  const col = Math.floor(u);
  const row = Math.floor(v);
  const at = (row - firstRow) * cols + col - firstCol;
  const fu = u - col;
  const upper = values[at]! + (values[at + 1]! - values[at]!) * fu;
  const lower = values[at + cols]! + (values[at + cols + 1]! - values[at + cols]!) * fu;
  return upper + (lower - upper) * (v - row);
}
