import { createHash } from 'node:crypto';
import type { ApiRequest } from '../request/api-request.ts';
import { isFresh } from './entity-tags.ts';
import { DAY_S, toKeepHeaders } from './keep-headers.ts';

/** What stands under an address, and how long it surely does. */
interface Kept {
  /** Whatever decides the body; equal ones have equal bodies. */
  readonly content: string;
  readonly type: string;
  /** A day unless told: for what never changes but by a new version of Swath. */
  readonly maxAgeS?: number;
  /** Asked for only when the client has not got the body already. */
  readonly read: () => Promise<Uint8Array<ArrayBuffer> | string>;
}

/** Answers with what may be kept, or says that the client has it. */
export async function answerKept(
  request: Pick<ApiRequest, 'headers'>,
  { content, type, maxAgeS = DAY_S, read }: Kept,
): Promise<Response> {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
  const headers = new Headers({ etag, ...toKeepHeaders(maxAgeS) });
  if (isFresh(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers });
  headers.set('content-type', type);
  return new Response(await read(), { headers });
}

/** The same for JSON. */
export function answerKeptJson(
  request: Pick<ApiRequest, 'headers'>,
  value: object,
  { maxAgeS = DAY_S }: { readonly maxAgeS?: number } = {},
): Promise<Response> {
  const content = JSON.stringify(value);
  return answerKept(request, { content, type: 'application/json', maxAgeS, read: async () => content });
}
