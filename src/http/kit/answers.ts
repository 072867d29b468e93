/** What endpoints answer, and answers that clients may cache, made in advance or drawn when they are needed. */
import { hash } from 'node:crypto';
import type { ApiRequest } from './api-request.ts';

/** The body of an answer. */
export type AnswerBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null;

interface AnswerOptions {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>> | ReadonlyMap<string, string>;
}

/**
 * What an endpoint answers: bytes as they are, and headers by their lower-case names. A Response of Node copies bytes into
 * a stream, a third of the work of a cached tile, and its Headers check and sort every name.
 */
export class Answer {
  readonly status: number;
  readonly headers: Map<string, string>;
  readonly body: AnswerBody;

  constructor(body: AnswerBody, { status = 200, headers = {} }: AnswerOptions = {}) {
    this.status = status;
    this.headers = new Map(headers instanceof Map ? headers : Object.entries(headers));
    this.body = body;
  }

  /** An answer in JSON. */
  static json(value: unknown, { status = 200, headers = {} }: AnswerOptions = {}): Answer {
    const answer = new Answer(JSON.stringify(value), { status, headers });
    answer.headers.set('content-type', 'application/json');
    return answer;
  }
}

/** Headers of an answer that a client may cache for some time, and no proxy between us and it: it needs a key. */
export const toCacheHeaders = (maxAgeS: number): Readonly<Record<string, string>> => ({
  'cache-control': `private, max-age=${maxAgeS}`,
  vary: 'x-api-key',
});

/** Max age of answers that only change with a new version of Swath. */
export const DAY_S = 86_400;

/** Max age of stored things, which never change but may be deleted by their owner. */
export const STORED_S = 60;

/**
 * Whether a client has what it asks for already. RFC 9110 13.1.2: a list of tags, weak ones compare equal to strong ones,
 * `*` matches anything. The tag comes with its quotes.
 */
export const isFresh = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false;

/** A body under an address, and how long clients may cache it. */
interface Cacheable {
  /** Whatever decides the body; equal ones have equal bodies. */
  readonly content: string;
  readonly type: string;
  /** A day by default: for what only changes with a new version of Swath. */
  readonly maxAgeS?: number;
  /** Called only if the client does not have the body yet. */
  readonly read: () => Promise<Uint8Array<ArrayBuffer> | string>;
}

/** Answers with what clients may cache, or says that the client has it. */
export async function answerCached(
  request: Pick<ApiRequest, 'headers'>,
  { content, type, maxAgeS = DAY_S, read }: Cacheable,
): Promise<Answer> {
  const etag = `"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
  const headers = new Map(Object.entries({ etag, ...toCacheHeaders(maxAgeS) }));
  if (isFresh(request.headers.get('if-none-match'), etag)) return new Answer(null, { status: 304, headers });
  headers.set('content-type', type);
  return new Answer(await read(), { headers });
}

/** The same for a JSON answer. */
export function answerCachedJson(
  request: Pick<ApiRequest, 'headers'>,
  value: object,
  { maxAgeS = DAY_S }: { readonly maxAgeS?: number } = {},
): Promise<Answer> {
  const content = JSON.stringify(value);
  return answerCached(request, { content, type: 'application/json', maxAgeS, read: async () => content });
}

/** The value of the header `Server-Timing`: milliseconds of each stage. */
export const toServerTiming = (stagesMs: Readonly<Record<string, number>>): string =>
  Object.entries(stagesMs)
    .map(([stage, ms]) => `${stage};dur=${ms.toFixed(2)}`)
    .join(', ');

/** What a pixel thread has made. */
export interface Drawn {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: string;
  /** Without quotes; differs from the planned one if a file was replaced in between. */
  readonly etag: string;
  /** Milliseconds of each stage. */
  readonly stagesMs: Readonly<Record<string, number>>;
  /** Set if no one else holds the bytes: their memory is freed when they are sent. */
  readonly isSole?: boolean;
}

interface DrawnAnswer {
  /** The ETag of the plan, without quotes. */
  readonly etag: string;
  readonly cacheHeaders: Readonly<Record<string, string>>;
  /** When the handler began. */
  readonly startedAt: number;
  /** Called only if the client does not have it yet. */
  readonly draw: () => Promise<Drawn>;
  readonly observe: (stage: string, seconds: number) => void;
}

/** Answers with what is drawn as planned, unless the client has it already. */
export async function answerDrawn(
  request: Pick<ApiRequest, 'headers' | 'onSent'>,
  { etag, cacheHeaders, startedAt, draw, observe }: DrawnAnswer,
): Promise<Answer> {
  const planMs = performance.now() - startedAt;
  const headers = new Map(Object.entries({ etag: `"${etag}"`, ...cacheHeaders }));
  if (isFresh(request.headers.get('if-none-match'), `"${etag}"`)) {
    headers.set('server-timing', toServerTiming({ plan: planMs }));
    return new Answer(null, { status: 304, headers });
  }
  const drawn = await draw();
  headers.set('etag', `"${drawn.etag}"`);
  const stages = { plan: planMs, ...drawn.stagesMs };
  for (const [stage, ms] of Object.entries(stages)) observe(stage, ms / 1000);
  headers.set('server-timing', toServerTiming({ ...stages, total: performance.now() - startedAt }));
  headers.set('content-type', drawn.mediaType);
  if (drawn.isSole) request.onSent(() => free(drawn.bytes));
  return new Answer(drawn.bytes, { headers });
}

/**
 * Frees memory without waiting for the garbage collector. V8 collects the whole heap for every 64 MB that came from other
 * threads, which at 500 tiles a second is twice a second, with 40 ms each time in which no other tile gets on.
 */
const free = ({ buffer }: Uint8Array<ArrayBuffer>): void => void buffer.transfer(0);
