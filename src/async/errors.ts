/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { cancelled } = errorsOf({
  cancelled: ['cancelled'],
});
