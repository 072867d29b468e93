/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, tooLarge, sourceBroken, internal } = errorsOf({
  badInput: ['no-folder'],
  tooLarge: ['folder-too-full', 'no-space'],
  sourceBroken: ['folder-unreadable'],
  internal: ['released-twice', 'write-failed'],
});
