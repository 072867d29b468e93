import type { LonLatBounds } from '../../geo/index.ts';
import type { Colormaps } from '../../library/index.ts';
import type { ListedDem, TerrainProduct } from '../../terrain/index.ts';
import { Answer, toCacheHeaders } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/api-request.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { choice, defineParameters } from '../kit/parameters.ts';
import { RENDER_ROOT } from '../kit/paths.ts';
import { parseProduct, terrainParameters } from './product.ts';
import { MAX_TERRAIN_ZOOM, MIN_TERRAIN_ZOOM } from './tile.ts';

/** What TileJSON documents are made of. */
export interface TerrainTilejsonDeps {
  readonly listDems: () => Promise<readonly ListedDem[]>;
  readonly colormaps: Colormaps;
}

const scaleParameters = defineParameters({
  SCALE: choice({ description: '2 for tiles of 512 × 512 pixels.', names: ['1', '2'], fallback: '1' }),
});

/** `GET /api/render/terrain/tilejson.json`. */
export const terrainTilejson = (deps: TerrainTilejsonDeps): Endpoint => ({
  summary: 'TileJSON of terrain tiles',
  description:
    'TileJSON 3.0 for map libraries, with the query of the tiles. Heights as colours have an `encoding`. Unknown heights are 0 m unless UNKNOWN sets another value: on a 3D map a transparent pixel would be a deep hole.',
  tag: 'Terrain',
  query: { ...terrainParameters, ...scaleParameters },
  answers: {
    200: {
      description: 'The document.',
      content: {
        'application/json': json.object({
          tilejson: json.literal('3.0.0'),
          tiles: json.list(json.string()),
          minzoom: json.integer(),
          maxzoom: json.integer(),
          bounds: json.list(json.number()),
        }),
      },
    },
    400: { description: 'The query is malformed.' },
    404: { description: 'No such colormap.' },
    422: { description: 'A combination that cannot be drawn.' },
  },
  handle: (request) => answer(request, deps),
});

async function answer(request: ApiRequest, { listDems, colormaps }: TerrainTilejsonDeps): Promise<Answer> {
  const { query } = request;
  // Refused here rather than by every tile.
  const product = await parseProduct(query, MIN_TERRAIN_ZOOM, colormaps);
  terrainParameters.FILTERING.read(query);
  const scale = scaleParameters.SCALE.read(query);
  const dems = await listDems();
  const attribution = [...new Set(dems.flatMap((dem) => dem.attribution ?? []))].join('; ');
  return Answer.json(
    {
      tilejson: '3.0.0',
      name: `Terrain: ${product.kind}`,
      ...(attribution === '' ? {} : { attribution }),
      scheme: 'xyz',
      tiles: [toTemplate(request, { product, isDouble: scale === '2' })],
      minzoom: MIN_TERRAIN_ZOOM,
      maxzoom: MAX_TERRAIN_ZOOM,
      bounds: toBounds(dems),
      tileSize: scale === '2' ? 512 : 256,
      ...describe(product),
    },
    // The template may hold the caller's key.
    { headers: toCacheHeaders(0) },
  );
}

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

/** The hull of all models, as TileJSON writes it; the whole map where one says that gaps are sea, or across ±180. */
function toBounds(dems: readonly ListedDem[]): readonly number[] {
  const world: LonLatBounds = { west: -180, south: -85.0511, east: 180, north: 85.0511 };
  const isWhole = dems.length === 0 || dems.some(({ gaps, bounds }) => gaps === 'sea' || bounds.east > 180);
  const hull = isWhole
    ? world
    : {
        west: Math.min(...dems.map(({ bounds }) => bounds.west)),
        south: Math.max(world.south, Math.min(...dems.map(({ bounds }) => bounds.south))),
        east: Math.max(...dems.map(({ bounds }) => bounds.east)),
        north: Math.min(world.north, Math.max(...dems.map(({ bounds }) => bounds.north))),
      };
  return [hull.west, hull.south, hull.east, hull.north];
}
