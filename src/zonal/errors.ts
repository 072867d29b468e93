/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { unsupported, unavailable, sourceBroken } = errorsOf({
  unsupported: ['needs-window', 'no-band', 'no-earlier-scene', 'one-value'],
  unavailable: ['statistics-search'],
  sourceBroken: ['statistics-computation'],
});
