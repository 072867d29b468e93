/** Terrain tiles as MapLibre takes them: requested by the page itself, with the key in a header. */
import type {
  LayerSpecification,
  RasterDEMSourceSpecification,
  RasterSourceSpecification,
  VectorSourceSpecification,
} from 'maplibre-gl';
import type { TerrainFormat, TerrainTiles } from '../scenes/terrain.ts';
import { toHome, toOwnAddress } from '../scenes/tile-template.ts';
import { toAttributionHtml } from './attribution.ts';
import { toTileAddress } from './tile-requests.ts';

/**
 * Heights of 30 m pixels are bilinear at zoom 12 already. The map interpolates deeper ones itself, so that a view in three
 * dimensions needs few of these tiles.
 */
const MAX_HEIGHT_ZOOM = 12;

type TerrainSource = RasterSourceSpecification | RasterDEMSourceSpecification | VectorSourceSpecification;

/** The source of a format. */
export const toTerrainSource = (
  format: TerrainFormat,
  { template, minZoom, maxZoom, bounds, attribution }: TerrainTiles,
  pageAddress: string,
): TerrainSource => {
  const home = toHome(pageAddress);
  const isPicture = format !== 'contours' && format !== 'terrarium';
  const shared = {
    tiles: [
      toTileAddress(toOwnAddress(template, home), new URL(home).origin, isPicture ? 'picture' : 'bytes'),
    ],
    minzoom: minZoom,
    maxzoom: maxZoom,
    ...(bounds === null ? {} : { bounds: [...bounds] as [number, number, number, number] }),
    ...(attribution === null ? {} : { attribution: toAttributionHtml(attribution) }),
  };
  if (format === 'contours') return { type: 'vector', ...shared };
  if (format === 'terrarium')
    return {
      type: 'raster-dem',
      encoding: 'terrarium',
      tileSize: 256,
      ...shared,
      maxzoom: Math.min(maxZoom, MAX_HEIGHT_ZOOM),
    };
  return { type: 'raster', tileSize: 256, ...shared };
};

/** The layers of a source: shade and steepness below the scene, lines above it. */
export const toTerrainLayers = (
  format: Exclude<TerrainFormat, 'terrarium'>,
  source: string,
): readonly LayerSpecification[] => {
  if (format !== 'contours')
    return [{ id: source, type: 'raster', source, paint: { 'raster-fade-duration': 150 } }];
  const lines = { type: 'line', source, 'source-layer': 'contours' } as const;
  return [
    {
      ...lines,
      id: `${source}-edge`,
      // A dark edge keeps thin lines readable on bright ground.
      paint: {
        'line-color': '#1d1305',
        'line-opacity': 0.35,
        'line-width': ['case', ['get', 'index'], 3, 1.8],
      },
    },
    {
      ...lines,
      id: source,
      paint: {
        'line-color': '#ffe2b8',
        'line-opacity': ['case', ['get', 'index'], 0.95, 0.75],
        'line-width': ['case', ['get', 'index'], 1.4, 0.7],
      },
    },
  ];
};
