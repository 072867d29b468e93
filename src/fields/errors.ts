/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, conflict, tooLarge } = errorsOf({
  badInput: [
    'bad-crop',
    'bad-external-id',
    'bad-group',
    'bad-name',
    'bad-properties',
    'bad-row',
    'bad-sown-on',
    'field-axis-order',
    'no-id-column',
  ],
  tooLarge: ['group-too-large'],
  conflict: ['field-exists', 'field-storage-full', 'field-version', 'too-many-fields'],
});
