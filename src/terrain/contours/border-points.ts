import type { Bounds } from '../../geo/index.ts';

/** Whether a point lies on one of the four straight lines that bound a box. */
export const isOnBorder = (x: number, y: number, box: Bounds): boolean =>
  x === box.minX || x === box.maxX || y === box.minY || y === box.maxY;

/**
 * Adds points where a line crosses the straight lines that bound a box, so that each of its segments is on one side of
 * them. Two boxes that share a side get the same points on it.
 */
export function addBorderPoints(points: Float64Array, box: Bounds): Float64Array {
  if (!crossesBorder(points, box)) return points;
  const result: number[] = [points[0]!, points[1]!];
  for (let i = 2; i < points.length; i += 2) {
    const [ax, ay, bx, by] = [points[i - 2]!, points[i - 1]!, points[i]!, points[i + 1]!];
    const crossings: [along: number, x: number, y: number][] = [];
    for (const x of [box.minX, box.maxX]) {
      const along = (x - ax) / (bx - ax);
      if (along > 0 && along < 1) crossings.push([along, x, ay + along * (by - ay)]);
    }
    for (const y of [box.minY, box.maxY]) {
      const along = (y - ay) / (by - ay);
      if (along > 0 && along < 1) crossings.push([along, ax + along * (bx - ax), y]);
    }
    crossings.sort((one, other) => one[0] - other[0]);
    for (const [, x, y] of crossings) pushPoint(result, x, y);
    pushPoint(result, bx, by);
  }
  return Float64Array.from(result);
}

function pushPoint(points: number[], x: number, y: number): void {
  if (points.at(-2) !== x || points.at(-1) !== y) points.push(x, y);
}

/** Most lines of a tile do not reach its border, and need no copy. */
function crossesBorder(points: Float64Array, box: Bounds): boolean {
  const crosses = (from: number, to: number, border: number): boolean => from < border !== to < border;
  for (let i = 2; i < points.length; i += 2) {
    const [ax, ay, bx, by] = [points[i - 2]!, points[i - 1]!, points[i]!, points[i + 1]!];
    if (crosses(ax, bx, box.minX) || crosses(ax, bx, box.maxX)) return true;
    if (crosses(ay, by, box.minY) || crosses(ay, by, box.maxY)) return true;
  }
  return false;
}
