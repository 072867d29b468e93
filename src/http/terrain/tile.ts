/** Tiles of the terrain: their addresses, how they are answered, their legends, and their TileJSON. */

import { toLegend } from '../../color/index.ts';
import type { Grid, LonLatBounds, Tile } from '../../geo/index.ts';
import { isTile, tileGrid } from '../../geo/index.ts';
import type { Colormaps } from '../../library/index.ts';
import type {
  ListedDem,
  TerrainFormat,
  TerrainProduct,
  TerrainTileRequest,
  TerrainTiles,
} from '../../terrain/index.ts';
import { notFound, unsupported } from '../errors.ts';
import type { TerrainExplainDeps } from '../explain/explain-terrain.ts';
import { explainTerrainTile } from '../explain/explain-terrain.ts';
import type { Answer } from '../kit/answers.ts';
import { answerCachedJson, answerDrawn, toCacheHeaders } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { pixelFailures } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { ParameterDoc } from '../kit/parameters.ts';
import { choice, defineParameters, readExplainMode } from '../kit/parameters.ts';
import type { EndingFormat } from '../kit/paths.ts';
import { parseTileNumbers, RENDER_ROOT, splitRow } from '../kit/paths.ts';
import type { MapFacts } from '../kit/tilejson.ts';
import { answerTilejson, tilejsonSchema, toTilejson } from '../kit/tilejson.ts';
import type { Metrics } from '../metrics.ts';
import { parseProduct, terrainParameters } from './product.ts';

/** Zoom levels of terrain. */
const MIN_TERRAIN_ZOOM = 1;
const MAX_TERRAIN_ZOOM = 16;

/** No zoom has more columns or rows. */
const column = json.integer({ min: 0, max: 2 ** MAX_TERRAIN_ZOOM - 1 });

/** The position of a tile: segments that `parseTilePath` reads together. */
const tileParameters = {
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
export interface TerrainTileDeps extends TerrainExplainDeps {
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
  handle: (request) => answerTile(request, deps),
});

/** The tile that a request names. */
async function parseTileRequest(
  { params, query }: Pick<ApiRequest, 'params' | 'query'>,
  colormaps: Colormaps,
): Promise<TerrainTileRequest> {
  const { tile, grid, format } = parseTilePath(params);
  const isNamed = format === null || query.has('mimetype');
  const asked = isNamed ? query : new Map([...query, ['mimetype', `image/${format}`]]);
  const isFiltered = terrainParameters.FILTERING.read(asked);
  return { grid, isFiltered, product: await parseProduct(asked, tile.z, colormaps) };
}

async function answerTile(request: ApiRequest, deps: TerrainTileDeps): Promise<Answer> {
  const mode = readExplainMode(request.query);
  const wanted = await parseTileRequest(request, deps.colormaps);
  if (mode === null) return answerTerrain(request, wanted, deps);
  return explainTerrainTile(request, { planned: await deps.terrainTiles.plan(wanted), mode }, deps);
}

/** Plans a picture of the terrain and draws it, unless the client has it already. */
export async function answerTerrain(
  request: ApiRequest,
  wanted: TerrainTileRequest,
  { terrainTiles, metrics, maxAgeS }: Pick<TerrainTileDeps, 'terrainTiles' | 'metrics' | 'maxAgeS'>,
): Promise<Answer> {
  const startedAt = performance.now();
  const planned = await terrainTiles.plan(wanted);
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

/** `GET /api/render/legend/terrain/{z}/{x}/{y}`. */
export const terrainLegend = (deps: { readonly colormaps: Colormaps }): Endpoint => ({
  summary: 'The legend of a terrain tile',
  description: 'Of hillshade, slope and aspect; with the query of the tile.',
  tag: 'Terrain',
  params: tileParameters,
  query: terrainParameters,
  answers: {
    200: {
      description: 'Colours, and one threshold fewer between them: shades from 1 to 255, or degrees.',
      content: {
        'application/json': json.object({
          colors: json.list(json.string()),
          thresholds: json.list(json.number()),
          'labels?': json.list(json.string()),
          bands: json.list(json.object({ band: json.string(), min: json.number(), max: json.number() })),
        }),
      },
    },
    304: { description: 'The legend you have (If-None-Match) is still current.' },
    400: { description: 'The query is malformed.' },
    404: { description: 'No such tile or colormap.' },
    422: { description: 'The format has no colours, or the combination cannot be drawn.' },
  },
  handle: (request) => answerLegend(request, deps),
});

/** Values of a hillshade. */
const SHADES = { min: 1, max: 255 };
const DIRECTIONS = { min: 0, max: 360 };
const SLOPES = { min: 0, max: 90 };

async function answerLegend(
  request: ApiRequest,
  { colormaps }: { readonly colormaps: Colormaps },
): Promise<Answer> {
  const { product } = await parseTileRequest(request, colormaps);
  if (!('color' in product)) {
    throw unsupported(
      'no-legend',
      `format=${product.kind} has no colours; hillshade, slope and aspect have.`,
    );
  }
  const { kind, color } = product;
  const range = toTerrainRange(product);
  return answerCachedJson(request, { ...toLegend(color, range), bands: [{ band: kind, ...range }] });
}

/** The values of the first colour and of the last. */
export function toTerrainRange({ kind, color }: Extract<TerrainProduct, { readonly color: unknown }>) {
  const whole = { hillshade: SHADES, slope: SLOPES, aspect: DIRECTIONS }[kind];
  return color?.kind === 'ramp' && color.range !== null ? color.range : whole;
}

/** What TileJSON documents are made of. */
export interface TerrainTilejsonDeps {
  readonly listDems: () => Promise<readonly ListedDem[]>;
  readonly colormaps: Colormaps;
}

/** SCALE of a TileJSON document. */
export const scaleParameter = choice({
  description: '2 for tiles of 512 × 512 pixels.',
  names: ['1', '2'],
  fallback: '1',
});

const scaleParameters = defineParameters({ SCALE: scaleParameter });

/** `GET /api/render/terrain/tilejson.json`. */
export const terrainTilejson = (deps: TerrainTilejsonDeps): Endpoint => ({
  summary: 'TileJSON of terrain tiles',
  description:
    'TileJSON 3.0 for map libraries, with the query of the tiles. Heights as colours have an `encoding`. Unknown heights are 0 m unless UNKNOWN sets another value: on a 3D map a transparent pixel would be a deep hole.',
  tag: 'Terrain',
  query: { ...terrainParameters, ...scaleParameters },
  answers: {
    200: { description: 'The document.', content: { 'application/json': tilejsonSchema() } },
    400: { description: 'The query is malformed.' },
    404: { description: 'No such colormap.' },
    422: { description: 'A combination that cannot be drawn.' },
  },
  handle: (request) => describeTiles(request, deps),
});

async function describeTiles(
  request: ApiRequest,
  { listDems, colormaps }: TerrainTilejsonDeps,
): Promise<Answer> {
  const { query } = request;
  // Refused here rather than by every tile.
  const product = await parseProduct(query, MIN_TERRAIN_ZOOM, colormaps);
  terrainParameters.FILTERING.read(query);
  const scale = scaleParameters.SCALE.read(query);
  const dems = await listDems();
  const template = toTemplate(request, { product, isDouble: scale === '2' });
  return answerTilejson({
    ...toTilejson(describeTerrain(dems), { name: `Terrain: ${product.kind}`, template }),
    tileSize: scale === '2' ? 512 : 256,
    ...describe(product),
  });
}

/** Whom a map of the terrain must name, its zoom levels and its ground. */
export const describeTerrain = (dems: readonly ListedDem[]): MapFacts => ({
  attribution: [...new Set(dems.flatMap((dem) => dem.attribution ?? []))].join('; '),
  minzoom: toMinZoom(dems),
  maxzoom: MAX_TERRAIN_ZOOM,
  bounds: toBounds(dems),
});

/** Live models have no overview mosaics: tiles of lower zoom levels need more cells than one may read. */
const MIN_LIVE_ZOOM = 7;

/** The lowest zoom level at which no tile is refused for the number of its files. */
const toMinZoom = (dems: readonly ListedDem[]): number =>
  dems.length > 0 && dems.every(({ live }) => live !== undefined) ? MIN_LIVE_ZOOM : MIN_TERRAIN_ZOOM;

/** The address of the tiles, with the whole query that came, the key included. */
function toTemplate(
  { publicUrl, query }: ApiRequest,
  { product, isDouble }: { readonly product: TerrainProduct; readonly isDouble: boolean },
): string {
  const passed: [string, string][] = [...query].filter(([name]) => name.toLowerCase() !== 'scale');
  const isEncoded = product.kind === 'terrarium' || product.kind === 'terrainrgb';
  if (isEncoded && product.unknownM === null) passed.push(['UNKNOWN', '0']);
  const text = new URLSearchParams(passed).toString();
  return `${publicUrl}${RENDER_ROOT}terrain/{z}/{x}/{y}${isDouble ? '@2x' : ''}${text === '' ? '' : `?${text}`}`;
}

/** What libraries must know of a format. */
function describe(product: TerrainProduct): object {
  switch (product.kind) {
    case 'terrarium':
      return { encoding: 'terrarium' };
    case 'terrainrgb':
      return { encoding: 'mapbox' };
    case 'contours':
      return {
        vector_layers: [{ id: 'contours', fields: { ele: 'Number', index: 'Boolean' } }],
      };
    default:
      return {};
  }
}

/** The hull of all models; the whole map where one says that gaps are sea, or across ±180. */
function toBounds(dems: readonly ListedDem[]): LonLatBounds {
  const world: LonLatBounds = { west: -180, south: -85.0511, east: 180, north: 85.0511 };
  const isWhole = dems.length === 0 || dems.some(({ gaps, bounds }) => gaps === 'sea' || bounds.east > 180);
  if (isWhole) return world;
  return {
    west: Math.min(...dems.map(({ bounds }) => bounds.west)),
    south: Math.max(world.south, Math.min(...dems.map(({ bounds }) => bounds.south))),
    east: Math.max(...dems.map(({ bounds }) => bounds.east)),
    north: Math.min(world.north, Math.max(...dems.map(({ bounds }) => bounds.north))),
  };
}
