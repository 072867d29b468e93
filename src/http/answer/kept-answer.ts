import { createHash } from 'node:crypto';
import type { ApiRequest } from '../request/api-request.ts';
import { isFresh } from './entity-tags.ts';
import { DAY_S, toKeepHeaders } from './keep-headers.ts';

/** What stands under an address forever. */
interface Kept {
  /** Whatever decides the body; equal ones have equal bodies. */
  readonly content: string;
  readonly type: string;
  /** Asked for only when the client has not got the body already. */
  readonly read: () => Promise<Uint8Array<ArrayBuffer> | string>;
}

/** Answers with what never changes, or says that the client has it. */
export async function answerKept(
  request: Pick<ApiRequest, 'headers'>,
  { content, type, read }: Kept,
): Promise<Response> {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
  const headers = new Headers({ etag, ...toKeepHeaders(DAY_S) });
  if (isFresh(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers });
  headers.set('content-type', type);
  return new Response(await read(), { headers });
}

/** The same for JSON. */
export function answerKeptJson(request: Pick<ApiRequest, 'headers'>, value: object): Promise<Response> {
  const content = JSON.stringify(value);
  return answerKept(request, { content, type: 'application/json', read: async () => content });
}
