import { DEMO_SCENE } from '../support/demo-data.ts';

const [Z, X, Y] = [14, 2621, 5680] as const;

/** A tile of the demo scene in true colour, as every client asks for it. */
export const TILE = `/api/render/${DEMO_SCENE.viewId}/B04,B03,B02/${Z}/${X}/${Y}`;

/** NDVI of the same tile. */
export const NDVI_TILE = `/api/render/${DEMO_SCENE.viewId}/(NIR-RED)/(NIR+RED)/${Z}/${X}/${Y}?MIN_MAX=0,1`;

let serial = 0;
/** A tile that was never requested: the same location with another contrast, so that neither a cache nor single flight helps. */
export function nextTile(bands = 'B04,B03,B02'): string {
  serial += 1;
  return `/api/render/${DEMO_SCENE.viewId}/${bands}/${Z}/${X}/${Y}?MIN_MAX=0,${3000 + serial}`;
}

/** Where scenes are searched. */
export const SEARCH = `/api/lms/search/v2/${DEMO_SCENE.dataset}`;
