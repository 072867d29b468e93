import type { LonLatBounds, MultiPolygonGeometry, Ring } from '../geo/index.ts';

/**
 * Geometries of many shapes, one after the other in shared memory: a thread gets all of them at no cost. Which ring is a
 * hole is told by its turn, as in the normal form of areas.
 */
export interface ShapePack {
  readonly count: number;
  /** Longitude and latitude of each position. */
  readonly positions: Float64Array<SharedArrayBuffer>;
  /** For each ring the number of positions up to its end. */
  readonly ringEnds: Uint32Array<SharedArrayBuffer>;
  /** For each shape the number of rings up to its end. */
  readonly shapeEnds: Uint32Array<SharedArrayBuffer>;
}

/** Packs geometries as they come. */
export interface ShapePacker {
  /** Adds a geometry in its normal form. */
  add(geometry: MultiPolygonGeometry): void;
  readonly count: number;
  readonly positions: number;
  finish(): ShapePack;
}

/** Memory for a pack. */
export function makePack(count: number, rings: number, positions: number): ShapePack {
  return {
    count,
    positions: new Float64Array(new SharedArrayBuffer(16 * positions)),
    ringEnds: new Uint32Array(new SharedArrayBuffer(4 * rings)),
    shapeEnds: new Uint32Array(new SharedArrayBuffer(4 * count)),
  };
}

/** Begins a pack. */
export function makeShapePacker(): ShapePacker {
  let positions = new Float64Array(1_024);
  let used = 0;
  const ringEnds: number[] = [];
  const shapeEnds: number[] = [];
  const reserve = (more: number): void => {
    if (used + more <= positions.length) return;
    const larger = new Float64Array(Math.max(2 * positions.length, used + more));
    larger.set(positions.subarray(0, used));
    positions = larger;
  };
  return {
    get count() {
      return shapeEnds.length;
    },
    get positions() {
      return used / 2;
    },
    add({ coordinates }) {
      for (const ring of coordinates.flat()) {
        reserve(2 * ring.length);
        for (const [lon, lat] of ring) {
          positions[used] = lon;
          positions[used + 1] = lat;
          used += 2;
        }
        ringEnds.push(used / 2);
      }
      shapeEnds.push(ringEnds.length);
    },
    finish() {
      const pack = makePack(shapeEnds.length, ringEnds.length, used / 2);
      pack.positions.set(positions.subarray(0, used));
      pack.ringEnds.set(ringEnds);
      pack.shapeEnds.set(shapeEnds);
      return pack;
    },
  };
}

/** The rings of one shape, as they are packed. */
export function* ringsOf(
  { positions, ringEnds, shapeEnds }: ShapePack,
  shape: number,
): Generator<Float64Array<SharedArrayBuffer>> {
  for (let ring = shapeEnds[shape - 1] ?? 0; ring < (shapeEnds[shape] as number); ring += 1)
    yield positions.subarray(2 * (ringEnds[ring - 1] ?? 0), 2 * (ringEnds[ring] as number));
}

/** The rings of one shape, polygon by polygon: an outer ring turns to the left, its holes to the right. */
export function unpackShape(pack: ShapePack, shape: number): MultiPolygonGeometry {
  const polygons: Ring[][] = [];
  for (const own of ringsOf(pack, shape)) {
    const read: Ring = Array.from({ length: own.length / 2 }, (_, i) => [
      own[2 * i] as number,
      own[2 * i + 1] as number,
    ]);
    const polygon = polygons.at(-1);
    if (polygon === undefined || isOuter(own)) polygons.push([read]);
    else polygon.push(read);
  }
  return { type: 'MultiPolygon', coordinates: polygons };
}

/** Whether a ring turns to the left. Counted from its first position: far from zero, small rings would lose their digits. */
function isOuter(ring: Float64Array): boolean {
  const [lon, lat] = [ring[0] as number, ring[1] as number];
  let doubled = 0;
  for (let i = 2; i < ring.length; i += 2) {
    const [fromX, fromY] = [(ring[i - 2] as number) - lon, (ring[i - 1] as number) - lat];
    const [toX, toY] = [(ring[i] as number) - lon, (ring[i + 1] as number) - lat];
    doubled += fromX * toY - toX * fromY;
  }
  return doubled > 0;
}

/** The rectangle around all shapes, or around some of their positions. */
export function boundsOf({ positions }: Pick<ShapePack, 'positions'>): LonLatBounds {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 2) {
    west = Math.min(west, positions[i] as number);
    east = Math.max(east, positions[i] as number);
    south = Math.min(south, positions[i + 1] as number);
    north = Math.max(north, positions[i + 1] as number);
  }
  return { west, south, east, north };
}
