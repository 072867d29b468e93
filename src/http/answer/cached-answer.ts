import { createHash } from 'node:crypto';
import type { ApiRequest } from '../request/api-request.ts';
import { DAY_S, toCacheHeaders } from './cache-headers.ts';
import { isFresh } from './entity-tags.ts';

/** What stands under an address, and how long it surely does. */
interface Cacheable {
  /** Whatever decides the body; equal ones have equal bodies. */
  readonly content: string;
  readonly type: string;
  /** A day by default: for what only changes with a new version of Swath. */
  readonly maxAgeS?: number;
  /** Asked for only when the client has not got the body already. */
  readonly read: () => Promise<Uint8Array<ArrayBuffer> | string>;
}

/** Answers with what clients may cache, or says that the client has it. */
export async function answerCached(
  request: Pick<ApiRequest, 'headers'>,
  { content, type, maxAgeS = DAY_S, read }: Cacheable,
): Promise<Response> {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
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
