/** What requests of all OGC doors have in common: values of key-value pairs, formats, and the key of addresses. */
import { applyAffine } from '../../geo/index.ts';
import { makeProjection } from '../../proj/index.ts';
import { toPictureGrid } from '../../render/index.ts';
import { badInput } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { Query } from '../kit/parameters.ts';
import { parseWhole } from '../kit/parameters.ts';
import type { EndingFormat } from '../kit/paths.ts';
import { pictureFailures } from '../pictures/picture.ts';
import type { ChosenLayer, DrawLayerDeps, LayerView } from './draw-layer.ts';
import { answerLayerPoint, findStyle } from './draw-layer.ts';
import type { Layers } from './layers.ts';
import type { TileMatrixSets } from './tile-matrix-sets.ts';

/** What the OGC doors are made of. */
export interface OgcDeps extends DrawLayerDeps {
  readonly layers: Layers;
  readonly tileSets: TileMatrixSets;
  readonly version: string;
}

/** Formats of pictures by their media types. */
export const FORMATS: Readonly<Record<string, EndingFormat>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
};

/** A required value. */
export function require(query: Query, name: string): string {
  const value = query.get(name) ?? '';
  if (value === '') throw badInput('missing-parameter', `${name} is required.`);
  return value;
}

/** The format of a media type, which may have parameters: `image/png; mode=8bit`. */
export function readFormat(text: string): EndingFormat {
  const format = FORMATS[text.toLowerCase().split(';')[0]?.trim() ?? ''];
  if (format !== undefined) return format;
  const names = Object.keys(FORMATS).join(', ');
  throw badInput('bad-format', `The format of a picture is one of ${names}.`);
}

/** Finds a layer and its style. */
export async function chooseLayer(
  request: ApiRequest,
  {
    layer: name,
    style,
    time,
  }: { readonly layer: string; readonly style: string; readonly time: string | null },
  layers: Layers,
): Promise<ChosenLayer> {
  const layer = await layers.find(name, request.ticket.owner);
  return { layer, style: findStyle(layer, style), time };
}

/** The key of a query, for addresses in documents: programs that have sent it so cannot send it otherwise. */
export function keyQuery({ query }: ApiRequest): string {
  const passed = [...query].filter(([name, value]) => /^api_?key$/i.test(name) && value !== '');
  return passed.length === 0 ? '' : new URLSearchParams(passed.slice(0, 1)).toString();
}

/** The values of a layer at a pixel of a picture. */
export function answerPixel(
  request: ApiRequest,
  chosen: ChosenLayer,
  { view, i, j }: { readonly view: LayerView; readonly i: string; readonly j: string },
  deps: OgcDeps,
): Promise<Answer> {
  const grid = toPictureGrid(view.ground, view);
  const [column, row] = [parseWhole(i), parseWhole(j)];
  if (column === null || row === null || column >= grid.width || row >= grid.height) {
    throw badInput(
      'outside-picture',
      `I and J are the pixel of the picture: from 0 to ${grid.width - 1} and from 0 to ${grid.height - 1}.`,
    );
  }
  const [x, y] = applyAffine(grid.transform, column + 0.5, row + 0.5);
  const [lon, lat] = makeProjection(grid.epsg, 4326).forward(x, y);
  return answerLayerPoint(request, chosen, { lat, lon }, deps);
}

/** Values as lines of text. */
export function toPlainText(answer: Answer, toAnswer: (body: string) => Answer): Answer {
  const values = JSON.parse(String(answer.body)) as Readonly<Record<string, unknown>>;
  const lines = Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return toAnswer(`${lines.join('\n')}\n`);
}

/** Documented failures of pictures of layers. */
export const layerFailures: Endpoint['answers'] = {
  ...pictureFailures,
  400: { description: 'The path or query is malformed.' },
  404: { description: 'No such layer or tile.' },
};
