import type { LonLat, Ring } from '../geo/index.ts';

/**
 * Degrees of drawn areas are multiples of 2^-40: a tenth of a micrometre on the ground. With that, differences of
 * longitudes up to 1080 degrees are exact in double precision and their products in two doubles, so that the sign of
 * `turn` never depends on rounding.
 */
const STEPS_PER_DEG = 2 ** 40;

/** The nearest number of degrees that `turn` computes with exactly; never -0. */
export const snapDegrees = (degrees: number): number =>
  Math.round(degrees * STEPS_PER_DEG) / STEPS_PER_DEG + 0;

/** An upper bound of the rounding error of the products and their difference, relative to the products. */
const ROUNDING = 4e-16;

/** Positive when the path from `a` over `b` to `c` turns left, negative when right, 0 when it is straight; exact. */
export function turn(a: LonLat, b: LonLat, c: LonLat): number {
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]];
  const left = ux * vy;
  const right = uy * vx;
  const rough = left - right;
  if (Math.abs(rough) > ROUNDING * (Math.abs(left) + Math.abs(right))) return rough;
  // The products are so close to each other that their difference is exact, and so are their rounding errors.
  return rough + (tailOf(ux, vy, left) - tailOf(uy, vx, right));
}

/** The rounding error of `product` = `a * b` (Dekker). */
function tailOf(a: number, b: number, product: number): number {
  const aHigh = highHalf(a);
  const bHigh = highHalf(b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** The upper 26 of the 53 bits. */
function highHalf(value: number): number {
  const spread = value * 134_217_729;
  return spread - (spread - value);
}

/** Where a point lies relative to a closed ring of snapped positions; exact. */
export function locateInRing(point: LonLat, ring: readonly LonLat[]): 'inside' | 'edge' | 'outside' {
  let isInside = false;
  for (let i = 1; i < ring.length; i++) {
    const from = ring[i - 1]!;
    const to = ring[i]!;
    if (from[1] > point[1] !== to[1] > point[1]) {
      const side = turn(from, to, point);
      if (side === 0) return 'edge';
      // To the left of an edge that goes up, to the right of one that goes down: the ray to the east crosses it.
      if (side > 0 === to[1] > from[1]) isInside = !isInside;
    } else if (from[1] === point[1] || to[1] === point[1]) {
      if (isOnEdge(point, from, to)) return 'edge';
    }
  }
  return isInside ? 'inside' : 'outside';
}

/** True when the point lies on the edge, ends included; exact. */
export function isOnEdge(point: LonLat, from: LonLat, to: LonLat): boolean {
  return (
    Math.min(from[0], to[0]) <= point[0] &&
    point[0] <= Math.max(from[0], to[0]) &&
    Math.min(from[1], to[1]) <= point[1] &&
    point[1] <= Math.max(from[1], to[1]) &&
    turn(from, to, point) === 0
  );
}

/** Twice the area that the ring encloses in square degrees: positive when it runs counter-clockwise. */
export function signedSize(ring: readonly LonLat[]): number {
  const [originLon, originLat] = ring[0]!;
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const from = ring[i - 1]!;
    const to = ring[i]!;
    sum += (from[0] - originLon) * (to[1] - originLat) - (to[0] - originLon) * (from[1] - originLat);
  }
  return sum;
}

/** How a ring with jumps of more than half a turn is meant to run. */
interface RingReading {
  /** The outer ring of the polygon that it is a hole of; null for an outer ring. */
  readonly outer: Ring | null;
}

/**
 * A ring with continuous longitudes. A jump of more than half a turn has two readings: the short way round the globe,
 * or the edge as it is written. The reading counts that gives the ring the direction of RFC 7946 3.1.6, outer rings
 * counter-clockwise and holes clockwise: so a box from -179 to 179 is wide, and one from 179 to -179 crosses the
 * antimeridian. Where that does not decide, the short way counts. Null when the ring does not return to its start: it
 * goes round a pole.
 */
export function unwrapRing(ring: Ring, { outer }: RingReading = { outer: null }): Ring | null {
  const short = unwrapShort(ring);
  if (!hasOnlyPlainJumps(ring)) return short;
  const written = closeRing(ring);
  const widest = outer === null ? 360 : widthOf(outer);
  if (widthOf(written) > widest) return short;
  const isMeant = (one: Ring): boolean => signedSize(one) > 0 === (outer === null) && signedSize(one) !== 0;
  return isMeant(written) && (short === null || !isMeant(short)) ? written : short;
}

/** Whether a ring jumps by more than half a turn, and never between the two names of the antimeridian. */
function hasOnlyPlainJumps(ring: Ring): boolean {
  const steps = ring.map(([lon], i) => (i === 0 ? 0 : Math.abs(lon - ring[i - 1]![0])));
  return steps.some((step) => step > 180) && !steps.includes(360);
}

/**
 * The short way at every jump. So are jumps between 180 and -180, which are the same meridian, unless the ring then
 * vanishes or does not close: then they are edges of a map of the world, as written.
 */
function unwrapShort(ring: Ring): Ring | null {
  const short = unwrap(ring, 180);
  if (short !== null && short.length > 3 && westOf(short) < eastOf(short)) return short;
  return unwrap(ring, 360);
}

/** Takes the short way at jumps of more than half a turn, except at those of `retained` degrees. */
function unwrap(ring: Ring, retained: number): Ring | null {
  let turns = 0;
  const unwrapped = ring.map(([lon, lat], i): LonLat => {
    const step = i === 0 ? 0 : lon - ring[i - 1]![0];
    if (Math.abs(step) > 180 && Math.abs(step) !== retained) turns -= Math.round(step / 360);
    return [lon + 360 * turns, lat];
  });
  return turns === 0 ? closeRing(unwrapped) : null;
}

/** The ring moved by whole turns so that its western end lies in [from, from + 360). */
export function turnRing(ring: Ring, from: number): Ring {
  const west = westOf(ring);
  const degrees = -360 * Math.floor((west - from) / 360);
  return degrees === 0 ? ring : ring.map(([lon, lat]): LonLat => [lon + degrees, lat]);
}

/** The min longitude of the ring. */
export const westOf = (ring: Ring): number => ring.reduce((west, [lon]) => Math.min(west, lon), Infinity);

/** The max longitude of the ring. */
export const eastOf = (ring: Ring): number => ring.reduce((east, [lon]) => Math.max(east, lon), -Infinity);

const widthOf = (ring: Ring): number => eastOf(ring) - westOf(ring);

/**
 * Cuts a polygon with longitudes in [-180, 540) along 180 degrees; the part to the east is moved a turn back. Rings
 * have the area to their left, in the input and in the result.
 */
export function cutAtAntimeridian(rings: readonly Ring[]): readonly (readonly Ring[])[] {
  if (eastOf(rings[0]!) <= 180) return [rings];
  const east = sideOf(rings, 'east').map((part) =>
    part.map((ring) => ring.map(([lon, lat]): LonLat => [lon - 360, lat])),
  );
  return [...sideOf(rings, 'west'), ...east];
}

/** A piece of a ring that stays on one side; its ends lie on the cut. */
type Chain = LonLat[];

function sideOf(rings: readonly Ring[], side: 'west' | 'east'): readonly (readonly Ring[])[] {
  const isHere = ([lon]: LonLat): boolean => (side === 'west' ? lon < 180 : lon >= 180);
  const whole: Ring[] = [];
  const chains: Chain[] = [];
  for (const ring of rings) {
    if (ring.every(isHere)) whole.push(ring);
    else chains.push(...chainsOf(ring, isHere));
  }
  const joined = joinChains(chains).filter((ring) => signedSize(ring) !== 0);
  const outers = [...joined, ...whole].filter((ring) => signedSize(ring) > 0);
  const holes = whole.filter((ring) => signedSize(ring) < 0);
  return outers.map((outer) => [
    outer,
    ...holes.filter((hole) => {
      const vertex = hole.find((position) => locateInRing(position, outer) !== 'edge');
      return vertex !== undefined && locateInRing(vertex, outer) === 'inside';
    }),
  ]);
}

function chainsOf(ring: Ring, isHere: (position: LonLat) => boolean): Chain[] {
  const open = ring.slice(0, -1);
  // Starting on the other side, no chain crosses the end of the list.
  const first = open.findIndex((position) => !isHere(position));
  const chains: Chain[] = [];
  if (first < 0) return chains;
  for (let i = 0; i < open.length; i++) {
    const from = open[(first + i) % open.length]!;
    const to = open[(first + i + 1) % open.length]!;
    if (!isHere(from) && isHere(to)) chains.push([crossing(from, to)]);
    if (isHere(to)) chains.at(-1)!.push(to);
    if (isHere(from) && !isHere(to)) chains.at(-1)!.push(crossing(from, to));
  }
  return chains;
}

const crossing = (from: LonLat, to: LonLat): LonLat => {
  const part = (180 - from[0]) / (to[0] - from[0]);
  return [180, snapDegrees(from[1] + part * (to[1] - from[1]))];
};

/**
 * Along the cut, ends and starts alternate, so from the south the first end continues at the first start, and so on.
 */
function joinChains(chains: readonly Chain[]): Ring[] {
  const starts = chains.toSorted((a, b) => a[0]![1] - b[0]![1]);
  const ends = chains.toSorted((a, b) => a.at(-1)![1] - b.at(-1)![1]);
  const next = new Map(ends.map((chain, i) => [chain, starts[i]!]));
  const left = new Set(chains);
  const rings: Ring[] = [];
  for (const start of chains) {
    const ring: LonLat[] = [];
    for (
      let chain: Chain | undefined = start;
      chain !== undefined && left.delete(chain);
      chain = next.get(chain)
    ) {
      ring.push(...chain);
    }
    if (ring.length > 0) rings.push(closeRing(ring));
  }
  return rings;
}

/** Without repeated positions, and with the first one at the end. */
export function closeRing(positions: readonly LonLat[]): Ring {
  const ring = positions.filter(([lon, lat], i) => {
    const before = positions[i - 1];
    return before === undefined || before[0] !== lon || before[1] !== lat;
  });
  return endAtStart(ring);
}

/** A ring as it is written, with its first position at the end too; heights do not count. */
export function endAtStart<Position extends readonly number[]>(
  ring: readonly Position[],
): readonly Position[] {
  const [first, last] = [ring[0]!, ring.at(-1)!];
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
}
