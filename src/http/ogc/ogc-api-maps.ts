/** Pictures of OGC API: tiles and maps of a layer. */
import type { Size } from '../../geo/index.ts';
import { MAX_SIDE_PX } from '../../render/index.ts';
import { badInput } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { Query } from '../kit/parameters.ts';
import { defineParameters, parseWhole, text } from '../kit/parameters.ts';
import { splitRow } from '../kit/paths.ts';
import { pictureAnswers } from '../pictures/picture.ts';
import { writeProblem } from './door-errors.ts';
import { answerLayer, findStyle } from './draw-layer.ts';
import type { OgcDeps } from './layer-request.ts';
import { layerFailures, readFormat } from './layer-request.ts';
import type { Layer } from './layers.ts';
import { collectionParams, findLayer, setParams } from './ogc-api.ts';
import { readBackground } from './wms.ts';
import type { WmsCrs } from './wms-crs.ts';
import { readBbox, readCrsUri } from './wms-crs.ts';
import { drawTile } from './wmts.ts';

const optional = (description: string) => text({ description, fallback: null });

const tileParameters = defineParameters({
  style: optional('A style of the layer; its first by default.'),
  datetime: optional('Of datasets: a day, or two days with a slash between them.'),
  f: optional('png, jpeg or webp.'),
});

const mapParameters = defineParameters({
  ...tileParameters,
  bbox: optional(
    'West, south, east, north; or in the order of the axes of bbox-crs. The whole layer by default.',
  ),
  'bbox-crs': optional('The reference system of bbox; CRS84 by default.'),
  crs: optional('The reference system of the map; that of bbox by default.'),
  width: optional('Pixels; 1024 for the longer side by default.'),
  height: optional('Pixels.'),
  bgcolor: optional('The colour behind transparent pixels, 0xRRGGBB.'),
  transparent: optional('true by default, false with a bgcolor.'),
});

const answers: Endpoint['answers'] = {
  200: pictureAnswers[200] as Endpoint['answers'][number],
  304: { description: 'The picture you have (If-None-Match) is still current.' },
  ...layerFailures,
};

const readType = (query: Query) => {
  const short = query.get('f') ?? 'png';
  return readFormat(short.includes('/') ? short : `image/${short === 'jpg' ? 'jpeg' : short}`);
};

/** `GET /ogc/collections/{collection}/map/tiles/{set}/{matrix}/{row}/{column}`. */
export const ogcTile = (deps: OgcDeps): Endpoint => ({
  summary: 'OGC API: a map tile of a layer',
  tag: 'OGC',
  params: {
    ...collectionParams,
    ...setParams,
    matrix: { description: 'The zoom level.', schema: json.string(), example: '12' },
    row: { description: 'From the north.', schema: json.string(), example: '1420' },
    column: { description: 'From the west; a format may follow it.', schema: json.string(), example: '655' },
  },
  query: tileParameters,
  answers,
  writeError: writeProblem,
  async handle(request) {
    const { query, params } = request;
    const { collection = '', set = '', matrix = '', row = '', column: last = '' } = params;
    const { y: column, isDouble, format } = splitRow(last);
    const style = query.get('style') ?? '';
    const names = { layer: collection, style, set, matrix, row, column, time: query.get('datetime') ?? null };
    return drawTile(request, names, { format: format ?? readType(query), isDouble }, deps);
  },
});

/** `GET /ogc/collections/{collection}/map`. */
export const ogcMap = (deps: OgcDeps): Endpoint => ({
  summary: 'OGC API: a map of a layer',
  tag: 'OGC',
  params: collectionParams,
  query: mapParameters,
  answers,
  writeError: writeProblem,
  handle: (request) => answerMap(request, deps),
});

async function answerMap(request: ApiRequest, deps: OgcDeps): Promise<Answer> {
  const { query } = request;
  const layer = await findLayer(request, deps);
  const boxCrs = readCrsUri(query.get('bbox-crs') ?? 'CRS:84');
  const crs = query.get('crs');
  // The terrain is drawn in EPSG:3857 only.
  const fallback = layer.source.kind === 'terrain' ? 3857 : boxCrs.epsg;
  const ground = readBbox(query.get('bbox') ?? toBox(layer, boxCrs), boxCrs);
  const box = ground.kind === 'bounds' ? ground.bounds : { minX: 0, minY: 0, maxX: 1, maxY: 1 };
  const isClear = !query.has('bgcolor') && query.get('transparent') !== 'false';
  const colors = new Map([
    ['TRANSPARENT', query.get('transparent') ?? `${isClear}`],
    ['BGCOLOR', query.get('bgcolor') ?? ''],
  ]);
  const view = {
    ground,
    epsg: crs === undefined ? fallback : readCrsUri(crs).epsg,
    size: readSize(query, (box.maxX - box.minX) / (box.maxY - box.minY)),
    format: readType(query),
    ...readBackground(colors),
  };
  const style = findStyle(layer, query.get('style') ?? '');
  return answerLayer(request, { layer, style, time: query.get('datetime') ?? null }, view, deps);
}

function toBox({ bounds }: Layer, { epsg }: WmsCrs): string {
  if (epsg !== 4326) throw badInput('bad-bbox', 'bbox-crs is given without a bbox.');
  const { west, south, east, north } = bounds;
  return [west, south, east, north].join();
}

/** Pixels of the longer side of a map. */
const DEFAULT_PX = 1_024;

/** The size that a query asks for; what it leaves out follows from the shape of the ground. */
function readSize(query: Query, aspect: number): Size {
  const read = (name: string): number | null => {
    const given = query.get(name);
    if (given === undefined) return null;
    const pixels = parseWhole(given);
    if (pixels !== null && pixels >= 1 && pixels <= MAX_SIDE_PX) return pixels;
    throw badInput('bad-size', `${name} is a whole number of pixels from 1 to ${MAX_SIDE_PX}.`);
  };
  const [width, height] = [read('width'), read('height')];
  const clamp = (pixels: number): number => Math.min(MAX_SIDE_PX, Math.max(1, Math.round(pixels)));
  if (width !== null) return { width, height: height ?? clamp(width / aspect) };
  if (height !== null) return { width: clamp(height * aspect), height };
  return {
    width: clamp(DEFAULT_PX * Math.min(1, aspect)),
    height: clamp(DEFAULT_PX * Math.min(1, 1 / aspect)),
  };
}
