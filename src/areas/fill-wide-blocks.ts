import type { AreaOutline, LonLatBounds } from '../geo/index.ts';
import { sideOf } from '../geo/index.ts';
import type { Position } from '../proj/index.ts';
import { edgesNear } from './lon-lat-blocks.ts';

/** Pixels, and the blocks in which they are filled later. */
interface BlockGrid {
  readonly mask: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly outline: AreaOutline;
  readonly toLonLat: (col: number, row: number) => Position;
  /** Where the first block begins: at most 0. */
  readonly firstCol: number;
  readonly firstRow: number;
  readonly blockPx: number;
}

/** The blocks that are done. */
interface FilledBlocks {
  isFilled(col: number, row: number): boolean;
}

/** The largest wide block, in blocks: beyond it, projections bend too much. */
const MAX_BLOCKS = 16;

/** Positions within a wide block differ from those between its corners by a small multiple of the largest of nine. */
const BEND = 4;

/** Positions of pixels are interpolated too; they differ by less than this. */
const SLACK_PX = 2;

/** Wide blocks that bend by more are not filled as a whole. */
const MAX_BEND_PX = 16;

/**
 * Fills what no edge comes near, in blocks of many: inside a large area and outside of it there is nothing to decide. The
 * distance from all edges is larger than any error of a position, so the result is that of the single blocks.
 */
export function fillWideBlocks(grid: BlockGrid): FilledBlocks {
  const { width, height, firstCol, firstRow, blockPx, outline } = grid;
  const across = Math.ceil((width - firstCol) / blockPx);
  const down = Math.ceil((height - firstRow) / blockPx);
  const filled = new Uint8Array(across * down);
  let blocks = MAX_BLOCKS;
  while (blocks > Math.min(across, down) / 2 && blocks > 2) blocks /= 2;
  const positions = makePositions(grid);
  for (let y = 0; y < down; y += blocks) {
    for (let x = 0; x < across; x += blocks) visit({ x, y, blocks }, null, positions);
  }
  return {
    isFilled: (col, row) => filled[((row - firstRow) / blockPx) * across + (col - firstCol) / blockPx] === 1,
  };

  function visit(
    { x, y, blocks: size }: WideBlock,
    near: readonly number[] | null,
    positions: Positions,
  ): void {
    if (x >= across || y >= down) return;
    const box = toWideBox({ x, y, blocks: size }, positions, blockPx);
    const edges = box === null ? near : edgesNear(outline, near, box);
    if (edges !== null && edges.length === 0) {
      const middle = positions(x + size / 2, y + size / 2);
      fillAll({ x, y, blocks: size }, sideOf(outline, null, middle));
      return;
    }
    if (size === 2) return;
    const half = size / 2;
    for (const [dx, dy] of QUARTERS)
      visit({ x: x + dx * half, y: y + dy * half, blocks: half }, edges, positions);
  }

  function fillAll({ x, y, blocks: size }: WideBlock, state: number): void {
    for (let row = y; row < Math.min(down, y + size); row++) {
      filled.fill(1, row * across + x, row * across + Math.min(across, x + size));
    }
    if (state === 0) return;
    const [minCol, maxCol] = [
      Math.max(0, firstCol + x * blockPx),
      Math.min(width, firstCol + (x + size) * blockPx),
    ];
    const [minRow, maxRow] = [
      Math.max(0, firstRow + y * blockPx),
      Math.min(height, firstRow + (y + size) * blockPx),
    ];
    for (let row = minRow; row < maxRow; row++) grid.mask.fill(1, row * width + minCol, row * width + maxCol);
  }
}

const QUARTERS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

/** A square of blocks, counted from the first. */
interface WideBlock {
  readonly x: number;
  readonly y: number;
  readonly blocks: number;
}

/** Longitude and latitude of a corner of blocks. */
type Positions = (x: number, y: number) => Position;

const makePositions =
  ({ toLonLat, firstCol, firstRow, blockPx }: BlockGrid): Positions =>
  (x, y) =>
    toLonLat(firstCol + x * blockPx, firstRow + y * blockPx);

/** A box that holds all positions of a wide block; null where they bend too much, at poles and the antimeridian. */
function toWideBox({ x, y, blocks }: WideBlock, positions: Positions, blockPx: number): LonLatBounds | null {
  const half = blocks / 2;
  const nine: Position[] = [];
  for (let i = 0; i < 9; i++) nine.push(positions(x + (i % 3) * half, y + Math.floor(i / 3) * half));
  const [west, east] = toRange(nine, 0, blocks * blockPx) ?? [];
  const [south, north] = toRange(nine, 1, blocks * blockPx) ?? [];
  if (west === undefined || east === undefined || south === undefined || north === undefined) return null;
  return west > -180 && east < 180 ? { west, south, east, north } : null;
}

/** The range of longitudes (0) or latitudes (1), from three by three of them. */
function toRange(nine: readonly Position[], axis: 0 | 1, sizePx: number): readonly [number, number] | null {
  const at = (i: number): number => (nine[i] as Position)[axis];
  const [a, b, c, d] = [at(0), at(2), at(6), at(8)];
  const bend = Math.max(
    Math.abs(at(1) - (a + b) / 2),
    Math.abs(at(3) - (a + c) / 2),
    Math.abs(at(5) - (b + d) / 2),
    Math.abs(at(7) - (c + d) / 2),
    Math.abs(at(4) - (a + b + c + d) / 4),
  );
  const pixel = (Math.abs(b - a) + Math.abs(c - a)) / sizePx;
  // Written this way round, NaN bends too much.
  if (!(bend <= MAX_BEND_PX * pixel)) return null;
  const slack = BEND * bend + SLACK_PX * pixel;
  return [Math.min(a, b, c, d) - slack, Math.max(a, b, c, d) + slack];
}
