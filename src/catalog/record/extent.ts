import type { AreaGeometry } from '../../geo/index.ts';
import { geometryBounds } from '../../geo/index.ts';
import type { Asset } from '../asset.ts';
import { toFootprint } from '../footprint/footprint.ts';
import { toOutlineOnGlobe } from '../footprint/globe-edge.ts';

/** The area that the widest image covers. */
export function largestExtent(assets: readonly Asset[]): AreaGeometry {
  const extents = assets.map((asset) => toExtent(asset));
  return extents.reduce((best, one) => (areaOf(one) > areaOf(best) ? one : best));
}

/** The area that an image covers. */
export function toExtent(asset: Asset): AreaGeometry {
  const crs = asset.proj ?? asset.epsg;
  return toFootprint(toOutlineOnGlobe(asset, crs), crs);
}

function areaOf(area: AreaGeometry): number {
  const { west, south, east, north } = geometryBounds(area);
  return (east - west) * (north - south);
}
