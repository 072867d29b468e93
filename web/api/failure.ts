/** Failures in words a person can act on, made from what the server or the network answered. */

/** A failed request; `message` is a sentence to show. */
export class Failure extends Error {
  /** HTTP status; 0 when there was no answer at all. */
  readonly status: number;
  /** The server's code of the error; empty when it gave none. */
  readonly code: string;

  constructor(status: number, message: string, code = '') {
    super(message);
    this.name = 'Failure';
    this.status = status;
    this.code = code;
  }
}

/** True when the key is missing, unknown or not allowed: only another key helps. */
export const isKeyRefused = ({ status, code }: Failure): boolean =>
  // A key that may only read still shows scenes.
  (status === 401 || status === 403) && code !== 'read-only-key';

/** True if the scene lacks a requested band: only other bands help. */
export const isBandMissing = (failure: Failure): boolean => failure.code === 'no-such-band-file';

/** The sentence for an answer without one of its own, for example from a proxy in between. */
const plainSentence = (status: number): string => {
  if (status === 0) return 'The server does not answer. Check that Swath is running and try again.';
  if (status === 401 || status === 403) return 'The server refused this key.';
  if (status === 404) return 'The server does not have the requested resource.';
  if (status === 429 || status === 503) return 'The server is busy. Try again in a moment.';
  if (status >= 500) return `The server had a problem (status ${status}).`;
  return `The server refused the request (status ${status}).`;
};

/** A failure from a status and the text of the answer: the server's `error` sentence wins over ours. */
export const toFailure = (status: number, text: string): Failure => {
  try {
    const body: unknown = JSON.parse(text);
    const { error, code } = Object(body) as { error?: unknown; code?: unknown };
    if (typeof error === 'string' && error.trim() !== '') {
      return new Failure(status, error.trim(), typeof code === 'string' ? code : '');
    }
  } catch {
    // Not JSON: a proxy's HTML page or nothing at all. Its text is not for people, ours is.
  }
  return new Failure(status, plainSentence(status));
};
