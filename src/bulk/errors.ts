/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, notFound, sourceBroken } = errorsOf({
  badInput: ['bad-collection'],
  notFound: ['no-shapes'],
  sourceBroken: ['bulk-computation', 'scene-unreadable'],
});
