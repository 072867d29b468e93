import type { Bounds } from '../../geo/index.ts';

/** Whether a point lies on one of the four straight lines that bound a box. */
export const isOnBorder = (x: number, y: number, box: Bounds): boolean =>
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
