/** Failures in words a person can act on, made from what the server or the network answered. */
import type { Texts } from '../texts/en.ts';
import { en } from '../texts/en.ts';

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
  (status === 401 || status === 403) && code !== 'role-needed';

/** True if the scene lacks a requested band: only other bands help. */
export const isBandMissing = (failure: Failure): boolean => failure.code === 'no-such-band-file';

/** The page has one language, from its start to its end; `makeApi` sets it. */
let sentences: Texts['failures'] = en.failures;

/** Sets the language of the sentences that the server does not give. */
export const setFailureSentences = (next: Texts['failures']): void => {
  sentences = next;
};

/** The sentence for an answer without one of its own, for example from a proxy in between. */
const plainSentence = (status: number): string => {
  if (status === 0) return sentences.noAnswer;
  if (status === 401 || status === 403) return sentences.keyRefused;
  if (status === 404) return sentences.notThere;
  if (status === 429 || status === 503) return sentences.busy;
  return status >= 500 ? sentences.problem(status) : sentences.refused(status);
};

/** Answers whose own sentence is about parameters that the page does not show. */
const sentenceOfCode = (code: string): string | null => {
  if (code === 'bad-key' || code === 'no-key') return sentences.wrongKey;
  return code === 'too-many-wrong-keys' ? sentences.wrongKeys : null;
};

/** A good answer that is not what it should be, as from a server of another version. */
export const unknownForm = (): Failure => new Failure(200, sentences.unknownForm);

/** Statistics that are never ready. */
export const unfinished = (): Failure => new Failure(202, sentences.unfinished);

/** A task that ended without a result; the server may say why. */
export const endedTask = (reason: string | null): Failure => new Failure(200, reason ?? sentences.ended);

/** A failure from a status and the text of the answer: the server's `error` sentence wins, unless the page has a better one. */
export const toFailure = (status: number, text: string): Failure => {
  try {
    const body: unknown = JSON.parse(text);
    const { error, code } = Object(body) as { error?: unknown; code?: unknown };
    if (typeof error === 'string' && error.trim() !== '') {
      const known = typeof code === 'string' ? code : '';
      return new Failure(status, sentenceOfCode(known) ?? error.trim(), known);
    }
  } catch {
    // Not JSON: a proxy's HTML page or nothing at all. Its text is not for people, ours is.
  }
  return new Failure(status, plainSentence(status));
};
