/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { tooLarge, internal } = errorsOf({
  tooLarge: ['work-memory'],
  internal: ['kernels-missing', 'sample-type', 'window-mismatch', 'wrong-inputs'],
});
