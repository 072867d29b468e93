/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { unavailable, notAllowed, sourceBroken, internal } = errorsOf({
  unavailable: ['catalog-busy', 'catalog-unavailable'],
  notAllowed: ['local-file'],
  sourceBroken: [
    'catalog-refused',
    'dem-cell-missing',
    'dem-cell-not-allowed',
    'dem-cell-wrong',
    'no-dem-collection',
  ],
  internal: ['bad-location', 'no-terrain'],
});
