import { isSwathError, sourceBroken } from '../errors.ts';
import type { ResponseHead } from './response.ts';

/** A failure that another try may fix; `afterMs` is what the store asked us to wait. */
export class PassingFailure {
  readonly error: Error;
  readonly afterMs: number;
  constructor(error: Error, afterMs = 0) {
    this.error = error;
    this.afterMs = afterMs;
  }
}

/** Whether an answer of this status may be another one the next time. */
export const isPassing = (status: number): boolean => status === 429 || (status >= 500 && status <= 599);

/** The failure of an answer that another try may fix. */
export const toPassing = ({ status }: ResponseHead, afterMs: number | null): PassingFailure =>
  new PassingFailure(
    sourceBroken.about('source-failing', '{server} fails or is overloaded right now.', {
      cause: new Error(`status ${status}`),
    }),
    afterMs ?? 0,
  );

/** A connection that broke may hold the next time; everything else is final, and is thrown. */
export function toFailure(error: unknown): PassingFailure {
  if (isSwathError(error) && (error.code === 'source-unreachable' || error.code === 'source-cut-off'))
    return new PassingFailure(error);
  throw error;
}
