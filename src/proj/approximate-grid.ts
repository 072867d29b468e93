import type { Grid } from '../geo/index.ts';
import type { Position } from './crs.ts';
import { unsupported } from './errors.ts';
import type { GeoreferencedGrid, PixelMapping } from './projection.ts';
import { makePixelMapping } from './projection.ts';

/**
 * Where the pixels of a target grid lie in a source image, without projecting each one: square cells of the target, in
 * each of which the source position is a polynomial of degree two. Pixels outside all cells lie outside the source.
 */
export interface ApproximateGrid {
  readonly cellCount: number;
  /**
   * Three numbers per cell: column and row of its corner in the target, side in pixels. Cells may extend beyond the
   * target.
   */
  readonly cells: Int32Array;
  /** 18 numbers per cell (see `evaluatePatch`): source column and row, u and v from 0 to 1 over the cell. */
  readonly patches: Float64Array;
  /** Two numbers per cell: how many source pixels a target pixel spans in the source's x and y. */
  readonly ratios: Float64Array;
}

/** Initial side of the cells. Map tiles are multiples of it, so their cells coincide across tile edges. */
const FIRST_CELL_PX = 256;
/** Hundreds of times more than any smooth projection needs; bounds the memory of an irregular one. */
const MAX_CELLS = 65_536;
/**
 * Allowed error in pixels, source or target, whichever are larger. gdalwarp allows 0.125 by default; patches of degree
 * two reach this limit with 13 projected points in most tiles, and then bilinear values agree with exact projection to
 * 1e-5.
 */
const MAX_ERROR_PX = 2e-5;
/**
 * The same for lattices of control points, which bend at every node. Their nodes lie some thousand pixels apart and are
 * accurate to a pixel; with this limit a tile takes some dozens of cells, with the other one ten thousand and half a
 * second.
 */
const MAX_LATTICE_ERROR_PX = 0.01;

/**
 * Approximates the mapping from target to source pixels. A cell is halved until the patch through its 3 by 3 lattice is
 * accurate in the four points farthest from the lattice. Cells start at multiples of 256 pixels from the origin of the
 * reference system and are tested one by one, so two tiles computed separately use the same cells along their common
 * edge, and a block of tiles equals the one large image to the bit.
 */
export function makeApproximateGrid(target: Grid, source: GeoreferencedGrid): ApproximateGrid {
  const mapping = makePixelMapping(target, source);
  const toSource = mapping.isDirect ? mapping.toSource : withMemory(mapping.toSource);
  const maxErrorPx = source.lattice == null ? MAX_ERROR_PX : MAX_LATTICE_ERROR_PX;
  // Used only when a cell must be halved, which few tiles need.
  let overlap: Region | undefined;
  const cells: number[] = [];
  const patches: number[] = [];
  const ratios: number[] = [];
  const patch = new Float64Array(PATCH_LENGTH);

  const keep = (col: number, row: number, size: number): void => {
    if (cells.length / 3 >= MAX_CELLS) {
      throw unsupported(
        'uneven-projection',
        'The source image is too distorted in the requested reference system.',
      );
    }
    const { xu, xv, yu, yv } = patchSlopes(patch, 0);
    cells.push(col, row, size);
    for (const coefficient of patch) patches.push(coefficient);
    ratios.push(Math.hypot(xu, xv) / size, Math.hypot(yu, yv) / size);
  };
  const cover = (col: number, row: number, size: number): void => {
    if (col >= target.width || row >= target.height || col + size <= 0 || row + size <= 0) return;
    if (fitPatch(patch, { toSource, col, row, size, maxErrorPx })) {
      keep(col, row, size);
      return;
    }
    overlap ??= overlapInTarget(mapping, source);
    if (!touches(overlap, col, row, size)) return;
    if (size > 1) {
      const half = size / 2;
      cover(col, row, half);
      cover(col + half, row, half);
      cover(col, row + half, half);
      cover(col + half, row + half, half);
    } else if (fixCentre(patch, { toSource, col, row, size })) {
      keep(col, row, size);
    }
  };

  const firstCol = -modulo(Math.floor(mapping.targetOffset[0]), FIRST_CELL_PX);
  const firstRow = -modulo(Math.floor(mapping.targetOffset[1]), FIRST_CELL_PX);
  for (let row = firstRow; row < target.height; row += FIRST_CELL_PX) {
    for (let col = firstCol; col < target.width; col += FIRST_CELL_PX) cover(col, row, FIRST_CELL_PX);
  }
  return {
    cellCount: cells.length / 3,
    cells: Int32Array.from(cells),
    patches: Float64Array.from(patches),
    ratios: Float64Array.from(ratios),
  };
}

interface CellBounds {
  readonly toSource: (col: number, row: number) => Position;
  readonly col: number;
  readonly row: number;
  readonly size: number;
}

/** Fits the patch of a cell and returns whether it is accurate enough. */
function fitPatch(
  patch: Float64Array,
  { toSource, col, row, size, maxErrorPx }: CellBounds & { readonly maxErrorPx: number },
): boolean {
  for (let i = 0; i < 9; i++) {
    const position = toSource(col + ((i % 3) / 2) * size, row + (Math.floor(i / 3) / 2) * size);
    [latticeX[i], latticeY[i]] = position;
  }
  writePatch(patch, 0, { x: latticeX, y: latticeY });
  const { xu, xv, yu, yv } = patchSlopes(patch, 0);
  const allowed = maxErrorPx * Math.max(1, Math.min(Math.hypot(xu, xv), Math.hypot(yu, yv)) / size);
  for (const [u, v] of TESTED) {
    const [wantedX, wantedY] = toSource(col + u * size, row + v * size);
    const [gotX, gotY] = evaluatePatch(patch, 0, u, v);
    // Written so that NaN fails.
    if (!(Math.abs(gotX - wantedX) <= allowed && Math.abs(gotY - wantedY) <= allowed)) return false;
  }
  return true;
}

/** Positions on the lattice of the patch that is fitted, and rows of its coefficients: a large area has hundreds of cells. */
const latticeX = new Float64Array(9);
const latticeY = new Float64Array(9);
const rowCoefficients = new Float64Array(9);

/** Where a patch is tested: the error of a parabola through 0, 1/2 and 1 is largest at 0.21 and 0.79. */
const TESTED = [
  [0.25, 0.25],
  [0.25, 0.75],
  [0.75, 0.25],
  [0.75, 0.75],
] as const;

/** The last resort for a single pixel: its centre is exact, whatever happens around it. */
function fixCentre(patch: Float64Array, { toSource, col, row, size }: CellBounds): boolean {
  const half = size / 2;
  const centre = toSource(col + half, row + half);
  if (Number.isNaN(centre[0])) return false;
  const west = toSource(col, row + half);
  const east = toSource(col + size, row + half);
  const north = toSource(col + half, row);
  const south = toSource(col + half, row + size);
  patch.fill(0);
  for (const axis of [0, 1] as const) {
    const u = gentleSlope(west[axis], centre[axis], east[axis]);
    const v = gentleSlope(north[axis], centre[axis], south[axis]);
    const base = axis * 9;
    patch[base] = centre[axis] - 0.5 * (u + v);
    patch[base + 1] = v;
    patch[base + 3] = u;
  }
  return true;
}

/** The gentler of the slopes before and after the middle: the other may cross the antimeridian, or be NaN. */
function gentleSlope(before: number, middle: number, after: number): number {
  const slopes = [2 * (middle - before), 2 * (after - middle)].filter(Number.isFinite);
  return slopes.sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0;
}

interface Region {
  readonly minCol: number;
  readonly minRow: number;
  readonly maxCol: number;
  readonly maxRow: number;
}

const EVERYWHERE: Region = { minCol: -Infinity, minRow: -Infinity, maxCol: Infinity, maxRow: Infinity };

const touches = (region: Region, col: number, row: number, size: number): boolean =>
  col < region.maxCol && row < region.maxRow && col + size > region.minCol && row + size > region.minRow;

/** The part of the target that the source can cover; all of it when the source's outline cannot be projected. */
function overlapInTarget(mapping: PixelMapping, source: Grid): Region {
  let [minCol, minRow, maxCol, maxRow] = [Infinity, Infinity, -Infinity, -Infinity];
  const steps = 20;
  for (let i = 0; i <= steps; i++) {
    const across = (i / steps) * source.width;
    const down = (i / steps) * source.height;
    const outline = [
      mapping.toTarget(across, 0),
      mapping.toTarget(across, source.height),
      mapping.toTarget(0, down),
      mapping.toTarget(source.width, down),
    ];
    for (const [col, row] of outline) {
      if (Number.isNaN(col)) return EVERYWHERE;
      minCol = Math.min(minCol, col);
      maxCol = Math.max(maxCol, col);
      minRow = Math.min(minRow, row);
      maxRow = Math.max(maxRow, row);
    }
  }
  // Between two of the points the outline bulges by far less than a fiftieth of its extent.
  const spareCols = 2 + (maxCol - minCol) / 50;
  const spareRows = 2 + (maxRow - minRow) / 50;
  return {
    minCol: minCol - spareCols,
    minRow: minRow - spareRows,
    maxCol: maxCol + spareCols,
    maxRow: maxRow + spareRows,
  };
}

/** Caches positions: a halved cell needs nearly half of its parent's points again. */
function withMemory(
  toSource: (col: number, row: number) => Position,
): (col: number, row: number) => Position {
  const known = new Map<number, Position>();
  return (col, row) => {
    // Quarter pixels are the finest step; rows are spaced far enough apart for a million columns.
    const key = (row + 1024) * 2 ** 24 + (col + 1024) * 4;
    let position = known.get(key);
    if (position === undefined) {
      position = toSource(col, row);
      known.set(key, position);
    }
    return position;
  };
}

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;

/**
 * A pair of functions of (u, v) in the unit square, each a polynomial of degree two in u and in v, as 18 numbers:
 * the nine coefficients of x, then those of y. Coefficient `3 * i + j` belongs to `u^i * v^j`.
 */
export const PATCH_LENGTH = 18;

/** Fits the patch through nine values on a 3 by 3 lattice, row by row (v = 0, then 1/2, then 1). */
function writePatch(
  into: Float64Array,
  offset: number,
  values: { readonly x: Float64Array; readonly y: Float64Array },
): void {
  fitQuadratics(into, offset, values.x);
  fitQuadratics(into, offset + 9, values.y);
}

function fitQuadratics(into: Float64Array, offset: number, lattice: Float64Array): void {
  // Along u in each row, then along v over the three resulting coefficients.
  const rows = rowCoefficients;
  for (let row = 0; row < 3; row++)
    writeQuadratic(rows, row, 3, lattice[row * 3]!, lattice[row * 3 + 1]!, lattice[row * 3 + 2]!);
  for (let i = 0; i < 3; i++)
    writeQuadratic(into, offset + i * 3, 1, rows[i * 3]!, rows[i * 3 + 1]!, rows[i * 3 + 2]!);
}

/** The parabola through values at 0, 1/2 and 1. */
function writeQuadratic(
  into: Float64Array,
  offset: number,
  stride: number,
  ...[start, middle, end]: readonly [start: number, middle: number, end: number]
): void {
  into[offset] = start;
  // Equal values give no slope, without a rounding error: kernels/upright-rows.ts is for them.
  const isLevel = start === middle && middle === end;
  into[offset + stride] = isLevel ? 0 : -3 * start + 4 * middle - end;
  into[offset + 2 * stride] = isLevel ? 0 : 2 * start - 4 * middle + 2 * end;
}

/** The values of a patch at (u, v). */
export const evaluatePatch = (
  patches: Float64Array,
  offset: number,
  u: number,
  v: number,
): [x: number, y: number] => [evaluateAt(patches, offset, u, v), evaluateAt(patches, offset + 9, u, v)];

const evaluateAt = (patches: Float64Array, base: number, u: number, v: number): number =>
  evaluateTerm(patches, base, v) +
  u * (evaluateTerm(patches, base + 3, v) + u * evaluateTerm(patches, base + 6, v));

const evaluateTerm = (patches: Float64Array, at: number, v: number): number =>
  patches[at]! + v * (patches[at + 1]! + v * patches[at + 2]!);

/** The derivatives of x and y in the middle of the patch, along u and along v. */
function patchSlopes(
  patches: Float64Array,
  offset: number,
): { readonly xu: number; readonly xv: number; readonly yu: number; readonly yv: number } {
  const alongU = (base: number): number => {
    const term = (i: number): number =>
      patches[base + i]! + 0.5 * patches[base + i + 1]! + 0.25 * patches[base + i + 2]!;
    return term(3) + term(6);
  };
  const alongV = (base: number): number => {
    const term = (j: number): number =>
      patches[base + j]! + 0.5 * patches[base + j + 3]! + 0.25 * patches[base + j + 6]!;
    return term(1) + term(2);
  };
  return { xu: alongU(offset), xv: alongV(offset), yu: alongU(offset + 9), yv: alongV(offset + 9) };
}

/** Approximating grids by the plan they were computed for. */
export type PlannedGrids = ReadonlyMap<object, ApproximateGrid>;

/**
 * Cells of a grid that is cached: most tiles have 1 to 4, tiles of radar scenes some dozens. 128 take 23 kB, and plans
 * are cached by the thousand.
 */
const MAX_CACHED_CELLS = 128;

const cache = new WeakMap<object, ApproximateGrid>();

/** Caches the grid of a plan as long as the plan itself lives, so that its warp does not compute it again. */
export function cacheGrid(plan: object, grid: ApproximateGrid): void {
  if (grid.cellCount <= MAX_CACHED_CELLS) cache.set(plan, grid);
}

/** The cached grid of a plan. */
export const findGrid = (plan: object): ApproximateGrid | undefined => cache.get(plan);

/**
 * The cached grids of plans, to be posted to another thread in one message with the plans: a message retains identity.
 */
export function packGrids(plans: Iterable<object | null>): PlannedGrids {
  const grids = new Map<object, ApproximateGrid>();
  for (const plan of plans) {
    const grid = plan === null ? undefined : cache.get(plan);
    if (plan !== null && grid !== undefined) grids.set(plan, grid);
  }
  return grids;
}

/** The cached grids of plans in their order, to be posted to another thread with plans that are sent as text. */
export const listGrids = (plans: readonly object[]): (ApproximateGrid | null)[] =>
  plans.map((plan) => cache.get(plan) ?? null);

/** Caches grids that came in the order of their plans from another thread. */
export function unlistGrids(plans: readonly object[], grids: readonly (ApproximateGrid | null)[]): void {
  for (const [i, plan] of plans.entries()) {
    const grid = grids[i];
    if (grid != null) cache.set(plan, grid);
  }
}

/** Caches grids that came with their plans from another thread. */
export function unpackGrids(grids: PlannedGrids): void {
  for (const [plan, grid] of grids) cache.set(plan, grid);
}
