/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, unsupported, notFound, tooLarge, sourceBroken, cancelled, internal } = errorsOf({
  badInput: [
    'area-outside-scene',
    'bad-area',
    'bad-metadata-url',
    'bad-px-size',
    'band-twice',
    'coverage-too-large',
    'metadata-too-large',
    'no-bands',
    'no-such-metadata',
    'picture-too-large',
    'too-many-bands',
    'too-many-metadata',
    'unknown-sensor',
  ],
  unsupported: ['needs-window', 'no-band', 'no-such-band-file', 'unknown-band', 'unmapped-scene'],
  notFound: ['nothing-there', 'unknown-scene'],
  tooLarge: ['export-too-large', 'file-too-large'],
  sourceBroken: ['source-changed', 'source-differs'],
  cancelled: ['cancelled'],
  internal: ['area-lost', 'no-inputs', 'not-painted', 'not-values'],
});
