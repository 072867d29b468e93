/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, unsupported, sourceBroken } = errorsOf({
  badInput: ['bad-days'],
  unsupported: ['moisture-percent', 'moisture-units'],
  sourceBroken: ['moisture-values'],
});
