import { createHmac } from 'node:crypto';
import { isSwathError } from '../errors.ts';
import type { GuardedFetch } from './guarded-fetch.ts';

/** A message on its way to a receiver. */
interface SignedMessage {
  readonly url: string;
  /** What it is about, and which attempt this is. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Known to the owner of what it is about, and to us. */
  readonly secret: string;
}

/** Why an attempt failed: the receiver's status, or a word for what happened instead of an answer. */
export interface PostFailure {
  readonly status: number | null;
  readonly error: string | null;
}

/** What became of an attempt. */
export type PostedMessage =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'failed'; readonly failure: PostFailure; readonly cause: unknown };

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
export async function postSigned(
  { url, headers, body, secret }: SignedMessage,
  { fetch, userAgent, wallClockMs, signal }: PostDeps,
): Promise<PostedMessage> {
  const timestamp = String(Math.floor(wallClockMs() / 1_000));
  try {
    const { status } = await fetch({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...headers,
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
