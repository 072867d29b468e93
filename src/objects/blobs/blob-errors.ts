import type { SwathError } from '../../errors.ts';
import { cancelled, isSwathError, tooLarge, unavailable } from '../../errors.ts';
import { toSystemCode } from '../../files/index.ts';

/** How long a caller waits before it asks a storage again that does not answer. */
const RETRY_AFTER_S = 30;

const noRoom = (cause: unknown): SwathError =>
  tooLarge('no-space', 'There is no room left to store the result.', { cause });

const notNow = (cause: unknown): SwathError =>
  unavailable('results-unavailable', 'The storage of results cannot be used at the moment.', {
    cause,
    details: { retryAfterS: RETRY_AFTER_S },
  });

/** Turns what a disk or a bucket threw into an error of the blob store. */
export function toBlobError(error: unknown): SwathError {
  if (!isSwathError(error)) {
    const code = toSystemCode(error);
    return code === 'ENOSPC' || code === 'EDQUOT' ? noRoom(error) : notNow(error);
  }
  switch (error.tag) {
    case 'source-broken':
    case 'timed-out':
    case 'not-allowed':
      return notNow(error);
    default:
      return error.code === 'no-space' ? noRoom(error) : error;
  }
}

/** Runs work of a blob store; what it throws becomes an error of the store. After an abort, that is the reason. */
export async function withBlobErrors<Result>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!signal?.aborted) throw toBlobError(error);
    const { reason } = signal;
    throw isSwathError(reason)
      ? reason
      : cancelled('cancelled', 'The work was cancelled.', { cause: reason });
  }
}
