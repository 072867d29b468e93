import { unitVector } from '../../numbers/easing.ts';
import { hash, random } from '../../numbers/noise.ts';

/** The cell of an irregular tiling that a location is in. */
export interface Cell {
  /** Differs between cells; a seed for whatever the cell decides. */
  id: number;
  centreX: number;
  centreY: number;
  /** Metres to the cell's border. */
  edgeM: number;
  /** Differs between borders, the same from both sides. */
  borderId: number;
}

/** Makes a finder of cells of a Voronoi tiling of jittered lattice points; the finder reuses its answer. */
export function makeCellFinder({
  spacingM,
  seed,
}: {
  spacingM: number;
  seed: number;
}): (x: number, y: number) => Cell {
  const cell: Cell = { id: 0, centreX: 0, centreY: 0, edgeM: 0, borderId: 0 };
  // The nine centres around the lattice square of the last question: neighbouring pixels mostly share them.
  let lastCol = Number.NaN;
  let lastRow = Number.NaN;
  const ids = new Float64Array(9);
  const xs = new Float64Array(9);
  const ys = new Float64Array(9);
  const setCentres = (col: number, row: number): void => {
    for (let k = 0; k < 9; k++) {
      const i = col - 1 + (k % 3);
      const j = row - 1 + Math.floor(k / 3);
      const bits = hash(i, j, seed);
      ids[k] = bits;
      // Jitter of 0.8 of the spacing: full jitter would make slivers.
      xs[k] = (i + 0.1 + (0.8 * (bits & 0xffff)) / 65536) * spacingM;
      ys[k] = (j + 0.1 + (0.8 * (bits >>> 16)) / 65536) * spacingM;
    }
    lastCol = col;
    lastRow = row;
  };
  return (x, y) => {
    const col = Math.floor(x / spacingM);
    const row = Math.floor(y / spacingM);
    if (col !== lastCol || row !== lastRow) setCentres(col, row);
    let nearest = 0;
    let second = 0;
    let nearest2 = Number.POSITIVE_INFINITY;
    let second2 = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 9; k++) {
      const dx = xs[k]! - x;
      const dy = ys[k]! - y;
      const distance2 = dx * dx + dy * dy;
      if (distance2 < nearest2) {
        second2 = nearest2;
        second = nearest;
        nearest2 = distance2;
        nearest = k;
      } else if (distance2 < second2) {
        second2 = distance2;
        second = k;
      }
    }
    cell.id = ids[nearest]!;
    cell.centreX = xs[nearest]!;
    cell.centreY = ys[nearest]!;
    cell.borderId = (ids[nearest]! ^ ids[second]!) >>> 0;
    const dx = xs[second]! - cell.centreX;
    const dy = ys[second]! - cell.centreY;
    // Distance to the line half way between the two centres.
    cell.edgeM = (second2 - nearest2) / (2 * Math.sqrt(dx * dx + dy * dy));
    return cell;
  };
}

/** A location in a cell's own turned frame, and that frame. */
export interface Turned {
  u: number;
  v: number;
  cos: number;
  sin: number;
}

/** Points the frame's first axis along `turn` (1 is a full circle). */
export function setTurn(frame: Turned, turn: number): void {
  const [cos, sin] = unitVector(turn - Math.floor(turn));
  frame.cos = cos;
  frame.sin = sin;
}

/** An interval of an irregular ruler; reused. */
export interface Interval {
  index: number;
  /** Metres to the nearer end. */
  edgeM: number;
  fromM: number;
  toM: number;
  /** Its ends in steps of the ruler it was found on. */
  from: number;
  to: number;
  stepM: number;
}

/** Makes an interval to reuse, for rulers of one jitter and seed. */
export const makeInterval = (): Interval => ({
  index: 0,
  edgeM: 0,
  fromM: 0,
  toM: 0,
  from: 0,
  to: 0,
  stepM: 0,
});

/** Finds the interval of a ruler whose marks are `stepM` apart on average, each moved by up to `jitter` of a step. */
export function findInterval(
  positionM: number,
  { stepM, jitter, seed }: { stepM: number; jitter: number; seed: number },
  out: Interval,
): void {
  const position = positionM / stepM;
  // Neighbouring locations mostly share an interval.
  if (out.stepM !== stepM || position < out.from || position >= out.to) {
    const markAt = (index: number): number => index + (random(index, 7, seed) - 0.5) * jitter;
    const nearest = Math.floor(position);
    const index =
      position < markAt(nearest) ? nearest - 1 : position < markAt(nearest + 1) ? nearest : nearest + 1;
    out.index = index;
    out.stepM = stepM;
    out.from = markAt(index);
    out.to = markAt(index + 1);
    out.fromM = out.from * stepM;
    out.toM = out.to * stepM;
  }
  out.edgeM = Math.min(position - out.from, out.to - position) * stepM;
}
