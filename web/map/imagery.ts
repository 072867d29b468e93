/** The tiles of a scene as a source and a layer of MapLibre. */
import type { RasterLayerSpecification, RasterSourceSpecification } from 'maplibre-gl';
import type { ClearLayer } from '../scenes/clear-layer.ts';
import { toBox } from '../scenes/footprint.ts';
import type { Scene } from '../scenes/scene.ts';
import { toHome, toOwnAddress } from '../scenes/tile-template.ts';
import type { SharedMap } from '../shared/shared-map.ts';
import { toAttributionHtml } from './attribution.ts';
import { toTileAddress } from './tile-requests.ts';

/** Where a scene has tiles, down to which zoom. */
export const toTileExtent = ({
  outline,
  sensor,
}: Scene): Pick<RasterSourceSpecification, 'tileSize' | 'maxzoom' | 'bounds'> => {
  const [west, south, east, north] = toBox(outline);
  return {
    tileSize: 256,
    maxzoom: sensor.maxZoom,
    // A box across the antimeridian cannot be said here; without one the server answers outside tiles as empty.
    ...(east <= 180 ? { bounds: [west, south, east, north] } : {}),
  };
};

/** The source; `template` is the scene's tile address with its bands filled in. */
export const toImagerySource = (
  scene: Scene,
  template: string,
  attribution: string | null = null,
): RasterSourceSpecification => ({
  type: 'raster',
  tiles: [toTileAddress(toOwnAddress(template, toHome(location.href)), location.origin)],
  ...toTileExtent(scene),
  ...(attribution === null ? {} : { attribution: toAttributionHtml(attribution) }),
});

/** The source of a map that a link shows, from this server and no other. */
export const toSharedSource = ({
  token,
  bounds: [west, south, east, north],
  maxZoom,
  attribution,
}: SharedMap): RasterSourceSpecification => ({
  type: 'raster',
  tiles: [toTileAddress(`${toHome(location.href)}/api/public/${token}/{z}/{x}/{y}`, location.origin)],
  tileSize: 256,
  maxzoom: maxZoom,
  bounds: [west, south, east, north],
  ...(attribution === null ? {} : { attribution: toAttributionHtml(attribution) }),
});

/** The source of a clear view, which may have tiles anywhere. */
export const toClearSource = (
  { template, maxZoom }: Pick<ClearLayer, 'template' | 'maxZoom'>,
  attribution: string | null,
): RasterSourceSpecification => ({
  type: 'raster',
  tiles: [toTileAddress(toOwnAddress(template, toHome(location.href)), location.origin)],
  tileSize: 256,
  maxzoom: maxZoom,
  ...(attribution === null ? {} : { attribution: toAttributionHtml(attribution) }),
});

/** The layer of a source of the same name. */
export const toImageryLayer = (
  id: string,
  { opacity, fadeMs }: { readonly opacity: number; readonly fadeMs: number },
): RasterLayerSpecification => ({
  id,
  type: 'raster',
  source: id,
  paint: {
    'raster-opacity': opacity,
    // The slider itself moves gradually; a fade on top would lag behind it.
    'raster-opacity-transition': { duration: 0 },
    'raster-fade-duration': fadeMs,
  },
});
