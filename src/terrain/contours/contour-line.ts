import type { Bounds } from '../../geo/index.ts';

/** One contour line. Higher ground is on its right, seen with the first row of the grid on top. */
export interface ContourLine {
  /** Height of the ground along the line. */
  readonly heightM: number;
  /** Every fifth line is an index contour, which maps draw bolder and label. */
  readonly isIndex: boolean;
  /**
   * x, y, x, y, … in pixels of the grid: (0.5, 0.5) is the centre of the first pixel. The last point of a closed line
   * repeats the first.
   */
  readonly points: Float64Array;
}

/** Whether a line is a ring: it ends where it begins. */
export const isClosed = ({ points }: Pick<ContourLine, 'points'>): boolean =>
  points[0] === points[points.length - 2] && points[1] === points[points.length - 1];

/** Cuts lines to a box in grid coordinates, edges included; a line that leaves the box and returns becomes several. */
export const clipLines = (lines: readonly ContourLine[], box: Bounds): ContourLine[] =>
  lines.flatMap(({ heightM, isIndex, points }) =>
    cutPieces(addBorderPoints(points, box), box).map((piece) => ({ heightM, isIndex, points: piece })),
  );

/** The pieces of a line inside a box whose border none of its segments crosses; each has at least two points. */
function cutPieces(points: Float64Array, box: Bounds): Float64Array[] {
  const pieces: [begin: number, end: number][] = [];
  let begin = 0;
  for (let i = 0; i <= points.length; i += 2) {
    if (i < points.length && isInside(points[i]!, points[i + 1]!, box)) continue;
    // A single point is where a line touches the box from outside.
    if (i - begin > 2) pieces.push([begin, i]);
    begin = i + 2;
  }
  const cut = pieces.map(([from, to]) => points.subarray(from, to));
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (pieces.length < 2 || first?.[0] !== 0 || last?.[1] !== points.length || !isClosed({ points }))
    return cut;
  // A ring that begins inside the box: its last piece goes on with the first.
  return [concatenate(cut.at(-1)!, cut[0]!.subarray(2)), ...cut.slice(1, -1)];
}

const isInside = (x: number, y: number, box: Bounds): boolean =>
  x >= box.minX && x <= box.maxX && y >= box.minY && y <= box.maxY;

function concatenate(one: Float64Array, other: Float64Array): Float64Array {
  const both = new Float64Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Whether a point lies on one of the four straight lines that bound a box. */
const isOnBorder = (x: number, y: number, box: Bounds): boolean =>
  x === box.minX || x === box.maxX || y === box.minY || y === box.maxY;

/**
 * Adds points where a line crosses the straight lines that bound a box, so that each of its segments is on one side of
 * them. Two boxes that share a side get the same points on it.
 */
export function addBorderPoints(points: Float64Array, box: Bounds): Float64Array {
  const crossed: number[] = [];
  for (let i = 2; i < points.length; i += 2) if (crossesBorder(points, i, box)) crossed.push(i);
  // Most lines of a tile do not reach its border, and need no copy.
  if (crossed.length === 0) return points;
  // A segment crosses at most four lines.
  const result = new Float64Array(points.length + 8 * crossed.length);
  let length = 0;
  let copied = 0;
  for (const i of crossed) {
    result.set(points.subarray(copied, i), length);
    length += i - copied;
    copied = i;
    for (const [x, y] of findCrossings(points, i, box)) {
      result[length++] = x;
      result[length++] = y;
    }
  }
  result.set(points.subarray(copied), length);
  return result.slice(0, length + points.length - copied);
}

/** Whether the ends of the segment that ends with number `i` and the next are on two sides of a line of the border. */
function crossesBorder(points: Float64Array, i: number, { minX, minY, maxX, maxY }: Bounds): boolean {
  const ax = points[i - 2]!;
  const ay = points[i - 1]!;
  const bx = points[i]!;
  const by = points[i + 1]!;
  return (
    ax < minX !== bx < minX || ax < maxX !== bx < maxX || ay < minY !== by < minY || ay < maxY !== by < maxY
  );
}

/** Where the segment crosses the border, in its direction, without its ends. */
function findCrossings(points: Float64Array, i: number, box: Bounds): (readonly [x: number, y: number])[] {
  const [ax, ay, bx, by] = points.subarray(i - 2, i + 2) as unknown as [number, number, number, number];
  const crossings: [along: number, x: number, y: number][] = [];
  for (const x of [box.minX, box.maxX]) {
    const along = (x - ax) / (bx - ax);
    if (along > 0 && along < 1) crossings.push([along, x, ay + along * (by - ay)]);
  }
  for (const y of [box.minY, box.maxY]) {
    const along = (y - ay) / (by - ay);
    if (along > 0 && along < 1) crossings.push([along, ax + along * (bx - ax), y]);
  }
  const found = crossings.sort((one, other) => one[0] - other[0]).map(([, x, y]) => [x, y] as const);
  // Through a corner of the box both of its sides give the same point.
  return found.filter(([x, y], at) => x !== found[at - 1]?.[0] || y !== found[at - 1]?.[1]);
}

/** The time of Douglas–Peucker may grow with the square of the length; stretches of this many points bound it. */
const MAX_STRETCH = 256;

/** A ring of fewer points has no inside. */
const MIN_RING_POINTS = 4;

/**
 * Leaves out points that are at most `tolerancePx` away from the line without them (Douglas–Peucker). Both ends stay,
 * and so do points on the border of a tile, where the line goes on in another tile. A ring stays a ring.
 */
export function simplifyLine(
  points: Float64Array,
  tolerancePx: number,
  border: Bounds | null = null,
): Float64Array {
  const count = points.length / 2;
  const stays = new Uint8Array(count);
  stays[0] = 1;
  for (let from = 0, i = 1; i < count; i++) {
    const isFixed =
      i === count - 1 ||
      i - from === MAX_STRETCH ||
      (border !== null && isOnBorder(points[2 * i]!, points[2 * i + 1]!, border));
    if (!isFixed) continue;
    stays[i] = 1;
    markCorners(points, [from, i], tolerancePx * tolerancePx, stays);
    from = i;
  }
  let left = 0;
  for (let i = 0; i < count; i++) left += stays[i]!;
  if (left === count || (left < MIN_RING_POINTS && isClosed({ points }))) return points;
  const simple = new Float64Array(2 * left);
  for (let i = 0, length = 0; i < count; i++) {
    if (stays[i] === 0) continue;
    simple[length++] = points[2 * i]!;
    simple[length++] = points[2 * i + 1]!;
  }
  return simple;
}

/** Marks the points of a stretch that are needed: the farthest one from its chord, and so on in both halves. */
function markCorners(
  points: Float64Array,
  stretch: readonly [number, number],
  toleranceSquared: number,
  stays: Uint8Array,
): void {
  const open = [stretch];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, to] = next;
    const farthest = findFarthest(points, from, to, toleranceSquared);
    if (farthest < 0) continue;
    stays[farthest] = 1;
    open.push([from, farthest], [farthest, to]);
  }
}

/** The point between two others that is farthest from the segment between them; -1 if all are within the tolerance. */
function findFarthest(points: Float64Array, from: number, to: number, toleranceSquared: number): number {
  const ax = points[2 * from]!;
  const ay = points[2 * from + 1]!;
  const dx = points[2 * to]! - ax;
  const dy = points[2 * to + 1]! - ay;
  // The ends of a ring are one point: there is no direction, and the distance is that from the point.
  const scale = dx === 0 && dy === 0 ? 0 : 1 / (dx * dx + dy * dy);
  let max = toleranceSquared;
  let farthest = -1;
  for (let i = from + 1; i < to; i++) {
    const px = points[2 * i]! - ax;
    const py = points[2 * i + 1]! - ay;
    const along = Math.min(1, Math.max(0, (px * dx + py * dy) * scale));
    const offX = px - along * dx;
    const offY = py - along * dy;
    const distanceSquared = offX * offX + offY * offY;
    if (distanceSquared <= max) continue;
    max = distanceSquared;
    farthest = i;
  }
  return farthest;
}
