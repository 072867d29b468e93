/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, notAllowed, notFound } = errorsOf({
  badInput: ['bad-expiry', 'bad-label'],
  notAllowed: ['daily-quota'],
  notFound: ['unknown-key'],
});
