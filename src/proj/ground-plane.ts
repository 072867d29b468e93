import type { Position } from './projection.ts';

/** Coordinates in which an image is nearly a parallelogram, wherever on Earth it lies. */
export interface GroundPlane {
  toPlane(x: number, y: number): Position;
  fromPlane(x: number, y: number): Position;
}

/** Only scales the plane, so that its numbers are roughly metres. */
const RADIUS_M = 6_371_000;
const DEGREE = Math.PI / 180;

type Vector = readonly [x: number, y: number, z: number];

/**
 * The plane for longitudes and latitudes: stereographic, around the middle of all points. It has no antimeridian and no
 * pole, and meridians do not converge. It treats latitudes as those of a sphere, which is as smooth and as invertible
 * as any other choice.
 */
export function makeDegreePlane(lons: readonly number[], lats: readonly number[]): GroundPlane {
  const sum = [0, 0, 0] as [number, number, number];
  for (const [i, lon] of lons.entries()) {
    for (const [axis, part] of toVector(lon, lats[i]!).entries()) sum[axis]! += part;
  }
  const up = toUnit(sum);
  // Any direction other than that of the view.
  const aside: Vector = Math.abs(up[2]) > 0.5 ? [1, 0, 0] : [0, 0, 1];
  const east = toUnit(cross(aside, up));
  const north = cross(up, east);
  return {
    toPlane(lon, lat) {
      const vector = toVector(lon, lat);
      const scale = (2 * RADIUS_M) / (1 + dot(vector, up));
      return [scale * dot(vector, east), scale * dot(vector, north)];
    },
    fromPlane(x, y) {
      const [a, b] = [x / (2 * RADIUS_M), y / (2 * RADIUS_M)];
      const square = a * a + b * b;
      const [alongEast, alongNorth, alongUp] = [2 * a, 2 * b, 1 - square];
      const [vx, vy, vz] = ([0, 1, 2] as const).map(
        (i) => alongEast * east[i] + alongNorth * north[i] + alongUp * up[i],
      ) as unknown as Vector;
      return [Math.atan2(vy, vx) / DEGREE, Math.atan2(vz, Math.hypot(vx, vy)) / DEGREE];
    },
  };
}

/** The plane for positions of a projected system: the system itself, relative to its middle to save digits. */
export function makeMetrePlane(xs: readonly number[], ys: readonly number[]): GroundPlane {
  const [middleX, middleY] = [xs, ys].map(
    (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  ) as Position;
  return {
    toPlane: (x, y) => [x - middleX, y - middleY],
    fromPlane: (x, y) => [x + middleX, y + middleY],
  };
}

function toVector(lon: number, lat: number): Vector {
  const radius = Math.cos(lat * DEGREE);
  return [radius * Math.cos(lon * DEGREE), radius * Math.sin(lon * DEGREE), Math.sin(lat * DEGREE)];
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function toUnit(vector: Vector): Vector {
  const length = Math.hypot(...vector);
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}
