import { isSwathError, sourceBroken } from '../../errors.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import { areaContains, areasIntersect, geometryBounds } from '../../geo/index.ts';
import type { CrsId, Position } from '../../proj/index.ts';
import type { SceneFacts } from '../families/scene-facts.ts';
import { tidyFootprint, toFootprint } from '../footprint/footprint.ts';
import type { MeasuredArea } from '../footprint/measured-area.ts';

/** Above this an image is full, and its outline is its extent. */
const FULL_PERCENT = 99.5;
/** Half a percent of an image's side: outlines of providers are less precise than georeferences. */
const SLACK = 0.005;

/**
 * The footprint of a product in a folder: the measured area of its images, or the outline of the provider if the images
 * contain it, or the extent of the images. An outline that reaches beyond the images belongs to a product that was
 * cropped afterwards.
 */
export function productFootprint(
  { stated }: Pick<SceneFacts, 'stated'>,
  measured: (MeasuredArea & { readonly crs: CrsId }) | null,
  extent: AreaGeometry,
): AreaGeometry {
  const isPart = measured !== null && measured.coveragePercent < FULL_PERCENT;
  if (isPart && measured.outline !== null) return toFootprint(measured.outline, measured.crs);
  const area = stated === null ? null : tryFootprint(stated);
  return area !== null && areaContains(grow(extent), area) ? area : extent;
}

/** The footprint of an item: its geometry, by which its own catalog is searched, or the extent of its images. */
export function itemFootprint({ stated }: Pick<SceneFacts, 'stated'>, extent: AreaGeometry): AreaGeometry {
  const area = stated === null ? null : tryFootprint(stated);
  if (area === null) return extent;
  if (areasIntersect(area, extent)) return area;
  throw sourceBroken('stac-misplaced', 'Its geometry and its images do not overlap.');
}

/** Null for an invalid outline: those of providers sometimes cross themselves. */
function tryFootprint({ area, epsg }: NonNullable<SceneFacts['stated']>): AreaGeometry | null {
  try {
    if (epsg === 4326) return tidyFootprint(area);
    const rings = area.type === 'Polygon' ? area.coordinates.slice(0, 1) : [];
    const [ring] = rings.map((positions) => positions.slice(0, -1).map(([x, y]): Position => [x, y]));
    return ring === undefined ? null : toFootprint(ring, epsg);
  } catch (error) {
    if (isSwathError(error) && error.code === 'no-footprint') return null;
    throw error;
  }
}

/** The same area, each part a little enlarged from its centre. */
function grow(area: AreaGeometry): AreaGeometry {
  const parts = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  return {
    type: 'MultiPolygon',
    coordinates: parts.map((rings) => {
      const bounds = geometryBounds({ type: 'Polygon', coordinates: rings });
      const [lon, lat] = [(bounds.west + bounds.east) / 2, (bounds.south + bounds.north) / 2];
      return rings.map((ring) =>
        ring.map(([x, y]) => [x + (x - lon) * 2 * SLACK, y + (y - lat) * 2 * SLACK] as const),
      );
    }),
  };
}
