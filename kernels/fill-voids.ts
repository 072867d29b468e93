import { paddedAt, repeatEdges } from "./padded-plane";

/** Pixels around a void that count, in x and in y: as wide as a block of `blocks`, so that the next block is enough. */
const RADIUS: usize = 8;
/** Pixels of a row of the tables: twice the radius and the pixel itself, in whole groups of four. */
const TABLE_COLS: usize = 20;
/** Pixels of both tables. */
const TABLE_LENGTH: usize = TABLE_COLS * (2 * RADIUS + 1);

/**
 * Fills voids of a plane that is padded by RADIUS into one that is padded as median filters need it. `tables` holds the
 * weights of the pixels around a void, then bits that say in which directions they lie: a void stays where the known
 * ones leave three of eight neighbouring directions open. `blocks` has room for a byte for each 8 × 8 pixels, and one
 * more on every side.
 */
export function fillVoids(from: usize, to: usize, width: i32, height: i32, tables: usize, blocks: usize): void {
  const stride = <usize>width + 2 * RADIUS;
  const blockStride = ((<usize>width + 7) >> 3) + 2;
  markBlocks(from, width, height, blocks, blockStride);
  for (let y: usize = 0; y < <usize>height; y++) {
    const row = from + (((y + RADIUS) * stride + RADIUS) << 2);
    const block = blocks + (y >> 3) * blockStride;
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const at = row + (x << 2);
      const target = paddedAt(to, width, x, y);
      const values = v128.load(at);
      v128.store(target, values);
      const unknown = i32x4.bitmask(f32x4.ne(values, values));
      if (unknown == 0 || !anyKnown(block + (x >> 3), blockStride)) continue;
      for (let lane: usize = 0; lane < 4; lane++) {
        if ((unknown >> <i32>lane) & 1 && x + lane < <usize>width) store<f32>(target + (lane << 2), fill(at + (lane << 2), stride, tables));
      }
    }
  }
  repeatEdges(to, width, height);
}

/** Notes which blocks have a known pixel. */
function markBlocks(from: usize, width: i32, height: i32, blocks: usize, blockStride: usize): void {
  const stride = <usize>width + 2 * RADIUS;
  memory.fill(blocks, 0, blockStride * (((<usize>height + 7) >> 3) + 2));
  for (let y: usize = 0; y < <usize>height; y++) {
    const row = from + (((y + RADIUS) * stride + RADIUS) << 2);
    const block = blocks + ((y >> 3) + 1) * blockStride + 1;
    // Beyond the end of a row there are as many voids as a block is wide.
    for (let x: usize = 0; x < <usize>width; x += 8) {
      const first = v128.load(row + (x << 2));
      const last = v128.load(row + (x << 2), 16);
      if (v128.any_true(v128.or(f32x4.eq(first, first), f32x4.eq(last, last)))) store<u8>(block + (x >> 3), 1);
    }
  }
}

/** Whether a block or one of the eight around it has a known pixel; `block` is the first of them. */
// @ts-ignore: decorator
@inline function anyKnown(block: usize, stride: usize): bool {
  const rows = load<u32>(block) | load<u32>(block + stride) | load<u32>(block + 2 * stride);
  return (rows & 0xffffff) != 0;
}

/** The mean of the known pixels around a void by their weights, or NaN. */
function fill(at: usize, stride: usize, tables: usize): f32 {
  let weights = f32x4.splat(0.0);
  let sums = f32x4.splat(0.0);
  let directions = i32x4.splat(0);
  let row = at - ((RADIUS * stride + RADIUS) << 2);
  for (let table = tables; table < tables + (TABLE_LENGTH << 2); row += stride << 2) {
    for (let col: usize = 0; col < TABLE_COLS << 2; col += 16, table += 16) {
      const values = v128.load(row + col);
      const known = f32x4.eq(values, values);
      const weight = v128.and(v128.load(table), known);
      weights = f32x4.add(weights, weight);
      sums = f32x4.add(sums, f32x4.mul(weight, v128.and(values, known)));
      directions = v128.or(directions, v128.and(v128.load(table + (TABLE_LENGTH << 2)), known));
    }
  }
  const both = v128.or(directions, v128.shuffle<i32>(directions, directions, 2, 3, 0, 1));
  const open = ~(i32x4.extract_lane(both, 0) | i32x4.extract_lane(both, 1)) & 0xff;
  // Twice in a row, the eight bits form a ring.
  const ring = open | (open << 8);
  if ((ring & (ring >> 1) & (ring >> 2)) != 0) return NaN;
  return sum4(sums) / sum4(weights);
}

// @ts-ignore: decorator
@inline function sum4(x: v128): f32 {
  return (f32x4.extract_lane(x, 0) + f32x4.extract_lane(x, 1)) + (f32x4.extract_lane(x, 2) + f32x4.extract_lane(x, 3));
}
