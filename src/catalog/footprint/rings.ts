import type { LonLat } from '../../geo/index.ts';

/** Max error of a footprint: some 50 m, which also straightens the pixel stairs of Sentinel-2's outlines. */
export const TOLERANCE_DEG = 4.5e-4;

/** Simplifies a line within the tolerance (Douglas and Peucker); its ends stay. */
export function simplifyLine(line: readonly LonLat[], toleranceDeg: number): LonLat[] {
  const isVertex = new Uint8Array(line.length);
  isVertex[0] = 1;
  isVertex[line.length - 1] = 1;
  const pending: [number, number][] = [[0, line.length - 1]];
  for (let span = pending.pop(); span !== undefined; span = pending.pop()) {
    const [from, to] = span;
    let farthest = -1;
    let distance = toleranceDeg;
    for (let i = from + 1; i < to; i++) {
      const here = distanceToSegment(line[i]!, line[from]!, line[to]!);
      if (here > distance) [farthest, distance] = [i, here];
    }
    if (farthest < 0) continue;
    isVertex[farthest] = 1;
    pending.push([from, farthest], [farthest, to]);
  }
  return line.filter((_, i) => isVertex[i] === 1);
}

/** A simplified ring, closed and counter-clockwise; null if no area is left. */
export function tidyRing(ring: readonly LonLat[], toleranceDeg: number): LonLat[] | null {
  const open = ring.filter((point, i) => i === 0 || !isSame(point, ring[i - 1]!));
  while (open.length > 1 && isSame(open[0]!, open.at(-1)!)) open.pop();
  if (open.length < 3) return null;
  // Split at two distant points, so that both halves of the ring are lines with fixed ends.
  const first = open[0]!;
  const opposite = open.reduce(
    (best, point, i) => (squared(point, first) > squared(open[best]!, first) ? i : best),
    0,
  );
  const halves = [
    simplifyLine(open.slice(0, opposite + 1), toleranceDeg),
    simplifyLine([...open.slice(opposite), first], toleranceDeg),
  ] as const;
  const closed = [...halves[0].slice(0, -1), ...halves[1]];
  const area = signedArea(closed);
  if (closed.length < 4 || Math.abs(area) < 1e-12) return null;
  return area < 0 ? closed.reverse() : closed;
}

/** True if no two edges of a closed ring cross or touch, except neighbours at their common corner. */
export function isSimple(ring: readonly LonLat[]): boolean {
  const edges = ring.length - 1;
  for (let i = 0; i < edges; i++) {
    for (let j = i + 2; j < edges; j++) {
      if (i === 0 && j === edges - 1) continue;
      if (cross([ring[i]!, ring[i + 1]!], [ring[j]!, ring[j + 1]!])) return false;
    }
  }
  return true;
}

/** Twice the area, positive when counter-clockwise. */
export function signedArea(ring: readonly LonLat[]): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    sum += ring[i - 1]![0] * ring[i]![1] - ring[i]![0] * ring[i - 1]![1];
  }
  return sum;
}

const isSame = (a: LonLat, b: LonLat): boolean => squared(a, b) < 1e-18;
const squared = (a: LonLat, b: LonLat): number => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2;

function distanceToSegment(point: LonLat, from: LonLat, to: LonLat): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = dx * dx + dy * dy;
  const along = (point[0] - from[0]) * dx + (point[1] - from[1]) * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, along / length));
  return Math.hypot(point[0] - from[0] - t * dx, point[1] - from[1] - t * dy);
}

type Edge = readonly [LonLat, LonLat];

const side = ([from, to]: Edge, point: LonLat): number =>
  Math.sign((to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0]));

function cross(a: Edge, b: Edge): boolean {
  const [b0, b1, a0, a1] = [side(a, b[0]), side(a, b[1]), side(b, a[0]), side(b, a[1])];
  if (b0 !== b1 && a0 !== a1) return true;
  return (
    (b0 === 0 && isWithin(a, b[0])) ||
    (b1 === 0 && isWithin(a, b[1])) ||
    (a0 === 0 && isWithin(b, a[0])) ||
    (a1 === 0 && isWithin(b, a[1]))
  );
}

const isWithin = ([from, to]: Edge, [lon, lat]: LonLat): boolean =>
  Math.min(from[0], to[0]) <= lon &&
  lon <= Math.max(from[0], to[0]) &&
  Math.min(from[1], to[1]) <= lat &&
  lat <= Math.max(from[1], to[1]);
