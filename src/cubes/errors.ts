/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, unsupported, notFound, conflict, tooLarge, unavailable, sourceBroken, internal } =
  errorsOf({
    badInput: ['usage'],
    unsupported: [
      'grid-columns',
      'grid-irregular',
      'grid-not-degrees',
      'grid-single',
      'grid-turn',
      'no-grid',
      'no-time',
      'no-variable',
      'time-calendar',
      'time-units',
      'unknown-format',
    ],
    notFound: ['no-files', 'unknown-cube', 'unknown-variable'],
    conflict: ['cube-grid', 'cube-kind', 'cube-step', 'cubes-busy'],
    tooLarge: ['axis-too-long', 'grid-too-large', 'no-space', 'series-too-large', 'too-many-cells'],
    unavailable: ['cubes-unavailable'],
    sourceBroken: [
      'bad-time',
      'cube-chunk-gone',
      'cube-damaged',
      'cube-unreadable',
      'grid-degrees',
      'source-gone',
      'tiff-empty',
    ],
    internal: ['cube-static'],
  });
