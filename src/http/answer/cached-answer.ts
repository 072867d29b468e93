import { hash } from 'node:crypto';
import type { ApiRequest } from '../request/api-request.ts';

/** Headers of an answer that a client may cache for some time, and no proxy between us and it: it needs a key. */
export const toCacheHeaders = (maxAgeS: number): Readonly<Record<string, string>> => ({
  'cache-control': `private, max-age=${maxAgeS}`,
  vary: 'x-api-key',
});

/** For what only changes with a new version of Swath. */
export const DAY_S = 86_400;

/** For what never changes but may be deleted by its owner: after this clients ask whether it is still there. */
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
): Promise<Response> {
  const etag = `"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
  const headers = new Headers({ etag, ...toCacheHeaders(maxAgeS) });
  if (isFresh(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers });
  headers.set('content-type', type);
  return new Response(await read(), { headers });
}

/** The same for JSON. */
export function answerCachedJson(
  request: Pick<ApiRequest, 'headers'>,
  value: object,
  { maxAgeS = DAY_S }: { readonly maxAgeS?: number } = {},
): Promise<Response> {
  const content = JSON.stringify(value);
  return answerCached(request, { content, type: 'application/json', maxAgeS, read: async () => content });
}
