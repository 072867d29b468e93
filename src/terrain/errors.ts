/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { badInput, unsupported, notAllowed, tooLarge, sourceBroken, cancelled, internal } = errorsOf({
  badInput: ['bad-address', 'no-dem', 'no-folder', 'no-list', 'no-such-file', 'usage'],
  unsupported: [
    'area-beyond-map',
    'area-too-small',
    'control-points',
    'height-unit',
    'not-a-geotiff',
    'not-terrarium',
    'tile-size',
    'too-expensive',
    'too-many-contours',
    'too-many-dem-files',
  ],
  notAllowed: ['address-not-allowed'],
  tooLarge: ['list-too-long'],
  sourceBroken: [
    'no-band',
    'no-georeference',
    'no-heights',
    'no-tiles',
    'not-a-png',
    'off-globe',
    'source-differs',
    'source-gone',
    'source-too-large',
  ],
  cancelled: ['ingest-stopped'],
  internal: ['contour-interval', 'height-grid', 'relief-rows'],
});
