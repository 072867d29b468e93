/** Pictures of scenes: what every one of them needs and answers, and the endpoint of tiles and images. */

import type { SceneStore } from '../../catalog/index.ts';
import { chooseLevel } from '../../catalog/index.ts';
import type { Areas, Colormaps } from '../../library/index.ts';
import type { Picture, Renderer, RenderOptions, ScenePictureRequest } from '../../render/index.ts';
import { toPictureGrid } from '../../render/index.ts';
import { findCrop } from '../areas/read-area.ts';
import { findColormap } from '../colors/colormap.ts';
import type { Answer } from '../kit/answers.ts';
import { answerDrawn, toCacheHeaders } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/api-request.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { EXAMPLE_SCENE, pixelFailures } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { belowRenderRoot } from '../kit/paths.ts';
import { nameScene, noteGains, noteHeaders, sceneHeaders } from '../kit/scene-notes.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { parsePicturePath, positionParameters, rememberParsed } from './path.ts';
import type { PictureQuery } from './query.ts';
import { parsePictureQuery, pictureParameters, withEnding } from './query.ts';
import { parseSharpenPattern } from './sharpen-pattern.ts';

/** Stores of what a query names by an id. */
interface NamedThings {
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
    area: await findCrop(areaRef, areas),
  };
}

/** What drawing an answer needs. */
export interface AnswerPictureDeps {
  readonly scenes: SceneStore;
  readonly renderer: Renderer;
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

/** Plans a picture and draws it, unless the client has it already. */
export async function answerPicture(
  request: ApiRequest,
  wanted: ScenePictureRequest,
  { scenes, renderer, metrics, maxAgeS, startedAt }: AnswerPictureDeps & { readonly startedAt: number },
): Promise<Answer> {
  const { viewId, sceneName, sensor } = await chooseLevel(scenes, wanted);
  const asked = parseSharpenPattern({ ...wanted, viewId, sceneName, sensor });
  const planned = await renderer.plan(asked);
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

const mediaTypes: Readonly<Record<Picture['format'], string>> = {
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
  return answerPicture(request, { ...path, grid, options }, { ...deps, startedAt });
}
