/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { unavailable, sourceBroken, internal } = errorsOf({
  unavailable: ['catalog-unavailable'],
  sourceBroken: ['catalog-refused'],
  internal: ['bad-location'],
});
