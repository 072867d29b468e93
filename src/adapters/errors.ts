/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, conflict, tooLarge, tooBusy, unavailable, timedOut, internal } = errorsOf({
  badInput: ['bad-settings', 'bad-text', 'data-not-writable', 'store-missing', 'store-newer', 'store-rights'],
  conflict: ['store-locked', 'unknown-dem'],
  tooLarge: ['record-too-large'],
  tooBusy: ['store-busy'],
  unavailable: [
    'store-closed',
    'store-full',
    'store-io-error',
    'store-read-only',
    'store-refused',
    'store-unavailable',
  ],
  timedOut: ['store-timeout'],
  internal: ['store-corrupt', 'store-thread-lost'],
});
