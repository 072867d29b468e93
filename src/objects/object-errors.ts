import type { SwathError } from '../errors.ts';
import { internal, notFound } from '../errors.ts';

/** The error of an object that is not there. */
export const noSuchObject = (cause?: unknown): SwathError =>
  notFound('result-gone', 'This result is no longer stored.', { cause });

/** The error of an object that ends too early. */
export const objectCut = (bytes: number): SwathError =>
  internal('result-cut', 'A stored result is shorter than it was.', {
    cause: new Error(`it ends after ${bytes} bytes`),
  });
