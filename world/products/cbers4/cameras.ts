import { internal } from '../../../src/errors.ts';
import type { SpectralBand } from '../../light/exposure.ts';
import { toReflectiveBands } from '../reflective-bands.ts';

/** Cameras of CBERS-4 by their name in products. */
export type Cbers4Camera = 'MUX' | 'AWFI' | 'PAN10M' | 'PAN5M';

/** A band of a camera. */
export interface Cbers4Band {
  /** `5`, as INPE counts. */
  readonly number: string;
  readonly spectral: SpectralBand;
  /** Radiance of a stored unit, in W/(m² sr µm). */
  readonly gain: number;
  /** What the XML says of it. */
  readonly statedGain: number;
  readonly esun: number;
}

/** A camera as the writer needs it. */
export interface CameraTraits {
  readonly camera: Cbers4Camera;
  readonly resolutionM: number;
  readonly type: 'uint8' | 'uint16';
  readonly maxStored: number;
  /** In reflectance; `shot` is the growth of its variance with the light. */
  readonly noise: { readonly dark: number; readonly shot: number };
  readonly bands: readonly Cbers4Band[];
}

/**
 * Gains of the PAN camera, by band: INPE publishes none, so that only a product's XML can say them. These let a
 * reflectance of 0.6 under a high sun come near the top of 8 bits.
 */
const PAN_GAINS: Readonly<Record<string, number>> = { BAND1: 1.02, BAND2: 1.45, BAND3: 1.22, BAND4: 0.78 };

/** The XML of real AWFI products overstates its gains about fourfold (sensors/cbers4/cameras.ts); so does ours. */
const AWFI_STATED: Readonly<Record<string, number>> = {
  BAND13: 1.4351,
  BAND14: 1.4351,
  BAND15: 1.3903,
  BAND16: 1.3903,
};

const NOISE = {
  MUX: { dark: 0.0015, shot: 6e-6 },
  AWFI: { dark: 0.0008, shot: 3e-6 },
  PAN10M: { dark: 0.0015, shot: 6e-6 },
  PAN5M: { dark: 0.0018, shot: 8e-6 },
} as const;

/** Finds what our sensors know of a camera, and adds what only its products say. */
export function toCameraTraits(camera: Cbers4Camera): CameraTraits {
  const bands = toReflectiveBands(`cbers4${camera.toLowerCase()}`);
  const { resolutionM } = bands[0]!.known;
  const isWide = camera === 'AWFI';
  return {
    camera,
    resolutionM,
    type: isWide ? 'uint16' : 'uint8',
    // ten bits and eight
    maxStored: isWide ? 1023 : 255,
    noise: NOISE[camera],
    bands: bands.map(({ known: { name, calibration }, spectral }) => {
      if (calibration.kind !== 'radiance') throw internal('no-gain', `The band ${name} has no gain.`);
      const gain = calibration.radiance?.mult ?? PAN_GAINS[name];
      if (gain === undefined) throw internal('no-gain', `The band ${name} has no gain.`);
      const statedGain = AWFI_STATED[name] ?? gain;
      return { number: name.replace('BAND', ''), spectral, gain, statedGain, esun: calibration.esun };
    }),
  };
}
