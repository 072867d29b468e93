import { z } from 'zod';
import { parseColormapName, parseColorsLimit, planColormap, toLegend } from '../../color/index.ts';
import type { Colormaps } from '../../colormaps/index.ts';
import { answerCachedJson } from '../answer/cached-answer.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { findColormap } from './find-colormap.ts';
import { minMaxSchema, parseColorRange } from './min-max.ts';

/** As docs/interface.md promises: colours of eight-bit data. */
const DEFAULT_RANGE = { min: 0, max: 255 };

/** `GET /api/render/legend/{colormap}`. */
export const colormapLegend = (colormaps: Colormaps): Endpoint => ({
  summary: 'What the colours of a colormap mean',
  description:
    'Colours, and the values between them: a value takes the colour after all thresholds that are not above it.',
  tag: 'Render',
  params: {
    colormap: {
      description: 'Name of a colormap, or id of a custom one; `_r` behind it reverses.',
      schema: z.string(),
      example: 'RdYlGn',
    },
  },
  query: {
    MIN_MAX: {
      description:
        'Contrast range "min,max"; 0,255 by default, and what the positions say where they are absolute.',
      schema: minMaxSchema,
      example: '-1,1',
    },
    LIMIT: {
      description: 'How many colours a continuous colormap has.',
      schema: z.int().min(2).max(256).default(256),
    },
  },
  answers: {
    200: {
      description: 'N colours and N - 1 thresholds; labels where the colormap has them.',
      content: {
        'application/json': z.object({
          colors: z.array(z.string()),
          thresholds: z.array(z.number()),
          labels: z.array(z.string()).optional(),
        }),
      },
    },
    304: { description: 'The legend you have (If-None-Match) is still right.' },
    400: { description: 'The query is malformed.' },
    404: { description: 'No such colormap.' },
    422: { description: 'A limit out of range, or MIN_MAX leaves no contrast.' },
  },
  handle: (request) => answer(request, colormaps),
});

async function answer(request: ApiRequest, colormaps: Colormaps): Promise<Response> {
  const { params, query } = request;
  const reference = parseColormapName(params.colormap ?? '');
  const range = parseColorRange(query.get('MIN_MAX'));
  const colorsLimit = parseColorsLimit(query.get('LIMIT'), 'LIMIT');
  const colormap = await findColormap(reference, colormaps);
  const plan = planColormap(colormap, { colorsLimit, range });
  return answerCachedJson(request, toLegend(plan, range ?? DEFAULT_RANGE));
}
