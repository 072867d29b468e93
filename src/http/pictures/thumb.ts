import { z } from 'zod';
import type { SceneStore } from '../../catalog/index.ts';
import { chooseLevel, findScene } from '../../catalog/index.ts';
import { badInput } from '../../errors.ts';
import { toCacheHeaders } from '../answer/cached-answer.ts';
import { nameScene } from '../answer/scene-used.ts';
import { parseStretch } from '../colors/stretch-query.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { EXAMPLE_SCENE, sensorParameter } from '../endpoint/shared-docs.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { parseSceneVerbPath } from '../request/scene-path.ts';
import { pictureAnswers } from './answer.ts';
import type { ThumbnailDeps } from './draw-thumbnail.ts';
import { answerThumbnail, THUMBNAIL_SIDE_PX } from './draw-thumbnail.ts';
import { stretchParameters } from './parameters.ts';

type ThumbDeps = ThumbnailDeps & { readonly scenes: SceneStore };

/** `GET /api/render/{sensor}/thumb/{scene_id}`, with or without `.png` (clients build such addresses themselves). */
export const thumb = (deps: ThumbDeps): Endpoint => ({
  summary: 'A thumbnail of a scene',
  description: `The whole scene in its default composition, a PNG of ${THUMBNAIL_SIDE_PX} pixels on the longer side.`,
  tag: 'Render',
  params: {
    sensor: sensorParameter,
    scene_id: {
      description: 'The view id without its sensor; `.png` may follow.',
      schema: z.string(),
      example: `${EXAMPLE_SCENE.sceneId}.png`,
    },
  },
  query: stretchParameters,
  answers: pictureAnswers,
  handle: (request) => answer(request, deps),
});

async function answer(request: ApiRequest, deps: ThumbDeps): Promise<Response> {
  const startedAt = performance.now();
  const rawPath = request.rawPath.replace(/\/$/, '').replace(/\.png$/i, '');
  const { rest, ...named } = parseSceneVerbPath(rawPath);
  if (rest.length > 0) throw badInput('bad-path', 'The address of a thumbnail ends in {scene_id}.');
  const path = await chooseLevel(deps.scenes, named);
  const scene = await findScene(deps.scenes, path);
  const cacheHeaders = toCacheHeaders(deps.maxAgeS);
  const stretch = parseStretch(request.query);
  const response = await answerThumbnail(request, { scene, path, stretch, cacheHeaders, startedAt }, deps);
  return nameScene(response, path);
}
