/** A ring as a list of positions. */
export type Ring = readonly (readonly [number, number])[];

/** Twice the signed area: positive if the ring runs counter-clockwise. */
export function signedArea(ring: Ring): number {
  let sum = 0;
  // Relative to the first position: coordinates of projected systems are large.
  const [x0, y0] = ring[0] ?? [0, 0];
  for (let i = 0; i + 1 < ring.length; i++) {
    const [[ax, ay], [bx, by]] = [ring[i]!, ring[i + 1]!];
    sum += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
  }
  return sum;
}

/** A ring whose last position is its first. */
export function closeRing<T extends readonly number[]>(ring: readonly T[]): readonly T[] {
  const [first, last] = [ring[0], ring.at(-1)];
  if (first === undefined || (first[0] === last?.[0] && first[1] === last?.[1])) return ring;
  return [...ring, first];
}

interface Outer {
  readonly rings: Ring[];
  readonly size: number;
  readonly box: readonly [number, number, number, number];
}

/**
 * The polygons of the rings of a Shapefile: those that run clockwise are outlines, the others are holes of the smallest
 * outline around them. A hole that is in none is a polygon, as is each ring if none runs clockwise.
 */
export function toPolygons(rings: readonly Ring[]): Ring[][] {
  const areas = rings.map(signedArea);
  const hasOuter = areas.some((area) => area < 0);
  const outers: Outer[] = [];
  for (const [i, ring] of rings.entries())
    if (!hasOuter || areas[i]! < 0)
      outers.push({ rings: [ring], size: Math.abs(areas[i]!), box: toBox(ring) });
  const alone: Ring[][] = [];
  if (hasOuter)
    for (const [i, ring] of rings.entries()) {
      if (areas[i]! < 0) continue;
      const around = findAround(ring, outers);
      if (around === null) alone.push([ring]);
      else around.rings.push(ring);
    }
  return [...outers.map((outer) => outer.rings), ...alone];
}

function findAround(hole: Ring, outers: readonly Outer[]): Outer | null {
  // A hole may touch its outline in one corner, not in several. More would cost the square of the vertices.
  const probes = hole.slice(0, 3);
  const [first] = probes;
  if (first === undefined) return null;
  let best: Outer | null = null;
  const [x, y] = first;
  for (const outer of outers) {
    const [minX, minY, maxX, maxY] = outer.box;
    if (x < minX || x > maxX || y < minY || y > maxY || (best !== null && outer.size >= best.size)) continue;
    if (probes.some((position) => isInside(position, outer.rings[0]!))) best = outer;
  }
  return best;
}

function toBox(ring: Ring): Outer['box'] {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of ring) {
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return [minX, minY, maxX, maxY];
}

/** The even-odd rule. */
function isInside([x, y]: Ring[number], ring: Ring): boolean {
  let isIn = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [[ax, ay], [bx, by]] = [ring[i]!, ring[j]!];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
  }
  return isIn;
}
