import { z } from 'zod';
import type { ParameterDoc } from '../endpoint/endpoint.ts';
import { DECIMAL } from '../request/strict-number.ts';
import { SWITCH_NAMES } from '../request/switch.ts';
import { CONTOUR_TYPES, isSlopeRange, RELIEF_TYPES, TERRAIN_FORMATS } from './product.ts';
import { MAX_TERRAIN_ZOOM, MIN_TERRAIN_ZOOM } from './tile-path.ts';

/** No zoom has more columns or rows. */
const column = z
  .int()
  .min(0)
  .max(2 ** MAX_TERRAIN_ZOOM - 1);

/** Where a tile lies, for the documentation. */
export const tileParameters = {
  z: {
    description: 'Zoom.',
    schema: z.int().min(MIN_TERRAIN_ZOOM).max(MAX_TERRAIN_ZOOM),
    example: '11',
  },
  x: { description: 'Column of the tile.', schema: column, example: '328' },
  y: {
    description:
      'Row of the tile, from the north; `@2x` behind it gives 512 × 512 pixels, `.png`, `.jpg` or `.webp` the format of a picture.',
    schema: z.union([column, z.string().regex(/^\d{1,5}(?:@2x)?(?:\.(?:png|jpg|jpeg|webp))?$/)]),
    example: '710',
  },
} as const satisfies Readonly<Record<string, ParameterDoc>>;

/** The query of terrain tiles, for the documentation. */
export const terrainParameters: Readonly<Record<string, ParameterDoc>> = {
  format: {
    description:
      'hillshade, slope or aspect as a picture; geotiff: heights as float32; terrarium or terrainrgb: heights as colours, for MapLibre and others; contours: lines.',
    schema: z.enum(TERRAIN_FORMATS).default('hillshade'),
  },
  FILTERING: {
    description: 'Removes spikes, small voids and stair-steps from the heights. Off by default.',
    schema: z.enum(SWITCH_NAMES),
  },
  COLORMAP: {
    description: 'Colormap of slope (terrain by default) or aspect (hsv by default), by name or id.',
    schema: z.string(),
    example: 'viridis',
  },
  MIN_SLOPE: {
    description: 'slope: gentler slopes are transparent; degrees.',
    schema: z.number().min(0).max(90).default(0),
  },
  SLOPE_RANGE: {
    description: 'slope: "min,max" in degrees, the ends of the colormap and of the legend; 0,90 by default.',
    schema: z
      .string()
      .regex(new RegExp(`^\\(?${DECIMAL},${DECIMAL}\\)?$`))
      .refine(isSlopeRange),
    example: '0,45',
  },
  AZIMUTH: {
    description: 'hillshade: where the light comes from, degrees clockwise from north.',
    schema: z.number().min(0).max(360).default(315),
  },
  ALTITUDE: {
    description: 'hillshade: height of the light above the horizon in degrees.',
    schema: z.number().min(0).max(90).default(45),
  },
  THRESHOLDS: {
    description: 'hillshade: values from 1 to 255 between the colours of COLORS, separated by commas.',
    schema: z.union([z.literal(''), z.string().regex(new RegExp(`^${DECIMAL}(?:,${DECIMAL})*$`))]),
    example: '90,181',
  },
  COLORS: {
    description: 'hillshade: hexadecimal colours of ranges, separated by commas; one more than THRESHOLDS.',
    schema: z.string().regex(/^#?[0-9a-fA-F]{6}(?:,#?[0-9a-fA-F]{6})*$/),
    example: '333333,999999,ffffff',
  },
  INTERVAL: {
    description: 'contours: metres between two lines; by default 5 at zoom 15 up to 2000 at zoom 1.',
    schema: z.number().min(0.1).max(5_000),
    example: '20',
  },
  UNKNOWN: {
    description:
      'terrarium and terrainrgb: the height in metres to write where none is known; those pixels are transparent without.',
    schema: z.number().min(-10_000).max(9_000),
    example: '0',
  },
  mimetype: {
    description: `Pictures: ${Object.keys(RELIEF_TYPES).join(', ')}. Contours: ${Object.keys(CONTOUR_TYPES).join(', ')}. The first one is the default.`,
    schema: z.enum(['image/tiff', ...Object.keys(RELIEF_TYPES), ...Object.keys(CONTOUR_TYPES)]),
  },
};
