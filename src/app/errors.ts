/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, notAllowed } = errorsOf({
  badInput: ['no-folder', 'results-folder', 'usage'],
  notAllowed: ['address-not-allowed', 'folder-not-allowed'],
});
