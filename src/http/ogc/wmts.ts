/** WMTS 1.0.0: key-value pairs and addresses, over the tiles of the first door. */
import { badInput } from '../errors.ts';
import { Answer, answerCached } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { defineParameters, text } from '../kit/parameters.ts';
import { splitRow } from '../kit/paths.ts';
import { pictureAnswers } from '../pictures/picture.ts';
import { answerLayer, answerLayerLegend } from './draw-layer.ts';
import type { OgcDeps } from './layer-request.ts';
import {
  answerPixel,
  chooseLayer,
  keyQuery,
  layerFailures,
  readFormat,
  require,
  toPlainText,
} from './layer-request.ts';
import { TIME_FORMS } from './layer-time.ts';
import type { TileTexts } from './matrix-tiles.ts';
import { readTile, toTileSize } from './matrix-tiles.ts';
import { writeKvpException, writeOwsException } from './ows-exceptions.ts';
import { LEGEND_PX, writeWmtsCapabilities } from './wmts-capabilities.ts';

/** How long programs may cache documents: layers come and go with scenes and recipes. */
export const DOCUMENT_S = 60;

/** `TIME` of all doors. */
export const timeParameter = text({ description: `Of datasets: ${TIME_FORMS}.`, fallback: null });

const optional = (description: string) => text({ description, fallback: null });

/** Names are read in any case. */
const parameters = defineParameters({
  SERVICE: optional('WMTS.'),
  REQUEST: optional('GetCapabilities, GetTile or GetFeatureInfo.'),
  VERSION: optional('1.0.0.'),
  ACCEPTVERSIONS: optional('GetCapabilities: 1.0.0 must be among them.'),
  LAYER: optional('A layer; GetCapabilities: of this layer only, which may be a scene.'),
  STYLE: optional('A style of the layer; empty or default for its first.'),
  FORMAT: optional('GetTile: image/png, image/jpeg or image/webp.'),
  TILEMATRIXSET: optional('A set of the capabilities, such as WebMercatorQuad.'),
  TILEMATRIX: optional('The zoom level.'),
  TILEROW: optional('From the north.'),
  TILECOL: optional('From the west.'),
  TIME: timeParameter,
  I: optional('GetFeatureInfo: the column of a pixel of the tile.'),
  J: optional('GetFeatureInfo: the row of a pixel of the tile.'),
  INFOFORMAT: optional('GetFeatureInfo: application/json or text/plain.'),
});

const tileAnswers: Endpoint['answers'] = {
  200: pictureAnswers[200] as Endpoint['answers'][number],
  304: { description: 'The tile you have (If-None-Match) is still current.' },
  ...layerFailures,
};

/** `GET /ogc/wmts`. */
export const wmts = (deps: OgcDeps): Endpoint => ({
  summary: 'WMTS 1.0.0: capabilities, tiles and values at a pixel',
  description:
    'Key-value pairs, whose names are read in any case. Errors are an ExceptionReport with the code and the sentence of this interface. A key that came in the query is part of the addresses in capabilities.',
  tag: 'OGC',
  query: parameters,
  answers: {
    ...tileAnswers,
    200: {
      description: 'The capabilities, the tile, or the values.',
      content: {
        'application/xml': null,
        'image/png': null,
        'image/jpeg': null,
        'image/webp': null,
        'application/json': json.map(json.any()),
        'text/plain': null,
      },
    },
  },
  writeError: writeKvpException,
  async handle(request) {
    const { query } = request;
    const service = query.get('SERVICE') ?? 'WMTS';
    if (service.toUpperCase() !== 'WMTS')
      throw badInput('bad-service', 'This address is a WMTS: SERVICE must be WMTS.');
    switch (require(query, 'REQUEST').toLowerCase()) {
      case 'getcapabilities':
        return answerCapabilities(request, deps);
      case 'gettile':
        return answerTile(request, deps);
      case 'getfeatureinfo':
        return answerInfo(request, deps);
      default:
        throw badInput(
          'unknown-request',
          'REQUEST of WMTS must be GetCapabilities, GetTile or GetFeatureInfo.',
        );
    }
  },
});

/** `GET /ogc/wmts/1.0.0/WMTSCapabilities.xml`. */
export const wmtsCapabilities = (deps: OgcDeps): Endpoint => ({
  summary: 'WMTS 1.0.0: capabilities',
  tag: 'OGC',
  answers: {
    200: { description: 'The document.', content: { 'application/xml': null } },
    304: { description: 'The document you have (If-None-Match) is still current.' },
  },
  writeError: writeOwsException,
  handle: (request) => answerCapabilities(request, deps),
});

async function answerCapabilities(request: ApiRequest, { layers, tileSets }: OgcDeps): Promise<Answer> {
  const accepted = request.query.get('ACCEPTVERSIONS') ?? '';
  if (accepted !== '' && !accepted.split(',').includes('1.0.0'))
    throw badInput('bad-version', 'Only version 1.0.0 of WMTS is served.');
  const { owner } = request.ticket;
  const name = request.query.get('LAYER') ?? '';
  const listed =
    name === '' ? await layers.list(owner) : [await layers.describe(await layers.find(name, owner))];
  const content = writeWmtsCapabilities(
    listed,
    { publicUrl: request.publicUrl, key: keyQuery(request) },
    tileSets,
  );
  return answerCached(request, {
    content,
    type: 'application/xml',
    maxAgeS: DOCUMENT_S,
    read: async () => content,
  });
}

/** What a tile is named by, as texts. */
interface TileNames extends TileTexts {
  readonly layer: string;
  readonly style: string;
  readonly set: string;
  readonly time: string | null;
}

const readNames = ({ query }: ApiRequest): TileNames => ({
  layer: require(query, 'LAYER'),
  style: query.get('STYLE') ?? '',
  set: require(query, 'TILEMATRIXSET'),
  matrix: require(query, 'TILEMATRIX'),
  row: require(query, 'TILEROW'),
  column: require(query, 'TILECOL'),
  time: query.get('TIME') ?? null,
});

async function answerTile(request: ApiRequest, deps: OgcDeps): Promise<Answer> {
  const names = readNames(request);
  const format = readFormat(require(request.query, 'FORMAT'));
  return drawTile(request, names, { format, isDouble: false }, deps);
}

/** Draws a tile of a layer. */
export async function drawTile(
  request: ApiRequest,
  names: TileNames,
  { format, isDouble }: { readonly format: 'png' | 'jpeg' | 'webp'; readonly isDouble: boolean },
  deps: OgcDeps,
): Promise<Answer> {
  const { ground, epsg, size } = readTile(deps.tileSets.find(names.set), names);
  const chosen = await chooseLayer(request, names, deps.layers);
  return answerLayer(request, chosen, { ground, epsg, size: toTileSize(size, isDouble), format }, deps);
}

async function answerInfo(request: ApiRequest, deps: OgcDeps): Promise<Answer> {
  const { query } = request;
  const names = readNames(request);
  const type = readInfoFormat(require(query, 'INFOFORMAT'));
  const { ground, epsg, size } = readTile(deps.tileSets.find(names.set), names);
  const chosen = await chooseLayer(request, names, deps.layers);
  const view = { ground, epsg, size, format: 'png' } as const;
  const found = await answerPixel(
    request,
    chosen,
    { view, i: require(query, 'I'), j: require(query, 'J') },
    deps,
  );
  return type === 'text/plain' ? toPlain(found) : found;
}

/** Formats of values. */
export function readInfoFormat(format: string): 'application/json' | 'text/plain' {
  const type = format.toLowerCase();
  if (type === 'application/json' || type === 'text/plain') return type;
  throw badInput('bad-format', 'Values are sent as application/json or text/plain.');
}

/** Values as text. */
export const toPlain = (found: Answer): Answer =>
  toPlainText(found, (body) => {
    const { headers } = found;
    return new Answer(body, {
      headers: new Map([...headers, ['content-type', 'text/plain; charset=utf-8']]),
    });
  });

const segment = (description: string, example: string) => ({ description, schema: json.string(), example });

/** The segments that name a tile. */
export const tileSegments = {
  layer: segment('A layer of the capabilities, or scene. and the id of a STAC item.', 'sentinel2l2a'),
  style: segment('A style of the layer, or default.', 'default'),
  set: segment('A tile matrix set.', 'WebMercatorQuad'),
  matrix: segment('The zoom level.', '12'),
  row: segment('From the north.', '1420'),
  column: segment(
    'From the west, with .png, .jpg or .webp behind it; @2x before that doubles the pixels.',
    '655.png',
  ),
} as const;

/** `GET /ogc/wmts/1.0.0/{layer}/{style}/{time}/{set}/{matrix}/{row}/{column}`, or without the time. */
export const wmtsTile = (deps: OgcDeps, hasTime: boolean): Endpoint => ({
  summary: hasTime ? 'WMTS 1.0.0: a tile of a time' : 'WMTS 1.0.0: a tile',
  tag: 'OGC',
  params: hasTime
    ? { ...tileSegments, time: segment('A day, a period, or current.', 'current') }
    : tileSegments,
  answers: tileAnswers,
  writeError: writeOwsException,
  handle(request) {
    const { layer = '', style = '', set = '', matrix = '', row = '', column = '' } = request.params;
    const { y, isDouble, format } = splitRow(column);
    const names = { layer, style, set, matrix, row, column: y, time: request.params.time ?? null };
    return drawTile(request, names, { format: format ?? 'png', isDouble }, deps);
  },
});

/** `GET /ogc/legends/{layer}/{style}.png`. */
export const layerLegend = (deps: OgcDeps): Endpoint => ({
  summary: 'The legend of a layer as a picture',
  tag: 'OGC',
  params: {
    layer: tileSegments.layer,
    style: segment('A style of the layer, with .png behind it.', 'ndvi.png'),
  },
  query: defineParameters({ TIME: timeParameter }),
  answers: {
    200: { description: 'The picture.', content: { 'image/png': null } },
    304: { description: 'The picture you have (If-None-Match) is still current.' },
    ...layerFailures,
  },
  async handle(request) {
    const { layer = '', style = '' } = request.params;
    const time = request.query.get('TIME') ?? null;
    const chosen = await chooseLayer(
      request,
      { layer, style: style.replace(/\.png$/, ''), time },
      deps.layers,
    );
    return answerLayerLegend(request, chosen, LEGEND_PX, deps);
  },
});
