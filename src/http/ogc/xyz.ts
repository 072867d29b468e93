/** XYZ tiles of layers, with a token in the path for programs that can send neither a header nor a query. */
import { notAllowed } from '../errors.ts';
import { Answer } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { GUEST_ID } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { defineParameters, whole } from '../kit/parameters.ts';
import { positionParameters, splitRow } from '../kit/paths.ts';
import { pictureAnswers } from '../pictures/picture.ts';
import type { OgcDeps } from './layer-request.ts';
import { layerFailures } from './layer-request.ts';
import type { TileTokens } from './tile-tokens.ts';
import { tilejsonSchema, toTilejson } from './tilejson.ts';
import { drawTile, tileSegments, timeParameter } from './wmts.ts';

/** What XYZ tiles are made of. */
export interface XyzDeps extends OgcDeps {
  readonly readTileTokens: () => Promise<TileTokens>;
}

const listParameters = defineParameters({
  days: whole({ description: 'How long the addresses work.', min: 1, max: 366, fallback: 30 }),
});

/** `GET /ogc/xyz`. */
export const xyzLayers = (deps: XyzDeps): Endpoint => ({
  summary: 'XYZ addresses of all layers, which work without a key',
  description:
    'TileJSON 3.0 of each layer. Its addresses hold a token in place of the key: it draws layers of this key and does nothing else, expires, and ends with the key.',
  tag: 'OGC',
  query: listParameters,
  answers: {
    200: {
      description: 'The layers.',
      content: {
        'application/json': json.object({ expires: json.string(), layers: json.list(tilejsonSchema) }),
      },
    },
    400: { description: 'The query is malformed.' },
  },
  async handle(request) {
    const days = listParameters.days.read(request.query);
    const { owner } = request.ticket;
    if (owner === GUEST_ID) throw notAllowed('no-key', 'A key is needed: addresses are made for one.');
    const { token, expiresAt } = (await deps.readTileTokens()).make(owner, days);
    const layers = (await deps.layers.list(owner)).map((layer) =>
      toTilejson(layer, `${request.publicUrl}/ogc/xyz/${token}/${layer.name}/default/{z}/{x}/{y}.png`),
    );
    return Answer.json({ expires: expiresAt, layers }, { headers: { 'cache-control': 'no-store' } });
  },
});

/** `GET /ogc/xyz/{token}/{layer}/{style}/{z}/{x}/{y}`. */
export const xyzTile = (deps: XyzDeps): Endpoint => ({
  summary: 'A map tile of a layer, with a token in the path',
  tag: 'OGC',
  params: {
    token: { description: 'As the list of layers has it.', schema: json.string() },
    layer: tileSegments.layer,
    style: tileSegments.style,
    ...positionParameters,
  },
  query: defineParameters({ TIME: timeParameter }),
  answers: {
    200: pictureAnswers[200] as Endpoint['answers'][number],
    304: { description: 'The tile you have (If-None-Match) is still current.' },
    ...layerFailures,
    404: { description: 'No such layer or tile, or the token is not one of this service.' },
    410: { description: 'The token has expired (link-expired), or its key has ended (link-revoked).' },
  },
  handle(request) {
    const { layer = '', style = '', z = '', x = '', y: text = '' } = request.params;
    const { y, isDouble, format } = splitRow(text);
    const time = request.query.get('TIME') ?? null;
    const names = { layer, style, set: 'WebMercatorQuad', matrix: z, row: y, column: x, time };
    return drawTile(request, names, { format: format ?? 'png', isDouble }, deps);
  },
});
