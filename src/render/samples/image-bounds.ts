import type { AreaOutline, LonLatBounds } from '../../geo/index.ts';
import { LON_LAT_GRID } from '../../geo/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import { makePixelMapping } from '../../proj/index.ts';

/** Points along each side of an image that are projected; between them a side bulges by far less than one part. */
const PARTS = 16;
/** Towards the poles a rectangle in degrees says little of where an image is. */
const MAX_LAT = 85;

/**
 * The rectangle in degrees that holds an image, with some more around; across the antimeridian it goes on beyond ±180. Null
 * near the poles, and where a point of the image cannot be projected.
 */
export function imageBounds(image: GeoreferencedGrid): LonLatBounds | null {
  const { width, height } = image;
  const { toTarget } = makePixelMapping(LON_LAT_GRID, image);
  const lons: number[] = [];
  const lats: number[] = [];
  for (let i = 0; i <= PARTS; i += 1) {
    const [x, y] = [(width * i) / PARTS, (height * i) / PARTS];
    for (const [col, row] of [
      [x, 0],
      [x, height],
      [0, y],
      [width, y],
    ] as const) {
      const [lon, lat] = toTarget(col, row);
      const first = lons[0] ?? lon;
      // The short way round from the first point: images are smaller than half of the Earth.
      lons.push(lon + 360 * Math.round((first - lon) / 360));
      lats.push(lat);
    }
  }
  const [west, east] = [Math.min(...lons), Math.max(...lons)];
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  // Not a number anywhere makes all of these false.
  if (!(east - west < 180 && south > -MAX_LAT && north < MAX_LAT)) return null;
  const [spareLon, spareLat] = [(east - west) / PARTS, (north - south) / PARTS];
  return {
    west: west - spareLon,
    south: south - spareLat,
    east: east + spareLon,
    north: north + spareLat,
  };
}

/** What two rectangles have in common, counted as the first does; null when nothing. Turns around the Earth do not matter. */
export function intersectBounds(one: LonLatBounds, other: LonLatBounds): LonLatBounds | null {
  const [south, north] = [Math.max(one.south, other.south), Math.min(one.north, other.north)];
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const turn of [-360, 0, 360]) {
    const [left, right] = [Math.max(one.west, other.west + turn), Math.min(one.east, other.east + turn)];
    if (left < right) [west, east] = [Math.min(west, left), Math.max(east, right)];
  }
  return west < east && south < north ? { west, south, east, north } : null;
}

/** The rectangle that holds an outline. */
export function outlineBounds(outline: AreaOutline): LonLatBounds {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < outline.length; i += 2) {
    const [lon, lat] = [outline[i] as number, outline[i + 1] as number];
    [west, east] = [Math.min(west, lon), Math.max(east, lon)];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  }
  return { west, south, east, north };
}
