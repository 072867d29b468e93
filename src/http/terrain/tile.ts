/** Tiles of the terrain: their addresses, and how they are answered. */

import { notFound } from '../../errors.ts';
import type { Grid, Tile } from '../../geo/index.ts';
import { isTile, tileGrid } from '../../geo/index.ts';
import type { Colormaps } from '../../library/index.ts';
import type { TerrainFormat, TerrainTileRequest, TerrainTiles } from '../../terrain/index.ts';
import type { Answer } from '../kit/answers.ts';
import { answerDrawn, toCacheHeaders } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/api-request.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { pixelFailures } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { ParameterDoc } from '../kit/parameters.ts';
import type { EndingFormat } from '../kit/paths.ts';
import { parseTileNumbers, splitRow } from '../kit/paths.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { parseProduct, terrainParameters } from './product.ts';

/** Zoom levels of terrain. */
export const MIN_TERRAIN_ZOOM = 1;
export const MAX_TERRAIN_ZOOM = 16;

/** No zoom has more columns or rows. */
const column = json.integer({ min: 0, max: 2 ** MAX_TERRAIN_ZOOM - 1 });

/** The position of a tile: segments that `parseTilePath` reads together. */
export const tileParameters = {
  z: {
    description: 'Zoom.',
    schema: json.integer({ min: MIN_TERRAIN_ZOOM, max: MAX_TERRAIN_ZOOM }),
    example: '11',
  },
  x: { description: 'Column of the tile.', schema: column, example: '328' },
  y: {
    description:
      'Row of the tile, from the north; The suffix `@2x` returns 512 × 512 pixels; `.png`, `.jpg` or `.webp` sets the image format.',
    schema: json.union([column, json.string({ pattern: /^\d{1,5}(?:@2x)?(?:\.(?:png|jpg|jpeg|webp))?$/ })]),
    example: '710',
  },
} as const satisfies Readonly<Record<string, ParameterDoc>>;

const TILE_PX = 256;

/** A tile of terrain, and its pixels: 512 a side when its row ends in `@2x`. */
interface TerrainTilePath {
  readonly tile: Tile;
  readonly grid: Grid;
  /** The format that its row ends in; null without. */
  readonly format: EndingFormat | null;
}

/** Parses `{z}/{x}/{y}` with or without `@2x` and a format. */
function parseTilePath(params: Readonly<Record<string, string>>): TerrainTilePath {
  const { z = '', x = '', y: row = '' } = params;
  const { y, isDouble, format } = splitRow(row);
  const tile = parseTileNumbers(z, x, y);
  if (!isServed(tile)) {
    throw notFound(
      'no-such-tile',
      `There is no such tile: z runs from ${MIN_TERRAIN_ZOOM} to ${MAX_TERRAIN_ZOOM}, x and y from 0 to 2^z - 1; y may end in @2x, and in a format such as .png.`,
    );
  }
  return { tile, format, grid: tileGrid(tile, isDouble ? 2 * TILE_PX : TILE_PX) };
}

const isServed = (tile: Tile): boolean =>
  isTile(tile) && tile.z >= MIN_TERRAIN_ZOOM && tile.z <= MAX_TERRAIN_ZOOM;

/** What terrain tiles are made of. */
export interface TerrainTileDeps {
  readonly terrainTiles: TerrainTiles;
  readonly colormaps: Colormaps;
  readonly metrics: Metrics;
  /** How long clients may cache a tile. */
  readonly maxAgeS: number;
}

/** Documented failures of terrain. */
const terrainFailures: Endpoint['answers'] = {
  400: { description: 'The query is malformed.' },
  404: { description: 'No such tile or colormap.' },
  422: { description: 'A combination that cannot be drawn.' },
  ...pixelFailures,
  502: { description: 'A file of an elevation model is damaged or missing.' },
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
    304: { description: 'The tile you have (If-None-Match) is still current.' },
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
  const isNamed = format === null || query.has('mimetype');
  const asked = isNamed ? query : new Map([...query, ['mimetype', `image/${format}`]]);
  const isFiltered = terrainParameters.FILTERING.read(asked);
  return { grid, isFiltered, product: await parseProduct(asked, tile.z, colormaps) };
}

async function answer(
  request: ApiRequest,
  { terrainTiles, colormaps, metrics, maxAgeS }: TerrainTileDeps,
): Promise<Answer> {
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
