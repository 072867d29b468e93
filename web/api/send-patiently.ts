/** Requests to addresses that have a rate: who was too fast waits as long as the server says. */
import type { Api } from './api.ts';
import { toFailure } from './failure.ts';

/** A request, with its signal. */
export interface Sent {
  readonly path: string;
  readonly init?: RequestInit;
  readonly signal: AbortSignal;
}

/** What patience is made of. */
export interface PatientParts {
  readonly send: Api['send'];
  /** Waits; a test does not. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** After so many refusals in a row the user is told. */
const MAX_REFUSALS = 4;
/** The rate of a minute is renewed by then, whatever the header says. */
const MAX_WAIT_S = 60;

/** The answer; one that says 429 is waited for, any other failure is thrown. */
export const sendPatiently = async ({ send, wait }: PatientParts, sent: Sent): Promise<Response> => {
  for (let refusals = 0; ; refusals++) {
    const response = await send(sent.path, sent.init ?? {}, sent.signal);
    if (response.ok) return response;
    const text = await response.text();
    if (response.status !== 429 || refusals === MAX_REFUSALS) throw toFailure(response.status, text);
    const seconds = Number(response.headers.get('retry-after') ?? 1);
    await wait(1000 * Math.min(MAX_WAIT_S, Math.max(1, seconds || 1)), sent.signal);
  }
};
