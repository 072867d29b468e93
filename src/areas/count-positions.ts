/** An upper bound of the positions in an untrusted geometry: lists inside lists, whatever they are. */
export function countPositions(geometry: unknown): number {
  const { coordinates } = (geometry ?? {}) as { coordinates?: unknown };
  const [polygons, rings] = [listOf(coordinates), listOf(coordinates).flatMap(listOf)];
  // In a Polygon the second level holds positions, in a MultiPolygon the third.
  return Math.max(
    polygons.length,
    rings.length,
    rings.reduce((sum: number, ring) => sum + listOf(ring).length, 0),
  );
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
