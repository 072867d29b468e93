import { z } from 'zod';
import { sensors } from '../../sensors/index.ts';
import type { ParameterDoc } from '../endpoint/endpoint.ts';
import { SWITCH_NAMES } from '../request/switch.ts';
import { MASKING_NAMES } from './cloud-query.ts';
import { CLUSTERING_NAMES } from './cluster-query.ts';
import { RESAMPLE_NAMES } from './query.ts';

const sharpened = sensors
  .flatMap(({ title, pansharpening }) => (pansharpening === null ? [] : [title]))
  .toSorted()
  .join(', ');

/** The query of everything that is drawn, for the documentation (interface 4.2). */
export const pictureParameters: Readonly<Record<string, ParameterDoc>> = {
  MIN_MAX: {
    description: 'Contrast range "min,max"; by default the 2–98 % range of the scene, corrected for clouds.',
    schema: z.string(),
    example: '0,3000',
  },
  CALIBRATE: {
    description:
      'Physical values before band math: reflectance, brightness temperature or sigma nought. Off by default.',
    schema: z.enum(SWITCH_NAMES),
  },
  COMPOSITE: {
    description: '1 for three expressions as red, green and blue; three bands need it not.',
    schema: z.enum(SWITCH_NAMES),
  },
  PANSHARPENING: {
    description: `Sharpens pictures of ${sharpened} with their panchromatic band. Off by default.`,
    schema: z.enum(SWITCH_NAMES),
  },
  RESAMPLE: {
    description: 'How pixels are interpolated; by default bilinear; classes and bits are never mixed.',
    schema: z.enum(RESAMPLE_NAMES),
  },
  COLORMAP: {
    description: "A colormap for one band or expression, by name (matplotlib's, `_r` reverses) or id.",
    schema: z.string(),
    example: 'viridis',
  },
  COLORS_LIMIT: {
    description: 'How many colours a continuous colormap has, 2 to 256.',
    schema: z.string(),
  },
  COLORS: {
    description: 'Colours of ranges, hexadecimal, separated by commas; one more than THRESHOLDS.',
    schema: z.string(),
    example: 'ad0028,fdfec2,007e47',
  },
  THRESHOLDS: {
    description: 'Values between the colours of COLORS, separated by commas.',
    schema: z.string(),
    example: '0.3,0.6',
  },
  PALETTE: {
    description: 'Colours of whole numbers or of quality bits, as a JSON object; all else is transparent.',
    schema: z.string(),
  },
  MASKING: {
    description: 'CLOUD paints over the clouds; for sensors whose products say where they are.',
    schema: z.enum(MASKING_NAMES),
  },
  MASK_COLOR: {
    description: 'The colour of painted clouds, three or six hexadecimal digits; white by default.',
    schema: z.string(),
    example: 'fefefe',
  },
  CLUSTERING: {
    description:
      'kmeans shows classes of like pixels, fitted once to the area or the scene and numbered by their centres.',
    schema: z.enum(CLUSTERING_NAMES),
  },
  CLUSTERS_NO: {
    description: 'How many classes CLUSTERING makes, 2 to 20; 5 by default.',
    schema: z.string(),
    example: '5',
  },
  MIN_AREA: {
    description:
      'With CLUSTERING and cropper_ref: patches of fewer square metres go to their largest neighbour.',
    schema: z.string(),
    example: '2000',
  },
  cropper_ref: {
    description: 'An area that was kept: what lies outside is transparent.',
    schema: z.string().regex(/^[0-9a-f]{32}$/),
  },
  crs: {
    description: 'Reference system of the picture: EPSG:3857 unless told, EPSG:4326, or a UTM zone.',
    schema: z.string(),
    example: 'EPSG:4326',
  },
  TILE_SIZE: {
    description: 'Pixels of the picture, "width,height", up to 2048 each.',
    schema: z.string(),
    example: '600,400',
  },
  mimetype: {
    description: 'Image format; by default JPEG for opaque tiles and PNG for tiles with transparency.',
    schema: z.enum(['image/jpeg', 'image/png', 'image/webp']),
  },
};
