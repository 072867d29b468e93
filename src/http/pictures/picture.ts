/** Pictures of scenes: their query, what every one of them needs and answers, and the endpoint of tiles and images. */

import type { SceneStore } from '../../catalog/index.ts';
import { chooseLevel } from '../../catalog/index.ts';
import type { Size } from '../../geo/index.ts';
import type { Areas, Colormaps } from '../../library/index.ts';
import type { Explainer, Picture, Renderer, RenderOptions, ScenePictureRequest } from '../../render/index.ts';
import { MAX_SIDE_PX, toPictureGrid } from '../../render/index.ts';
import { sensors } from '../../sensors/index.ts';
import { AREA_REF, findCrop } from '../areas.ts';
import { findColormap } from '../colormaps.ts';
import { explainPicture } from '../explain/explain-pictures.ts';
import { fieldQuery, groupQuery } from '../fields/take-field.ts';
import type { Answer } from '../kit/answers.ts';
import {
  answerDrawn,
  nameScene,
  noteGains,
  noteHeaders,
  sceneHeaders,
  toCacheHeaders,
} from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { EXAMPLE_SCENE, pixelFailures } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { ExplainMode, Query } from '../kit/parameters.ts';
import {
  choice,
  custom,
  defineParameters,
  flag,
  mapped,
  parseWhole,
  readExplainMode,
  text,
} from '../kit/parameters.ts';
import type { PicturePath } from '../kit/paths.ts';
import {
  belowRenderRoot,
  parsePicturePath,
  parseSharpenPattern,
  positionParameters,
  rememberParsed,
} from '../kit/paths.ts';
import type { Metrics } from '../metrics.ts';
import type { PictureColor } from './styling.ts';
import {
  cloudParameters,
  clusterParameters,
  colorParameters,
  contrastParameters,
  parseCloudCover,
  parseClusters,
  parseColor,
  parseStretch,
} from './styling.ts';

/** RESAMPLE on the wire has the names that the renderer uses too: they are gdalwarp's. */
export const RESAMPLE_NAMES = [
  'near',
  'bilinear',
  'cubic',
  'cubicspline',
  'lanczos',
  'average',
  'mode',
  'max',
  'min',
  'med',
  'q1',
  'q3',
] as const satisfies readonly NonNullable<RenderOptions['method']>[];

const FORMATS = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
} as const satisfies Readonly<Record<string, RenderOptions['format']>>;

const sharpened = sensors
  .flatMap(({ title, pansharpening }) => (pansharpening === null ? [] : [title]))
  .toSorted()
  .join(', ');

/** The parameters. */
export const pictureParameters = defineParameters({
  ...contrastParameters,
  CALIBRATE: flag({
    description:
      'Physical values before band math: reflectance, brightness temperature or sigma nought. Off by default.',
    fallback: false,
  }),
  COMPOSITE: flag({
    description: '1 for three expressions as red, green and blue; not needed for three plain bands.',
    fallback: false,
  }),
  PANSHARPENING: flag({
    description: `Sharpens pictures of ${sharpened} with their panchromatic band. Off by default.`,
    fallback: false,
  }),
  SPECKLE: choice({
    description: 'lee filters the speckle of radar pictures; none by default.',
    names: ['none', 'lee'],
    fallback: 'none' as const,
  }),
  RESAMPLE: choice({
    description: 'How pixels are interpolated; by default bilinear; classes and bits are never mixed.',
    names: RESAMPLE_NAMES,
    fallback: null,
  }),
  ...colorParameters,
  ...cloudParameters,
  ...clusterParameters,
  cropper_ref: text({
    description: 'A stored area: pixels outside of it are transparent.',
    pattern: AREA_REF,
    fallback: null,
  }),
  field: fieldQuery,
  group: groupQuery,
  crs: custom({
    description: 'Reference system of the picture: EPSG:3857 by default, EPSG:4326, or a UTM zone.',
    example: 'EPSG:4326',
    schema: json.string({ pattern: /^(?:[Ee][Pp][Ss][Gg]:)?\d{4,5}$/ }),
    fallback: null,
    rule: 'must be a code such as EPSG:3857, EPSG:4326 or EPSG:32631.',
    read(code) {
      const [, digits] = /^(?:EPSG:)?(\d{4,5})$/i.exec(code) ?? [];
      return digits === undefined ? null : Number(digits);
    },
  }),
  TILE_SIZE: custom({
    description: `Pixels of the picture, "width,height", at most ${MAX_SIDE_PX} each; 256,256 by default.`,
    example: '600,400',
    schema: json.string({ pattern: /^\d{1,15},\d{1,15}$/ }),
    fallback: null,
    rule: `must be "width,height", each from 1 to ${MAX_SIDE_PX} pixels.`,
    refuse: 'unsupported',
    read: parseSize,
  }),
  mimetype: mapped({
    description: 'Image format; by default JPEG for opaque tiles and PNG for tiles with transparency.',
    values: FORMATS,
    fallback: 'auto' as const,
  }),
});

function parseSize(size: string): Size | null {
  const [width, height, ...more] = size.split(',').map(parseWhole);
  if (width == null || height == null || more.length > 0) return null;
  return Math.min(width, height) >= 1 && Math.max(width, height) <= MAX_SIDE_PX ? { width, height } : null;
}

/** What the query of a picture says: how it is drawn, and on which pixels. Areas and colormaps are still names. */
export interface PictureQuery extends PictureColor {
  readonly options: Omit<RenderOptions, 'area' | 'color' | 'watermark'>;
  readonly areaRef: string | null;
  readonly size: Size | null;
  readonly epsg: number | null;
}

/** Reads the query of a picture. */
export function parsePictureQuery(query: Query): PictureQuery {
  const { mimetype, RESAMPLE, MIN_MAX, CALIBRATE, COMPOSITE, PANSHARPENING, SPECKLE } = pictureParameters;
  const { cropper_ref, TILE_SIZE, crs } = pictureParameters;
  return {
    options: {
      format: mimetype.read(query),
      method: RESAMPLE.read(query),
      ...MIN_MAX.read(query),
      ...parseStretch(query),
      calibrated: CALIBRATE.read(query),
      ...(SPECKLE.read(query) === 'lee' ? { filtersSpeckle: true } : {}),
      isComposite: COMPOSITE.read(query),
      ...parseCloudCover(query),
      ...parseClusters(query),
      ...(PANSHARPENING.read(query) ? { isSharpened: true } : {}),
    },
    ...parseColor(query),
    areaRef: cropper_ref.read(query),
    size: TILE_SIZE.read(query),
    epsg: crs.read(query),
  };
}

/** Twice the side of a tile, for `@2x`. */
const DOUBLE_PX = 512;

/** The query with what the end of the address asks for, where the query itself says nothing. */
export function withEnding(query: PictureQuery, { isDouble, format }: PicturePath['ending']): PictureQuery {
  const options =
    format === null || query.options.format !== 'auto' ? query.options : { ...query.options, format };
  const size = query.size ?? (isDouble ? { width: DOUBLE_PX, height: DOUBLE_PX } : null);
  return { ...query, options, size };
}

/** Stores of what a query names by an id. */
export interface NamedThings {
  readonly areas: Areas;
  readonly colormaps: Colormaps;
}

/** What a query asks for, with the things it names. */
export async function findNamedThings(
  { options, color, colormap, areaRef }: PictureQuery,
  { areas, colormaps }: NamedThings,
): Promise<RenderOptions> {
  return {
    ...options,
    color: colormap === null ? color : { ...color, colormap: await findColormap(colormap, colormaps) },
    watermark: null,
    area: areaRef === null ? null : await findCrop(areaRef, areas),
  };
}

/** What drawing an answer needs. */
export interface AnswerPictureDeps {
  readonly scenes: SceneStore;
  readonly renderer: Renderer;
  readonly explainer: Explainer;
  readonly metrics: Metrics;
  /** How long clients may cache a picture. */
  readonly maxAgeS: number;
}

/** What pictures of a query are made of. */
export type PictureDeps = AnswerPictureDeps & NamedThings;

/** Documented failures of pictures. */
export const pictureFailures: Endpoint['answers'] = {
  400: { description: 'The path or query is malformed.' },
  404: { description: 'No such scene, tile, area or colormap.' },
  422: { description: 'An unsupported band or operation, or a combination that cannot be drawn.' },
  ...pixelFailures,
};

/** Documented answers of pictures. */
export const pictureAnswers: Endpoint['answers'] = {
  200: {
    description: 'The picture.',
    headers: { ...sceneHeaders, ...noteHeaders },
    content: { 'image/png': null, 'image/jpeg': null, 'image/webp': null },
  },
  304: { description: 'The picture you have (If-None-Match) is still current.' },
  ...pictureFailures,
};

/** How a picture is answered. */
interface PictureAnswering {
  readonly startedAt: number;
  /** Null, the default, answers with the picture itself. Never read from the query of a route without a key. */
  readonly explain?: ExplainMode | null;
}

/** Plans a picture and draws it, unless the client has it already; or explains it. */
export async function answerPicture(
  request: ApiRequest,
  wanted: ScenePictureRequest,
  deps: AnswerPictureDeps & PictureAnswering,
): Promise<Answer> {
  const { scenes, renderer, metrics, maxAgeS, startedAt, explain = null } = deps;
  const { viewId, sceneName, sensor } = await chooseLevel(scenes, wanted);
  const asked = parseSharpenPattern({ ...wanted, viewId, sceneName, sensor });
  const planned = await renderer.plan(asked);
  if (explain !== null)
    return nameScene(await explainPicture(request, planned, { ...deps, mode: explain }), { viewId });
  const response = await answerDrawn(request, {
    etag: planned.etag,
    cacheHeaders: toCacheHeaders(maxAgeS),
    startedAt,
    observe: metrics.observeRender,
    async draw() {
      const picture = await renderer.render(planned, request.ticket);
      return { ...picture, mediaType: mediaTypes[picture.format] };
    },
  });
  const { calibrated, isNatural = false } = asked.options;
  noteGains(response, { sensor, viewId, bands: asked.bands, calibrated: calibrated || isNatural });
  return nameScene(response, { viewId });
}

/** The media type of each format. */
export const mediaTypes: Readonly<Record<Picture['format'], string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

/** `GET /api/render/{view_id}/{bands}/{z}/{x}/{y}`. */
export const picture = (deps: PictureDeps): Endpoint => ({
  summary: 'A map tile of a scene, or an image of any rectangle',
  description:
    'An XYZ tile; or, with bounds in place of x and y, an image of that rectangle. 256 × 256 pixels in EPSG:3857 by default. Pixels outside of the scene and of the area are transparent.',
  tag: 'Render',
  params: {
    view_id: {
      description: 'From search; holds slashes.',
      schema: json.string(),
      example: EXAMPLE_SCENE.viewId,
    },
    bands: {
      description:
        'A band, an index such as NDVI or any band math, shown grey; or three of them separated by commas as red, green and blue.',
      schema: json.string(),
      example: 'B04,B03,B02',
    },
    ...positionParameters,
  },
  query: pictureParameters,
  answers: pictureAnswers,
  handle: makeAnswer(deps),
});

function makeAnswer(deps: PictureDeps): Endpoint['handle'] {
  const parsePath = rememberParsed(parsePicturePath);
  return (request) => answer(request, parsePath, deps);
}

async function answer(
  request: ApiRequest,
  parsePath: typeof parsePicturePath,
  deps: PictureDeps,
): Promise<Answer> {
  const startedAt = performance.now();
  const { ground, ending, ...path } = parsePath(belowRenderRoot(request.rawPath));
  const query = withEnding(parsePictureQuery(request.query), ending);
  const grid = toPictureGrid(ground, query);
  const options = await findNamedThings(query, deps);
  const explain = readExplainMode(request.query);
  return answerPicture(request, { ...path, grid, options }, { ...deps, startedAt, explain });
}
