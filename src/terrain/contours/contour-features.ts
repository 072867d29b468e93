import type { LonLat } from '../../geo/index.ts';
import type { ContourLine } from './contour-line.ts';
import { DISPLAY_TOLERANCE_PX } from './display-tolerance.ts';
import type { ContourProperties } from './group-by-height.ts';
import { groupByHeight } from './group-by-height.ts';
import { simplifyLine } from './simplify-line.ts';

/** Contour lines as GeoJSON: a feature per height. */
export interface ContourFeatures {
  readonly type: 'FeatureCollection';
  readonly features: readonly {
    readonly type: 'Feature';
    readonly properties: ContourProperties;
    readonly geometry: {
      readonly type: 'MultiLineString';
      readonly coordinates: readonly (readonly LonLat[])[];
    };
  }[];
}

/** Converts lines to GeoJSON; `toLonLat` converts a position in the grid. */
export function toContourFeatures(
  lines: readonly ContourLine[],
  toLonLat: (x: number, y: number) => LonLat,
): ContourFeatures {
  const features = groupByHeight(lines).flatMap((feature) => {
    const coordinates = feature.lines
      .map((points) => toPositions(simplifyLine(points, DISPLAY_TOLERANCE_PX), toLonLat))
      .filter((positions) => positions.length > 1);
    if (coordinates.length === 0) return [];
    const geometry = { type: 'MultiLineString' as const, coordinates };
    return [{ type: 'Feature' as const, properties: feature.properties, geometry }];
  });
  return { type: 'FeatureCollection', features };
}

/** The positions of a line, without those that rounding makes equal to the one before. */
function toPositions(points: Float64Array, toLonLat: (x: number, y: number) => LonLat): LonLat[] {
  const positions: LonLat[] = [];
  for (let i = 0; i < points.length; i += 2) {
    const [lon, lat] = toLonLat(points[i]!, points[i + 1]!);
    const position: LonLat = [round(lon), round(lat)];
    const last = positions.at(-1);
    if (last?.[0] !== position[0] || last[1] !== position[1]) positions.push(position);
  }
  return positions;
}

/** Seven digits are a centimetre on the ground. Adding 0 turns −0 into 0. */
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7 + 0;
