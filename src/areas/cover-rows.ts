/** The pixels of an area row by row: where its outline crosses the rows, and the runs between the crossings. */
import type { AreaOutline } from '../geo/index.ts';
import { LON_LAT_GRID, sideOf } from '../geo/index.ts';
import type { GeoreferencedGrid, PixelMapping, Position } from '../proj/index.ts';
import { makePixelMapping } from '../proj/index.ts';

/** Wider areas, and those near the poles or the antimeridian, are filled block by block. */
const MAX_DEGREES = 4;
const MAX_LAT = 80;
const MAX_LON = 179;

/** How far a corner may lie from the first pixel: beyond, positions lose digits. */
const MAX_PX = 2 ** 21;

/** A position that is converted there and back comes back within this. */
const SAME_PX = 1e-4;

/** The longest pieces of an edge, in pixels and in degrees. */
const PIECE_PX = 128;
const PIECE_DEGREES = 0.25;

/** A piece counts as straight in pixels if its middle lies this close to the line. */
const STRAIGHT_PX = 0.004;
/** Pixels whose centre lies within three times as much of a piece are tested with their exact position. */
const UNSURE_PX = 3 * STRAIGHT_PX;
/** Halvings of a piece; a quarter of the bend is left after each. */
const MAX_HALVINGS = 16;

/** One for each thread: its memory is used again. */
const crossings = makeRowCrossings();

/**
 * The runs of pixels whose centre lies in an area, as `toSpans` gives them; null where `fillProjected` has to find them.
 * Edges are straight in degrees. They are cut into pieces that are straight in pixels to much less than `UNSURE_PX`, and
 * each row of pixels changes between inside and outside where a piece crosses the line of its centres. That is right for
 * all pixels but those that lie as near to a piece: they count the edges beside their exact position.
 */
export function coverRows(outline: AreaOutline, grid: GeoreferencedGrid): Uint32Array<ArrayBuffer> | null {
  if (grid.lattice != null || outline.length === 0 || !isPlain(outline)) return null;
  const { toSource: toLonLat, toTarget: toPixel } = makePixelMapping(grid, LON_LAT_GRID);
  if (!comesBack({ toSource: toLonLat, toTarget: toPixel }, outline)) return null;
  const { width, height } = grid;
  crossings.begin(width, height);
  const walk = makeWalk(toPixel, { width, height });
  // Edges follow each other along a ring: they share corners.
  let [lowLon, lowLat, highLon, highLat] = [Number.NaN, Number.NaN, Number.NaN, Number.NaN];
  let low: Position = [Number.NaN, Number.NaN];
  let high = low;
  const find = (lon: number, lat: number): Position => {
    if (lon === lowLon && lat === lowLat) return low;
    if (lon === highLon && lat === highLat) return high;
    return toPixel(lon, lat);
  };
  for (let at = 0; at < outline.length; at += 4) {
    const [fromLon, fromLat] = [outline[at]!, outline[at + 1]!];
    const [toLon, toLat] = [outline[at + 2]!, outline[at + 3]!];
    const [from, to] = [find(fromLon, fromLat), find(toLon, toLat)];
    if (!walk({ fromLon, fromLat, toLon, toLat, from, to })) return null;
    [lowLon, lowLat, highLon, highLat] = [fromLon, fromLat, toLon, toLat];
    [low, high] = [from, to];
  }
  return crossings.finish((col, row) => sideOf(outline, null, toLonLat(col + 0.5, row + 0.5)));
}

/** Whether an outline is small and lies where projections are smooth. */
function isPlain(outline: AreaOutline): boolean {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < outline.length; i += 2) {
    const [lon, lat] = [outline[i]!, outline[i + 1]!];
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
  }
  const isSmall = east - west <= MAX_DEGREES && north - south <= MAX_DEGREES;
  return isSmall && west > -MAX_LON && east < MAX_LON && south > -MAX_LAT && north < MAX_LAT;
}

/** Whether the projection of the grid suits the ground of an outline, at two of its corners. */
function comesBack(
  { toSource: toLonLat, toTarget: toPixel }: Pick<PixelMapping, 'toSource' | 'toTarget'>,
  outline: AreaOutline,
): boolean {
  const middle = 4 * Math.floor(outline.length / 8);
  for (const at of [0, middle]) {
    const [col, row] = toPixel(outline[at]!, outline[at + 1]!);
    const [againCol, againRow] = toPixel(...toLonLat(col, row));
    // Written this way round, NaN does not come back.
    if (!(Math.abs(againCol - col) + Math.abs(againRow - row) <= SAME_PX)) return false;
  }
  return true;
}

/** An edge in degrees, and its ends in pixels. */
interface Edge {
  readonly fromLon: number;
  readonly fromLat: number;
  readonly toLon: number;
  readonly toLat: number;
  readonly from: Position;
  readonly to: Position;
}

/** Cuts edges into straight pieces and adds them; false where that is not possible. */
function makeWalk(
  toPixel: (lon: number, lat: number) => Position,
  { width, height }: { readonly width: number; readonly height: number },
): (edge: Edge) => boolean {
  return ({ fromLon, fromLat, toLon, toLat, from, to }) => {
    const [across, down] = [toLon - fromLon, toLat - fromLat];
    const locate = (share: number): Position =>
      share === 1 ? to : toPixel(fromLon + share * across, fromLat + share * down);
    const lengthPx = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
    if (!(lengthPx <= MAX_PX && Math.abs(from[0]) <= MAX_PX && Math.abs(from[1]) <= MAX_PX)) return false;
    const degrees = Math.max(Math.abs(across), Math.abs(down));
    const count = Math.max(1, Math.ceil(lengthPx / PIECE_PX), Math.ceil(degrees / PIECE_DEGREES));
    let first = from;
    for (let piece = 1; piece <= count; piece += 1) {
      const last = locate(piece / count);
      if (!cut((piece - 1) / count, first, piece / count, last, 0)) return false;
      first = last;
    }
    return true;

    // Five positional parameters: an object for each piece would cost more than the piece.
    function cut(start: number, one: Position, end: number, other: Position, halvings: number): boolean {
      if (isBeyond(one, other)) return true;
      const middle = locate((start + end) / 2);
      const bend = Math.max(
        Math.abs(middle[0] - (one[0] + other[0]) / 2),
        Math.abs(middle[1] - (one[1] + other[1]) / 2),
      );
      if (bend <= STRAIGHT_PX) return crossings.addLine(one, other, UNSURE_PX);
      // Written this way round, NaN is never straight.
      if (!(halvings < MAX_HALVINGS)) return false;
      const half = (start + end) / 2;
      return cut(start, one, half, middle, halvings + 1) && cut(half, middle, end, other, halvings + 1);
    }
  };

  /** Whether a piece changes no pixel: it lies above, below, or to the right of all. Pieces bend by less than their length. */
  function isBeyond([x, y]: Position, [otherX, otherY]: Position): boolean {
    const slack = Math.max(Math.abs(otherX - x), Math.abs(otherY - y)) + 1;
    if (Math.max(y, otherY) + slack < 0 || Math.min(y, otherY) - slack > height) return true;
    return Math.min(x, otherX) - slack > width;
  }
}

/** Where the lines around an area cross rows of pixels, and the runs of pixels between them. */
interface RowCrossings {
  /** Begins an area on so many columns and rows. */
  begin(width: number, height: number): void;
  /**
   * Adds a line between two points; one to the right of the grid may be left out. Pixels whose centre lies within `slackPx`
   * of it are tested by `finish`. False if there are too many crossings or such pixels: their memory is bounded.
   */
  addLine(from: Point, to: Point, slackPx: number): boolean;
  /** The runs of pixels inside, one after the other: the first pixel of each and the one after its last. */
  finish(isInside: (col: number, row: number) => number): Uint32Array<ArrayBuffer>;
}

type Point = readonly [x: number, y: number];

/** The max number of crossings, and of pixels that are tested: far more than areas of 10,000 corners have in practice. */
const MAX_COUNT = 2 ** 20;

/** Crossings of a row up to which they are sorted by insertion. */
const FEW = 24;

/** Makes the crossings of one area after the other, in memory that is used again. */
function makeRowCrossings(): RowCrossings {
  let width = 0;
  let height = 0;
  /** The rows of the crossings, and the first column to the right of each. */
  const rows = makeList();
  const columns = makeList();
  /** Pixels near a line, by their number in the grid. */
  const unsure = makeList();
  /** For each row, where its columns in `sorted` begin and end. */
  let starts = new Uint32Array(0);
  let ends = new Uint32Array(0);
  let sorted = new Uint32Array(0);
  let spans = new Uint32Array(0);

  return {
    begin(newWidth, newHeight) {
      [width, height] = [newWidth, newHeight];
      rows.length = 0;
      columns.length = 0;
      unsure.length = 0;
    },

    addLine(from, to, slackPx) {
      const [x, y, endX, endY] = from[1] <= to[1] ? [...from, ...to] : [...to, ...from];
      const slope = endY > y ? (endX - x) / (endY - y) : 0;
      const [left, right] = x < endX ? [x, endX] : [endX, x];
      const last = Math.min(height - 1, Math.floor(endY + slackPx - 0.5));
      for (let row = Math.max(0, Math.ceil(y - slackPx - 0.5)); row <= last; row += 1) {
        const middle = row + 0.5;
        const crossing = endY > y ? Math.min(right, Math.max(left, x + (middle - y) * slope)) : x;
        if (y <= middle && middle < endY) {
          rows.add(row);
          columns.add(Math.min(width, Math.max(0, Math.ceil(crossing - 0.5))));
        }
        // The part of the line that lies as near to the centres of the row; a level one may lie so with its whole length.
        const reach = Math.abs(slope) * slackPx;
        const isLevel = endY <= y;
        const nearLeft = isLevel ? left : Math.max(left, crossing - reach);
        const nearRight = isLevel ? right : Math.min(right, crossing + reach);
        const until = Math.min(width - 1, Math.floor(nearRight + slackPx - 0.5));
        for (let col = Math.max(0, Math.ceil(nearLeft - slackPx - 0.5)); col <= until; col += 1)
          unsure.add(row * width + col);
      }
      return Math.max(rows.length, unsure.length) <= MAX_COUNT;
    },

    finish(isInside) {
      sort();
      if (correct(isInside)) sort();
      return toRuns();
    },
  };

  /** Sorts the crossings by row and column. */
  function sort(): void {
    const count = rows.length;
    if (starts.length < height + 1) {
      starts = new Uint32Array(height + 1);
      ends = new Uint32Array(height + 1);
    }
    if (sorted.length < count) sorted = new Uint32Array(2 * count);
    starts.fill(0, 0, height + 1);
    for (let i = 0; i < count; i += 1) starts[rows.values[i]! + 1]! += 1;
    for (let row = 1; row <= height; row += 1) starts[row]! += starts[row - 1]!;
    ends.set(starts.subarray(0, height + 1));
    for (let i = 0; i < count; i += 1) {
      const row = rows.values[i]!;
      const start = starts[row]!;
      let at = ends[row]!;
      ends[row] = at + 1;
      const column = columns.values[i]!;
      if (at - start < FEW)
        for (; at > start && sorted[at - 1]! > column; at -= 1) sorted[at] = sorted[at - 1]!;
      sorted[at] = column;
    }
    for (let row = 0; row < height; row += 1)
      if (ends[row]! - starts[row]! > FEW) sorted.subarray(starts[row], ends[row]).sort();
  }

  /** Adds two crossings around each unsure pixel that is on the wrong side; true if there are any. */
  function correct(isInside: (col: number, row: number) => number): boolean {
    const pixels = unsure.values.subarray(0, unsure.length).sort();
    const before = rows.length;
    for (let i = 0; i < pixels.length; i += 1) {
      const pixel = pixels[i]!;
      if (i > 0 && pixel === pixels[i - 1]) continue;
      const row = Math.floor(pixel / width);
      const col = pixel - row * width;
      let state = 0;
      for (let at = starts[row]!; at < ends[row]! && sorted[at]! <= col; at += 1) state ^= 1;
      if (isInside(col, row) === state) continue;
      rows.add(row);
      columns.add(col);
      rows.add(row);
      columns.add(col + 1);
    }
    return rows.length > before;
  }

  function toRuns(): Uint32Array<ArrayBuffer> {
    if (spans.length < rows.length + 2) spans = new Uint32Array(2 * rows.length + 2);
    let end = 0;
    for (let row = 0; row < height; row += 1) {
      const first = row * width;
      const last = ends[row]!;
      for (let at = starts[row]!; at < last; at += 2) {
        const from = first + sorted[at]!;
        // Lines to the right of the grid are left out.
        const until = first + (at + 1 < last ? sorted[at + 1]! : width);
        if (from === until) continue;
        // A run may go on where the one before ends, also in the next row.
        if (end > 0 && spans[end - 1] === from) spans[end - 1] = until;
        else {
          spans[end] = from;
          spans[end + 1] = until;
          end += 2;
        }
      }
    }
    return spans.slice(0, end);
  }
}

/** A list of numbers that keeps its memory. */
interface NumberList {
  values: Uint32Array<ArrayBuffer>;
  length: number;
  add(value: number): void;
}

function makeList(): NumberList {
  return {
    values: new Uint32Array(1_024),
    length: 0,
    add(value) {
      if (this.length === this.values.length) {
        const larger = new Uint32Array(2 * this.length);
        larger.set(this.values);
        this.values = larger;
      }
      this.values[this.length++] = value;
    },
  };
}
