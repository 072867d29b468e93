import type { LonLat, MultiPolygonGeometry, Ring } from '../geo/index.ts';
import { sortPolygons } from './parse-area.ts';
import type { PlanarEdge } from './planar-edges.ts';
import { splitEdges } from './planar-edges.ts';
import { locateInRing, signedSize, turn } from './rings.ts';

/** Which pieces of ground are wanted: by the number of times that each layer covers them. */
export type WantedGround = (covers: Int32Array) => boolean;

/**
 * Puts areas on top of each other and takes pieces of them, one area for each question. Layers are in the normal form of
 * areas: outer rings turn left and holes turn right; polygons of one layer may overlap. Borders are split for all layers
 * at once, so that two areas of the answer share their common borders corner by corner. An answer may have no polygons.
 */
export function overlay(
  layers: readonly MultiPolygonGeometry[],
  wanted: readonly WantedGround[],
): readonly MultiPolygonGeometry[] {
  const edges = splitEdges(layers.map(({ coordinates }) => coordinates.flat()));
  const covers = countCovers(edges, layers.length);
  return wanted.map((isWanted) => {
    const border: Directed[] = [];
    for (const [i, { from, to }] of edges.entries()) {
      const { left, right } = covers[i] as Covers;
      const [isLeft, isRight] = [isWanted(left), isWanted(right)];
      // The inside is always on the left.
      if (isLeft && !isRight) border.push({ from, to });
      else if (isRight && !isLeft) border.push({ from: to, to: from });
    }
    return { type: 'MultiPolygon', coordinates: toPolygons(traceRings(border)) };
  });
}

/** All ground that any of the areas covers, as one area. */
export const uniteAreas = (areas: readonly MultiPolygonGeometry[]): MultiPolygonGeometry =>
  overlay(
    [{ type: 'MultiPolygon', coordinates: areas.flatMap(({ coordinates }) => coordinates) }],
    [([covered]) => covered !== 0],
  )[0] as MultiPolygonGeometry;

/** How often each layer covers the ground on both sides of an edge. */
interface Covers {
  readonly left: Int32Array;
  readonly right: Int32Array;
}

/**
 * Counts, for each edge, the edges below its middle: whatever lies under it changes from nothing to what is there. The
 * middle of two corners is on a lattice twice as fine, on which signs are exact too.
 */
function countCovers(edges: readonly PlanarEdge[], layerCount: number): readonly Covers[] {
  const slabs = makeSlabs(edges);
  return edges.map(({ from, to, steps }) => {
    const middle: LonLat = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const isUpright = from[0] === to[0];
    const below = new Int32Array(layerCount);
    for (const other of slabs.at(middle[0])) {
      // Left of an upright edge counts what lies just west of it.
      const isUnder = isUpright
        ? other.from[0] < middle[0] && middle[0] <= other.to[0]
        : other.from[0] <= middle[0] && middle[0] < other.to[0];
      if (!isUnder || turn(other.from, other.to, middle) <= 0) continue;
      for (let layer = 0; layer < layerCount; layer += 1) below[layer]! += other.steps[layer] as number;
    }
    const across = below.map((count, layer) => count + (steps[layer] as number));
    // An edge that goes east has its left above it; an upright one goes north, and west of it is its left.
    return isUpright
      ? { left: below, right: below.map((count, layer) => count - (steps[layer] as number)) }
      : { left: across, right: below };
  });
}

/** Edges by slabs of longitude. */
function makeSlabs(edges: readonly PlanarEdge[]) {
  let [west, east] = [Infinity, -Infinity];
  for (const { from, to } of edges) {
    west = Math.min(west, from[0]);
    east = Math.max(east, to[0]);
  }
  // Most edges are shorter than a slab; the few that an area has at one longitude are compared.
  const count = Math.max(1, Math.ceil(edges.length / 16));
  const toSlab = (lon: number): number =>
    east > west ? Math.min(count - 1, Math.floor(((lon - west) / (east - west)) * count)) : 0;
  const slabs: PlanarEdge[][] = Array.from({ length: count }, () => []);
  for (const edge of edges) {
    if (edge.from[0] === edge.to[0]) continue;
    for (let slab = toSlab(edge.from[0]); slab <= toSlab(edge.to[0]); slab += 1)
      (slabs[slab] as PlanarEdge[]).push(edge);
  }
  return { at: (lon: number): readonly PlanarEdge[] => slabs[toSlab(lon)] as PlanarEdge[] };
}

interface Directed {
  readonly from: LonLat;
  readonly to: LonLat;
}

const toKey = ([lon, lat]: LonLat): string => `${lon} ${lat}`;

/** Closed rings of directed edges. A ring that comes back to one of its corners is cut off there: none touches itself. */
function traceRings(border: readonly Directed[]): readonly Ring[] {
  const leaving = new Map<string, LonLat[]>();
  for (const { from, to } of border) {
    const key = toKey(from);
    const own = leaving.get(key);
    if (own === undefined) leaving.set(key, [to]);
    else own.push(to);
  }
  const rings: Ring[] = [];
  for (const { from } of border) {
    const path: LonLat[] = [from];
    const places = new Map([[toKey(from), 0]]);
    for (let corner = from; ; ) {
      const key = toKey(corner);
      const next = takeNext(leaving.get(key), corner, path.at(-2));
      if (next === null) break;
      const nextKey = toKey(next);
      const start = places.get(nextKey);
      if (start === undefined) {
        places.set(nextKey, path.length);
        path.push(next);
      } else {
        const ring = [...path.splice(start + 1), next];
        for (const one of ring.slice(0, -1)) places.delete(toKey(one));
        rings.push(straighten([next, ...ring]));
      }
      corner = next;
    }
  }
  return rings.filter((ring) => ring.length > 3);
}

/** Takes the edge that turns left the most, so that pieces of ground which meet at a corner stay apart. */
function takeNext(ends: LonLat[] | undefined, corner: LonLat, before: LonLat | undefined): LonLat | null {
  if (ends === undefined || ends.length === 0) return null;
  let best = 0;
  if (before !== undefined) {
    for (let i = 1; i < ends.length; i += 1)
      if (isMoreLeft(before, corner, ends[i] as LonLat, ends[best] as LonLat)) best = i;
  }
  return ends.splice(best, 1)[0] as LonLat;
}

/** Whether the way over a corner to `a` turns left more than the one to `b`. */
function isMoreLeft(before: LonLat, corner: LonLat, a: LonLat, b: LonLat): boolean {
  const [ofA, ofB] = [turn(before, corner, a) > 0, turn(before, corner, b) > 0];
  return ofA === ofB ? turn(corner, b, a) > 0 : ofA;
}

/** A ring without the corners at which it goes straight on: those at which an edge was split for others. */
function straighten(ring: Ring): Ring {
  const open = ring.slice(0, -1);
  const kept = open.filter((corner, i) => {
    const [before, after] = [open.at(i - 1) as LonLat, open[(i + 1) % open.length] as LonLat];
    return turn(before, corner, after) !== 0;
  });
  return kept.length === 0 ? [] : [...kept, kept[0] as LonLat];
}

/** Rings as polygons: each hole in the smallest ring around it. */
function toPolygons(rings: readonly Ring[]): readonly (readonly Ring[])[] {
  const outers = rings
    .filter((ring) => signedSize(ring) > 0)
    .map((outer) => ({ outer, size: signedSize(outer), holes: [] as Ring[] }))
    .toSorted((a, b) => a.size - b.size);
  for (const hole of rings.filter((ring) => signedSize(ring) < 0))
    outers.find(({ outer, size }) => size > -signedSize(hole) && holds(outer, hole))?.holes.push(hole);
  return sortPolygons(outers.map(({ outer, holes }) => [outer, ...holes]));
}

/** Whether a ring lies in another one that it does not cross; the two may touch. */
function holds(outer: Ring, inner: Ring): boolean {
  for (const corner of inner) {
    const place = locateInRing(corner, outer);
    if (place !== 'edge') return place === 'inside';
  }
  const [a, b] = [inner[0] as LonLat, inner[1] as LonLat];
  return locateInRing([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], outer) !== 'outside';
}
