import type { AreaOutline, LonLatBounds } from '../geo/index.ts';
import { LON_LAT_GRID, sideOf } from '../geo/index.ts';
import type { GeoreferencedGrid, Position } from '../proj/index.ts';
import { makePixelMapping } from '../proj/index.ts';
import { fillWideBlocks } from './fill-wide-blocks.ts';
import type { EvenPatch, Square } from './lon-lat-blocks.ts';
import { edgesNear, evaluatePatch, lonAt, makeLonLatPatches, rememberPositions } from './lon-lat-blocks.ts';

/** The initial block size, and the size of blocks in which each pixel is tested. */
const FIRST_BLOCK_PX = 32;
const LAST_BLOCK_PX = 8;

/** Smaller grids, with fewer than four blocks on a side, are not filled in wide blocks: nearly all lie at an edge. */
const MIN_WIDE_PX = 3 * FIRST_BLOCK_PX;

/**
 * A point of a block whose location, inside or outside, is known, and the edges that may pass between it and the
 * block's other points.
 */
interface Known {
  readonly lon: number;
  readonly lat: number;
  readonly isInside: number;
  readonly edges: readonly number[];
}

interface Work {
  readonly mask: Uint8Array;
  readonly outline: AreaOutline;
  readonly width: number;
  readonly height: number;
  /** Where positions near edges are computed and not interpolated; null if they are interpolated. */
  readonly toExact: ((col: number, row: number) => Position) | null;
}

/**
 * Marks the pixels whose centre lies in the area, for grids on which neither rows nor columns are level in degrees.
 * Pixel centres are converted to longitude and latitude, block by block (`lon-lat-blocks.ts`). A block that no edge
 * crosses is wholly inside or outside (`fill-wide-blocks.ts` for many at once); others are quartered, and in the smallest
 * each pixel counts the edges between itself and the known point. Blocks are aligned to the lattice of the reference system, so tiles have no seams.
 */
// Four parameters: what is filled, with what, where, and how well.
export function fillProjected(
  mask: Uint8Array,
  outline: AreaOutline,
  grid: GeoreferencedGrid,
  isExact: boolean,
): void {
  const { toLonLat, offset } = makeToLonLat(grid);
  const [offsetX, offsetY] = offset;
  const ask = rememberPositions(toLonLat);
  const readPatches = makeLonLatPatches(ask);
  const { width, height } = grid;
  const work: Work = { mask, outline, width, height, toExact: isExact ? toLonLat : null };
  const [firstCol, firstRow] = [firstBlock(offsetX), firstBlock(offsetY)];
  const isLarge = Math.min(width - firstCol, height - firstRow) > MIN_WIDE_PX;
  // Between the points of a lattice positions may bend in any way.
  const wide =
    isLarge && grid.lattice == null
      ? fillWideBlocks({
          mask,
          outline,
          width,
          height,
          firstCol,
          firstRow,
          blockPx: FIRST_BLOCK_PX,
          toLonLat: ask,
        })
      : null;
  for (let row = firstRow; row < grid.height; row += FIRST_BLOCK_PX) {
    const even: EvenPatch[] = [];
    for (let col = firstCol; col < grid.width; col += FIRST_BLOCK_PX) {
      if (wide?.isFilled(col, row)) continue;
      for (const patch of readPatches(col, row, FIRST_BLOCK_PX)) {
        if (patch.lon === null) fillOneByOne(work, patch, toLonLat);
        else even.push(patch);
      }
    }
    if (even.length > 0) fillPatches(work, even);
  }
}

/** From pixels to longitude and latitude, and how far the pixels lie from the origin of their reference system. */
function makeToLonLat(grid: GeoreferencedGrid): {
  readonly toLonLat: (col: number, row: number) => Position;
  readonly offset: Position;
} {
  // Only the source of a mapping may have a lattice, and has no origin to count from.
  if (grid.lattice != null) {
    return { toLonLat: makePixelMapping(LON_LAT_GRID, grid).toTarget, offset: [0, 0] };
  }
  const { toSource, targetOffset } = makePixelMapping(grid, LON_LAT_GRID);
  return { toLonLat: toSource, offset: targetOffset };
}

/** Adjacent patches: most edges lie to the north or to the south of all of them. */
function fillPatches(work: Work, patches: readonly EvenPatch[]): void {
  const boxes = patches.map((patch) => toBox(patch, patch));
  const [south, north] = [
    Math.min(...boxes.map((box) => box.south)),
    Math.max(...boxes.map((box) => box.north)),
  ];
  const level = edgesNear(work.outline, null, { west: -Infinity, south, east: Infinity, north });
  for (const [i, patch] of patches.entries()) {
    const [lon, lat] = evaluatePatch(patch, patch.col + patch.size / 2, patch.row + patch.size / 2);
    const edges = edgesNear(work.outline, level, boxes[i]!);
    fillBlock(work, patch, patch, { lon, lat, isInside: sideOf(work.outline, level, [lon, lat]), edges });
  }
}

/** The start of the block that holds the first pixel; grids without a lattice count from their own corner. */
function firstBlock(offset: number): number {
  if (!Number.isInteger(offset)) return 0;
  return -(((offset % FIRST_BLOCK_PX) + FIRST_BLOCK_PX) % FIRST_BLOCK_PX);
}

/** At the poles and the antimeridian, where positions cannot be interpolated. */
function fillOneByOne(
  { mask, outline, width, height }: Work,
  { col: left, row: top, size }: Square,
  toLonLat: (col: number, row: number) => Position,
): void {
  for (let row = Math.max(0, top); row < Math.min(height, top + size); row++) {
    for (let col = Math.max(0, left); col < Math.min(width, left + size); col++) {
      mask[row * width + col] = sideOf(outline, null, toLonLat(col + 0.5, row + 0.5));
    }
  }
}

// Four parameters: a block is part of a patch, with a known point.
function fillBlock(work: Work, patch: EvenPatch, { col, row, size }: Square, known: Known): void {
  const { outline, width, height } = work;
  const [minCol, maxCol] = [Math.max(0, col), Math.min(width, col + size)];
  const [minRow, maxRow] = [Math.max(0, row), Math.min(height, row + size)];
  if (minCol >= maxCol || minRow >= maxRow) return;
  if (known.edges.length === 0) {
    if (known.isInside === 0) return;
    setPixels(work, { minCol, maxCol, minRow, maxRow }, 1);
    return;
  }
  if (size > LAST_BLOCK_PX) {
    const half = size / 2;
    for (let quarter = 0; quarter < 4; quarter++) {
      const block = { col: col + (quarter % 2) * half, row: row + (quarter >> 1) * half, size: half };
      const [lon, lat] = evaluatePatch(patch, block.col + half / 2, block.row + half / 2);
      const state = known.isInside ^ countBetween(outline, known, lon, lat);
      const edges = edgesNear(outline, known.edges, toBox(patch, block));
      fillBlock(work, patch, block, { lon, lat, isInside: state, edges });
    }
    return;
  }
  const pixels = { minCol, maxCol, minRow, maxRow };
  setPixels(work, pixels, known.isInside);
  for (const at of known.edges) crossEdge(work, patch, { ...pixels, known, at });
  if (work.toExact !== null) testAgain(work, patch, { ...pixels, known, toExact: work.toExact });
}

/** Positions of a patch are right to much less than this, in pixels: two hundredths of one are nearer to an edge than that. */
const UNSURE_PX = 0.02;

/** Much more than the rounding of where an edge crosses a row, and much less than the slack. */
const ROUNDING_PX = 0.001;

/** Pixels of a block that are tested again where an edge comes near them. */
interface BlockToTest extends BlockPixels {
  readonly known: Known;
  readonly toExact: (col: number, row: number) => Position;
}

/**
 * Tests the pixels with exact positions that lie so near to an edge that the patch may put them on its other side. The
 * centres of a block's pixels lie half a pixel within it, so that its edges are the same for exact positions.
 */
function testAgain(
  { mask, outline, width }: Work,
  { lon, lat, col, row }: EvenPatch,
  { minCol, maxCol, minRow, maxRow, known, toExact }: BlockToTest,
): void {
  const slackLon = UNSURE_PX * (Math.abs(lon.across) + Math.abs(lon.down));
  const slackLat = UNSURE_PX * (Math.abs(lat.across) + Math.abs(lat.down));
  // One for all pixels: an object for each would cost more than the test.
  const near: Near = { toLon: 0, toLat: 0, slackLon, slackLat };
  for (let y = minRow; y < maxRow; y++) {
    const v = y + 0.5 - row;
    const firstLon = lon.first + v * lon.down;
    const stepLon = lon.across + v * lon.twist;
    const firstLat = lat.first + v * lat.down;
    const stepLat = lat.across + v * lat.twist;
    for (const at of known.edges) {
      const low = outline[at + 1]!;
      const slope = (outline[at + 2]! - outline[at]!) / (outline[at + 3]! - low);
      // How far the edge lies to the east of a pixel: a straight line along the row, of which the ends of the slack are
      // looked up. An edge along a parallel has no such line, and one along the row is near to all or to none of it.
      const offset = outline[at]! + (firstLat - low) * slope - firstLon;
      const change = stepLat * slope - stepLon;
      const slack = slackLon + Math.abs(slope) * slackLat;
      const [one, other] = [(-slack - offset) / change, (slack - offset) / change];
      const first = Math.ceil(Math.min(one, other) + col - 0.5 - ROUNDING_PX);
      const last = Math.floor(Math.max(one, other) + col - 0.5 + ROUNDING_PX);
      const isPlain = Number.isFinite(first) && Number.isFinite(last);
      const until = isPlain ? Math.min(maxCol - 1, last) : maxCol - 1;
      for (let x = isPlain ? Math.max(minCol, first) : minCol; x <= until; x++) {
        const u = x + 0.5 - col;
        near.toLon = firstLon + u * stepLon;
        near.toLat = firstLat + u * stepLat;
        if (!isNearEdge(outline, at, near)) continue;
        const [exactLon, exactLat] = toExact(x + 0.5, y + 0.5);
        mask[y * width + x] = known.isInside ^ countBetween(outline, known, exactLon, exactLat);
      }
    }
  }
}

/** Whether an edge passes a position within the slack. */
function isNearEdge(outline: AreaOutline, at: number, { toLon, toLat, slackLon, slackLat }: Near): boolean {
  const low = outline[at + 1]!;
  const high = outline[at + 3]!;
  if (toLat < low - slackLat || toLat > high + slackLat) return false;
  const fromLon = outline[at]!;
  const untilLon = outline[at + 2]!;
  if (toLon < Math.min(fromLon, untilLon) - slackLon || toLon > Math.max(fromLon, untilLon) + slackLon)
    return false;
  // An edge along a parallel is as near as its latitude.
  if (high === low) return true;
  const slope = (untilLon - fromLon) / (high - low);
  return Math.abs(fromLon + (toLat - low) * slope - toLon) <= slackLon + Math.abs(slope) * slackLat;
}

/** A position, and how far it may be off. */
interface Near {
  toLon: number;
  toLat: number;
  readonly slackLon: number;
  readonly slackLat: number;
}

/** Pixels of a block. */
interface BlockPixels {
  readonly minCol: number;
  readonly maxCol: number;
  readonly minRow: number;
  readonly maxRow: number;
}

/** Rows are short: a call for each would cost more than the loop. */
function setPixels(
  { mask, width }: Work,
  { minCol, maxCol, minRow, maxRow }: BlockPixels,
  state: number,
): void {
  for (let y = minRow; y < maxRow; y++) {
    const end = y * width + maxCol;
    for (let i = y * width + minCol; i < end; i++) mask[i] = state;
  }
}

/** Pixels of a block, and an edge that may pass between them and its known point. */
interface EdgeInBlock extends BlockPixels {
  readonly known: Known;
  readonly at: number;
}

/** Turns the pixels between which and the known point an edge passes, as `countBetween` says of one of them. */
function crossEdge(
  { mask, outline, width }: Work,
  { lon, lat, col, row }: EvenPatch,
  { minCol, maxCol, minRow, maxRow, known, at }: EdgeInBlock,
): void {
  const fromLon = outline[at]!;
  const low = outline[at + 1]!;
  const untilLon = outline[at + 2]!;
  const high = outline[at + 3]!;
  const slope = (untilLon - fromLon) / (high - low);
  const meridian = crossMeridian(outline, known.lon, at);
  const isAbove = known.lat < meridian;
  for (let y = minRow; y < maxRow; y++) {
    const v = y + 0.5 - row;
    const firstLon = lon.first + v * lon.down;
    const stepLon = lon.across + v * lon.twist;
    const firstLat = lat.first + v * lat.down;
    const stepLat = lat.across + v * lat.twist;
    for (let x = minCol; x < maxCol; x++) {
      const u = x + 0.5 - col;
      const toLon = firstLon + u * stepLon;
      const toLat = firstLat + u * stepLat;
      let state = isAbove !== toLat < meridian ? 1 : 0;
      if (low <= toLat && toLat < high) {
        const crossing = fromLon + (toLat - low) * slope;
        if (known.lon < crossing !== toLon < crossing) state ^= 1;
      }
      mask[y * width + x]! ^= state;
    }
  }
}

/** The bounding box of a square's corners: positions interpolated between them lie in it. */
function toBox(patch: EvenPatch, { col, row, size }: Square): LonLatBounds {
  const [aLon, aLat] = evaluatePatch(patch, col, row);
  const [bLon, bLat] = evaluatePatch(patch, col + size, row);
  const [cLon, cLat] = evaluatePatch(patch, col, row + size);
  const [dLon, dLat] = evaluatePatch(patch, col + size, row + size);
  return {
    west: Math.min(aLon, bLon, cLon, dLon),
    south: Math.min(aLat, bLat, cLat, dLat),
    east: Math.max(aLon, bLon, cLon, dLon),
    north: Math.max(aLat, bLat, cLat, dLat),
  };
}

/** 1 when an odd number of edges lies between the known point and another point of its block. */
function countBetween(
  outline: AreaOutline,
  { edges, lon, lat }: Known,
  toLon: number,
  toLat: number,
): number {
  let state = 0;
  for (const at of edges) {
    // Along the parallel of the other point, between the two meridians…
    if (outline[at + 1]! <= toLat && toLat < outline[at + 3]!) {
      const crossing = lonAt(outline, at, toLat);
      if (lon < crossing !== toLon < crossing) state ^= 1;
    }
    // … and along the meridian of the known point, between the two parallels.
    const crossing = crossMeridian(outline, lon, at);
    if (lat < crossing !== toLat < crossing) state ^= 1;
  }
  return state;
}

/** The latitude at which an edge crosses a meridian; one beyond all others if it does not. */
function crossMeridian(outline: AreaOutline, lon: number, at: number): number {
  const fromLon = outline[at]!;
  const low = outline[at + 1]!;
  const untilLon = outline[at + 2]!;
  if (fromLon > lon === untilLon > lon) return Infinity;
  return low + ((lon - fromLon) * (outline[at + 3]! - low)) / (untilLon - fromLon);
}
