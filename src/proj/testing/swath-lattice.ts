import type { Lattice, Size } from '../../geo/index.ts';
import type { GroundControlPoint } from '../parse-lattice.ts';
import { parseLattice } from '../parse-lattice.ts';

/** A radar pass for tests: rotated against north, right-looking, its nodes at uneven lines. */
export interface SwathPass {
  readonly size: Size;
  /** Middle of the image. */
  readonly lon: number;
  readonly lat: number;
  /** Direction of the rows, clockwise from north. */
  readonly headingDeg: number;
  readonly pixelM: number;
  /** Mirrored, as descending passes are against ascending ones. */
  readonly isMirrored?: boolean;
  readonly nodes?: readonly [across: number, down: number];
}

const EARTH_M = 6_371_000;
const DEGREE = Math.PI / 180;

/**
 * The true location of a pixel position: on a sphere, along a great circle of that heading and then perpendicular to
 * it.
 */
export function locateInPass(pass: SwathPass, column: number, row: number): GroundControlPoint {
  const side = pass.isMirrored ? -1 : 1;
  const along = ((pass.size.height / 2 - row) * pass.pixelM) / EARTH_M;
  const across = (side * (column - pass.size.width / 2) * pass.pixelM) / EARTH_M;
  const [heading, lon, lat] = [pass.headingDeg * DEGREE, pass.lon * DEGREE, pass.lat * DEGREE];
  // East, north and up at the middle, and the location in this frame.
  const forward = Math.sin(along) * Math.cos(across);
  const right = Math.sin(across);
  const up = Math.cos(along) * Math.cos(across);
  const east = forward * Math.sin(heading) + right * Math.cos(heading);
  const north = forward * Math.cos(heading) - right * Math.sin(heading);
  const z = up * Math.sin(lat) + north * Math.cos(lat);
  const outward = up * Math.cos(lat) - north * Math.sin(lat);
  const degrees = (lon + Math.atan2(east, outward)) / DEGREE;
  return {
    column,
    row,
    x: degrees - 360 * Math.round(degrees / 360),
    y: Math.atan2(z, Math.hypot(east, outward)) / DEGREE,
  };
}

/**
 * Control points as Sentinel-1 has them: evenly over the columns, the last rows closer together, none past the last
 * line.
 */
export function pointsOfPass(pass: SwathPass): GroundControlPoint[] {
  const [across, down] = pass.nodes ?? [21, 10];
  const { width, height } = pass.size;
  const step = Math.ceil((height - 1) / (down - 1.6));
  return Array.from({ length: across * down }, (_, i) => {
    const column = ((i % across) / (across - 1)) * (width - 1);
    return locateInPass(pass, column, Math.min(height - 1, Math.floor(i / across) * step));
  });
}

/** The lattice of a pass. */
export const latticeOfPass = (pass: SwathPass): Lattice => parseLattice(pointsOfPass(pass), 4326);
