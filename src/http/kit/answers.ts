/**
 * What endpoints answer: answers that clients may cache, made in advance or drawn when they are needed, how every answer is
 * sent, and what it says about its scene.
 */
import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { parseExpressions } from '../../bandmath/index.ts';
import type { Lru } from '../../lru.ts';
import { makeLru } from '../../lru.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findIncomparable, findScaleLevel, toExpressionNames } from '../../sensors/index.ts';

/** The body of an answer. */
type AnswerBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null;

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

/**
 * HEAD is answered as GET, whose body is made and left out: it costs the same, and has the same headers. Routes whose
 * bodies are long say their length, and make none.
 */
export function withoutBody({ status, headers, body }: Answer): Answer {
  const bare = new Answer(null, { status, headers });
  if (typeof body === 'string' || body instanceof Uint8Array)
    bare.headers.set('content-length', String(Buffer.byteLength(body)));
  return bare;
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

/** Headers of a request, by their lower-case names. */
export interface RequestHeaders {
  get(name: string): string | null;
}

/** A request whose client may have the answer already. */
interface Conditional {
  readonly headers: RequestHeaders;
}

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
  request: Conditional,
  { content, type, maxAgeS = DAY_S, read }: Cacheable,
): Promise<Answer> {
  const etag = `"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
  const headers = new Map(Object.entries({ etag, ...toCacheHeaders(maxAgeS) }));
  if (isFresh(request.headers.get('if-none-match'), etag)) return new Answer(null, { status: 304, headers });
  headers.set('content-type', type);
  return new Answer(await read(), { headers });
}

/** Answers with JSON that clients may cache. */
export function answerCachedJson(
  request: Conditional,
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
  request: Conditional & { onSent(listener: () => void): void },
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
  if (drawn.isSole) freeWhenSent(request, drawn.bytes);
  return new Answer(drawn.bytes, { headers });
}

/**
 * Frees the memory of an answer that no one else holds, without waiting for the garbage collector. V8 collects the whole heap
 * for every 64 MB that came from other threads, which at 500 tiles a second is twice a second, with 40 ms each time in which no
 * other tile gets on.
 */
export function freeWhenSent(
  request: { onSent(listener: () => void): void },
  { buffer }: Uint8Array<ArrayBuffer>,
): void {
  request.onSent(() => void buffer.transfer(0));
}

/**
 * A page may load only what we serve; no inline script, nothing from elsewhere but pictures of the origins it names,
 * and the tiles of the operator's base map.
 * MapLibre's own style sheet holds its icons as data: addresses.
 */
export const toPagePolicy = (pictureOrigins: readonly string[], mapOrigins: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data:", ...pictureOrigins, ...mapOrigins].join(' '),
    ["connect-src 'self'", ...mapOrigins].join(' '),
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

const PAGE_POLICY = toPagePolicy([]);

/** Anything that is not a page runs nothing at all, even when it is opened in a tab. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Adds the headers every answer carries. */
export function addSecureHeaders(headers: Map<string, string>): void {
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
  headers.set('x-content-type-options', 'nosniff');
  headers.set('referrer-policy', 'no-referrer');
  // The viewer has a policy of its own.
  if (!isPage || !headers.has('content-security-policy')) {
    headers.set('content-security-policy', isPage ? PAGE_POLICY : DATA_POLICY);
  }
  // Tiles are meant to be shown on other people's pages; they hold nothing of the reader's.
  headers.set('cross-origin-resource-policy', 'cross-origin');
}

/** CORS open to all origins: access is by key, never by cookie. */
export function addCorsHeaders(headers: Map<string, string>): void {
  headers.set('access-control-allow-origin', '*');
  headers.set(
    'access-control-expose-headers',
    'accept-ranges, content-disposition, content-length, content-range, etag, location, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, server-timing, x-ignored-parameters, x-incomplete-catalogs, x-request-id, x-swath-note, x-swath-scene, x-weather-age, x-weather-day, x-weather-elevation, x-weather-method, x-weather-run, x-weather-source',
  );
}

/** What an answer to OPTIONS lists. */
interface ListedMethods {
  /** Those of all routes, for browsers. */
  readonly methods: string;
  /** Those of this address; null for one that has none. */
  readonly allow: string | null;
}

/** The answer to OPTIONS, which is a CORS preflight for browsers. */
export function toPreflightAnswer({ methods, allow }: ListedMethods): Answer {
  const headers = {
    'access-control-allow-methods': methods,
    // Browsers ask for the first two where they are long: STAC Browser lists all languages that it knows.
    'access-control-allow-headers':
      'accept, accept-language, content-type, if-match, if-none-match, if-range, range, x-api-key, x-request-id',
    'access-control-max-age': '86400',
    ...(allow === null ? {} : { allow }),
  };
  return new Answer(null, { status: 204, headers });
}

/** Writes an answer; resolves when all of it is handed to Node, or its client has left. */
export function writeAnswer(response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  // Names and values in turns: Node takes them as they are, where it would copy an object.
  const head: string[] = [];
  headers.forEach((value, name) => void head.push(name, value));
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    if (body !== null && !headers.has('content-length'))
      head.push('content-length', String(Buffer.byteLength(body)));
    response.writeHead(status, head);
    response.end(body ?? undefined);
    return Promise.resolve();
  }
  response.writeHead(status, head);
  response.flushHeaders();
  return writeStream(response, body);
}

/** Reads a stream as fast as its client does. */
async function writeStream(response: ServerResponse, stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  const leave = (): void => void reader.cancel().catch(() => {});
  response.once('close', leave);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!response.write(value)) await drained(response);
    }
    response.end();
  } catch (error) {
    response.destroy(error as Error);
  } finally {
    response.off('close', leave);
  }
}

/** Resolves when the client has read, or left. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.once('drain', go).once('close', go);
    if (response.destroyed) go();
  });

/** The header that names the scene that was used: Level-2A of Sentinel-2 may answer for Level-1C. */
const SCENE_HEADER = 'x-swath-scene';

/** Documentation of the scene header. */
export const sceneHeaders = {
  [SCENE_HEADER]:
    'The scene that was used: Level-2A of Sentinel-2 answers where Level-1C is not in the catalog.',
} as const;

/** Says in an answer which scene it was made of. */
export function nameScene(response: Answer, { viewId }: { readonly viewId: string }): Answer {
  response.headers.set(SCENE_HEADER, viewId);
  return response;
}

/** The header that says how an answer must be understood. */
const NOTE_HEADER = 'x-swath-note';

/** Documentation of the note header. */
export const noteHeaders = {
  [NOTE_HEADER]:
    'Present if the expression computes with stored numbers of bands that have different gains or an offset; CALIBRATE=1 avoids it.',
} as const;

interface GainRequest {
  readonly sensor: Sensor;
  /** The scene; null if only the sensor is known. */
  readonly viewId: string | null;
  /** Bands, aliases or band math, as in the address. */
  readonly bands: string;
}

/** Cached notes of each sensor: every tile of a map needs the one of its expression. */
const MAX_CACHED = 64;
const caches = new WeakMap<Sensor, Lru<string | null>>();

/** A sentence about an expression of several bands whose stored numbers cannot stand for what they measure; null if they can. */
export function findGainNote({ sensor, viewId, bands }: GainRequest): string | null {
  const level = viewId === null ? '' : findScaleLevel(sensor, viewId);
  const cache = caches.get(sensor) ?? makeLru({ max: MAX_CACHED });
  caches.set(sensor, cache);
  return cache.remember(`${level} ${bands}`, () => toNote(sensor, bands, level));
}

function toNote(sensor: Sensor, bands: string, level: string): string | null {
  const { inputs, outputs } = parseExpressions(bands, toExpressionNames(sensor));
  const found = outputs.flatMap(({ uses }) => {
    const stored = uses.flatMap((index) => inputs[index] ?? []).filter(({ calibrated }) => !calibrated);
    const names = stored.map(({ band }) => band);
    return findIncomparable(sensor, names, level) ?? [];
  });
  const [first] = found;
  if (first === undefined) return null;
  const names = [...new Set(found.filter(({ why }) => why === first.why).flatMap(({ bands: own }) => own))];
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const fault = first.why === 'gains' ? 'different gains' : 'an offset, which ratios are wrong by';
  return `The stored numbers of ${list} have ${fault}; CALIBRATE=1 computes with physical values.`;
}

/** Adds the note to an answer that was computed with stored numbers. */
export function noteGains(
  response: Answer,
  { calibrated, ...request }: GainRequest & { readonly calibrated: boolean },
): Answer {
  const note = calibrated ? null : findGainNote(request);
  if (note !== null) response.headers.set(NOTE_HEADER, note);
  return response;
}
