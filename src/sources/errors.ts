/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { notAllowed, tooLarge, sourceBroken, cancelled, internal } = errorsOf({
  notAllowed: ['folder-not-allowed'],
  tooLarge: ['bucket-too-full', 'no-space'],
  sourceBroken: [
    'bad-href',
    'bad-listing',
    'list-refused',
    'other-region',
    'source-changed',
    'source-encoded',
    'source-gone',
    'source-no-ranges',
    'source-read-too-large',
    'source-refused',
    'source-short',
    'source-unreadable',
    'source-wrong-range',
    'token-refused',
  ],
  cancelled: ['stopped'],
  internal: ['no-fetch-memory'],
});
