import type { Lattice } from '../geo/index.ts';
import type { CrsId } from './crs.ts';
import { unsupported } from './errors.ts';
import { makeDegreePlane, makeLatticeMapping, makeMetrePlane } from './lattice-mapping.ts';
import { makeProjection } from './projection.ts';

/** A pixel position whose location on the ground is known. */
export interface GroundControlPoint {
  readonly column: number;
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

/** Sentinel-1 has about 210; lattices are part of every plan, so they stay small. */
const MAX_NODES = 4_096;
/** Nodes this close to each other share a column or row: lists of control points are written with four decimals. */
const SAME_PX = 1e-3;
/** No image spans a larger part of the Earth; a plane cannot hold more than half of it. */
const MAX_SPAN_M = 2e7;

/**
 * Finds the lattice in the control points of an image, in any order. Points that form none, or one that folds over
 * itself, throw `no-lattice` (or `singular-affine` when they turn full circle); heights are ignored.
 */
export function parseLattice(points: readonly GroundControlPoint[], crs: CrsId): Lattice {
  if (points.length < 4 || points.length > MAX_NODES) {
    throw noLattice(`there are ${points.length} of them, and 4 to ${MAX_NODES} are allowed`);
  }
  if (points.some(({ column, row, x, y }) => ![column, row, x, y].every(Number.isFinite))) {
    throw noLattice('some are not numbers');
  }
  const cols = toAxis(points.map(({ column }) => column));
  const rows = toAxis(points.map(({ row }) => row));
  if (cols.length < 2 || rows.length < 2 || cols.length * rows.length !== points.length) {
    throw noLattice('they do not lie on common columns and rows');
  }
  const nodes = new Array<GroundControlPoint | undefined>(points.length).fill(undefined);
  for (const point of points) {
    nodes[indexOn(rows, point.row) * cols.length + indexOn(cols, point.column)] = point;
  }
  const full = nodes.filter((node) => node !== undefined);
  if (full.length < points.length) throw noLattice('some lie on the same spot');
  const isDegrees = makeProjection(4326, crs).toDegrees;
  const y = full.map((node) => node.y);
  if (isDegrees && full.some((node) => Math.abs(node.y) > 90 || Math.abs(node.x) > 360)) {
    throw noLattice('some are not on Earth');
  }
  const x = full.map((node) => node.x);
  const lattice = { cols, rows, x: isDegrees ? unwrap(x, cols.length) : x, y };
  if (isFolded(lattice, isDegrees)) throw noLattice('they fold over themselves');
  if (!leadsBack(lattice, isDegrees)) throw noLattice('the way from the ground to the image is lost');
  return lattice;
}

const noLattice = (why: string) =>
  unsupported('no-lattice', `The control points of this image form no lattice: ${why}.`);

/** The distinct values, ascending. */
function toAxis(values: readonly number[]): number[] {
  const axis: number[] = [];
  for (const value of values.toSorted((a, b) => a - b)) {
    if (axis.length === 0 || value - axis.at(-1)! > SAME_PX) axis.push(value);
  }
  return axis;
}

const indexOn = (axis: readonly number[], value: number): number =>
  axis.findLastIndex((node) => node <= value);

/**
 * Longitudes that continue beyond 180 instead of jumping by 360: each within 180 of its neighbour to the left or above.
 */
function unwrap(lons: readonly number[], across: number): number[] {
  const smooth: number[] = [];
  for (const [i, lon] of lons.entries()) {
    const neighbour = i === 0 ? lon : smooth[i % across === 0 ? i - across : i - 1]!;
    smooth.push(lon - 360 * Math.round((lon - neighbour) / 360));
  }
  return smooth;
}

/** True when the middle of each cell maps to the ground and back: then all pictures of the image can be drawn. */
function leadsBack(lattice: Lattice, isDegrees: boolean): boolean {
  const { cols, rows } = lattice;
  const { toGround, toImage } = makeLatticeMapping(
    lattice,
    { width: cols.at(-1)!, height: rows.at(-1)! },
    isDegrees,
  );
  const middles = (axis: readonly number[]) => axis.slice(1).map((node, i) => (node + axis[i]!) / 2);
  return middles(rows).every((row) =>
    middles(cols).every((col) => {
      const [backCol, backRow] = toImage(...toGround(col, row));
      return Math.hypot(backCol - col, backRow - row) < SAME_PX;
    }),
  );
}

/** True when a cell is flat or oriented other than the first one, or the whole is too large for one plane. */
function isFolded({ cols, rows, x, y }: Lattice, isDegrees: boolean): boolean {
  const { toPlane } = (isDegrees ? makeDegreePlane : makeMetrePlane)(x, y);
  const planar = x.map((one, i) => toPlane(one, y[i]!));
  if (!planar.every(([a, b]) => Math.hypot(a, b) <= MAX_SPAN_M)) return true;
  const turn = (from: number, left: number, right: number): number => {
    const [[x0, y0], [x1, y1], [x2, y2]] = [planar[from]!, planar[left]!, planar[right]!];
    return Math.sign((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0));
  };
  const turns = new Set<number>();
  for (let row = 0; row + 1 < rows.length; row++) {
    for (let col = 0; col + 1 < cols.length; col++) {
      const corner = row * cols.length + col;
      const below = corner + cols.length;
      turns.add(turn(corner, corner + 1, below));
      turns.add(turn(corner + 1, below + 1, corner));
      turns.add(turn(below + 1, below, corner + 1));
      turns.add(turn(below, corner, below + 1));
    }
  }
  return turns.size !== 1 || turns.has(0);
}
