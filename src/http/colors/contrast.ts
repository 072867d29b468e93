/** Contrast on the wire: MIN_MAX, STRETCH and GAMMA of a query, and ranges in answers. */
import type { Stretch } from '../../color/index.ts';
import { badInput, unsupported } from '../../errors.ts';
import type { RenderOptions } from '../../render/index.ts';
import { json } from '../kit/json-schema.ts';
import { choice, custom, decimal, defineParameters } from '../kit/parameters.ts';
import type { Query } from '../kit/query.ts';
import { DECIMAL, parseDecimal } from '../kit/texts.ts';

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
