/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { conflict } = errorsOf({
  conflict: ['field-exists', 'field-storage-full', 'field-version', 'too-many-fields'],
});
