import { z } from 'zod';
import { listColormaps, parseColormapName, planColormap, toLegend } from '../../color/index.ts';
import { answerCachedJson } from '../answer/cached-answer.ts';
import { COLORMAP_TYPES } from '../colors/colormap-list.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';

/** Enough that a gradient between them cannot be told from the map itself at the width of a list. */
const STOPS = 17;
const RANGE = { min: 0, max: 1 };

/** `GET /api/colormaps`: named colormaps with some of their colours. */
export const colormapStops: Endpoint = {
  summary: 'All named colormaps with colours to preview them by',
  description: `Without the reverses, which \`_r\` behind a name makes. Continuous ones have ${STOPS} colours at equal distances, both ends included; discrete ones have all of theirs.`,
  tag: 'Service',
  answers: {
    200: {
      description: 'The colormaps, in the order of their names.',
      content: {
        'application/json': z.object({
          colormaps: z.array(
            z.object({ name: z.string(), type: z.enum(COLORMAP_TYPES), colors: z.array(z.string()) }),
          ),
        }),
      },
    },
    304: { description: 'The list you have (If-None-Match) is still right.' },
  },
  handle: (request) => answerCachedJson(request, { colormaps: toColormapStops() }),
};

/** Every named colormap with its colours, as the answer has them. */
export const toColormapStops = () =>
  listColormaps()
    .filter(({ name }) => !name.endsWith('_r'))
    .flatMap(({ name, type }) => {
      const colormap = parseColormapName(name);
      if (colormap.kind !== 'named') return [];
      const plan = planColormap(colormap, { colorsLimit: STOPS, range: RANGE });
      return [{ name, type, colors: toLegend(plan, RANGE).colors }];
    });
