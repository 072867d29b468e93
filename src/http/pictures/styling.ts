/** How a query styles a picture: contrast, colours, clouds that are painted over, and clusters. */

import type { ColormapReference, Stretch } from '../../color/index.ts';
import { parseColormapName } from '../../color/index.ts';
import type { RenderOptions } from '../../render/index.ts';
import { badInput, unsupported } from '../errors.ts';
import { json } from '../kit/json-schema.ts';
import type { Query } from '../kit/parameters.ts';
import {
  choice,
  custom,
  DECIMAL,
  decimal,
  defineParameters,
  isOff,
  OFF_NAMES,
  parseDecimal,
  text,
  whole,
} from '../kit/parameters.ts';

/** Data are float32: larger values do not exist, and the span of such a range would overflow. */
const isReachable = (value: number): boolean => Number.isFinite(Math.fround(value));

/** `min,max`: one contrast range for all channels. */
export function parseMinMax(text: string): Stretch {
  const [min, max, ...more] = text.split(',').map(parseDecimal);
  if (min == null || max == null || more.length > 0) {
    throw badInput('bad-min-max', 'MIN_MAX must be two numbers "min,max"; of three channels also six.');
  }
  if (!isReachable(min) || !isReachable(max)) {
    throw badInput('bad-min-max', 'MIN_MAX must be between -3.4e38 and 3.4e38.');
  }
  if (min >= max) throw flatMinMax();
  return { min, max };
}

const flatMinMax = (): Error =>
  unsupported('flat-min-max', 'MIN_MAX leaves no contrast: min must be below max.');

/** MIN_MAX of a legend or colorbar: what is one number as float32, as data are, leaves no room for colours. */
export const colorRange = (doc: { readonly description: string; readonly example: string }) =>
  custom({
    ...doc,
    fallback: null,
    schema: json.string({ pattern: `^${DECIMAL},${DECIMAL}$` }),
    read(text): Stretch {
      const range = parseMinMax(text);
      if (Math.fround(range.min) >= Math.fround(range.max)) throw flatMinMax();
      return range;
    },
  });

/** MIN_MAX of a picture: one range for all channels, or `min,max,min,max,min,max` for red, green and blue. */
interface PictureRange {
  /** The first. */
  readonly range: Stretch | null;
  /** Present if there is one for each channel. */
  readonly ranges?: readonly Stretch[];
}

const NO_RANGE: PictureRange = { range: null };

const pictureRange = custom({
  description:
    'Contrast range "min,max"; of three channels also six numbers, a range for each. By default the 2–98 % range of the scene, corrected for clouds.',
  example: '0,3000',
  fallback: NO_RANGE,
  schema: json.string({ pattern: `^${DECIMAL},${DECIMAL}(?:(?:,${DECIMAL}){4})?$` }),
  read(text): PictureRange {
    const parts = text.split(',');
    if (parts.length !== 6) return { range: parseMinMax(text) };
    const ranges = [0, 2, 4].map((i) => parseMinMax(`${parts[i]},${parts[i + 1]}`));
    return { range: ranges[0] as Stretch, ranges };
  },
});

/** What STRETCH may say. */
export const STRETCH_NAMES = ['auto', 'natural'] as const;

/** STRETCH; its description depends on the endpoint. */
export const stretchName = (doc: { readonly description: string; readonly example?: string }) =>
  choice({ ...doc, names: STRETCH_NAMES, ignoresCase: true, fallback: null });

/** Beyond these a picture is black and white. */
export const MIN_GAMMA = 0.1;
export const MAX_GAMMA = 10;

/** How contrast is found if it is not given. */
export const stretchParameters = defineParameters({
  STRETCH: stretchName({
    description:
      'natural: physical values between bounds that are fixed for the sensor, the same in every scene, with CALIBRATE on; MIN_MAX is refused with it. auto: the contrast of the scene. auto by default.',
    example: 'natural',
  }),
  GAMMA: decimal({
    description:
      'Raises the fraction of the contrast range to 1/GAMMA: above 1 dark ground becomes brighter. Default 1; with STRETCH=natural that of the sensor.',
    example: '2',
    min: MIN_GAMMA,
    max: MAX_GAMMA,
    fallback: null,
  }),
});

/** The contrast of a picture. */
export const contrastParameters = defineParameters({ MIN_MAX: pictureRange, ...stretchParameters });

/** The part of a picture's contrast that STRETCH and GAMMA decide. */
export type StretchOptions = Pick<RenderOptions, 'isNatural' | 'gamma'>;

/** Reads `STRETCH` and `GAMMA`. Natural colour has a range of its own: MIN_MAX is refused with it. */
export function parseStretch(query: Query): StretchOptions {
  const isNatural = stretchParameters.STRETCH.read(query) === 'natural';
  if (isNatural && query.has('MIN_MAX')) throw naturalWithRange('STRETCH=natural', 'MIN_MAX');
  const gamma = stretchParameters.GAMMA.read(query);
  return { ...(isNatural ? { isNatural } : {}), ...(gamma === null ? {} : { gamma }) };
}

/** The refusal of two ranges for one picture. */
export const naturalWithRange = (stretch: string, range: string): Error =>
  unsupported(
    'range-of-natural',
    `${stretch} has fixed ranges, so ${range} cannot be combined with it: pass one of them.`,
  );

/** What answers say about the curve of a range. */
export const curveSchema = {
  'gamma?': json.number({ description: 'Exponent of the curve, if it is not 1.' }),
  'unit?': json.literal('dB', { description: 'The unit of min and max, if it is not that of the values.' }),
};

/** Values in the unit of the range: radar in decibels. */
export const inUnits = ({ isDecibel: _, ...range }: Stretch): Stretch => range;

/** A range as it is answered. */
export const toWireRange = (range: Stretch) =>
  range.isDecibel === true ? { ...inUnits(range), unit: 'dB' } : inUnits(range);

const HEX_COLOR = '#?[0-9a-fA-F]{6}';

/** A list of one or more, separated by commas. */
const listOf = (item: string): string => `^${item}(?:,${item})*$`;

/** The colours of one band or expression. They stay text: `color/` reads them where it is known what they colour. */
export const colorParameters = defineParameters({
  COLORMAP: custom({
    description: "A colormap for one band or expression, by name (matplotlib's, `_r` reverses) or id.",
    example: 'viridis',
    schema: json.string(),
    fallback: null,
    read: (name): ColormapReference => parseColormapName(name),
  }),
  COLORS_LIMIT: custom({
    description: 'How many colours a continuous colormap has: 256 by default. Only with COLORMAP.',
    schema: json.integer({ min: 2, max: 256 }),
    fallback: null,
    read: (limit) => limit,
  }),
  COLORS: text({
    description: 'Colours of ranges, hexadecimal, separated by commas; one more than THRESHOLDS.',
    example: 'ad0028,fdfec2,007e47',
    pattern: listOf(HEX_COLOR),
    fallback: null,
  }),
  THRESHOLDS: custom({
    description: 'Values between the colours of COLORS, separated by commas; empty for one colour.',
    example: '0.3,0.6',
    schema: json.union([json.literal(''), json.string({ pattern: listOf(DECIMAL) })]),
    fallback: null,
    read: (values) => values,
  }),
  PALETTE: text({
    description: 'Colours of whole numbers or of quality bits, as a JSON object; all else is transparent.',
    pattern: /^\s*\{[^{}]*\}\s*$/,
    fallback: null,
  }),
});

/** What a query says of colours. The colormap is still a name. */
export interface PictureColor {
  readonly color: Omit<RenderOptions['color'], 'colormap'>;
  readonly colormap: ColormapReference | null;
}

/** Reads `COLORMAP`, `COLORS_LIMIT`, `COLORS`, `THRESHOLDS` and `PALETTE`. */
export function parseColor(query: Query): PictureColor {
  const { COLORMAP, PALETTE, COLORS_LIMIT, COLORS, THRESHOLDS } = colorParameters;
  const palette = PALETTE.read(query);
  const colorsLimit = COLORS_LIMIT.read(query);
  const colors = COLORS.read(query);
  const thresholds = THRESHOLDS.read(query);
  return {
    color: {
      ...(palette === null ? {} : { palette }),
      ...(colorsLimit === null ? {} : { colorsLimit }),
      ...(colors === null ? {} : { colors }),
      ...(thresholds === null ? {} : { thresholds }),
    },
    colormap: COLORMAP.read(query),
  };
}

/** White, as clouds are. */
const DEFAULT_COLOR = 'ffffff';

/** How clouds are painted over. */
export const cloudParameters = defineParameters({
  MASKING: choice({
    description:
      'CLOUD paints over clouds, CLOUD_SHADOW over clouds, cirrus and shadows; only for sensors whose products have a cloud mask.',
    names: ['CLOUD', 'CLOUD_SHADOW', ...OFF_NAMES],
    ignoresCase: true,
    fallback: null,
    rule: 'must be CLOUD, CLOUD_SHADOW, or 0 for none.',
  }),
  MASK_COLOR: custom({
    description: 'The colour of painted clouds, three or six hexadecimal digits; white by default.',
    example: 'fefefe',
    schema: json.string({ pattern: /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/ }),
    fallback: null,
    rule: 'must be three or six hexadecimal digits, such as fefefe.',
    read(color) {
      const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color) ?? [];
      if (digits === undefined) return null;
      const full = digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('');
      return full.toLowerCase();
    },
  }),
});

/** Reads `MASKING` and `MASK_COLOR`, the colour that clouds are painted with; empty if MASKING is not set. */
export function parseCloudCover(query: Query): Pick<RenderOptions, 'clouds'> {
  const color = cloudParameters.MASK_COLOR.read(query);
  if (color !== null && !query.has('MASKING')) {
    throw unsupported('lone-mask-color', 'MASK_COLOR needs MASKING=CLOUD as well.');
  }
  const masking = cloudParameters.MASKING.read(query);
  if (masking === null || isOff(masking)) return {};
  const cover = { color: color ?? DEFAULT_COLOR };
  return { clouds: masking === 'CLOUD_SHADOW' ? { ...cover, withShadows: true } : cover };
}

const DEFAULT_CLUSTERS = 5;

/** How pixels are clustered. More classes would be hard to distinguish by colour. */
export const clusterParameters = defineParameters({
  CLUSTERING: choice({
    description:
      'kmeans shows classes of like pixels, fitted once to the area or the scene and numbered by their centres.',
    names: ['kmeans', ...OFF_NAMES],
    ignoresCase: true,
    fallback: null,
    rule: 'must be kmeans, or 0 for none.',
    refuse: 'unsupported',
  }),
  CLUSTERS_NO: whole({
    description: `How many classes CLUSTERING makes: ${DEFAULT_CLUSTERS} by default.`,
    example: String(DEFAULT_CLUSTERS),
    min: 2,
    max: 20,
    fallback: null,
    refuse: 'unsupported',
  }),
  MIN_AREA: decimal({
    description:
      'With CLUSTERING and cropper_ref: patches smaller than this, in square metres, join their largest neighbour.',
    example: '2000',
    min: 0,
    max: Number.MAX_VALUE,
    schema: json.number({ min: 0 }),
    fallback: null,
    rule: 'must be a number of square metres from 0 up.',
    refuse: 'unsupported',
  }),
});

/**
 * Reads `CLUSTERING=kmeans`, `CLUSTERS_NO` and `MIN_AREA`; empty if CLUSTERING is not set. The other two have no
 * meaning without it, and are refused alone.
 */
export function parseClusters(query: Query): Pick<RenderOptions, 'clusters'> {
  if (!query.has('CLUSTERING') && (query.has('CLUSTERS_NO') || query.has('MIN_AREA'))) {
    throw unsupported('lone-clusters-no', 'CLUSTERS_NO and MIN_AREA need CLUSTERING=kmeans as well.');
  }
  const clustering = clusterParameters.CLUSTERING.read(query);
  if (clustering === null || isOff(clustering)) return {};
  const count = clusterParameters.CLUSTERS_NO.read(query) ?? DEFAULT_CLUSTERS;
  const minAreaM2 = clusterParameters.MIN_AREA.read(query) ?? 0;
  return { clusters: { count, minAreaM2 } };
}
