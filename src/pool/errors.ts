/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { tooLarge, tooBusy, unavailable, timedOut, cancelled, internal } = errorsOf({
  tooLarge: ['over-memory-budget', 'worker-out-of-memory'],
  tooBusy: ['shutting-down'],
  unavailable: ['thread-lost'],
  timedOut: ['render-timeout'],
  cancelled: ['cancelled'],
  internal: [
    'bad-job',
    'bad-pool-options',
    'not-a-worker',
    'unknown-call',
    'unknown-job',
    'worker-crashed',
    'workers-down',
  ],
});
