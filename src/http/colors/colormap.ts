import type { Colormap, ColormapReference } from '../../color/index.ts';
import { parseColormapName, toColormapAnswer, unknownColormap } from '../../color/index.ts';
import { notFound } from '../../errors.ts';
import type { Colormaps } from '../../library/index.ts';
import { reverseColormap, toNamedContent } from '../../library/index.ts';
import { Answer, answerCachedJson, STORED_S } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';

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
