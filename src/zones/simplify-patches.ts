/**
 * Fewer corners of patches, the same ones for both neighbours: rings are cut at the corners where three patches meet, and each
 * border between two of these is simplified once. No gap opens, and no two borders cross.
 */
import type { ClassMap, Corner, Patch } from '../numbers/index.ts';

/** A border from one meeting point to the next, or around an island; both neighbours share it. */
interface Border {
  /** In the direction that sorts first, so that both neighbours find the same. */
  readonly corners: readonly Corner[];
  shown: readonly Corner[];
}

/** The largest tolerance: a line that moves by a pixel at most does not jump over an island, which has a side of a pixel. */
export const MAX_TOLERANCE_PX = 1;

/** Simplifies by Douglas and Peucker: no corner that is left out lies farther from the new line than the tolerance, in pixels. */
export function simplifyPatches(
  patches: readonly Patch[],
  map: ClassMap,
  tolerancePx: number,
): readonly Patch[] {
  if (tolerancePx <= 0) return patches;
  const tolerance = Math.min(tolerancePx, MAX_TOLERANCE_PX);
  const borders = new Map<string, Border>();
  const rings = patches.map(({ rings: own }) =>
    own.map((ring) =>
      cutRing(ring, map).map((part) => {
        const { corners, isReversed } = toCanonical(part);
        const key = corners.map(([x, y]) => `${x},${y}`).join(' ');
        const border = borders.get(key) ?? { corners, shown: simplify(corners, tolerance) };
        borders.set(key, border);
        return { border, isReversed };
      }),
    ),
  );
  restoreCrossing([...borders.values()]);
  return patches.map((patch, i) => ({
    ...patch,
    rings: rings[i]!.map((parts) => {
      const joined: Corner[] = [];
      for (const { border, isReversed } of parts) {
        const corners = isReversed ? border.shown.toReversed() : border.shown;
        joined.push(...(joined.length === 0 ? corners : corners.slice(1)));
      }
      return joined;
    }),
  }));
}

/** Whether more than two borders meet at a corner. */
function isMeeting([x, y]: Corner, { width, height, classes }: ClassMap): boolean {
  const at = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= width || row >= height ? 0 : classes[row * width + column]!;
  const around = [at(x, y), at(x - 1, y), at(x - 1, y - 1), at(x, y - 1)];
  return around.filter((own, i) => own !== around[(i + 1) % 4]).length > 2;
}

/** The parts of a closed ring between meeting points; the whole ring, still closed, if it has none. */
function cutRing(ring: readonly Corner[], map: ClassMap): readonly (readonly Corner[])[] {
  const open = ring.slice(0, -1);
  const first = open.findIndex((corner) => isMeeting(corner, map));
  if (first < 0) return [ring];
  const turned = [...open.slice(first), ...open.slice(0, first), open[first]!];
  const parts: Corner[][] = [];
  let part: Corner[] = [turned[0]!];
  for (const corner of turned.slice(1)) {
    part.push(corner);
    if (!isMeeting(corner, map)) continue;
    parts.push(part);
    part = [corner];
  }
  return parts;
}

const compare = ([ax, ay]: Corner, [bx, by]: Corner): number => ax - bx || ay - by;

/** The same border from either side: closed ones begin at their first corner by position. */
function toCanonical(part: readonly Corner[]): {
  readonly corners: readonly Corner[];
  readonly isReversed: boolean;
} {
  const [head, last] = [part[0]!, part.at(-1)!];
  let corners = part;
  if (compare(head, last) === 0) {
    const open = part.slice(0, -1);
    const start = open.reduce((best, corner, i) => (compare(corner, open[best]!) < 0 ? i : best), 0);
    corners = [...open.slice(start), ...open.slice(0, start), open[start]!];
  }
  const back = corners.toReversed();
  const i = corners.findIndex((corner, k) => compare(corner, back[k]!) !== 0);
  const isReversed = i >= 0 && compare(corners[i]!, back[i]!) > 0;
  return { corners: isReversed ? back : corners, isReversed };
}

function simplify(corners: readonly Corner[], tolerancePx: number): readonly Corner[] {
  const last = corners.length - 1;
  const isClosed = compare(corners[0]!, corners[last]!) === 0;
  const kept = new Uint8Array(corners.length);
  kept[0] = 1;
  kept[last] = 1;
  const stack: (readonly [number, number])[] = [];
  if (isClosed) {
    // The corner farthest from the first divides the ring in two lines.
    const far = farthest(corners, 0, last, ([x, y]) => Math.hypot(x - corners[0]![0], y - corners[0]![1]));
    kept[far.at] = 1;
    stack.push([0, far.at], [far.at, last]);
  } else stack.push([0, last]);
  for (let span = stack.pop(); span !== undefined; span = stack.pop()) {
    const [from, to] = span;
    const far = farthest(corners, from, to, (corner) => distance(corner, corners[from]!, corners[to]!));
    if (far.at <= from || far.distance <= tolerancePx) continue;
    kept[far.at] = 1;
    stack.push([from, far.at], [far.at, to]);
  }
  const shown = corners.filter((_, i) => kept[i] === 1);
  // An island needs three corners.
  return isClosed && shown.length < 4 ? corners : shown;
}

function farthest(
  corners: readonly Corner[],
  from: number,
  to: number,
  distanceOf: (corner: Corner) => number,
): { readonly at: number; readonly distance: number } {
  let [at, most] = [from, -1];
  for (let i = from + 1; i < to; i++) {
    const own = distanceOf(corners[i]!);
    if (own > most) [at, most] = [i, own];
  }
  return { at, distance: most };
}

/** From a point to a segment. */
function distance([x, y]: Corner, [ax, ay]: Corner, [bx, by]: Corner): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}

/** The side of the squares in which segments are looked for, in pixels. */
const CELL_PX = 8;

interface Segment {
  readonly border: Border;
  readonly a: Corner;
  readonly b: Corner;
}

/** Gives borders that touch others between their ends all their corners again, until none does: whole ones never touch. */
function restoreCrossing(borders: readonly Border[]): void {
  for (;;) {
    const crossed = findCrossing(borders).filter(({ corners, shown }) => corners !== shown);
    if (crossed.length === 0) return;
    for (const border of crossed) border.shown = border.corners;
  }
}

function findCrossing(borders: readonly Border[]): readonly Border[] {
  const cells = new Map<string, Segment[]>();
  const crossed = new Set<Border>();
  for (const border of borders) {
    for (let i = 1; i < border.shown.length; i++) {
      const segment = { border, a: border.shown[i - 1]!, b: border.shown[i]! };
      const [west, east] = [segment.a[0], segment.b[0]].sort((p, q) => p - q) as [number, number];
      const [north, south] = [segment.a[1], segment.b[1]].sort((p, q) => p - q) as [number, number];
      const seen = new Set<Segment>();
      for (let y = Math.floor(north / CELL_PX); y <= Math.floor(south / CELL_PX); y++) {
        for (let x = Math.floor(west / CELL_PX); x <= Math.floor(east / CELL_PX); x++) {
          const key = `${x} ${y}`;
          const others = cells.get(key) ?? [];
          for (const other of others) {
            if (seen.has(other)) continue;
            seen.add(other);
            if (!touches(segment, other)) continue;
            crossed.add(border);
            crossed.add(other.border);
          }
          others.push(segment);
          cells.set(key, others);
        }
      }
    }
  }
  return [...crossed];
}

const turn = ([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));

/** Whether a point lies on a segment, ends included; it is on the same line. */
const isWithin = ([x, y]: Corner, [ax, ay]: Corner, [bx, by]: Corner): boolean =>
  x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);

/** Whether two segments have more in common than an end of both. */
function touches({ a, b }: Segment, { a: c, b: d }: Segment): boolean {
  const isSame = (p: Corner, q: Corner): boolean => compare(p, q) === 0;
  const shared = [a, b].filter((p) => isSame(p, c) || isSame(p, d)).length;
  if (shared === 2) return true;
  const [t1, t2, t3, t4] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (shared === 0 && t1 * t2 < 0 && t3 * t4 < 0) return true;
  const onOne = (p: Corner, t: number, q: Corner, r: Corner): boolean =>
    t === 0 && isWithin(p, q, r) && !isSame(p, q) && !isSame(p, r);
  return onOne(c, t1, a, b) || onOne(d, t2, a, b) || onOne(a, t3, c, d) || onOne(b, t4, c, d);
}
