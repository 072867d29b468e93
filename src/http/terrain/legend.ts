import { toLegend } from '../../color/index.ts';
import { unsupported } from '../../errors.ts';
import type { Colormaps } from '../../library/index.ts';
import type { Answer } from '../kit/answers.ts';
import { answerCachedJson } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/api-request.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { terrainParameters } from './product.ts';
import { parseTileRequest, tileParameters } from './tile.ts';

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
  handle: (request) => answer(request, deps),
});

/** Values of a hillshade. */
const SHADES = { min: 1, max: 255 };
const DIRECTIONS = { min: 0, max: 360 };
const SLOPES = { min: 0, max: 90 };

async function answer(
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
  const whole = { hillshade: SHADES, slope: SLOPES, aspect: DIRECTIONS }[kind];
  const range = color?.kind === 'ramp' && color.range !== null ? color.range : whole;
  return answerCachedJson(request, { ...toLegend(color, range), bands: [{ band: kind, ...range }] });
}
