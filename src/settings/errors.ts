/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput } = errorsOf({
  badInput: ['bad-settings', 'unknown-catalog'],
});
