import { z } from 'zod';
import { listColormaps } from '../../color/index.ts';
import { badInput } from '../../errors.ts';
import { answerCachedJson } from '../answer/cached-answer.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { Query } from '../request/query.ts';
import { parseSwitch, SWITCH_NAMES } from '../request/switch.ts';

/** Whether colours are mixed between the given ones. */
export const COLORMAP_TYPES = ['continuous', 'discrete'] as const;

/** `GET /api/render/colormap/all`. */
export const colormapList: Endpoint = {
  summary: 'All named colormaps',
  description: "matplotlib's, each followed by its reverse, `_r`.",
  tag: 'Render',
  query: {
    INCLUDE_TYPE: {
      description: 'Names with their types, as an object; off by default.',
      schema: z.enum(SWITCH_NAMES),
    },
    TYPE: {
      description: 'Only colormaps of this type.',
      schema: z.enum(COLORMAP_TYPES),
      example: 'discrete',
    },
  },
  answers: {
    200: {
      description: 'The names; with INCLUDE_TYPE an object of name and type.',
      content: {
        'application/json': z.object({
          colormap_list: z.union([z.array(z.string()), z.record(z.string(), z.enum(COLORMAP_TYPES))]),
        }),
      },
    },
    304: { description: 'The list you have (If-None-Match) is still right.' },
    400: { description: 'The query is malformed.' },
  },
  async handle(request) {
    const listed = listColormaps(parseType(request.query));
    const colormap_list = parseSwitch(request.query, 'INCLUDE_TYPE')
      ? Object.fromEntries(listed.map(({ name, type }) => [name, type]))
      : listed.map(({ name }) => name);
    return answerCachedJson(request, { colormap_list });
  },
};

function parseType(query: Query): (typeof COLORMAP_TYPES)[number] | null {
  const text = query.get('TYPE');
  if (text === undefined) return null;
  const type = COLORMAP_TYPES.find((known) => known === text);
  if (type === undefined) throw badInput('bad-type', `TYPE must be ${COLORMAP_TYPES.join(' or ')}.`);
  return type;
}
