import type { Band, RadianceRange, Rescale } from '../../../src/sensors/index.ts';
import type { Mission } from './missions.ts';

/** How one band's numbers are made, as the product's own metadata state it: all constants are those of the texts. */
export interface BandScale {
  /** The band's number in metadata and file names: `4`, `6_VCID_1`. */
  readonly key: string;
  readonly band: Band;
  readonly isPan: boolean;
  readonly maxStored: number;
  readonly radiance: Rescale;
  /** Null of thermal bands. */
  readonly reflectance: Rescale | null;
  /** Null of reflective bands. */
  readonly thermal: { readonly k1: number; readonly k2: number } | null;
  /** `RADIANCE_MULT` and so on, as they are written. */
  readonly texts: {
    readonly radianceMult: string;
    readonly radianceAdd: string;
    readonly reflectanceMult: string;
    readonly reflectanceAdd: string;
  };
}

/** The day matters: an instrument's constants changed, and so does the distance of the sun. */
export interface ScaleDay {
  /** `YYYY-MM-DD`. */
  readonly acquiredOn: string;
  readonly earthSunDistanceAu: number;
}

/** Five digits as the metadata write them: `2.0000E-05`. */
const toScientific = (value: number): string =>
  value.toExponential(4).replace(/e([+-])(\d+)$/, (_, sign, digits) => `E${sign}${digits.padStart(2, '0')}`);

/** Scales of all bands that hold a measure, in the order of the sensor's bands. */
export function planBandScales(mission: Mission, day: ScaleDay): readonly BandScale[] {
  return mission.sensor.bands.flatMap((band) => {
    const constants = toConstants(band, mission, day);
    return constants === null ? [] : [toScale(band, constants)];
  });
}

interface Constants {
  readonly key: string;
  readonly radiance: Rescale;
  readonly reflectance: Rescale | null;
  readonly thermal: { readonly k1: number; readonly k2: number } | null;
}

function toConstants(band: Band, { esun, lowGain }: Mission, day: ScaleDay): Constants | null {
  const { calibration } = band;
  if (calibration.kind !== 'reflectance' && calibration.kind !== 'brightness-temperature') return null;
  const key = calibration.metadata.radianceMult.replace('RADIANCE_MULT_BAND_', '');
  const gain = lowGain === null ? null : lowGain.includes(key) ? 'L' : 'H';
  const pick = (ranges: readonly RadianceRange[]) => toRescale(pickRange(ranges, gain, day.acquiredOn));
  // radiance to reflectance before the division by the sun's height: π d² / ESUN
  const share = (sun: number) => (Math.PI * day.earthSunDistanceAu ** 2) / sun;
  if (calibration.kind === 'brightness-temperature') {
    const { k1, k2, radiance } = calibration.fallback;
    return {
      key,
      radiance: 'mult' in radiance ? radiance : pick(radiance),
      reflectance: null,
      thermal: { k1, k2 },
    };
  }
  const { fallback } = calibration;
  if ('reflectance' in fallback) {
    const { reflectance } = fallback;
    return { key, radiance: times(reflectance, 1 / share(esun[key]!)), reflectance, thermal: null };
  }
  const radiance = pick(fallback.radiance);
  return { key, radiance, reflectance: times(radiance, share(fallback.esun)), thermal: null };
}

const times = ({ mult, add }: Rescale, factor: number): Rescale => ({
  mult: mult * factor,
  add: add * factor,
});

function pickRange(
  ranges: readonly RadianceRange[],
  gain: 'H' | 'L' | null,
  acquiredOn: string,
): RadianceRange {
  const fits = ({ when }: RadianceRange) =>
    (when?.gain === undefined || when.gain === gain) &&
    (when?.acquiredBefore === undefined || acquiredOn < when.acquiredBefore);
  return ranges.find(fits)!;
}

function toRescale({ radianceMin, radianceMax, storedMin, storedMax }: RadianceRange): Rescale {
  const mult = (radianceMax - radianceMin) / (storedMax - storedMin);
  return { mult, add: radianceMin - mult * storedMin };
}

function toScale(band: Band, { key, radiance, reflectance, thermal }: Constants): BandScale {
  const texts = {
    radianceMult: toScientific(radiance.mult),
    radianceAdd: radiance.add.toFixed(5),
    reflectanceMult: reflectance === null ? '' : toScientific(reflectance.mult),
    reflectanceAdd: reflectance === null ? '' : reflectance.add.toFixed(6),
  };
  return {
    key,
    band,
    isPan: band.role === 'PAN',
    maxStored: band.type === 'uint8' ? 255 : 65_535,
    radiance: { mult: Number(texts.radianceMult), add: Number(texts.radianceAdd) },
    reflectance:
      reflectance === null
        ? null
        : { mult: Number(texts.reflectanceMult), add: Number(texts.reflectanceAdd) },
    thermal,
    texts,
  };
}
