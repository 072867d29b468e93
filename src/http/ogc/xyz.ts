/** XYZ tiles of layers, with a token in the path for programs that can send neither a header nor a query. */
import { notAllowed } from '../errors.ts';
import { Answer, DAY_S } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { GUEST_ID } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { defineParameters, text, whole } from '../kit/parameters.ts';
import { positionParameters, splitRow } from '../kit/paths.ts';
import { answerTilejson } from '../kit/tilejson.ts';
import { pictureAnswers } from '../pictures/picture.ts';
import type { OgcDeps } from './layer-request.ts';
import { chooseLayer, layerFailures } from './layer-request.ts';
import type { TileTokenDeps } from './map-addresses.ts';
import { readShownLayer } from './tile-tokens.ts';
import { layerTilejsonSchema, toLayerTilejson } from './tilejson.ts';
import { drawTile, tileSegments, timeParameter } from './wmts.ts';

/** What XYZ tiles are made of. */
export type XyzDeps = OgcDeps & TileTokenDeps;

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
        'application/json': json.object({ expires: json.string(), layers: json.list(layerTilejsonSchema) }),
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
      toLayerTilejson(layer, `${request.publicUrl}/ogc/xyz/${token}/${layer.name}/default/{z}/{x}/{y}.png`),
    );
    return Answer.json({ expires: expiresAt, layers }, { headers: { 'cache-control': 'no-store' } });
  },
});

const MINUTE_S = 60;
const YEAR_MINUTES = 527_040;

const signParameters = defineParameters({
  layer: text({
    description: 'A layer of the list, or scene. and the id of a STAC item.',
    example: 'sentinel2l2a',
  }),
  style: text({ description: 'A style of the layer.', fallback: 'default' }),
  TIME: timeParameter,
  minutes: whole({ description: 'How long the address works.', min: 1, max: YEAR_MINUTES, fallback: 1_440 }),
  max_age: whole({
    description: 'How long anyone may cache a tile, in seconds; SWATH_MAX_AGE_S by default.',
    min: 0,
    max: DAY_S,
    fallback: null,
  }),
});

/** `GET /ogc/xyz/signed`. */
export const signedXyz = (deps: XyzDeps): Endpoint => ({
  summary: 'An XYZ address of one layer, which works without a key until a time',
  description:
    'TileJSON 3.0 with an address for maps and CDNs: it draws this layer with this style and time, and nothing else, until it expires or the key ends. Its tiles have `Cache-Control: public`, never beyond the end.',
  tag: 'OGC',
  query: signParameters,
  answers: {
    200: {
      description: 'The layer, and when its address ends.',
      content: {
        'application/json': json.object({ expires: json.string(), tilejson: layerTilejsonSchema }),
      },
    },
    ...layerFailures,
  },
  async handle(request) {
    const { query, ticket } = request;
    if (ticket.owner === GUEST_ID) throw notAllowed('no-key', 'A key is needed: addresses are made for one.');
    const time = signParameters.TIME.read(query);
    const shown = { layer: signParameters.layer.read(query), style: signParameters.style.read(query), time };
    // Refuses what the address could not draw.
    await chooseLayer(request, shown, deps.layers);
    const layer = await deps.layers.describe(await deps.layers.find(shown.layer, ticket.owner));
    const lastsS = signParameters.minutes.read(query) * MINUTE_S;
    const maxAgeS = signParameters.max_age.read(query) ?? Math.min(deps.maxAgeS, DAY_S);
    const tokens = await deps.readTileTokens();
    const bound = { ...shown, time: time ?? '' };
    const { token, expiresAt } = tokens.sign(ticket.owner, bound, { lastsS, maxAgeS });
    const path = [token, shown.layer, shown.style].map(encodeURIComponent).join('/');
    const template = `${request.publicUrl}/ogc/xyz/${path}/{z}/{x}/{y}.png`;
    const tilejson = toLayerTilejson(
      layer,
      time === null ? template : `${template}?TIME=${encodeURIComponent(time)}`,
    );
    return Answer.json({ expires: expiresAt, tilejson }, { headers: { 'cache-control': 'no-store' } });
  },
});

/** `GET /ogc/xyz/{token}/{layer}/{style}/tilejson.json`. */
export const xyzTilejson = (deps: XyzDeps): Endpoint => ({
  summary: 'TileJSON of a layer, with a token in the path',
  description:
    'TileJSON 3.0 whose tiles have the same token: links of STAC items and collections lead to it.',
  tag: 'OGC',
  params: {
    token: { description: 'As a link has it.', schema: json.string() },
    layer: tileSegments.layer,
    style: tileSegments.style,
  },
  query: defineParameters({ TIME: timeParameter }),
  answers: {
    200: { description: 'The document.', content: { 'application/json': layerTilejsonSchema } },
    ...tokenFailures,
  },
  async handle(request) {
    const { token = '', layer = '', style = '' } = request.params;
    const time = request.query.get('TIME') ?? null;
    const chosen = await chooseLayer(request, { layer, style, time }, deps.layers);
    const path = [token, layer, style].map(encodeURIComponent).join('/');
    const template = `${request.publicUrl}/ogc/xyz/${path}/{z}/{x}/{y}.png`;
    const query = time === null ? '' : `?TIME=${encodeURIComponent(time)}`;
    const described = await deps.layers.describe(chosen.layer);
    return answerTilejson(toLayerTilejson(described, `${template}${query}`));
  },
});

const tokenFailures: Endpoint['answers'] = {
  ...layerFailures,
  404: { description: 'No such layer or tile, or the token is not one of this service.' },
  410: { description: 'The token has expired (link-expired), or its key has ended (link-revoked).' },
};

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
    ...tokenFailures,
  },
  async handle(request) {
    const { token = '', layer = '', style = '', z = '', x = '', y: text = '' } = request.params;
    const { y, isDouble, format } = splitRow(text);
    const time = request.query.get('TIME') ?? null;
    const names = { layer, style, set: 'WebMercatorQuad', matrix: z, row: y, column: x, time };
    const answer = await drawTile(request, names, { format: format ?? 'png', isDouble }, deps);
    const read = (await deps.readTileTokens()).read(token, readShownLayer(request.params, request.query));
    if (read.state !== 'valid' || read.publicMaxAgeS === null) return answer;
    answer.headers.set('cache-control', `public, max-age=${read.publicMaxAgeS}`);
    answer.headers.delete('vary');
    return answer;
  },
});
