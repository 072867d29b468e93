import { z } from 'zod';
import { listColormaps, toColormapAnswer } from '../color/index.ts';
import type { Colormaps } from '../colormaps/index.ts';
import { reverseColormap } from '../colormaps/index.ts';
import { badInput, notFound } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';
import { answerKeptJson } from './kept-answer.ts';
import type { Query } from './query.ts';
import { parseSwitch, SWITCH_NAMES } from './switch.ts';

/** 256 colours with positions and labels of usual length fit three times. */
const BODY_BYTES = 65_536;

const TYPES = ['continuous', 'discrete'] as const;

const color = z.union([
  z.string().regex(/^#[0-9a-fA-F]{6}$/),
  z.array(z.number().min(0).max(1)).length(3).describe('Red, green and blue.'),
]);
const colormapSchema = z.object({
  colors: z
    .union([z.array(color), z.array(z.tuple([z.number(), color]))])
    .describe('Up to 256 colours, or as many [position, colour].'),
  type: z.enum(TYPES).optional().describe('continuous by default: colours are mixed between the given ones.'),
  thresholds_type: z
    .enum(['relative', 'absolute'])
    .optional()
    .describe('What positions are: parts of the contrast range, from 0 to 1, by default; or values.'),
  labels: z
    .array(z.string().max(200))
    .optional()
    .describe('Of a discrete colormap: what each colour stands for.'),
});
const idSchema = z.string().regex(/^[0-9a-f]{32}$/);

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

/** `GET /api/render/colormap/all` (interface 4.8). */
export const colormapList: Endpoint = {
  summary: 'All named colormaps',
  description: "matplotlib's, each followed by its reverse, `_r`.",
  tag: 'Render',
  query: {
    INCLUDE_TYPE: {
      description: 'Names with their types, as an object; off by default.',
      schema: z.enum(SWITCH_NAMES),
    },
    TYPE: { description: 'Only colormaps of this type.', schema: z.enum(TYPES), example: 'discrete' },
  },
  answers: {
    200: {
      description: 'The names; with INCLUDE_TYPE an object of name and type.',
      content: {
        'application/json': z.object({
          colormap_list: z.union([z.array(z.string()), z.record(z.string(), z.enum(TYPES))]),
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
    return answerKeptJson(request, { colormap_list });
  },
};

function parseType(query: Query): (typeof TYPES)[number] | null {
  const text = query.get('TYPE');
  if (text === undefined) return null;
  const type = TYPES.find((known) => known === text);
  if (type === undefined) throw badInput('bad-type', `TYPE must be ${TYPES.join(' or ')}.`);
  return type;
}

/** `POST /api/render/colormap/` (interface 4.8). */
export const createColormap = (colormaps: Colormaps): Endpoint => ({
  summary: 'Keep a custom colormap',
  description:
    'Pictures use it by its id as COLORMAP; the id with `_r` behind it is the colormap reversed. The same content always gets the same id. Continuous: colours lie at equal distances or at their positions, and are mixed between. Discrete: each colour covers an equal part, or goes from its position to the next, the last one on from its own.',
  tag: 'Render',
  body: { description: 'Up to 64 KiB.', schema: colormapSchema, example },
  answers: {
    200: {
      description: 'The colormap is kept.',
      content: { 'application/json': z.object({ id: idSchema }) },
    },
    400: { description: 'The body is not JSON, or no colormap; the text says why.' },
    413: { description: 'The body is too large.' },
  },
  async handle(request) {
    const id = await colormaps.create(await request.readJson(BODY_BYTES));
    return Response.json({ id }, { headers: { 'cache-control': 'no-store' } });
  },
});

/** `GET /api/render/colormap/{colormap_id}` (interface 4.8). */
export const readColormap = (colormaps: Colormaps): Endpoint => ({
  summary: 'Read a custom colormap',
  tag: 'Render',
  params: {
    colormap_id: {
      description: 'As it was given when the colormap was kept; with `_r` behind it, reversed.',
      schema: z.string(),
      example: 'a9bc6eceeef2a13bb88a7f641dca3aa0',
    },
  },
  answers: {
    200: {
      description: 'The colormap.',
      content: {
        'application/json': colormapSchema.required({ type: true, thresholds_type: true }).extend({
          colors_quantity: z.int(),
        }),
      },
    },
    304: { description: 'The colormap you have (If-None-Match) is still right.' },
    404: { description: 'No such custom colormap.' },
  },
  async handle(request) {
    const [id = '', ending] = (request.params.colormap_id ?? '').split(/(_r)$/);
    const content = await colormaps.find(id);
    if (content === null) {
      throw notFound('unknown-colormap', 'There is no custom colormap with this id.');
    }
    const shown = ending === undefined ? content : reverseColormap(content);
    return answerKeptJson(request, toColormapAnswer(shown));
  },
});
