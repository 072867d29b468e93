/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, conflict, notAllowed, unavailable } = errorsOf({
  badInput: ['large-tile-set', 'no-folder', 'results-folder', 'too-many-tile-sets', 'usage'],
  conflict: ['sync-running'],
  unavailable: ['bucket-unreachable'],
  notAllowed: ['address-not-allowed', 'folder-not-allowed'],
});
