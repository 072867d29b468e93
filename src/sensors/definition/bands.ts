import type { PixelType } from '../../raster/index.ts';
import type { Calibration } from './calibration.ts';
import type { Band } from './sensor.ts';

/** Centre and width of a spectral range, from its ends. */
export const range = (fromNm: number, toNm: number): Pick<Band, 'centreNm' | 'widthNm'> => ({
  centreNm: (fromNm + toNm) / 2,
  widthNm: toNm - fromNm,
});

/** A band of bits or classes: no spectrum, nothing to calibrate. */
export const qualityBand = (band: {
  readonly name: string;
  readonly resolutionM: number;
  readonly type: PixelType;
  readonly nodata: number | null;
}): Band => ({
  ...band,
  spellings: [],
  role: null,
  kind: 'quality',
  centreNm: null,
  widthNm: null,
  calibration: noCalibration('It holds classes or bits and no measure.'),
});

/** Calibration of numbers without a physical scale. */
export const noCalibration = (why: string): Calibration => ({ kind: 'none', why });
