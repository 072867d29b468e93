import type { Colormaps } from '../../colormaps/index.ts';
import type { TerrainFormat, TerrainTileRequest, TerrainTiles } from '../../terrain/index.ts';
import { toCacheHeaders } from '../answer/cached-answer.ts';
import { answerDrawn } from '../answer/drawn-answer.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { pixelFailures } from '../endpoint/shared-docs.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { parseSwitch } from '../request/switch.ts';
import { terrainParameters, tileParameters } from './parameters.ts';
import { parseProduct } from './product.ts';
import { parseTerrainQuery } from './terrain-query.ts';
import { parseTilePath } from './tile-path.ts';

/** What terrain tiles are made of. */
export interface TerrainTileDeps {
  readonly terrainTiles: TerrainTiles;
  readonly colormaps: Colormaps;
  readonly metrics: Metrics;
  /** How long clients may cache a tile. */
  readonly maxAgeS: number;
}

/** What may come instead of terrain, for the documentation. */
const terrainFailures: Endpoint['answers'] = {
  400: { description: 'The query is malformed.' },
  404: { description: 'No such tile or colormap.' },
  422: { description: 'A combination that cannot be drawn.' },
  ...pixelFailures,
  502: { description: 'A file of an elevation model is damaged or gone.' },
};

/** `GET /api/render/terrain/{z}/{x}/{y}`. */
export const terrainTile = (deps: TerrainTileDeps): Endpoint => ({
  summary: 'A map tile of the terrain',
  description:
    'Hillshade, slope, aspect, contour lines or the heights themselves, from the best elevation model that knows the location. 256 × 256 pixels in EPSG:3857. Where no height is known it is transparent, and NaN in a GeoTIFF. Names of parameters may be written in any case.',
  tag: 'Terrain',
  params: tileParameters,
  query: terrainParameters,
  answers: {
    200: {
      description: 'The tile.',
      content: {
        'image/png': null,
        'image/jpeg': null,
        'image/webp': null,
        'image/tiff': null,
        'application/vnd.mapbox-vector-tile': null,
        'application/geo+json': null,
      },
    },
    304: { description: 'The tile you have (If-None-Match) is still right.' },
    ...terrainFailures,
  },
  handle: (request) => answer(request, deps),
});

/** The tile that a request names. */
export async function parseTileRequest(
  { params, query }: Pick<ApiRequest, 'params' | 'query'>,
  colormaps: Colormaps,
): Promise<TerrainTileRequest> {
  const { tile, grid, format } = parseTilePath(params);
  const asked = parseTerrainQuery(query);
  const isNamed = format === null || asked.has('mimetype');
  const known = isNamed ? asked : new Map([...asked, ['mimetype', `image/${format}`]]);
  const isFiltered = parseSwitch(known, 'FILTERING');
  return { grid, isFiltered, product: await parseProduct(known, tile.z, colormaps) };
}

async function answer(
  request: ApiRequest,
  { terrainTiles, colormaps, metrics, maxAgeS }: TerrainTileDeps,
): Promise<Response> {
  const startedAt = performance.now();
  const planned = await terrainTiles.plan(await parseTileRequest(request, colormaps));
  // A model that is ingested later shows at once where nothing was known.
  const cacheHeaders = planned.isUnknown
    ? { ...toCacheHeaders(0), 'cache-control': 'private, no-cache' }
    : toCacheHeaders(maxAgeS);
  return answerDrawn(request, {
    etag: planned.etag,
    cacheHeaders,
    startedAt,
    observe: metrics.observeRender,
    async draw() {
      const tile = await terrainTiles.render(planned, request.ticket);
      return { ...tile, mediaType: mediaTypes[tile.format] };
    },
  });
}

const mediaTypes: Readonly<Record<TerrainFormat, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  tiff: 'image/tiff',
  mvt: 'application/vnd.mapbox-vector-tile',
  geojson: 'application/geo+json',
};
