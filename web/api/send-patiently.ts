/** Requests to addresses that have a rate, as the client sends them: who was too fast waits as long as the server says. */
import type { Asked } from '../../clients/typescript/src/transport.ts';
import { ask } from '../../clients/typescript/src/transport.ts';
import type { Api } from './api.ts';
import { toFailure } from './failure.ts';

/** What patience is made of. */
export interface PatientParts {
  readonly send: Api['send'];
  /** Waits; a test does not. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The answer; one that says 429 is waited for, any other failure is thrown in the language of the page. */
export const sendPatiently = (
  { send, wait }: PatientParts,
  sent: Asked & { readonly signal: AbortSignal },
): Promise<Response> =>
  ask({ send, toError: toFailure, wait: (ms, signal = sent.signal) => wait(ms, signal) }, sent);
