import { z } from 'zod';
import { toColormapAnswer } from '../../color/index.ts';
import type { Colormaps } from '../../colormaps/index.ts';
import { reverseColormap } from '../../colormaps/index.ts';
import { notFound } from '../../errors.ts';
import { answerKeptJson } from '../answer/kept-answer.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { COLORMAP_TYPES } from './colormap-list.ts';

/** 256 colours with positions and labels of usual length fit three times. */
const BODY_BYTES = 65_536;

const color = z.union([
  z.string().regex(/^#[0-9a-fA-F]{6}$/),
  z.array(z.number().min(0).max(1)).length(3).describe('Red, green and blue.'),
]);
const colormapSchema = z.object({
  colors: z
    .union([z.array(color), z.array(z.tuple([z.number(), color]))])
    .describe('Up to 256 colours, or as many [position, colour].'),
  type: z
    .enum(COLORMAP_TYPES)
    .optional()
    .describe('continuous by default: colours are mixed between the given ones.'),
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
