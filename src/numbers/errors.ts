/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { internal } = errorsOf({
  internal: ['feature-planes', 'label-image'],
});
