/** Colormaps: custom ones that are stored, and all of them as lists, legends and colorbars. */

import type { Colormap, ColormapReference } from '../color/index.ts';
import {
  listColormaps,
  parseColormapName,
  parseColorsLimit,
  planColormap,
  toColormapAnswer,
  toLegend,
  unknownColormap,
} from '../color/index.ts';
import type { Colormaps } from '../library/index.ts';
import { reverseColormap, toNamedContent } from '../library/index.ts';
import type { DrawColorbar } from '../render/index.ts';
import { notFound } from './errors.ts';
import { Answer, answerCached, answerCachedJson, STORED_S } from './kit/answers.ts';
import type { Endpoint } from './kit/endpoint.ts';
import { json } from './kit/json-schema.ts';
import { choice, custom, defineParameters, flag, whole } from './kit/parameters.ts';
import { colorRange } from './pictures/styling.ts';

/** 256 colours with positions and labels of normal length fit three times. */
const BODY_BYTES = 65_536;

/** Whether colours are mixed between the given ones. */
export const COLORMAP_TYPES = ['continuous', 'discrete'] as const;
const THRESHOLDS_TYPES = ['relative', 'absolute'];

const color = json.union([
  json.string({ pattern: /^#?[0-9a-fA-F]{6}$/ }),
  json.list(json.number({ min: 0, max: 1 }), { min: 3, max: 3, description: 'Red, green and blue.' }),
]);
const colors = json.union(
  [
    json.list(color, { min: 1, max: 256 }),
    json.list(json.list(json.union([json.number(), color]), { min: 2, max: 2 }), { min: 1, max: 256 }),
  ],
  { description: 'Up to 256 colours, or as many [position, colour].' },
);
/** Colormaps are read by `library/`, which stores them. */
const bodySchema = json.object({
  colors,
  'type?': json.nullable(json.choice(COLORMAP_TYPES), {
    description: 'continuous by default: colours in between are interpolated.',
  }),
  'thresholds_type?': json.nullable(json.choice(THRESHOLDS_TYPES), {
    description: 'What positions are: parts of the contrast range, from 0 to 1, by default; or values.',
  }),
  'labels?': json.nullable(json.list(json.string({ max: 200 })), {
    description: 'Of a discrete colormap: what each colour stands for.',
  }),
});
const colormapSchema = json.object({
  colors,
  type: json.choice(COLORMAP_TYPES),
  thresholds_type: json.choice(THRESHOLDS_TYPES),
  'labels?': json.list(json.string()),
  colors_quantity: json.integer(),
});
const idSchema = json.string({ pattern: /^[0-9a-f]{32}$/ });

const example = {
  colors: [
    [-1, '#1f4e9e'],
    [0, '#d9c38f'],
    [0.4, '#3f9b3f'],
  ],
  type: 'discrete',
  thresholds_type: 'absolute',
  labels: ['water', 'bare', 'green'],
};

/** `POST /api/render/colormap/`. */
export const createColormap = (colormaps: Colormaps): Endpoint => ({
  summary: 'Store a custom colormap',
  description:
    'Pictures use it by its id as COLORMAP; the suffix `_r` reverses it. The same content always gets the same id. Continuous: colours are equally spaced or at their positions, and interpolated in between. Discrete: each colour covers an equal part, or extends from its position to the next; the last extends to the end.',
  tag: 'Render',
  body: { description: 'Up to 64 KiB.', schema: bodySchema, example },
  answers: {
    200: {
      description: 'The colormap is stored.',
      content: { 'application/json': json.object({ id: idSchema }) },
    },
    400: { description: 'The body is not JSON or not a colormap; the message says why.' },
    402: { description: 'The key has reached its limit of colormaps (too-many-colormaps); delete some.' },
    413: { description: 'The body is too large.' },
  },
  async handle(request) {
    const id = await colormaps.create(await request.readJson(BODY_BYTES), request.ticket.owner);
    return Answer.json({ id }, { headers: { 'cache-control': 'no-store' } });
  },
});

/** `GET /api/render/colormap/{colormap_id}`. */
export const readColormap = (colormaps: Colormaps): Endpoint => ({
  summary: 'Read a colormap',
  tag: 'Render',
  params: {
    colormap_id: {
      description: 'Id of a custom colormap or name of a built-in one; the suffix `_r` reverses it.',
      schema: json.string(),
      example: 'a9bc6eceeef2a13bb88a7f641dca3aa0',
    },
  },
  answers: {
    200: {
      description: 'The colormap.',
      content: {
        'application/json': colormapSchema,
      },
    },
    304: { description: 'The colormap you have (If-None-Match) is still current.' },
    404: { description: 'No such colormap.' },
  },
  async handle(request) {
    const reference = parseColormapName(request.params.colormap_id ?? '');
    if (reference.kind === 'named') {
      return answerCachedJson(request, toColormapAnswer(toNamedContent(reference)));
    }
    const content = await colormaps.find(reference.id);
    if (content === null) throw unknownId();
    const shown = reference.isReversed ? reverseColormap(content) : content;
    return answerCachedJson(request, toColormapAnswer(shown), { maxAgeS: STORED_S });
  },
});

/** `DELETE /api/render/colormap/{colormap_id}`: makes room for other colormaps. */
export const deleteColormap = (colormaps: Colormaps): Endpoint => ({
  summary: 'Delete a custom colormap',
  description:
    'Keys that stored the same content share a colormap; it is deleted with the last of them. The deletion takes effect at once on this node, and within ten seconds on others.',
  tag: 'Render',
  params: {
    colormap_id: {
      description: 'As returned when the colormap was stored.',
      schema: json.string(),
      example: '3f2b0c9d1e4a5b6c7d8e9f0a1b2c3d4e',
    },
  },
  answers: {
    204: { description: 'The colormap is deleted for this key.' },
    403: { description: 'The colormap is a preset (preset-colormap), or the key may only read.' },
    404: { description: 'This key has no such colormap (any more).' },
  },
  async handle(request) {
    const { owner } = request.ticket;
    if (!(await colormaps.remove(request.params.colormap_id ?? '', owner))) throw unknownId();
    return new Answer(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  },
});

const unknownId = (): Error => notFound('unknown-colormap', 'There is no custom colormap with this id.');

/** The colormap of a name or id. */
export async function findColormap(reference: ColormapReference, colormaps: Colormaps): Promise<Colormap> {
  if (reference.kind === 'named') return reference;
  const content = await colormaps.find(reference.id);
  if (content === null) throw unknownColormap(reference.id);
  return { kind: 'custom', content, isReversed: reference.isReversed };
}

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
