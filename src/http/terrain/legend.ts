import { z } from 'zod';
import { toLegend } from '../../color/index.ts';
import type { Colormaps } from '../../colormaps/index.ts';
import { unsupported } from '../../errors.ts';
import { answerCachedJson } from '../answer/cached-answer.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { terrainParameters, tileParameters } from './parameters.ts';
import { parseTileRequest } from './tile.ts';

/** `GET /api/render/legend/terrain/{z}/{x}/{y}`. */
export const terrainLegend = (deps: { readonly colormaps: Colormaps }): Endpoint => ({
  summary: 'The colours of a terrain tile and what they stand for',
  description: 'Of hillshade, slope and aspect; with the query of the tile.',
  tag: 'Terrain',
  params: tileParameters,
  query: terrainParameters,
  answers: {
    200: {
      description: 'Colours, and one threshold fewer between them: shades from 1 to 255, or degrees.',
      content: {
        'application/json': z.object({
          colors: z.array(z.string()),
          thresholds: z.array(z.number()),
          labels: z.array(z.string()).optional(),
          bands: z.array(z.object({ band: z.string(), min: z.number(), max: z.number() })),
        }),
      },
    },
    304: { description: 'The legend you have (If-None-Match) is still right.' },
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
): Promise<Response> {
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
