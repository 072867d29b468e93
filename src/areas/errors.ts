/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, tooLarge, internal } = errorsOf({
  badInput: ['area-features-missing', 'area-several-features', 'bad-json'],
  tooLarge: ['mask-too-large'],
  internal: ['overlay-endless'],
});
