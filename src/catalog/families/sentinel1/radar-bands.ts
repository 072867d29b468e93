import { isSwathError } from '../../../errors.ts';
import type { BandCalibration } from '../../product-details.ts';
import type { Sentinel1Calibration } from './calibration.ts';
import type { Sentinel1Noise } from './noise.ts';
import { parseSentinel1Noise } from './noise.ts';

/** A table of noise, or why there is none. */
export type NoiseOrNote = Sentinel1Noise | { readonly note: string };

/** Parses a noise file. Pictures can do without it, so a broken one costs the noise, not the scene. */
export function tryNoise(text: string, what: string): NoiseOrNote {
  try {
    return parseSentinel1Noise(text, what);
  } catch (error) {
    if (!isSwathError(error) || error.tag === 'internal') throw error;
    return { note: `The noise is left out: ${error.message}` };
  }
}

/** The calibration of each polarisation, with its noise. */
export function toRadarBands(
  calibrations: readonly Sentinel1Calibration[],
  noises: readonly NoiseOrNote[],
): { readonly bands: readonly (readonly [string, BandCalibration])[]; readonly notes: readonly string[] } {
  const known = new Map(
    noises.flatMap((one) =>
      'note' in one ? [] : [[one.polarisation, { range: one.range, azimuth: one.azimuth }]],
    ),
  );
  return {
    bands: calibrations.map(({ polarisation, sigmaNought }) => {
      const noise = known.get(polarisation);
      return [polarisation, { sigmaNought, ...(noise === undefined ? {} : { noise }) }];
    }),
    notes: noises.flatMap((one) => ('note' in one ? [one.note] : [])),
  };
}
