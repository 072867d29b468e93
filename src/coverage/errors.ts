/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { notFound } = errorsOf({
  notFound: ['scene-gone'],
});
