import type { LonLat, Ring } from '../geo/index.ts';
import { internal } from './errors.ts';
import { snapDegrees, turn } from './rings.ts';

/**
 * An edge between two corners, from the smaller one to the larger one. No two edges of a plane cross or overlap; they
 * meet at corners only.
 */
export interface PlanarEdge {
  readonly from: LonLat;
  readonly to: LonLat;
  /** For each layer how often it lies on the left more than on the right. */
  readonly steps: Int32Array;
}

/** Passes after which splitting is given up: rounding moves edges by less than a micrometre, so that two or three do. */
const MAX_PASSES = 40;

/** A cell of the index has about this many edges. */
const EDGES_PER_CELL = 4;

/**
 * The edges of all layers, split where they meet. Crossings are rounded to the lattice of `snapDegrees`, on which all signs
 * are exact; an edge that this bends may cross another one, which the next pass finds.
 */
export function splitEdges(layers: readonly (readonly Ring[])[]): readonly PlanarEdge[] {
  let edges = gather(
    layers.flatMap((rings, layer) =>
      rings.flatMap((ring) =>
        ring.slice(1).map((to, i) => ({ from: snap(ring[i] as LonLat), to: snap(to), layer, count: 1 })),
      ),
    ),
    layers.length,
  );
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const cuts = findCuts(edges);
    if (cuts.size === 0) return edges;
    edges = gather(cutEdges(edges, cuts), layers.length);
  }
  throw internal('overlay-endless', 'The borders of these areas could not be put together.');
}

const snap = ([lon, lat]: LonLat): LonLat => [snapDegrees(lon), snapDegrees(lat)];

interface DirectedEdge {
  readonly from: LonLat;
  readonly to: LonLat;
  readonly layer: number;
  readonly count: number;
}

const compareCorners = (a: LonLat, b: LonLat): number => a[0] - b[0] || a[1] - b[1];

/** Equal edges become one; those that cancel each other out, and those without a length, are left out. */
function gather(directed: Iterable<DirectedEdge>, layerCount: number): readonly PlanarEdge[] {
  const found = new Map<string, PlanarEdge>();
  for (const { from: a, to: b, layer, count } of directed) {
    const order = compareCorners(a, b);
    if (order === 0) continue;
    const [from, to] = order < 0 ? [a, b] : [b, a];
    const key = `${from[0]} ${from[1]} ${to[0]} ${to[1]}`;
    const edge = found.get(key) ?? { from, to, steps: new Int32Array(layerCount) };
    found.set(key, edge);
    edge.steps[layer]! += order < 0 ? count : -count;
  }
  return [...found.values()].filter(({ steps }) => steps.some((step) => step !== 0));
}

function* cutEdges(
  edges: readonly PlanarEdge[],
  cuts: ReadonlyMap<PlanarEdge, readonly LonLat[]>,
): Generator<DirectedEdge> {
  for (const edge of edges) {
    const inner = (cuts.get(edge) ?? []).toSorted((a, b) => along(edge, a) - along(edge, b));
    const corners = [edge.from, ...inner, edge.to];
    for (const [layer, count] of edge.steps.entries()) {
      if (count === 0) continue;
      for (let i = 1; i < corners.length; i += 1)
        yield { from: corners[i - 1] as LonLat, to: corners[i] as LonLat, layer, count };
    }
  }
}

/** How far along an edge a corner lies. */
function along({ from, to }: PlanarEdge, corner: LonLat): number {
  const isWide = to[0] - from[0] >= Math.abs(to[1] - from[1]);
  return isWide ? corner[0] - from[0] : (corner[1] - from[1]) * Math.sign(to[1] - from[1]);
}

/** The corners at which edges must be split. */
function findCuts(edges: readonly PlanarEdge[]): ReadonlyMap<PlanarEdge, readonly LonLat[]> {
  const cuts = new Map<PlanarEdge, LonLat[]>();
  const cut = (edge: PlanarEdge, corner: LonLat): void => {
    if (compareCorners(corner, edge.from) === 0 || compareCorners(corner, edge.to) === 0) return;
    const own = cuts.get(edge);
    if (own === undefined) cuts.set(edge, [corner]);
    else own.push(corner);
  };
  for (const [a, b] of listNeighbours(edges)) {
    const sides = [
      Math.sign(turn(a.from, a.to, b.from)),
      Math.sign(turn(a.from, a.to, b.to)),
      Math.sign(turn(b.from, b.to, a.from)),
      Math.sign(turn(b.from, b.to, a.to)),
    ] as const;
    // A corner on the other edge splits it, also where both lie on one line.
    if (sides[0] === 0 && isWithin(b.from, a)) cut(a, b.from);
    if (sides[1] === 0 && isWithin(b.to, a)) cut(a, b.to);
    if (sides[2] === 0 && isWithin(a.from, b)) cut(b, a.from);
    if (sides[3] === 0 && isWithin(a.to, b)) cut(b, a.to);
    if (sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0) {
      const corner = toCrossing(a, b);
      cut(a, corner);
      cut(b, corner);
    }
  }
  return cuts;
}

/** Whether a corner on the line of an edge lies between its ends. */
const isWithin = (corner: LonLat, { from, to }: PlanarEdge): boolean =>
  compareCorners(from, corner) < 0 && compareCorners(corner, to) < 0;

function toCrossing(a: PlanarEdge, b: PlanarEdge): LonLat {
  const [ax, ay] = [a.to[0] - a.from[0], a.to[1] - a.from[1]];
  const [bx, by] = [b.to[0] - b.from[0], b.to[1] - b.from[1]];
  const share = ((b.from[0] - a.from[0]) * by - (b.from[1] - a.from[1]) * bx) / (ax * by - ay * bx);
  return snap([a.from[0] + share * ax, a.from[1] + share * ay]);
}

/** Pairs of edges whose boxes meet, each once. */
function* listNeighbours(edges: readonly PlanarEdge[]): Generator<readonly [PlanarEdge, PlanarEdge]> {
  const { cells, toCells } = indexEdges(edges);
  for (const [cell, own] of cells) {
    for (let i = 0; i < own.length; i += 1) {
      for (let k = i + 1; k < own.length; k += 1) {
        const [a, b] = [own[i] as PlanarEdge, own[k] as PlanarEdge];
        const left = Math.max(a.from[0], b.from[0]);
        const low = Math.max(Math.min(a.from[1], a.to[1]), Math.min(b.from[1], b.to[1]));
        if (left > a.to[0] || left > b.to[0]) continue;
        if (low > Math.max(a.from[1], a.to[1]) || low > Math.max(b.from[1], b.to[1])) continue;
        // Of all cells that both share, the one with the lower left corner of their common box has the pair.
        if (toCells(left, low) === cell) yield [a, b];
      }
    }
  }
}

/** Edges by the cells of a grid that their boxes meet. */
function indexEdges(edges: readonly PlanarEdge[]) {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { from, to } of edges) {
    west = Math.min(west, from[0]);
    east = Math.max(east, to[0]);
    south = Math.min(south, from[1], to[1]);
    north = Math.max(north, from[1], to[1]);
  }
  const side = Math.max(1, Math.ceil(Math.sqrt(edges.length / EDGES_PER_CELL)));
  const toIndex = (value: number, low: number, high: number): number =>
    high > low ? Math.min(side - 1, Math.floor(((value - low) / (high - low)) * side)) : 0;
  const toColumn = (lon: number): number => toIndex(lon, west, east);
  const toRow = (lat: number): number => toIndex(lat, south, north);
  const cells = new Map<number, PlanarEdge[]>();
  for (const edge of edges) {
    const { from, to } = edge;
    const [top, bottom] = [toRow(Math.max(from[1], to[1])), toRow(Math.min(from[1], to[1]))];
    for (let row = bottom; row <= top; row += 1) {
      for (let column = toColumn(from[0]); column <= toColumn(to[0]); column += 1) {
        const cell = row * side + column;
        const own = cells.get(cell);
        if (own === undefined) cells.set(cell, [edge]);
        else own.push(edge);
      }
    }
  }
  return { cells, toCells: (lon: number, lat: number): number => toRow(lat) * side + toColumn(lon) };
}
