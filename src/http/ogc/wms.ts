/** WMS 1.3.0 and 1.1.1, over the pictures of the first door. */
import type { Size } from '../../geo/index.ts';
import { MAX_SIDE_PX } from '../../render/index.ts';
import { badInput, unsupported } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import { answerCached } from '../kit/answers.ts';
import type { ApiRequest, Endpoint, WriteError } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { Query } from '../kit/parameters.ts';
import { defineParameters, parseWhole, text } from '../kit/parameters.ts';
import type { LayerView } from './draw-layer.ts';
import { answerLayer, answerLayerLegend } from './draw-layer.ts';
import type { OgcDeps } from './layer-request.ts';
import { answerPixel, chooseLayer, keyQuery, layerFailures, readFormat, require } from './layer-request.ts';
import { writeWmsCapabilities } from './wms-capabilities.ts';
import type { WmsVersion } from './wms-crs.ts';
import { readBbox, readCrs } from './wms-crs.ts';
import { writeWmsException } from './wms-exceptions.ts';
import { DOCUMENT_S, readInfoFormat, timeParameter, toPlain } from './wmts.ts';
import { LEGEND_PX } from './wmts-capabilities.ts';

const optional = (description: string) => text({ description, fallback: null });

/** Names are read in any case. */
const parameters = defineParameters({
  SERVICE: optional('WMS.'),
  REQUEST: optional('GetCapabilities, GetMap, GetFeatureInfo or GetLegendGraphic.'),
  VERSION: optional('1.3.0 (default) or 1.1.1.'),
  LAYERS: optional('GetMap: one layer.'),
  STYLES: optional('GetMap: a style of the layer; empty for its first.'),
  CRS: optional('1.3.0: the reference system of BBOX and of the picture.'),
  SRS: optional('1.1.1: the same.'),
  BBOX: optional('minx,miny,maxx,maxy; in 1.3.0 in the order of the axes of CRS.'),
  WIDTH: optional('Pixels of the picture.'),
  HEIGHT: optional('Pixels of the picture.'),
  FORMAT: optional('image/png, image/jpeg or image/webp.'),
  TRANSPARENT: optional('TRUE leaves pixels without a value transparent; FALSE by default.'),
  BGCOLOR: optional('The colour behind them, 0xRRGGBB; white by default.'),
  TIME: timeParameter,
  QUERY_LAYERS: optional('GetFeatureInfo: the layer again.'),
  INFO_FORMAT: optional('GetFeatureInfo: application/json or text/plain (default).'),
  I: optional('GetFeatureInfo of 1.3.0: the column of the pixel.'),
  J: optional('GetFeatureInfo of 1.3.0: the row of the pixel.'),
  X: optional('GetFeatureInfo of 1.1.1: the column of the pixel.'),
  Y: optional('GetFeatureInfo of 1.1.1: the row of the pixel.'),
  LAYER: optional('GetLegendGraphic: the layer. GetCapabilities: of this layer only.'),
  STYLE: optional('GetLegendGraphic: the style.'),
  EXCEPTIONS: optional('Errors are always XML.'),
  SLD: optional('Refused.'),
  SLD_BODY: optional('Refused.'),
});

/** `GET /ogc/wms`. */
export const wms = (deps: OgcDeps): Endpoint => ({
  summary: 'WMS 1.3.0 and 1.1.1: capabilities, maps, values at a pixel and legends',
  description:
    'Key-value pairs, whose names are read in any case. Errors are a ServiceExceptionReport with the code and the sentence of this interface. A key that came in the query is part of the addresses in capabilities.',
  tag: 'OGC',
  query: parameters,
  answers: {
    200: {
      description: 'The capabilities, the map, the values, or the legend.',
      content: {
        'text/xml': null,
        'image/png': null,
        'image/jpeg': null,
        'image/webp': null,
        'application/json': json.map(json.any()),
        'text/plain': null,
      },
    },
    304: { description: 'What you have (If-None-Match) is still current.' },
    ...layerFailures,
  },
  writeError: writeWmsException,
  async handle(request) {
    const { query } = request;
    if ((query.get('SERVICE') ?? 'WMS').toUpperCase() !== 'WMS')
      throw badInput('bad-service', 'This address is a WMS: SERVICE must be WMS.');
    if (query.has('SLD') || query.has('SLD_BODY'))
      throw unsupported('no-sld', 'Styles by SLD are not supported: STYLES names one of the capabilities.');
    const version: WmsVersion = /^1\.[01]/.test(query.get('VERSION') ?? '') ? '1.1.1' : '1.3.0';
    switch (require(query, 'REQUEST').toLowerCase()) {
      case 'getcapabilities':
        return answerCapabilities(request, version, deps);
      case 'getmap':
        return answerMap(request, version, deps);
      case 'getfeatureinfo':
        return answerInfo(request, version, deps);
      case 'getlegendgraphic':
        return answerLegend(request, deps);
      default:
        throw badInput(
          'unknown-request',
          'REQUEST of WMS must be GetCapabilities, GetMap, GetFeatureInfo or GetLegendGraphic.',
        );
    }
  },
});

async function answerCapabilities(
  request: ApiRequest,
  version: WmsVersion,
  { layers }: OgcDeps,
): Promise<Answer> {
  const { owner } = request.ticket;
  const name = request.query.get('LAYER') ?? '';
  const listed =
    name === '' ? await layers.list(owner) : [await layers.describe(await layers.find(name, owner))];
  const address = { publicUrl: request.publicUrl, key: keyQuery(request) };
  const content = writeWmsCapabilities(listed, address, version);
  return answerCached(request, {
    content,
    type: version === '1.3.0' ? 'text/xml' : 'application/vnd.ogc.wms_xml',
    maxAgeS: DOCUMENT_S,
    read: async () => content,
  });
}

/** The one layer of a map, with its style and time. */
const chooseOne = (request: ApiRequest, name: string, { layers }: OgcDeps) => {
  const { query } = request;
  const [names, styles] = [require(query, name), query.get('STYLES') ?? ''];
  if (names.includes(',') || styles.includes(','))
    throw badInput('several-layers', `${name} takes one layer: LayerLimit of this service is 1.`);
  return chooseLayer(request, { layer: names, style: styles, time: query.get('TIME') ?? null }, layers);
};

function readSize(query: Query): Size {
  const [width, height] = [parseWhole(require(query, 'WIDTH')), parseWhole(require(query, 'HEIGHT'))];
  if (
    width === null ||
    height === null ||
    Math.min(width, height) < 1 ||
    Math.max(width, height) > MAX_SIDE_PX
  ) {
    throw badInput('bad-size', `WIDTH and HEIGHT are whole numbers of pixels from 1 to ${MAX_SIDE_PX}.`);
  }
  return { width, height };
}

function readPlace(query: Query, version: WmsVersion): Pick<LayerView, 'ground' | 'epsg' | 'size'> {
  const crs = readCrs(require(query, version === '1.3.0' ? 'CRS' : 'SRS'), version);
  return { ground: readBbox(require(query, 'BBOX'), crs), epsg: crs.epsg, size: readSize(query) };
}

const WHITE = 0xff_ff_ff;

/** Reads TRANSPARENT and BGCOLOR. */
export function readBackground(query: Query): Pick<LayerView, 'background'> {
  if (/^true$/i.test(query.get('TRANSPARENT') ?? '')) return {};
  const color = query.get('BGCOLOR') ?? '';
  if (color === '') return { background: WHITE };
  const [, digits] = /^(?:0x|#)([0-9a-f]{6})$/i.exec(color) ?? [];
  if (digits === undefined) throw badInput('bad-bgcolor', 'BGCOLOR must be a colour such as 0xFFFFFF.');
  return { background: Number.parseInt(digits, 16) };
}

async function answerMap(request: ApiRequest, version: WmsVersion, deps: OgcDeps): Promise<Answer> {
  const { query } = request;
  const view = {
    ...readPlace(query, version),
    format: readFormat(require(query, 'FORMAT')),
    ...readBackground(query),
  };
  return answerLayer(request, await chooseOne(request, 'LAYERS', deps), view, deps);
}

async function answerInfo(request: ApiRequest, version: WmsVersion, deps: OgcDeps): Promise<Answer> {
  const { query } = request;
  const [column, row] = version === '1.3.0' ? ['I', 'J'] : ['X', 'Y'];
  const type = readInfoFormat(query.get('INFO_FORMAT') || 'text/plain');
  const view = { ...readPlace(query, version), format: 'png' } as const;
  const chosen = await chooseOne(request, 'QUERY_LAYERS', deps);
  const pixel = { view, i: require(query, column), j: require(query, row) };
  const found = await answerPixel(request, chosen, pixel, deps);
  return type === 'text/plain' ? toPlain(found) : found;
}

async function answerLegend(request: ApiRequest, deps: OgcDeps): Promise<Answer> {
  const { query } = request;
  const format = query.get('FORMAT') ?? 'image/png';
  if (readFormat(format) !== 'png') throw badInput('bad-format', 'Legends are sent as image/png.');
  const names = {
    layer: require(query, 'LAYER'),
    style: query.get('STYLE') ?? '',
    time: query.get('TIME') ?? null,
  };
  const chosen = await chooseLayer(request, names, deps.layers);
  return answerLayerLegend(request, chosen, LEGEND_PX, deps);
}

/** POST of a door that answers GET only: the body, perhaps an SLD, is not read. */
export const refusePost = (door: string, writeError: WriteError): Endpoint => ({
  summary: `${door}: POST is refused`,
  description: 'Requests are key-value pairs of a GET. A body, such as an SLD, is not read.',
  tag: 'OGC',
  answers: { 405: { description: 'Always.' } },
  writeError,
  async handle() {
    throw unsupported(
      'no-post',
      `${door} answers GET only, with key-value pairs: documents that are posted, such as an SLD, are not read.`,
      { details: { allow: 'GET, HEAD' } },
    );
  },
});
