/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, unsupported, notFound, unavailable, sourceBroken, internal } = errorsOf({
  badInput: ['bad-area', 'bad-period'],
  unsupported: [
    'different-channels',
    'mosaic-of-classes',
    'mosaic-too-expensive',
    'mosaic-with-clouds',
    'sensor-lacks-band',
    'sharpened-mosaic',
    'too-many-scenes',
  ],
  notFound: ['nothing-there'],
  unavailable: ['catalog-incomplete'],
  sourceBroken: ['bad-pyramid'],
  internal: ['no-sensor', 'unfinished-mosaic'],
});
