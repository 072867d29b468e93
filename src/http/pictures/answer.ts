import type { Picture, Renderer, ScenePictureRequest } from '../../render/index.ts';
import { isFresh, toCacheHeaders } from '../answer/cached-answer.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { pixelFailures } from '../endpoint/shared-docs.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { NamedThings } from './named-things.ts';
import { parseSharpenPattern } from './sharpen-pattern.ts';

/** What drawing an answer needs. */
export interface AnswerPictureDeps {
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
    content: { 'image/png': null, 'image/jpeg': null, 'image/webp': null },
  },
  304: { description: 'The picture you have (If-None-Match) is still right.' },
  ...pictureFailures,
};

/** Plans a picture and draws it, unless the client has it already. */
export async function answerPicture(
  request: ApiRequest,
  wanted: ScenePictureRequest,
  { renderer, metrics, maxAgeS, startedAt }: AnswerPictureDeps & { readonly startedAt: number },
): Promise<Response> {
  const planned = await renderer.plan(parseSharpenPattern(wanted));
  const etag = `"${planned.etag}"`;
  const planMs = performance.now() - startedAt;
  const headers = new Headers({ etag, ...toCacheHeaders(maxAgeS) });
  if (isFresh(request.headers.get('if-none-match'), etag)) {
    headers.set('server-timing', toServerTiming({ plan: planMs }));
    return new Response(null, { status: 304, headers });
  }
  const picture = await renderer.render(planned, request.ticket);
  // Another one than planned when a file was replaced in between.
  headers.set('etag', `"${picture.etag}"`);
  const stages = { plan: planMs, ...picture.stagesMs };
  for (const [stage, ms] of Object.entries(stages)) metrics.observeRender(stage, ms / 1000);
  headers.set('server-timing', toServerTiming({ ...stages, total: performance.now() - startedAt }));
  headers.set('content-type', mediaTypes[picture.format]);
  if (picture.isSole) request.onSent(() => free(picture.bytes));
  return new Response(picture.bytes, { headers });
}

/**
 * Frees memory without waiting for the garbage collector. V8 collects the whole heap for every 64 MB that came from other
 * threads, which at 500 tiles a second is twice a second, with 40 ms each time in which no other tile gets on.
 */
const free = ({ buffer }: Uint8Array<ArrayBuffer>): void => void buffer.transfer(0);

const mediaTypes: Readonly<Record<Picture['format'], string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

const toServerTiming = (stagesMs: Readonly<Record<string, number>>): string =>
  Object.entries(stagesMs)
    .map(([stage, ms]) => `${stage};dur=${ms.toFixed(2)}`)
    .join(', ');
