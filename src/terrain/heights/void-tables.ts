/** Known pixels within this distance fill a void: as in kernels/fill-voids.ts. */
export const VOID_RADIUS_PX = 8;
/** Side of the blocks in which kernels/fill-voids.ts first looks for known pixels. */
export const VOID_BLOCK_PX = 8;
/** Pixels of a row of the tables: the window around a void, in whole groups of four. */
const TABLE_COLS = 20;
const TABLE_ROWS = 2 * VOID_RADIUS_PX + 1;

/**
 * For the pixels around a void their weights, then the directions in which they lie, as kernels/fill-voids.ts reads
 * them. A void is filled only if known pixels lie around it: three neighbouring octants without any are open ground,
 * since the edge of a large unknown region leaves at least as many, however it runs. Quadrants would not do: next to a
 * diagonal edge three of the four have known pixels.
 */
export const voidTables: ArrayBuffer = makeVoidTables();

function makeVoidTables(): ArrayBuffer {
  const length = TABLE_COLS * TABLE_ROWS;
  const tables = new ArrayBuffer(8 * length);
  const weights = new Float32Array(tables, 0, length);
  const octants = new Uint32Array(tables, 4 * length, length);
  for (let y = -VOID_RADIUS_PX; y <= VOID_RADIUS_PX; y++) {
    for (let x = -VOID_RADIUS_PX; x <= VOID_RADIUS_PX; x++) {
      const squarePx = x * x + y * y;
      if (squarePx === 0 || squarePx > VOID_RADIUS_PX ** 2) continue;
      const i = (y + VOID_RADIUS_PX) * TABLE_COLS + x + VOID_RADIUS_PX;
      weights[i] = 1 / squarePx;
      octants[i] = 1 << octantOf(x, y);
    }
  }
  return tables;
}

/** The octant of a direction, from 0 to 7, by whole numbers: each begins at an axis or diagonal and goes up to the next. */
function octantOf(x: number, y: number): number {
  if (x > 0 && y >= 0) return y < x ? 0 : 1;
  if (x <= 0 && y > 0) return -x < y ? 2 : 3;
  if (x < 0 && y <= 0) return -y < -x ? 4 : 5;
  return x < -y ? 6 : 7;
}
