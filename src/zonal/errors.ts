/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { notFound, unsupported, unavailable, sourceBroken } = errorsOf({
  notFound: ['unknown-scene'],
  unsupported: ['needs-window', 'no-band', 'no-earlier-scene', 'one-value'],
  unavailable: ['statistics-search'],
  sourceBroken: ['statistics-computation'],
});
