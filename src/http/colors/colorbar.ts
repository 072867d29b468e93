import { z } from 'zod';
import { parseColorbarSize, parseColormapName, planColormap } from '../../color/index.ts';
import type { Colormaps } from '../../colormaps/index.ts';
import type { DrawColorbar } from '../../render/index.ts';
import { answerCached } from '../answer/cached-answer.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { findColormap } from './find-colormap.ts';
import { minMaxSchema, parseColorRange } from './min-max.ts';

/** What colorbars are drawn with. */
export interface ColorbarDeps {
  readonly colormaps: Colormaps;
  readonly drawColorbar: DrawColorbar;
}

/** `GET /api/render/colorbar/{colormap_name}`. */
export const colorbar = (deps: ColorbarDeps): Endpoint => ({
  summary: 'A colormap as a picture',
  description:
    'Its colours from left to right. With MIN_MAX it is true to scale and has ticks at round numbers; without, the classes of a discrete colormap are equally wide.',
  tag: 'Render',
  params: {
    colormap_name: {
      description: 'Name of a colormap, or id of a custom one; `_r` behind it reverses.',
      schema: z.string(),
      example: 'viridis',
    },
  },
  query: {
    WIDTH: { description: 'Pixels.', schema: z.int().min(1).max(2048).default(256), example: '256' },
    HEIGHT: { description: 'Pixels.', schema: z.int().min(1).max(512).default(24), example: '24' },
    MIN_MAX: {
      description: 'Values at the left and right end, "min,max".',
      schema: minMaxSchema,
      example: '0,1',
    },
  },
  answers: {
    200: { description: 'The colorbar.', content: { 'image/png': null } },
    304: { description: 'The colorbar you have (If-None-Match) is still right.' },
    400: { description: 'The query is malformed.' },
    404: { description: 'No such colormap.' },
    422: { description: 'MIN_MAX leaves no contrast.' },
    503: { description: 'Too much work at once; come back after Retry-After seconds.' },
  },
  handle: (request) => answer(request, deps),
});

async function answer(request: ApiRequest, { colormaps, drawColorbar }: ColorbarDeps): Promise<Response> {
  const { params, query } = request;
  const reference = parseColormapName(params.colormap_name ?? '');
  const size = parseColorbarSize(query.get('WIDTH'), query.get('HEIGHT'));
  const range = parseColorRange(query.get('MIN_MAX'));
  const colormap = await findColormap(reference, colormaps);
  // Names of classes are not drawn.
  const { labels: _, ...plan } = planColormap(colormap, { colorsLimit: null, range });
  const job = { plan, size, range };
  return answerCached(request, {
    content: JSON.stringify(job),
    type: 'image/png',
    read: () => drawColorbar(job, request.ticket),
  });
}
