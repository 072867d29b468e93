import type { AreaGeometry, LonLatBounds, PointGeometry } from '../../../geo/index.ts';
import { geometryBounds } from '../../../geo/index.ts';

/**
 * The boxes under which a geometry stands in the spatial index: one, or one on each side of the antimeridian, all
 * within ±180. Two geometries that meet have boxes that meet, however their longitudes are written.
 */
export function toIndexBoxes(geometry: AreaGeometry | PointGeometry): readonly LonLatBounds[] {
  const pieces = partsOf(geometry).flatMap((part) => cutAtAntimeridian(geometryBounds(part)));
  const whole = hull(pieces);
  // What is so wide and in several pieces lies around the antimeridian, not around the world.
  if (pieces.length < 2 || whole.east - whole.west <= 180) return [whole];
  const [western, eastern] = [true, false].map((isWestern) =>
    pieces.filter(({ west, east }) => west + east < 0 === isWestern),
  ) as [LonLatBounds[], LonLatBounds[]];
  return [western, eastern].filter((side) => side.length > 0).map(hull);
}

function partsOf(geometry: AreaGeometry | PointGeometry): readonly (AreaGeometry | PointGeometry)[] {
  if (geometry.type !== 'MultiPolygon') return [geometry];
  return geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }));
}

function cutAtAntimeridian(bounds: LonLatBounds): readonly LonLatBounds[] {
  const { south, north } = bounds;
  if (bounds.east - bounds.west >= 360) return [{ west: -180, east: 180, south, north }];
  const turn = 360 * Math.floor((bounds.west + 180) / 360);
  const [west, east] = [bounds.west - turn, bounds.east - turn];
  if (east < 180) return [{ west, east, south, north }];
  // Also when it only touches: then it meets what lies on the other side.
  return [
    { west, east: 180, south, north },
    { west: -180, east: east - 360, south, north },
  ];
}

function hull(boxes: readonly LonLatBounds[]): LonLatBounds {
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    east: Math.max(...boxes.map(({ east }) => east)),
    south: Math.min(...boxes.map(({ south }) => south)),
    north: Math.max(...boxes.map(({ north }) => north)),
  };
}
