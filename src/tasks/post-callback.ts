import { createHmac } from 'node:crypto';
import { isSwathError } from '../errors.ts';
import type { GuardedFetch } from '../net/index.ts';
import type { CallbackFailure } from './callback.ts';

/** A message on its way. */
export interface CallbackMessage {
  readonly url: string;
  readonly taskId: string;
  readonly attempt: number;
  readonly body: string;
  /** Known to the owner of the task and to us. */
  readonly secret: string;
}

/** What became of an attempt. */
export type PostedCallback =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'failed'; readonly failure: CallbackFailure; readonly cause: unknown };

/** How an attempt can end without an answer, by the codes of the guarded door. */
const ERRORS: ReadonlyMap<string, string> = new Map([
  ['address-not-allowed', 'address-not-allowed'],
  ['source-redirected', 'redirected'],
  ['source-timed-out', 'timed-out'],
  ['source-untrusted', 'bad-certificate'],
]);

interface PostDeps {
  /** Follows no redirects. */
  readonly fetch: GuardedFetch;
  readonly userAgent: string;
  readonly wallClockMs: () => number;
  readonly signal: AbortSignal;
}

/** Sends a message once. Any 2xx delivers it; nothing of the answer's body is read. Rejects only when the signal aborts. */
export async function postCallback(
  { url, taskId, attempt, body, secret }: CallbackMessage,
  { fetch, userAgent, wallClockMs, signal }: PostDeps,
): Promise<PostedCallback> {
  const timestamp = String(Math.floor(wallClockMs() / 1_000));
  try {
    const { status } = await fetch({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        'x-swath-task': taskId,
        'x-swath-attempt': String(attempt),
        'x-swath-signature': sign(body, secret),
        'x-swath-timestamp': timestamp,
        'x-swath-timestamp-signature': sign(`${timestamp}.${body}`, secret),
      },
      body,
      limitBody: () => 0,
      signal,
    });
    if (status >= 200 && status < 300) return { kind: 'delivered', status };
    return { kind: 'failed', failure: { status, error: null }, cause: null };
  } catch (error) {
    if (signal.aborted) throw error;
    const word = (isSwathError(error) && ERRORS.get(error.code)) || 'unreachable';
    return { kind: 'failed', failure: { status: null, error: word }, cause: error };
  }
}

/** As receivers compute it (docs/use/callbacks.md). */
const sign = (text: string, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(text, 'utf8').digest('hex')}`;
