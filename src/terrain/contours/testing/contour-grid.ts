import type { HeightGrid } from '../sort-cells.ts';

/** A grid of heights by a function of column and row. */
export function makeHeightGrid(
  width: number,
  height: number,
  heightAt: (column: number, row: number) => number,
): HeightGrid {
  const heights = new Float32Array(width * height);
  for (let i = 0; i < heights.length; i++) heights[i] = heightAt(i % width, Math.floor(i / width));
  return { heights, width, height };
}

/** A grid of heights of one digit each, row by row; a dot is an unknown height. */
export function parseHeightGrid(rows: readonly string[]): HeightGrid {
  const text = rows.join('');
  return {
    heights: Float32Array.from(text, (digit) => (digit === '.' ? 0 : Number(digit))),
    width: rows[0]!.length,
    height: rows.length,
    mask: Uint8Array.from(text, (digit) => (digit === '.' ? 0 : 1)),
  };
}

/** A point of a line. */
export type Point = readonly [x: number, y: number];

/** The points of a line in pairs. */
export const toPairs = (points: Float64Array): Point[] =>
  Array.from({ length: points.length / 2 }, (_, i) => [points[2 * i]!, points[2 * i + 1]!]);

/** The segments of a line. */
export const toSegments = (points: Float64Array): (readonly [Point, Point])[] => {
  const pairs = toPairs(points);
  return pairs.slice(1).map((to, i) => [pairs[i]!, to]);
};

/** The length of a line in pixels. */
export const lengthOf = (points: Float64Array): number =>
  toSegments(points).reduce((sum, [[ax, ay], [bx, by]]) => sum + Math.hypot(bx - ax, by - ay), 0);

/** The area inside a ring in square pixels; positive if it runs clockwise, seen with the first row on top. */
export const areaOf = (points: Float64Array): number =>
  toSegments(points).reduce((sum, [[ax, ay], [bx, by]]) => sum + ax * by - bx * ay, 0) / 2;

/** The distance of a point from the nearest segment of a line. */
export function distanceFrom(points: Float64Array, [x, y]: Point): number {
  const distances = toSegments(points).map(([[ax, ay], [bx, by]]) => {
    const lengthSquared = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = lengthSquared === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / lengthSquared;
    const part = Math.min(1, Math.max(0, along));
    return Math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay));
  });
  return Math.min(...distances);
}
