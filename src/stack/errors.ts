/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { internal } = errorsOf({
  internal: ['stack-channels', 'stack-index', 'stack-percent', 'stack-radius', 'stack-room', 'stack-scenes'],
});
