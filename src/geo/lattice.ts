import type { Affine, Size } from './affine.ts';

/**
 * The georeference of an image that has no affine, e.g. of radar in the geometry of its sensor: nodes on some columns
 * and rows of the image, each with its location on the ground. Plain JSON.
 */
export interface Lattice {
  /** Columns of the nodes in pixels, ascending, not always evenly spaced; 0 is the left edge of the first pixel. */
  readonly cols: readonly number[];
  readonly rows: readonly number[];
  /**
   * Coordinates of the nodes in the reference system, row by row; longitudes continue beyond 180 instead of jumping.
   */
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** The same ground with another number of pixels: an overview's lattice from that of the full image. */
export function scaleLattice(lattice: Lattice, from: Size, to: Size): Lattice {
  const [across, down] = [to.width / from.width, to.height / from.height];
  return {
    ...lattice,
    cols: lattice.cols.map((col) => col * across),
    rows: lattice.rows.map((row) => row * down),
  };
}

/** The lattice of a part of an image, from the pixel where it begins; nodes outside of the part stay. */
export function moveLattice(lattice: Lattice, { x, y }: { readonly x: number; readonly y: number }): Lattice {
  return {
    ...lattice,
    cols: lattice.cols.map((col) => col - x),
    rows: lattice.rows.map((row) => row - y),
  };
}

/** The affine nearest to a lattice, by least squares over its nodes. */
export function nearestAffine({ cols, rows, x, y }: Lattice): Affine {
  const [middleCol, middleRow] = [mean(cols), mean(rows)];
  // Columns and rows of a full lattice are independent of each other, so each slope is a separate sum.
  const spreadCols = rows.length * cols.reduce((sum, col) => sum + (col - middleCol) ** 2, 0);
  const spreadRows = cols.length * rows.reduce((sum, row) => sum + (row - middleRow) ** 2, 0);
  const fit = (values: readonly number[]): [origin: number, alongCols: number, alongRows: number] => {
    const middle = mean(values);
    let [alongCols, alongRows] = [0, 0];
    for (const [i, value] of values.entries()) {
      alongCols += (cols[i % cols.length]! - middleCol) * (value - middle);
      alongRows += (rows[Math.floor(i / cols.length)]! - middleRow) * (value - middle);
    }
    alongCols /= spreadCols;
    alongRows /= spreadRows;
    return [middle - alongCols * middleCol - alongRows * middleRow, alongCols, alongRows];
  };
  return [...fit(x), ...fit(y)];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
