/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, notFound } = errorsOf({
  badInput: ['bad-expiry', 'bad-label'],
  notFound: ['unknown-key'],
});
