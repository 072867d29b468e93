/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { unsupported } = errorsOf({
  unsupported: [
    'area-outside-scene',
    'area-too-small',
    'classes-too-large',
    'no-clear-pixel',
    'no-threshold',
    'too-many-corners',
  ],
});
