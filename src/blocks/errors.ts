/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { tooLarge, sourceBroken, timedOut, internal } = errorsOf({
  tooLarge: ['too-much-to-decode'],
  sourceBroken: ['source-changed', 'source-differs', 'source-unreadable'],
  timedOut: ['source-timed-out'],
  internal: [
    'block-cache-full',
    'nested-block',
    'network-thread-gone',
    'no-cache-memory',
    'no-such-file',
    'not-a-worker',
    'wrong-answer',
  ],
});
