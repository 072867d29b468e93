/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, unsupported } = errorsOf({
  badInput: ['bad-crs'],
  unsupported: ['no-lattice', 'uneven-projection', 'unknown-crs'],
});
