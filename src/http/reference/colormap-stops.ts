import { listColormaps, parseColormapName, planColormap, toLegend } from '../../color/index.ts';
import { COLORMAP_TYPES } from '../colors/colormap.ts';
import { answerCachedJson } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';

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
        'application/json': json.object({
          colormaps: json.list(
            json.object({
              name: json.string(),
              type: json.choice(COLORMAP_TYPES),
              colors: json.list(json.string()),
            }),
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
