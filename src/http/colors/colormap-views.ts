/** Colormaps as others show them: their names, their legends, and colorbars. */
import type { ColormapReference } from '../../color/index.ts';
import {
  listColormaps,
  parseColormapName,
  parseColorsLimit,
  planColormap,
  toLegend,
} from '../../color/index.ts';
import type { Colormaps } from '../../library/index.ts';
import type { DrawColorbar } from '../../render/index.ts';
import { answerCached, answerCachedJson } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { choice, custom, defineParameters, flag, whole } from '../kit/parameters.ts';
import { COLORMAP_TYPES, findColormap } from './colormap.ts';
import { colorRange } from './contrast.ts';

const listQuery = defineParameters({
  INCLUDE_TYPE: flag({
    description: 'Names with their types, as an object; off by default.',
    fallback: false,
  }),
  TYPE: choice({
    description: 'Only colormaps of this type.',
    example: 'discrete',
    names: COLORMAP_TYPES,
    fallback: null,
  }),
});

/** `GET /api/render/colormap/all`. */
export const colormapList: Endpoint = {
  summary: 'All named colormaps',
  description: "matplotlib's, each followed by its reverse, `_r`.",
  tag: 'Render',
  query: listQuery,
  answers: {
    200: {
      description: 'The names; with INCLUDE_TYPE an object of name and type.',
      content: {
        'application/json': json.object({
          colormap_list: json.union([json.list(json.string()), json.map(json.choice(COLORMAP_TYPES))]),
        }),
      },
    },
    304: { description: 'The list you have (If-None-Match) is still current.' },
    400: { description: 'The query is malformed.' },
  },
  async handle(request) {
    const listed = listColormaps(listQuery.TYPE.read(request.query));
    const colormap_list = listQuery.INCLUDE_TYPE.read(request.query)
      ? Object.fromEntries(listed.map(({ name, type }) => [name, type]))
      : listed.map(({ name }) => name);
    return answerCachedJson(request, { colormap_list });
  },
};

const named = (example: string) =>
  custom({
    description: 'Name of a colormap or id of a custom one; the suffix `_r` reverses it.',
    example,
    schema: json.string(),
    read: (text): ColormapReference => parseColormapName(text),
  });

/** The default of docs/use/interface.md: the range of eight-bit data. */
const DEFAULT_RANGE = { min: 0, max: 255 };

const legendParams = defineParameters({ colormap: named('RdYlGn') });

const legendQuery = defineParameters({
  MIN_MAX: colorRange({
    description:
      'Contrast range "min,max"; 0,255 by default, and what the positions say where they are absolute.',
    example: '-1,1',
  }),
  LIMIT: custom({
    description: 'How many colours a continuous colormap has.',
    schema: { ...json.integer({ min: 2, max: 256 }), default: 256 },
    fallback: null,
    read: (text, name) => parseColorsLimit(text, name),
  }),
});

/** `GET /api/render/legend/{colormap}`. */
export const colormapLegend = (colormaps: Colormaps): Endpoint => ({
  summary: 'The legend of a colormap',
  description:
    'Colours and the thresholds between them: a value has the colour after all thresholds that are not above it.',
  tag: 'Render',
  params: legendParams,
  query: legendQuery,
  answers: {
    200: {
      description: 'N colours and N - 1 thresholds; labels where the colormap has them.',
      content: {
        'application/json': json.object({
          colors: json.list(json.string()),
          thresholds: json.list(json.number()),
          'labels?': json.list(json.string()),
        }),
      },
    },
    304: { description: 'The legend you have (If-None-Match) is still current.' },
    400: { description: 'The query is malformed.' },
    404: { description: 'No such colormap.' },
    422: { description: 'A limit out of range, or MIN_MAX leaves no contrast.' },
  },
  async handle(request) {
    const { params, query } = request;
    const reference = legendParams.colormap.parse(params.colormap);
    const range = legendQuery.MIN_MAX.read(query);
    const colorsLimit = legendQuery.LIMIT.read(query);
    const colormap = await findColormap(reference, colormaps);
    const plan = planColormap(colormap, { colorsLimit, range });
    return answerCachedJson(request, toLegend(plan, range ?? DEFAULT_RANGE));
  },
});

/** What colorbars are drawn with. */
export interface ColorbarDeps {
  readonly colormaps: Colormaps;
  readonly drawColorbar: DrawColorbar;
}

const side = (max: number, fallback: number) =>
  whole({
    description: 'Pixels.',
    example: String(fallback),
    min: 1,
    max,
    fallback,
    rule: `must be a whole number of pixels from 1 to ${max}.`,
    code: 'bad-colorbar-size',
  });

const colorbarParams = defineParameters({ colormap_name: named('viridis') });

/** A colorbar has at most a megapixel. */
const colorbarQuery = defineParameters({
  WIDTH: side(2048, 256),
  HEIGHT: side(512, 24),
  MIN_MAX: colorRange({ description: 'Values at the left and right end, "min,max".', example: '0,1' }),
});

/** `GET /api/render/colorbar/{colormap_name}`. */
export const colorbar = ({ colormaps, drawColorbar }: ColorbarDeps): Endpoint => ({
  summary: 'A colormap as a picture',
  description:
    'Its colours from left to right. With MIN_MAX it is to scale and has ticks at round numbers; without, the classes of a discrete colormap are equally wide.',
  tag: 'Render',
  params: colorbarParams,
  query: colorbarQuery,
  answers: {
    200: { description: 'The colorbar.', content: { 'image/png': null } },
    304: { description: 'The colorbar you have (If-None-Match) is still current.' },
    400: { description: 'The query is malformed.' },
    404: { description: 'No such colormap.' },
    422: { description: 'MIN_MAX leaves no contrast.' },
    503: { description: 'Server busy; retry after the number of seconds in Retry-After.' },
  },
  async handle(request) {
    const { params, query } = request;
    const reference = colorbarParams.colormap_name.parse(params.colormap_name);
    const size = { width: colorbarQuery.WIDTH.read(query), height: colorbarQuery.HEIGHT.read(query) };
    const range = colorbarQuery.MIN_MAX.read(query);
    const colormap = await findColormap(reference, colormaps);
    // Names of classes are not drawn.
    const { labels: _, ...plan } = planColormap(colormap, { colorsLimit: null, range });
    const job = { plan, size, range };
    return answerCached(request, {
      content: JSON.stringify(job),
      type: 'image/png',
      read: () => drawColorbar(job, request.ticket),
    });
  },
});
