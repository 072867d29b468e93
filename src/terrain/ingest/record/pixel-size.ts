import { sourceBroken } from '../../../errors.ts';
import { applyAffine, WGS84_RADIUS_M } from '../../../geo/index.ts';
import { makeProjection } from '../../../proj/index.ts';
import type { PlacedImage } from './image-bounds.ts';

/** Of the ellipsoid of WGS 84. */
const ECCENTRICITY_SQUARED = 0.006_694_379_990_14;
const DEGREE = Math.PI / 180;

type Vector = readonly [x: number, y: number, z: number];

/** Where the size is measured, as parts of the image: the middle, or near it where that is off the globe. */
const SPOTS = [1 / 2, 1 / 4, 3 / 4].flatMap((row) =>
  [1 / 2, 1 / 4, 3 / 4].map((column) => ({ column, row })),
);

/** The side in metres of a square as large on the ground as a pixel in the middle of an image. */
export function toPixelSizeM({ crs, transform, width, height }: PlacedImage): number {
  const { forward } = makeProjection(crs, 4326);
  const at = (column: number, row: number) => toGround(forward(...applyAffine(transform, column, row)));
  for (const spot of SPOTS) {
    const [column, row] = [spot.column * width, spot.row * height];
    const across = minus(at(column + 0.5, row), at(column - 0.5, row));
    const down = minus(at(column, row + 0.5), at(column, row - 0.5));
    const sizeM = Math.sqrt(Math.hypot(...cross(across, down)));
    if (sizeM > 0 && Number.isFinite(sizeM)) return sizeM;
  }
  throw sourceBroken('off-globe', 'The image does not lie on the globe.');
}

/** A position on the ellipsoid in space: unlike degrees it has no seam and no pole. */
function toGround([lon, lat]: readonly [lon: number, lat: number]): Vector {
  const sine = Math.sin(lat * DEGREE);
  const radiusM = WGS84_RADIUS_M / Math.sqrt(1 - ECCENTRICITY_SQUARED * sine * sine);
  const acrossM = radiusM * Math.cos(lat * DEGREE);
  return [
    acrossM * Math.cos(lon * DEGREE),
    acrossM * Math.sin(lon * DEGREE),
    radiusM * (1 - ECCENTRICITY_SQUARED) * sine,
  ];
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
