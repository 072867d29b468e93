import type { RadianceRange } from '../definition/calibration.ts';
import { toLandsatKeys } from '../definition/calibration.ts';
import type { Band, BandRole } from '../definition/sensor.ts';
import { range } from '../definition/sensor.ts';

/** Radiances [W/(m² sr µm)] at the stored values 1 and 255, the range of the current ground system. */
export const ends = (
  [radianceMin, radianceMax]: readonly [number, number],
  when?: RadianceRange['when'],
): RadianceRange => ({
  radianceMin,
  radianceMax,
  storedMin: 1,
  storedMax: 255,
  when,
});

interface Old8BitBand {
  readonly name: string;
  readonly spellings?: readonly string[];
  readonly role: BandRole | null;
  readonly nm: readonly [from: number, to: number];
  readonly resolutionM: number;
  /** The band's number in metadata; by default that of its name. */
  readonly key?: string;
  readonly radiance: readonly RadianceRange[];
}

const toBand = ({ name, spellings, role, nm, resolutionM }: Old8BitBand) => ({
  name,
  spellings: spellings ?? [name.replace('B', 'B0')],
  role,
  ...range(...nm),
  resolutionM,
  type: 'uint8' as const,
  nodata: 0,
});

/** A reflective band of MSS, TM or ETM+; ESUN in W/(m² µm). */
export const toReflective = (band: Old8BitBand & { readonly esun: number }): Band => ({
  ...toBand(band),
  kind: 'reflective',
  calibration: {
    kind: 'reflectance',
    metadata: toLandsatKeys(band.key ?? band.name.slice(1)),
    fallback: { radiance: band.radiance, esun: band.esun },
  },
});

/** A thermal band of TM or ETM+. */
export const toThermal = (
  band: Old8BitBand & { readonly thermal: { readonly k1: number; readonly k2: number } },
): Band => ({
  ...toBand(band),
  kind: 'thermal',
  calibration: {
    kind: 'brightness-temperature',
    metadata: toLandsatKeys(band.key ?? band.name.slice(1)),
    fallback: { ...band.thermal, radiance: band.radiance },
  },
});
