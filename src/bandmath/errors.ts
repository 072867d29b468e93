/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { unsupported, internal } = errorsOf({
  unsupported: ['expression-too-long'],
  internal: ['needs-window', 'no-output', 'wrong-window'],
});
