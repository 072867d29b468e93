import type { AreaGeometry, PointGeometry, Ring } from '../geo/index.ts';
import { tooLarge } from './errors.ts';

/** A regular grid of longitudes and latitudes, rows from north to south, columns from west to east. */
export interface CubeGrid {
  /** Longitude of the middle of the first column; a turn more or less does not matter. */
  readonly west: number;
  /** Latitude of the middle of the first row. */
  readonly north: number;
  readonly lonStep: number;
  readonly latStep: number;
  readonly width: number;
  readonly height: number;
}

/** Middles of two files of one grid differ by rounding only: less than this share of a cell. */
const SAME_SHARE = 0.01;

/** Cells of a grid; 0.05 degrees around the world are 26 million. */
export const MAX_CELLS = 2 ** 25;

/** Whether two grids are the same, but for rounding and whole turns. */
export function isSameGrid(one: CubeGrid, other: CubeGrid): boolean {
  if (one.width !== other.width || one.height !== other.height) return false;
  const { lonStep, latStep, width, height } = one;
  const turn = toTurn(one.west - other.west + 180) - 180;
  return (
    Math.abs(turn) < SAME_SHARE * lonStep &&
    Math.abs(one.north - other.north) < SAME_SHARE * latStep &&
    Math.abs(lonStep - other.lonStep) * width < SAME_SHARE * lonStep &&
    Math.abs(latStep - other.latStep) * height < SAME_SHARE * latStep
  );
}

/** Whether the last column of a grid touches the first one. */
const isRoundTheWorld = ({ lonStep, width }: CubeGrid): boolean =>
  Math.abs(lonStep * width - 360) < SAME_SHARE * lonStep;

/** Degrees as an angle from 0 to below 360. */
const toTurn = (degrees: number): number => ((degrees % 360) + 360) % 360;

/** A longitude in columns from the western edge of the grid, 0 to below a whole turn. */
const toColumn = ({ west, lonStep }: CubeGrid, lon: number): number =>
  toTurn(lon - (west - lonStep / 2)) / lonStep;

/** A latitude in rows from the northern edge of the grid. */
const toRow = ({ north, latStep }: CubeGrid, lat: number): number => (north + latStep / 2 - lat) / latStep;

/** A cell and how much it counts. */
export interface WeightedCell {
  readonly column: number;
  readonly row: number;
  readonly weight: number;
}

/** The cells of an area or a point, with weights whose sum is 1; none outside of the grid. */
interface WeighedCells {
  /** True for a point, and an area smaller than a cell: the cells are those around its middle. */
  readonly isInterpolated: boolean;
  readonly cells: readonly WeightedCell[];
}

/** Cells that one area may have: 1,000 km² at 0.01 degrees are 1,500, Europe at 0.1 degrees is 100,000. */
const MAX_CELLS_OF_AREA = 2 ** 17;
const RAD = Math.PI / 180;

/**
 * Weighs the cells of an area by the share of each that lies in it and by the cosine of its latitude. Of an area smaller
 * than a cell, and of a point, the cells around its middle are weighed as bilinear interpolation does.
 */
export function weighCells(grid: CubeGrid, where: AreaGeometry | PointGeometry): WeighedCells {
  if (where.type === 'Point') {
    const [lon, lat] = where.coordinates;
    return { isInterpolated: true, cells: interpolate(grid, toColumn(grid, lon), toRow(grid, lat)) };
  }
  const polygons = where.type === 'Polygon' ? [where.coordinates] : where.coordinates;
  const flat = joinParts(
    polygons.map((rings) => toFlat(grid, rings)),
    360 / grid.lonStep,
  );
  const { size, x, y } = measure(flat);
  if (size < 1) {
    const turn = 360 / grid.lonStep;
    return { isInterpolated: true, cells: interpolate(grid, ((x % turn) + turn) % turn, y) };
  }
  return { isInterpolated: false, cells: toShares(grid, flat) };
}

/** A ring in columns and rows, without its first position at the end. */
type FlatRing = readonly (readonly [x: number, y: number])[];

/** The part of a ring between two columns (axis 0) or two rows (axis 1), after Sutherland and Hodgman. */
function clipRing(ring: FlatRing, axis: 0 | 1, low: number, high: number): FlatRing {
  return clipHalf(clipHalf(ring, axis, low, 1), axis, high, -1);
}

function clipHalf(ring: FlatRing, axis: 0 | 1, limit: number, sign: 1 | -1): FlatRing {
  const inside: (readonly [number, number])[] = [];
  for (let i = 0; i < ring.length; i++) {
    const [from, to] = [ring[(i + ring.length - 1) % ring.length]!, ring[i]!];
    const [before, after] = [sign * (from[axis] - limit), sign * (to[axis] - limit)];
    if (before >= 0 !== after >= 0) {
      const share = before / (before - after);
      inside.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
    }
    if (after >= 0) inside.push(to);
  }
  return inside;
}

/** Twice the signed size of a ring, and its first moments: the sums of the shoelace formula. */
function measureRing(ring: FlatRing): {
  readonly size: number;
  readonly x: number;
  readonly y: number;
} {
  let [size, x, y] = [0, 0, 0];
  // Relative to a position of the ring: far from the origin a small ring would be a difference of large numbers.
  const [x0, y0] = ring[0] ?? [0, 0];
  for (let i = 0; i < ring.length; i++) {
    const [from, to] = [ring[(i + ring.length - 1) % ring.length]!, ring[i]!];
    const cross = (from[0] - x0) * (to[1] - y0) - (to[0] - x0) * (from[1] - y0);
    size += cross / 2;
    x += (cross * (from[0] + to[0] - 2 * x0)) / 6;
    y += (cross * (from[1] + to[1] - 2 * y0)) / 6;
  }
  return { size, x: x + size * x0, y: y + size * y0 };
}

/** A polygon in columns and rows, its outer ring first; it may lie across the seam of the grid, one turn to the east. */
function toFlat(grid: CubeGrid, rings: readonly Ring[]): readonly FlatRing[] {
  const western = (rings[0] ?? []).reduce((min, [lon]) => Math.min(min, lon), Number.POSITIVE_INFINITY);
  const start = toColumn(grid, western);
  return rings.map((ring) =>
    ring
      .slice(0, -1)
      .map(([lon, lat]) => [start + (lon - western) / grid.lonStep, toRow(grid, lat)] as const),
  );
}

/** Parts on both sides of the seam of the grid, moved by a turn where that brings them nearer to the first one. */
function joinParts(
  polygons: readonly (readonly FlatRing[])[],
  turn: number,
): readonly (readonly FlatRing[])[] {
  const first = polygons[0]?.[0]?.[0]?.[0] ?? 0;
  return polygons.map((rings) => {
    const shift = turn * Math.round((first - (rings[0]?.[0]?.[0] ?? 0)) / turn);
    return shift === 0 ? rings : rings.map((ring) => ring.map(([x, y]) => [x + shift, y] as const));
  });
}

/** Size and middle of polygons; holes turn either way, so that the outer ring decides what is added. */
function measure(polygons: readonly (readonly FlatRing[])[]) {
  let [size, x, y] = [0, 0, 0];
  // Parts on both sides of the seam have one middle.
  const first = polygons[0]?.[0]?.[0]?.[0] ?? 0;
  for (const rings of polygons) {
    for (const [i, ring] of rings.entries()) {
      const sums = measureRing(ring);
      const sign = (i === 0 ? 1 : -1) * Math.sign(sums.size);
      size += sign * sums.size;
      x += sign * (sums.x - first * sums.size);
      y += sign * sums.y;
    }
  }
  return size > 0
    ? { size, x: first + x / size, y: y / size }
    : { size: 0, x: first, y: polygons[0]?.[0]?.[0]?.[1] ?? 0 };
}

function interpolate(grid: CubeGrid, x: number, y: number): readonly WeightedCell[] {
  const { width, height, lonStep } = grid;
  const isRound = isRoundTheWorld(grid);
  // A longitude just west of the grid is almost a turn east of its edge.
  if (y < 0 || y > height || (!isRound && x > width)) return [];
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [east, south] = [x - 0.5 - left, y - 0.5 - top];
  const cells: WeightedCell[] = [];
  for (const [dx, dy] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    const row = top + dy;
    const column = isRound ? (left + dx + Math.round(360 / lonStep)) % width : left + dx;
    const weight = (dx === 1 ? east : 1 - east) * (dy === 1 ? south : 1 - south);
    if (weight > 0 && row >= 0 && row < height && column >= 0 && column < width)
      cells.push({ column, row, weight });
  }
  return toWhole(cells);
}

function toShares(grid: CubeGrid, polygons: readonly (readonly FlatRing[])[]): readonly WeightedCell[] {
  const { width, height, north, latStep, lonStep } = grid;
  const turn = 360 / lonStep;
  const shares = new Map<number, number>();
  for (const rings of polygons) {
    for (const [i, ring] of rings.entries()) {
      const sign = i === 0 ? 1 : -1;
      const [top, bottom] = toSpan(ring, 1, height);
      for (let row = top; row < bottom; row++) {
        const band = clipRing(ring, 1, row, row + 1);
        for (const shift of [0, -turn, turn]) {
          const moved = shift === 0 ? band : band.map(([x, y]) => [x + shift, y] as const);
          const [left, right] = toSpan(moved, 0, width);
          for (let column = left; column < right; column++) {
            const share = sign * Math.abs(measureRing(clipRing(moved, 0, column, column + 1)).size);
            if (share === 0) continue;
            const at = row * width + column;
            shares.set(at, (shares.get(at) ?? 0) + share);
            if (shares.size > MAX_CELLS_OF_AREA) throw tooManyCells();
          }
        }
      }
    }
  }
  const cells: WeightedCell[] = [];
  for (const [at, share] of shares) {
    const row = Math.floor(at / width);
    const weight = share * Math.cos((north - row * latStep) * RAD);
    // Rounding can leave a tiny share of a cell that a hole covers completely; it does not belong to the area.
    if (share > 1e-9) cells.push({ column: at % width, row, weight });
  }
  return toWhole(cells.toSorted((one, other) => one.row - other.row || one.column - other.column));
}

const tooManyCells = () =>
  tooLarge('too-many-cells', `The area has more than ${MAX_CELLS_OF_AREA} cells of the grid.`);

/** The whole numbers from the first cell that a ring may touch to the one after the last. */
function toSpan(ring: FlatRing, axis: 0 | 1, end: number): readonly [from: number, to: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const position of ring) {
    low = Math.min(low, position[axis]);
    high = Math.max(high, position[axis]);
  }
  return [Math.max(0, Math.floor(low)), Math.min(end, Math.ceil(high))];
}

/** The same cells with weights whose sum is 1. */
function toWhole(cells: readonly WeightedCell[]): readonly WeightedCell[] {
  const sum = cells.reduce((total, { weight }) => total + weight, 0);
  return cells.map(({ column, row, weight }) => ({ column, row, weight: weight / sum }));
}
