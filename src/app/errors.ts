/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, conflict, notAllowed } = errorsOf({
  badInput: ['no-folder', 'results-folder', 'usage'],
  conflict: ['sync-running'],
  notAllowed: ['address-not-allowed', 'folder-not-allowed'],
});
