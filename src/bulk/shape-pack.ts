import type { MultiPolygonGeometry, Ring } from '../geo/index.ts';

/**
 * Geometries of many shapes, one after the other in shared memory: a thread gets all of them at no cost. Which ring is a
 * hole is not recorded: pixels and sizes do not depend on it, because holes turn the other way.
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

/** Packs geometries in their normal form. */
export function packShapes(geometries: readonly MultiPolygonGeometry[]): ShapePack {
  const rings = geometries.map(({ coordinates }) => coordinates.flat());
  const ringCount = rings.reduce((sum, own) => sum + own.length, 0);
  const positionCount = rings.reduce((sum, own) => sum + own.reduce((n, { length }) => n + length, 0), 0);
  const pack: ShapePack = {
    count: geometries.length,
    positions: new Float64Array(new SharedArrayBuffer(16 * positionCount)),
    ringEnds: new Uint32Array(new SharedArrayBuffer(4 * ringCount)),
    shapeEnds: new Uint32Array(new SharedArrayBuffer(4 * geometries.length)),
  };
  let [position, ring] = [0, 0];
  for (const [shape, own] of rings.entries()) {
    for (const one of own) {
      for (const [lon, lat] of one) {
        pack.positions[2 * position] = lon;
        pack.positions[2 * position + 1] = lat;
        position += 1;
      }
      pack.ringEnds[ring] = position;
      ring += 1;
    }
    pack.shapeEnds[shape] = ring;
  }
  return pack;
}

/** The rings of one shape, as if all were those of one polygon. */
export function unpackShape(
  { positions, ringEnds, shapeEnds }: ShapePack,
  shape: number,
): MultiPolygonGeometry {
  const rings: Ring[] = [];
  for (let ring = shapeEnds[shape - 1] ?? 0; ring < (shapeEnds[shape] as number); ring += 1) {
    const from = ringEnds[ring - 1] ?? 0;
    const own = positions.subarray(2 * from, 2 * (ringEnds[ring] as number));
    rings.push(
      Array.from({ length: own.length / 2 }, (_, i) => [own[2 * i] as number, own[2 * i + 1] as number]),
    );
  }
  return { type: 'MultiPolygon', coordinates: [rings] };
}
