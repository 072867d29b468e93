import { z } from 'zod';
import type { SceneStore } from '../../catalog/index.ts';
import { findScene } from '../../catalog/index.ts';
import { badInput, notFound } from '../../errors.ts';
import type { RenderOptions } from '../../render/index.ts';
import { toWholeGrid } from '../../render/index.ts';
import { chooseComposition } from '../../sensors/index.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { EXAMPLE_SCENE, sensorParameter } from '../endpoint/shared-docs.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { parseSceneVerbPath } from '../request/scene-path.ts';
import type { AnswerPictureDeps } from './answer.ts';
import { answerPicture, pictureAnswers } from './answer.ts';
import { parsePictureQuery } from './query.ts';

type ThumbDeps = AnswerPictureDeps & { readonly scenes: SceneStore };

/** Longer side of a thumbnail (docs/interface.md, Previews and thumbnails). */
const SIDE_PX = 256;

/** `GET /api/render/{sensor}/thumb/{scene_id}`, with or without `.png` (clients build such addresses themselves). */
export const thumb = (deps: ThumbDeps): Endpoint => ({
  summary: 'A thumbnail of a scene',
  description: `The whole scene in its default composition, a PNG of ${SIDE_PX} pixels on the longer side.`,
  tag: 'Render',
  params: {
    sensor: sensorParameter,
    scene_id: {
      description: 'The view id without its sensor; `.png` may follow.',
      schema: z.string(),
      example: `${EXAMPLE_SCENE.sceneId}.png`,
    },
  },
  answers: pictureAnswers,
  handle: (request) => answer(request, deps),
});

async function answer(request: ApiRequest, deps: ThumbDeps): Promise<Response> {
  const startedAt = performance.now();
  const rawPath = request.rawPath.replace(/\/$/, '').replace(/\.png$/i, '');
  const { rest, ...path } = parseSceneVerbPath(rawPath);
  if (rest.length > 0) throw badInput('bad-path', 'The address of a thumbnail ends in {scene_id}.');
  const scene = await findScene(deps.scenes, path);
  const bands = chooseComposition(path.sensor, (name) => Object.hasOwn(scene.assets, name));
  if (bands === null) throw notFound('nothing-to-show', 'This scene has no band that could be shown.');
  const wanted = {
    ...path,
    bands: bands.join(),
    grid: toWholeGrid(scene.footprint, SIDE_PX),
    options,
  };
  return answerPicture(request, wanted, { ...deps, startedAt });
}

/** A picture as it is without any query, but always a PNG. */
const options: RenderOptions = {
  ...parsePictureQuery(new Map()).options,
  format: 'png',
  color: {},
  area: null,
  watermark: null,
};
