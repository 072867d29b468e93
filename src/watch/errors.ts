/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { unavailable, conflict } = errorsOf({
  unavailable: ['catalog-incomplete'],
  conflict: ['too-many-subscriptions'],
});
