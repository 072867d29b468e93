/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, unsupported, notFound, internal } = errorsOf({
  badInput: ['bad-colormap'],
  unsupported: [
    'bad-colors',
    'bad-colors-limit',
    'bad-palette',
    'bad-thresholds',
    'colored-composite',
    'lone-colors-limit',
    'lone-range-colors',
    'palette-of-fractions',
    'too-many-colors',
    'unpaired-range-colors',
    'unsorted-thresholds',
  ],
  notFound: ['unknown-colormap'],
  internal: ['stretch-mismatch', 'unknown-colormap'],
});
