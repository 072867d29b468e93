import type { Scene } from '../../../src/catalog/index.ts';
import type { GdalInfo } from './compare-image.ts';

type Point = readonly [number, number];

/** Datasets whose images hold a tilted frame, the footprint. */
const TILTED = /^(landsat|cbers4)/;

/**
 * A footprint that is the extent must have GDAL's corners. Another must lie within, and be as large a part of it as the
 * convex hull of what was measured (by OGR), or as the provider's coverage says.
 */
export function compareFootprint(scene: Scene, info: GdalInfo): { faults: string[]; text: string } {
  const faults: string[] = [];
  const hasExtent = info.wgs84Extent !== undefined;
  const corners = (info.wgs84Extent?.coordinates[0] ??
    info.gcps?.gcpList.map(({ x, y }): Point => [x, y]) ??
    []) as readonly Point[];
  const rings = (
    scene.footprint.type === 'Polygon' ? [scene.footprint.coordinates] : scene.footprint.coordinates
  ).map((part) => part[0]! as readonly Point[]);
  const points = rings.flat();
  if (
    TILTED.test(scene.dataset) &&
    Math.abs((scene.coveragePercent ?? 0) - (info.measuredPercent ?? 0)) > 0.01
  ) {
    faults.push(`coverage ${scene.coveragePercent}, GDAL counts ${info.measuredPercent}`);
  }
  const offs = corners.map((corner) => Math.min(...points.map((point) => distance(point, corner))));
  if (hasExtent && offs.every((off) => off < 1e-6)) return { faults, text: 'same corners' };
  const [outer, inner] = [box(corners), box(points)];
  // Bent edges bulge a little beyond the corners' box.
  const slack = 0.02 * Math.max(outer[2] - outer[0], outer[3] - outer[1]);
  const isInside =
    inner[0] >= outer[0] - slack &&
    inner[1] >= outer[1] - slack &&
    inner[2] <= outer[2] + slack &&
    inner[3] <= outer[3] + slack;
  if (!isInside) faults.push(`footprint ${inner} reaches beyond ${outer}`);
  if (!hasExtent) return { faults, text: 'within the control points' };
  const percent = Math.round((areaOf(rings) / Math.abs(shoelace(corners))) * 10_000) / 100;
  const expected = TILTED.test(scene.dataset) ? info.hullPercent : scene.coveragePercent;
  if (Math.abs(percent - (expected ?? Number.NaN)) <= 1) {
    return { faults, text: `${percent} % of it, expected ${expected?.toFixed(2)}` };
  }
  return { faults: [...faults, `footprint has ${percent} % of the extent, not ${expected}`], text: '' };
}

const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

const box = (points: readonly Point[]): [number, number, number, number] => [
  Math.min(...points.map(([x]) => x)),
  Math.min(...points.map(([, y]) => y)),
  Math.max(...points.map(([x]) => x)),
  Math.max(...points.map(([, y]) => y)),
];

const shoelace = (ring: readonly Point[]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]!;
    return sum + (x * nextY - nextX * y) / 2;
  }, 0);

const areaOf = (rings: readonly (readonly Point[])[]): number =>
  rings.reduce((sum, ring) => sum + Math.abs(shoelace(ring)), 0);
