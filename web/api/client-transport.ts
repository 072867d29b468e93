/** How the calls of the client reach the server from the page: with its key, its time limits and its language. */
import { asRecord, asText } from '../../clients/typescript/src/read-json.ts';
import type { Transport } from '../../clients/typescript/src/transport.ts';
import type { Api } from './api.ts';
import { endedTask, toFailure, unfinished } from './failure.ts';
import { parseJson } from './requests.ts';

/** What patience is made of. */
export interface PatientParts {
  readonly send: Api['send'];
  /** Waits; a test does not. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The transport of calls that are given up by a signal. */
export const toTransport = (
  { send, wait }: PatientParts,
  signal: AbortSignal,
): Pick<Transport, 'send' | 'toError' | 'wait'> => ({
  send,
  wait: (ms) => wait(ms, signal),
  toError: (status, text) => {
    if (status === 202) return unfinished();
    return status === 200 ? endedTask(asText(asRecord(parseJson(text)).error)) : toFailure(status, text);
  },
});
