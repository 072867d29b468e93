import type { Mosaic, PyramidOrder, PyramidStore } from '../../mosaic/index.ts';
import { toPyramidKey } from '../../mosaic/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import { notFound } from '../errors.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { PictureQuery } from '../pictures/picture.ts';
import { parsePictureQuery, pictureParameters } from '../pictures/picture.ts';
import { downloadAnswers } from '../tasks/task-answers.ts';
import type { MosaicDeps } from './mosaic-picture.ts';
import { mosaicParameters, mosaicPathParameters, parseMosaicPath, toMosaic } from './mosaic-request.ts';

/** What pyramids are ordered and removed with. */
export interface PyramidDeps extends Pick<MosaicDeps, 'areas'> {
  readonly tasks: Pick<Tasks, 'create'>;
  readonly pyramids: Pick<PyramidStore, 'find' | 'remove'>;
}

const { CALIBRATE, STRETCH, COMPOSITE, RESAMPLE } = pictureParameters;
const query = { ...mosaicParameters, CALIBRATE, STRETCH, COMPOSITE, RESAMPLE };

async function readOrder(request: ApiRequest, { areas }: PyramidDeps): Promise<PyramidOrder> {
  const mosaic = await toMosaic(parseMosaicPath(request.rawPath, 'pyramid/', 0), request.query, areas);
  return toPyramidOrder(mosaic, parsePictureQuery(request.query));
}

/** The order of a mosaic's pyramid: its tiles hold values, and pictures of any colours are drawn from them. */
export function toPyramidOrder(mosaic: Mosaic, { options }: Pick<PictureQuery, 'options'>): PyramidOrder {
  const { calibrated, isNatural = false, isComposite, method } = options;
  return { ...mosaic, values: { calibrated: calibrated || isNatural, isComposite, method } };
}

/** Documented answers to the order of a pyramid. */
export const pyramidOrdered: Endpoint['answers'] = {
  202: {
    description: 'The task; its result says how many tiles were made.',
    content: {
      'application/json': json.object(
        { status: json.string(), task_id: json.string(), reference: json.string() },
        { isOpen: true },
      ),
    },
  },
  409: { description: 'This key has too many open tasks.' },
};

/** Documented answers to the removal of one. */
export const pyramidRemoved: Endpoint['answers'] = {
  204: { description: 'It is removed.' },
  404: { description: 'This key has ordered none for this mosaic.' },
};

/** `POST /api/mosaic/pyramid/{sensors}/{period}/{bands}`. */
export const orderPyramid = (deps: PyramidDeps): Endpoint => ({
  summary: 'Have the low zoom levels of a mosaic made',
  description:
    'A task makes the tiles of the zoom levels at which a picture has too many scenes, and renews them from time to time. Then tiles of any zoom level are drawn from them, in any colours. Ordered again, it renews what has changed.',
  tag: 'Mosaic',
  params: mosaicPathParameters,
  query,
  answers: {
    ...pyramidOrdered,
    400: { description: 'The path or query is malformed.' },
    404: { description: 'No such area.' },
  },
  handle: async (request) => answerPyramidOrder(request, await readOrder(request, deps), deps),
});

/** The file of the task says how many tiles were made. */
const REPORT_BYTES = 1_024;

/** Orders a task that makes a pyramid, or renews it. */
export async function answerPyramidOrder(
  { ticket: { owner } }: ApiRequest,
  order: PyramidOrder,
  { tasks }: Pick<PyramidDeps, 'tasks'>,
): Promise<Answer> {
  const task = await tasks.create({
    owner,
    kind: 'pyramid',
    reference: null,
    viewId: null,
    order,
    area: null,
    estimatedBytes: REPORT_BYTES,
  });
  return Answer.json(downloadAnswers.toCreated(task), {
    status: 202,
    headers: { 'cache-control': 'no-store' },
  });
}

/** `DELETE /api/mosaic/pyramid/{sensors}/{period}/{bands}`. */
export const deletePyramid = (deps: PyramidDeps): Endpoint => ({
  summary: 'Remove the low zoom levels of a mosaic',
  tag: 'Mosaic',
  params: mosaicPathParameters,
  query,
  answers: {
    ...pyramidRemoved,
    400: { description: 'The path or query is malformed.' },
  },
  handle: async (request) => removePyramid(request, await readOrder(request, deps), deps),
});

/** Removes a pyramid that the caller has ordered. */
export async function removePyramid(
  { ticket: { owner } }: ApiRequest,
  order: PyramidOrder,
  { pyramids }: Pick<PyramidDeps, 'pyramids'>,
): Promise<Answer> {
  const key = toPyramidKey(order);
  const pyramid = await pyramids.find(key);
  if (pyramid?.owner !== owner)
    throw notFound('no-pyramid', 'This key has ordered no pyramid of this mosaic.');
  await pyramids.remove(key);
  return new Answer(null, { status: 204 });
}
