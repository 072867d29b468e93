import { z } from 'zod';
import { toPictureGrid } from '../../render/index.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { EXAMPLE_SCENE } from '../endpoint/shared-docs.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { belowRenderRoot } from '../request/render-path.ts';
import type { PictureDeps } from './answer.ts';
import { answerPicture, pictureAnswers } from './answer.ts';
import { findNamedThings } from './named-things.ts';
import { pictureParameters, positionParameters } from './parameters.ts';
import { parsePicturePath } from './path.ts';
import { parsePictureQuery, withEnding } from './query.ts';
import { rememberParsed } from './remember-parsed.ts';

/** `GET /api/render/{view_id}/{bands}/{z}/{x}/{y}`. */
export const picture = (deps: PictureDeps): Endpoint => ({
  summary: 'A map tile of a scene, or an image of any rectangle',
  description:
    'An XYZ tile; or, with bounds in place of x and y, an image of that ground. 256 × 256 pixels in EPSG:3857 by default. Outside of the scene, and of the area, it is transparent.',
  tag: 'Render',
  params: {
    view_id: {
      description: 'From search; holds slashes.',
      schema: z.string(),
      example: EXAMPLE_SCENE.viewId,
    },
    bands: {
      description:
        'A band, an index such as NDVI or any band math, shown grey; or three of them separated by commas as red, green and blue.',
      schema: z.string(),
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
): Promise<Response> {
  const startedAt = performance.now();
  const { ground, ending, ...path } = parsePath(belowRenderRoot(request.rawPath));
  const query = withEnding(parsePictureQuery(request.query), ending);
  const grid = toPictureGrid(ground, query);
  const options = await findNamedThings(query, deps);
  return answerPicture(request, { ...path, grid, options }, { ...deps, startedAt });
}
