/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, notAllowed, tooBusy, sourceBroken, timedOut, cancelled } = errorsOf({
  badInput: ['bad-network', 'bad-s3-endpoint', 'bad-s3-region'],
  notAllowed: ['address-not-allowed'],
  sourceBroken: [
    'proxy-refused',
    'source-cut-off',
    'source-failing',
    'source-redirected',
    'source-resting',
    'source-too-long',
    'source-unreachable',
    'source-untrusted',
  ],
  tooBusy: ['too-many-waiting'],
  timedOut: ['source-timed-out'],
  cancelled: ['cancelled'],
});
