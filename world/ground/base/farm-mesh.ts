import type { Noise } from '../../numbers/noise.ts';
import { hash } from '../../numbers/noise.ts';
import { sharedFloats } from './grid.ts';
import type { Point } from './polylines.ts';

/**
 * Farmland is surveyed in blocks: quadrangles between the points of a bent lattice, each cut by straight lines into
 * strips and these into fields. All borders are straight, so a field's ring is exact.
 */
const spacingM = 900;
const originM = -2700;
/** Blocks along each side of the world. */
export const blocksPerSide = 127;
const pointsPerSide = blocksPerSide + 1;

/** Max number of fields of a block: four strips of three. */
export const slotsPerBlock = 12;
const cutsPerStrip = 3;

/** Makes the lattice's points, x and y after each other, row by row. */
export function makeMesh(noise: Noise): Float32Array {
  const points = sharedFloats(pointsPerSide * pointsPerSide * 2);
  const seed = noise.salt(60);
  for (let row = 0; row < pointsPerSide; row++) {
    for (let col = 0; col < pointsPerSide; col++) {
      const x = originM + col * spacingM;
      const y = originM + row * spacingM;
      const bits = hash(col, row, seed);
      const at = (row * pointsPerSide + col) * 2;
      // The lattice turns by up to some 15 degrees over the country; each point is off by up to 75 m.
      points[at] =
        x + 1500 * noise.gradient(x / 13000, y / 13000, 61) + ((bits & 0xffff) / 65536 - 0.5) * 150;
      points[at + 1] =
        y + 1500 * noise.gradient(x / 13000, y / 13000, 62) + ((bits >>> 16) / 65536 - 0.5) * 150;
    }
  }
  return points;
}

/** Where a point lies in the mesh; reused by callers. */
export interface MeshSpot {
  block: number;
  /** Point within the block, 0 to 1 along and across. */
  u: number;
  v: number;
  /** Number of the field's slot in the block, and metres to its nearest border and to the block's. */
  slot: number;
  edgeM: number;
  blockEdgeM: number;
  /** Metres across the rows of the field and along them. */
  acrossM: number;
  alongM: number;
}

/** Makes an empty spot. */
export function makeMeshSpot(): MeshSpot {
  return { block: -1, u: 0, v: 0, slot: 0, edgeM: 0, blockEdgeM: 0, acrossM: 0, alongM: 0 };
}

/** How a block is cut: `strips` strips side by side along v (or along u), each in up to three fields. */
interface BlockPlan {
  readonly isAcross: boolean;
  readonly strips: number;
  /** Borders of strips, 0 to 1. */
  readonly bounds: Float64Array;
  readonly cuts: Int32Array;
  /** Borders of fields in each strip, four a strip. */
  readonly cutBounds: Float64Array;
}

/** Cuts a block by its number. */
function planBlock(block: number, seed: number): BlockPlan {
  const bits = hash(block, 1, seed);
  const strips = 1 + (((bits & 0xff) * 4) >> 8);
  const bounds = new Float64Array(strips + 1);
  const cuts = new Int32Array(strips);
  const cutBounds = new Float64Array(strips * (cutsPerStrip + 1));
  bounds[strips] = 1;
  for (let i = 1; i < strips; i++) {
    bounds[i] = (i + ((hash(block, i + 10, seed) & 0xff) / 256 - 0.5) * 0.5) / strips;
  }
  for (let i = 0; i < strips; i++) {
    const draw = hash(block, i + 20, seed);
    // Broad strips are cut more often than narrow ones.
    const maxCuts = strips <= 2 ? 3 : 2;
    cuts[i] = 1 + (((draw & 0xff) * maxCuts) >> 8);
    cutBounds[i * 4 + cuts[i]!] = 1;
    for (let k = 1; k < cuts[i]!; k++) {
      cutBounds[i * 4 + k] = (k + (((draw >>> (8 * k)) & 0xff) / 256 - 0.5) * 0.55) / cuts[i]!;
    }
  }
  return { isAcross: (bits >>> 9) % 2 === 1, strips, bounds, cuts, cutBounds };
}

/** Corners of a slot of a block as a closed ring. */
export function ringOf(
  mesh: Float32Array,
  { block, slot, seed }: { block: number; slot: number; seed: number },
): Point[] {
  const plan = planBlock(block, seed);
  const strip = Math.floor(slot / cutsPerStrip);
  const cut = slot % cutsPerStrip;
  const s0 = plan.bounds[strip]!;
  const s1 = plan.bounds[strip + 1]!;
  const c0 = plan.cutBounds[strip * 4 + cut]!;
  const c1 = plan.cutBounds[strip * 4 + cut + 1]!;
  const corners = [
    [s0, c0],
    [s1, c0],
    [s1, c1],
    [s0, c1],
    [s0, c0],
  ] as const;
  return corners.map(([s, c]) => pointIn(mesh, block, plan.isAcross ? [s, c] : [c, s]));
}

/** Slots of a block that hold a piece of land. */
export function slotsOf(block: number, seed: number): number[] {
  const { strips, cuts } = planBlock(block, seed);
  return Array.from({ length: strips }, (_, strip) =>
    Array.from({ length: cuts[strip]! }, (_unused, cut) => strip * cutsPerStrip + cut),
  ).flat();
}

/** Bilinear point in a block. */
function pointIn(mesh: Float32Array, block: number, [u, v]: readonly [u: number, v: number]): Point {
  const a = firstPointOf(block);
  const b = a + 2;
  const d = a + pointsPerSide * 2;
  const c = d + 2;
  const at = (axis: number): number =>
    (mesh[a + axis]! * (1 - u) + mesh[b + axis]! * u) * (1 - v) +
    (mesh[d + axis]! * (1 - u) + mesh[c + axis]! * u) * v;
  return { x: at(0), y: at(1) };
}

function firstPointOf(block: number): number {
  const row = Math.floor(block / blocksPerSide);
  return (row * pointsPerSide + (block - row * blocksPerSide)) * 2;
}

/** Makes a finder of the piece of land at a point; false outside the mesh. The finder keeps its last block's plan. */
export function makeMeshFinder(
  mesh: Float32Array,
  seed: number,
): (x: number, y: number, out: MeshSpot) => boolean {
  // Plans are cached: coarse pixels come back to a block on every line.
  const plans: (BlockPlan | undefined)[] = [];
  let block = -1;
  let plan = planBlock(0, seed);
  // The four corners of the block, and its sides' lengths.
  let ax = 0;
  let ay = 0;
  let bx = 0;
  let by = 0;
  let cx = 0;
  let cy = 0;
  let dx = 0;
  let dy = 0;
  let lengthU = 1;
  let lengthV = 1;
  const enter = (next: number): void => {
    block = next;
    plan = plans[block] ??= planBlock(block, seed);
    const a = firstPointOf(block);
    const d = a + pointsPerSide * 2;
    ax = mesh[a]!;
    ay = mesh[a + 1]!;
    bx = mesh[a + 2]!;
    by = mesh[a + 3]!;
    dx = mesh[d]!;
    dy = mesh[d + 1]!;
    cx = mesh[d + 2]!;
    cy = mesh[d + 3]!;
    lengthU = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    lengthV = Math.sqrt((dx - ax) * (dx - ax) + (dy - ay) * (dy - ay));
  };
  const side = (px: number, py: number, qx: number, qy: number, x: number, y: number): number =>
    (qx - px) * (y - py) - (qy - py) * (x - px);
  return (x, y, out) => {
    let col = block < 0 ? -1 : block % blocksPerSide;
    let row = block < 0 ? -1 : Math.floor(block / blocksPerSide);
    if (block < 0 || x < ax - 4000 || x > ax + 4000 || y < ay - 4000 || y > ay + 4000) {
      col = Math.min(blocksPerSide - 1, Math.max(0, Math.floor((x - originM) / spacingM)));
      row = Math.min(blocksPerSide - 1, Math.max(0, Math.floor((y - originM) / spacingM)));
    }
    // Walks across the border that the point lies beyond; blocks are convex, so it ends in a few steps.
    for (let step = 0; step < 24; step++) {
      if (row * blocksPerSide + col !== block) enter(row * blocksPerSide + col);
      let stepCol = 0;
      let stepRow = 0;
      if (side(ax, ay, bx, by, x, y) < 0) stepRow = -1;
      else if (side(cx, cy, dx, dy, x, y) <= 0) stepRow = 1;
      if (side(bx, by, cx, cy, x, y) <= 0) stepCol = 1;
      else if (side(dx, dy, ax, ay, x, y) < 0) stepCol = -1;
      if (stepCol === 0 && stepRow === 0) {
        locate(x, y, out);
        return true;
      }
      col += stepCol;
      row += stepRow;
      if (col < 0 || row < 0 || col >= blocksPerSide || row >= blocksPerSide) return false;
    }
    return false;
  };

  function locate(x: number, y: number, out: MeshSpot): void {
    // Inverse of the bilinear point: a quadratic equation for v, then u on the line between the sides.
    const ex = bx - ax;
    const ey = by - ay;
    const fx = dx - ax;
    const fy = dy - ay;
    const gx = ax - bx + cx - dx;
    const gy = ay - by + cy - dy;
    const hx = x - ax;
    const hy = y - ay;
    const k2 = gx * fy - gy * fx;
    const k1 = ex * fy - ey * fx + hx * gy - hy * gx;
    const k0 = hx * ey - hy * ex;
    const root = Math.sqrt(Math.max(0, k1 * k1 - 4 * k0 * k2));
    // Written so that a parallelogram, where k2 is 0, needs no other formula.
    const v = (-2 * k0) / (k1 + root);
    const wx = ex + gx * v;
    const wy = ey + gy * v;
    const u = Math.abs(wx) > Math.abs(wy) ? (hx - fx * v) / wx : (hy - fy * v) / wy;
    out.block = block;
    out.u = u;
    out.v = v;
    out.blockEdgeM = Math.min(Math.min(u, 1 - u) * lengthU, Math.min(v, 1 - v) * lengthV);
    const s = plan.isAcross ? u : v;
    const c = plan.isAcross ? v : u;
    const acrossM = plan.isAcross ? lengthU : lengthV;
    const alongM = plan.isAcross ? lengthV : lengthU;
    let strip = 0;
    while (strip < plan.strips - 1 && s >= plan.bounds[strip + 1]!) strip++;
    let cut = 0;
    while (cut < plan.cuts[strip]! - 1 && c >= plan.cutBounds[strip * 4 + cut + 1]!) cut++;
    out.slot = strip * cutsPerStrip + cut;
    out.acrossM = s * acrossM;
    out.alongM = c * alongM;
    const stripEdge = Math.min(s - plan.bounds[strip]!, plan.bounds[strip + 1]! - s) * acrossM;
    const cutEdge =
      Math.min(c - plan.cutBounds[strip * 4 + cut]!, plan.cutBounds[strip * 4 + cut + 1]! - c) * alongM;
    out.edgeM = Math.min(stripEdge, cutEdge);
  }
}
