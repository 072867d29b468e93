import type { Lattice, Size } from '../geo/index.ts';
import { applyAffine, invertAffine, nearestAffine } from '../geo/index.ts';
import type { Position } from './crs.ts';

/** The mapping between the pixels of an image and the ground, through a lattice of control points. */
interface LatticeMapping {
  toGround(col: number, row: number): Position;
  /** The inverse; [NaN, NaN] where the lattice does not cover the image, or no position is found for the location. */
  toImage(x: number, y: number): Position;
}

/** Newton's method ends when a step is this short: in a map this smooth, the remaining error is about its square. */
const LAST_STEP_PX = 1e-4;
/** Real products need three or four. */
const MAX_STEPS = 20;

/**
 * Builds the mapping through a lattice. Locations between the nodes are interpolated (`makeLatticeAxis`) in a plane in
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

/** Coordinates in which an image is nearly a parallelogram, wherever on Earth it lies. */
interface GroundPlane {
  toPlane(x: number, y: number): Position;
  fromPlane(x: number, y: number): Position;
}

/** Only scales the plane, so that its numbers are roughly metres. */
const RADIUS_M = 6_371_000;
const DEGREE = Math.PI / 180;

type Vector = readonly [x: number, y: number, z: number];

/**
 * The plane for longitudes and latitudes: stereographic, around the middle of all points. It has no antimeridian and no
 * pole, and meridians do not converge. It treats latitudes as those of a sphere, which is as smooth and as invertible
 * as any other choice.
 */
export function makeDegreePlane(lons: readonly number[], lats: readonly number[]): GroundPlane {
  const sum = [0, 0, 0] as [number, number, number];
  for (const [i, lon] of lons.entries()) {
    for (const [axis, part] of toVector(lon, lats[i]!).entries()) sum[axis]! += part;
  }
  const up = toUnit(sum);
  // Any direction other than that of the view.
  const aside: Vector = Math.abs(up[2]) > 0.5 ? [1, 0, 0] : [0, 0, 1];
  const east = toUnit(cross(aside, up));
  const north = cross(up, east);
  return {
    toPlane(lon, lat) {
      const vector = toVector(lon, lat);
      const scale = (2 * RADIUS_M) / (1 + dot(vector, up));
      return [scale * dot(vector, east), scale * dot(vector, north)];
    },
    fromPlane(x, y) {
      const [a, b] = [x / (2 * RADIUS_M), y / (2 * RADIUS_M)];
      const square = a * a + b * b;
      const [alongEast, alongNorth, alongUp] = [2 * a, 2 * b, 1 - square];
      const [vx, vy, vz] = ([0, 1, 2] as const).map(
        (i) => alongEast * east[i] + alongNorth * north[i] + alongUp * up[i],
      ) as unknown as Vector;
      return [Math.atan2(vy, vx) / DEGREE, Math.atan2(vz, Math.hypot(vx, vy)) / DEGREE];
    },
  };
}

/** The plane for positions of a projected system: the system itself, relative to its middle to save digits. */
export function makeMetrePlane(xs: readonly number[], ys: readonly number[]): GroundPlane {
  const [middleX, middleY] = [xs, ys].map(
    (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  ) as Position;
  return {
    toPlane: (x, y) => [x - middleX, y - middleY],
    fromPlane: (x, y) => [x + middleX, y + middleY],
  };
}

function toVector(lon: number, lat: number): Vector {
  const radius = Math.cos(lat * DEGREE);
  return [radius * Math.cos(lon * DEGREE), radius * Math.sin(lon * DEGREE), Math.sin(lat * DEGREE)];
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function toUnit(vector: Vector): Vector {
  const length = Math.hypot(...vector);
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}

/** The weights of the nodes along one axis at a position, and their derivatives. */
interface AxisWeights {
  /** The first node with a weight. */
  first: number;
  /** The number of nodes with a weight, at most four. */
  readonly count: number;
  readonly values: Float64Array;
  readonly slopes: Float64Array;
}

/**
 * Interpolation between nodes on an axis: cubic in each cell, through all nodes, without kinks and exact for parabolas.
 * Its slope at a node is that of the parabola through the node and its neighbours. A warp approximates the result by
 * smooth patches, and would have to follow every kink pixel by pixel.
 *
 * Beyond its ends it continues straight and flattens out within one cell: what is interpolated is the small difference
 * from an affine, which must stay small where it is unknown.
 */
function makeLatticeAxis(nodes: readonly number[]): (position: number) => AxisWeights {
  const count = Math.min(4, nodes.length);
  const lastCell = nodes.length - 2;
  // Four numbers per weight, the weights of a cell one after the other.
  const cubics = Float64Array.from(
    Array.from({ length: lastCell + 1 }, (_, cell) => cellCubics(nodes, cell, count)).flat(2),
  );
  const weights: AxisWeights = {
    first: 0,
    count,
    values: new Float64Array(4),
    slopes: new Float64Array(4),
  };

  return (position) => {
    const cell = findCell(nodes, position);
    const start = nodes[cell]!;
    const length = nodes[cell + 1]! - start;
    const part = (position - start) / length;
    const inside = Math.min(1, Math.max(0, part));
    const beyond = part - inside;
    const slowed = 1 + Math.abs(beyond);
    weights.first = firstNode(nodes.length, cell, count);
    for (let k = 0, at = cell * 4 * count; k < count; k++, at += 4) {
      const [a, b, c, d] = [cubics[at]!, cubics[at + 1]!, cubics[at + 2]!, cubics[at + 3]!];
      const slope = b + inside * (2 * c + inside * 3 * d);
      weights.values[k] = a + inside * (b + inside * (c + inside * d)) + (slope * beyond) / slowed;
      weights.slopes[k] = slope / (slowed * slowed) / length;
    }
    return weights;
  };
}

/** The cell of a position; the outer cells also cover what lies beyond them. */
function findCell(nodes: readonly number[], position: number): number {
  let [low, high] = [0, nodes.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (position >= nodes[middle]!) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first node with a weight in a cell: the one before it, if there is one and enough follow. */
const firstNode = (length: number, cell: number, count: number): number =>
  Math.min(Math.max(0, cell - 1), length - count);

type Cubic = readonly [a: number, b: number, c: number, d: number];

/** For each node with a weight in a cell, its weight as a cubic of the relative position in the cell. */
function cellCubics(nodes: readonly number[], cell: number, count: number): readonly Cubic[] {
  const first = firstNode(nodes.length, cell, count);
  const length = nodes[cell + 1]! - nodes[cell]!;
  return Array.from({ length: count }, (_, k) => {
    // The response of the axis when only this node is 1.
    const valueAt = (node: number): number => Number(node === first + k);
    const [from, to] = [valueAt(cell), valueAt(cell + 1)];
    const leave = length * nodeSlope(nodes, cell, valueAt);
    const arrive = length * nodeSlope(nodes, cell + 1, valueAt);
    return [from, leave, 3 * (to - from) - 2 * leave - arrive, 2 * (from - to) + leave + arrive];
  });
}

/** Slope at a node of the parabola through three neighbours; with two nodes, that of the line. */
function nodeSlope(nodes: readonly number[], node: number, valueAt: (node: number) => number): number {
  const secant = (i: number): number => (valueAt(i + 1) - valueAt(i)) / (nodes[i + 1]! - nodes[i]!);
  if (nodes.length === 2) return secant(0);
  const middle = Math.min(Math.max(1, node), nodes.length - 2);
  const [before, after] = [secant(middle - 1), secant(middle)];
  const curve = (after - before) / (nodes[middle + 1]! - nodes[middle - 1]!);
  // The line through the first two nodes, and the term that the parabola adds.
  return before + curve * (2 * nodes[node]! - nodes[middle - 1]! - nodes[middle]!);
}
