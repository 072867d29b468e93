import { sensors } from '../../../src/sensors/index.ts';
import type { SpectralBand } from '../../light/exposure.ts';
import type { Sentinel2Plan } from './plan.ts';
import { toPixelM } from './plan.ts';

/** A band of the instrument in a product. */
export interface MsiBand extends SpectralBand {
  /** `B8A`, as files are called. */
  readonly name: string;
  /** Number in the metadata files, by wavelength: B8A is 8. */
  readonly id: number;
  /** Side of its pixels on the ground, as the provider ships them. */
  readonly resolutionM: number;
  /** Standard deviation in the dark, and growth of the variance with the signal, of reflectances. */
  readonly noise: { readonly dark: number; readonly shot: number };
}

/** Bands of a product whose pixels are alike. */
export interface BandGroup {
  readonly pixelM: number;
  readonly width: number;
  readonly height: number;
  readonly bands: readonly MsiBand[];
}

/**
 * Signal-to-noise at the reference radiance, where a reflectance is about 0.1: ESA's Sentinel-2 user handbook, table of
 * radiometric performance. Four fifths of the variance are taken for shot noise.
 */
const REFERENCE = 0.1;
const SHOT_SHARE = 0.8;
const SIGNAL_TO_NOISE: Readonly<Record<string, number>> = {
  B01: 129,
  B02: 154,
  B03: 168,
  B04: 142,
  B05: 117,
  B06: 89,
  B07: 105,
  B08: 174,
  B8A: 72,
  B09: 114,
  B10: 50,
  B11: 100,
  B12: 100,
};

function toNoise(name: string): MsiBand['noise'] {
  const variance = (REFERENCE / (SIGNAL_TO_NOISE[name] ?? 100)) ** 2;
  return { dark: Math.sqrt(variance * (1 - SHOT_SHARE)), shot: (variance * SHOT_SHARE) / REFERENCE };
}

/** The reflective bands of a dataset, in the order of their numbers. */
export function listBands(dataset: 'sentinel2' | 'sentinel2l2a'): readonly MsiBand[] {
  const bandsOf = (name: string) =>
    (sensors.find((sensor) => sensor.dataset === name)?.bands ?? []).filter(
      ({ kind }) => kind === 'reflective',
    );
  const ids = bandsOf('sentinel2').map(({ name }) => name);
  return bandsOf(dataset).map(({ name, centreNm, widthNm, resolutionM }) => ({
    name,
    id: ids.indexOf(name),
    kind: 'reflective',
    resolutionM,
    noise: toNoise(name),
    centreNm: centreNm ?? 0,
    widthNm: widthNm ?? 0,
  }));
}

/** Puts bands of equal pixels together, finest first: they are seen in one exposure. */
export function planGroups(plan: Sentinel2Plan, bands: readonly MsiBand[]): readonly BandGroup[] {
  const byPixel = Map.groupBy(bands, ({ resolutionM }) => toPixelM(plan, resolutionM));
  return [...byPixel]
    .sort(([a], [b]) => a - b)
    .map(([pixelM, grouped]) => ({
      pixelM,
      width: plan.window.width / pixelM,
      height: plan.window.height / pixelM,
      bands: grouped,
    }));
}

/** Reflectance 1 is stored as this. */
export const QUANTIFICATION = 10_000;
/** What newer baselines add, and their metadata say to take off. */
export const ADDED = 1_000;
/** Files have 15 bits. */
const MAX_STORED = 32_767;

/** Rounds reflectances to stored numbers; 0 where nothing was measured, and only there. */
export function toStoredNumbers(
  plane: Float32Array,
  { added, outside }: { readonly added: number; readonly outside: Uint8Array | null },
): Uint16Array {
  const stored = new Uint16Array(plane.length);
  for (let i = 0; i < stored.length; i++) {
    const number = Math.floor(plane[i]! * QUANTIFICATION + added + 0.5);
    stored[i] = number < 1 ? 1 : number > MAX_STORED ? MAX_STORED : number;
  }
  if (outside !== null) for (let i = 0; i < stored.length; i++) if (outside[i] === 1) stored[i] = 0;
  return stored;
}

/** Stored numbers that are white, without what newer baselines add: the provider's own pictures use it. */
const WHITE = 3_558;

/** The bands of a true-colour picture: red, green, blue. */
export const TRUE_COLOUR = ['B04', 'B03', 'B02'] as const;

/** A stored number as the brightness of a picture, 1 to 255; 0 stays what was not measured. */
export function toBrightness(stored: number, added: number): number {
  if (stored === 0) return 0;
  return Math.min(255, Math.max(1, Math.round(((stored - added) * 255) / WHITE)));
}
