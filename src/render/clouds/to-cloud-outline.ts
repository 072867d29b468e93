import type { CloudOutline } from './fill-polygons.ts';

/**
 * The edges of a polygon's rings, each from its lower end to its upper one as `toOutline` has them, and the rectangle
 * around them. Corners that are given twice make no edge, and a ring that is left open is closed. A ring has at least four
 * corners.
 */
export function toCloudOutline(rings: readonly Float64Array[]): CloudOutline {
  // As many as corners, where each ring is closed by itself, and one more where it is not.
  const edges = new Float64Array(rings.reduce((sum, ring) => sum + 2 * ring.length, 0));
  let end = 0;
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (fromX: number, fromY: number, toX: number, toY: number): void => {
    if (fromX === toX && fromY === toY) return;
    const isUp = fromY < toY || (fromY === toY && fromX < toX);
    edges[end] = isUp ? fromX : toX;
    edges[end + 1] = isUp ? fromY : toY;
    edges[end + 2] = isUp ? toX : fromX;
    edges[end + 3] = isUp ? toY : fromY;
    end += 4;
  };
  for (const ring of rings) {
    const [firstX = 0, firstY = 0] = ring;
    let [x, y] = [firstX, firstY];
    for (let i = 0; i < ring.length; i += 2) {
      const [nextX, nextY] = [ring[i] as number, ring[i + 1] as number];
      add(x, y, nextX, nextY);
      [x, y] = [nextX, nextY];
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
    add(x, y, firstX, firstY);
  }
  return { edges: edges.slice(0, end), minX, minY, maxX, maxY };
}
