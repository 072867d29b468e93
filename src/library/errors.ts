/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { notAllowed, conflict } = errorsOf({
  notAllowed: ['preset-colormap'],
  conflict: ['area-storage-full', 'too-many-areas', 'too-many-colormaps', 'too-many-recipes'],
});
