import type { SceneStore } from '../../catalog/index.ts';
import { chooseLevel } from '../../catalog/index.ts';
import type { Picture, Renderer, ScenePictureRequest } from '../../render/index.ts';
import { toCacheHeaders } from '../answer/cached-answer.ts';
import { answerDrawn } from '../answer/drawn-answer.ts';
import { noteGains, noteHeaders } from '../answer/gain-note.ts';
import { nameScene, sceneHeaders } from '../answer/scene-used.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { pixelFailures } from '../endpoint/shared-docs.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { NamedThings } from './named-things.ts';
import { parseSharpenPattern } from './sharpen-pattern.ts';

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

/** What may come instead of a picture, for the documentation. */
export const pictureFailures: Endpoint['answers'] = {
  400: { description: 'The path or query is malformed.' },
  404: { description: 'No such scene, tile, area or colormap.' },
  422: { description: 'An unsupported band or operation, or a combination that cannot be drawn.' },
  ...pixelFailures,
};

/** All that a picture's address may answer, for the documentation. */
export const pictureAnswers: Endpoint['answers'] = {
  200: {
    description: 'The picture.',
    headers: { ...sceneHeaders, ...noteHeaders },
    content: { 'image/png': null, 'image/jpeg': null, 'image/webp': null },
  },
  304: { description: 'The picture you have (If-None-Match) is still right.' },
  ...pictureFailures,
};

/** Plans a picture and draws it, unless the client has it already. */
export async function answerPicture(
  request: ApiRequest,
  wanted: ScenePictureRequest,
  { scenes, renderer, metrics, maxAgeS, startedAt }: AnswerPictureDeps & { readonly startedAt: number },
): Promise<Response> {
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
