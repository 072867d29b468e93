/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, unsupported, tooLarge, internal } = errorsOf({
  badInput: ['bad-shape-file', 'unknown-shape-format', 'bad-column', 'documents-changed', 'no-shapes'],
  unsupported: ['archive-method', 'encrypted-archive', 'geopackage-code', 'shape-crs', 'shape-encoding'],
  tooLarge: ['shape-file-too-large', 'too-many-rows', 'too-many-columns'],
  internal: ['bad-batch', 'mixed-types'],
});
