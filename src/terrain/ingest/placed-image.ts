import type { Affine, LonLatBounds } from '../../geo/index.ts';
import { applyAffine, invertAffine, WGS84_RADIUS_M } from '../../geo/index.ts';
import type { CrsId, Position } from '../../proj/index.ts';
import { makeProjection } from '../../proj/index.ts';
import { sourceBroken } from '../errors.ts';

/** An image with its placement. */
interface PlacedImage {
  readonly crs: CrsId;
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
}

/** Segments of a side: between two points of an edge of 5,000 km the ground bulges by 30 m. */
const PIECES = 128;

/**
 * The longitudes and latitudes that an image covers. `west` lies in [-180, 180); `east` exceeds 180 across the
 * antimeridian. An image over a pole covers all longitudes, up to the pole.
 */
export function toImageBounds(image: PlacedImage): LonLatBounds {
  const outline = toOutline(image);
  if (outline.every(isOnGlobe)) return toRingBounds(outline, findPole(image));
  const inside = toLattice(image).filter(isOnGlobe);
  if (inside.length === 0) throw sourceBroken('off-globe', 'The image does not lie on the globe.');
  // The edge of the ground between two samples is not searched: bounds may be too large, never too small.
  const lats = inside.map(([, lat]) => lat);
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const step = 2 * ((north - south) / PIECES + 1 / PIECES);
  return { west: -180, south: Math.max(-90, south - step), east: 180, north: Math.min(90, north + step) };
}

/** The edge of an image as longitudes and latitudes, closed. */
function toOutline(image: PlacedImage): Position[] {
  const toLonLat = makeToLonLat(image);
  const { width, height } = image;
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
    [0, 0],
  ] as const;
  const outline: Position[] = [toLonLat(0, 0)];
  for (const [i, [column, row]] of corners.slice(1).entries()) {
    const [fromColumn, fromRow] = corners[i]!;
    for (let piece = 1; piece <= PIECES; piece++) {
      const part = piece / PIECES;
      outline.push(toLonLat(fromColumn + (column - fromColumn) * part, fromRow + (row - fromRow) * part));
    }
  }
  return outline;
}

function toLattice(image: PlacedImage): Position[] {
  const toLonLat = makeToLonLat(image);
  return Array.from({ length: (PIECES + 1) ** 2 }, (_, i) =>
    toLonLat(
      ((i % (PIECES + 1)) / PIECES) * image.width,
      (Math.floor(i / (PIECES + 1)) / PIECES) * image.height,
    ),
  );
}

/** Longitude and latitude of pixels; NaN for those off the globe. */
function makeToLonLat({ crs, transform }: PlacedImage): (column: number, row: number) => Position {
  const { forward, inverse } = makeProjection(crs, 4326);
  const inDegrees = makeProjection(4326, crs).toDegrees;
  // Beyond the antimeridian x continues on its other side.
  const isEndless = inDegrees || crs === 3857;
  const reach = Math.hypot(transform[1], transform[2], transform[4], transform[5]);
  return (column, row) => {
    const [x, y] = applyAffine(transform, column, row);
    // Images whose pixels are centred on whole degrees reach half a pixel beyond the pole.
    const [lon, lat] = forward(x, inDegrees ? Math.max(-90, Math.min(90, y)) : y);
    if (isEndless) return [lon, lat];
    // Only for a position on the globe does the inverse projection return to it.
    const [backX, backY] = inverse(lon, lat);
    return Math.hypot(backX - x, backY - y) < reach ? [lon, lat] : [Number.NaN, Number.NaN];
  };
}

const isOnGlobe = ([lon, lat]: Position): boolean => Number.isFinite(lon) && Number.isFinite(lat);

/** Parts of a pixel by which a pole may miss the edge of an image and still count as inside. */
const SLACK_PX = 1e-3;

/** The pole inside an image; null without one. In degrees a pole is an edge, not a point. */
function findPole({ crs, transform, width, height }: PlacedImage): 90 | -90 | null {
  if (makeProjection(4326, crs).toDegrees) return null;
  const toPixel = invertAffine(transform);
  const isInside = (value: number, size: number) => value >= -SLACK_PX && value <= size + SLACK_PX;
  for (const pole of [90, -90] as const) {
    const [x, y] = makeProjection(crs, 4326).inverse(0, pole);
    const [column, row] = applyAffine(toPixel, x, y);
    if (isInside(column, width) && isInside(row, height)) return pole;
  }
  return null;
}

function toRingBounds(ring: readonly Position[], pole: 90 | -90 | null): LonLatBounds {
  const lats = ring.map(([, lat]) => lat);
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  if (pole !== null)
    return { west: -180, south: Math.min(south, pole), east: 180, north: Math.max(north, pole) };
  const lons = unwrap(ring.map(([lon]) => lon));
  const [west, east] = [Math.min(...lons), Math.max(...lons)];
  if (east - west >= 360) return { west: -180, south, east: 180, north };
  const turns = Math.floor((west + 180) / 360);
  return { west: west - 360 * turns, south, east: east - 360 * turns, north };
}

/** Longitudes without jumps: each is less than half a turn from the one before. */
function unwrap(lons: readonly number[]): number[] {
  let [before, lon] = [lons[0]!, lons[0]!];
  return lons.map((next) => {
    const step = next - before;
    before = next;
    lon += Math.abs(step) > 180 ? step - 360 * Math.round(step / 360) : step;
    return lon;
  });
}

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
