import { isSwathError, SwathError } from '../errors.ts';

/** Adds scene, band and block to the details for the log; the message for the user stays unchanged. */
export function nameFault(error: unknown, where: string): Error {
  if (isSwathError(error)) {
    return new SwathError(error.tag, error.code, error.message, {
      cause: error,
      template: error.template,
      details: { ...error.details, where },
    });
  }
  return new Error(`reading ${where}`, { cause: error });
}
