import type { Bounds } from '../../geo/index.ts';
import { isOnBorder } from './border-points.ts';
import { isClosed } from './contour-line.ts';

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
