/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { unsupported } = errorsOf({
  unsupported: [
    'area-outside-scene',
    'area-too-small',
    'no-clear-scene',
    'rates-and-zones',
    'too-few-clear',
    'zones-too-large',
  ],
});
