import type { Palette } from '../ground/ground.ts';
import type { Material } from '../ground/materials.ts';
import { materials } from '../ground/materials.ts';
import type { SpectralBand } from './exposure.ts';
import type { Spectrum } from './spectra.ts';
import { spectra } from './spectra.ts';

/** Samples of a spectrum over a band; odd, so that one lies at the centre. */
const sampleCount = 17;

/** How an instrument with these bands sees every material; a thermal band sees no reflected light. */
export function toPalette(bands: readonly SpectralBand[]): Palette {
  const of = Object.fromEntries(
    materials.map((material) => [
      material,
      Float32Array.from(bands, (band) => (band.kind === 'thermal' ? 0 : bandMean(spectra[material], band))),
    ]),
  ) as Record<Material, Float32Array>;
  return { bandCount: bands.length, of };
}

/**
 * Mean of a spectrum over a band. Filters let most through in the middle and fall off steeply at the width's ends:
 * weights are level over the inner 80 % and ramp down to nothing 10 % beyond it.
 */
export function bandMean(spectrum: Spectrum, band: Pick<SpectralBand, 'centreNm' | 'widthNm'>): number {
  let sum = 0;
  let weights = 0;
  for (let sample = 0; sample < sampleCount; sample++) {
    // From -0.6 to 0.6 of the width.
    const off = ((2 * sample + 1) / sampleCount - 1) * 0.6;
    const weight = Math.min(1, (0.6 - Math.abs(off)) / 0.2);
    sum += weight * valueAt(spectrum, band.centreNm + off * band.widthNm);
    weights += weight;
  }
  return sum / weights;
}

function valueAt(spectrum: Spectrum, nm: number): number {
  let [beforeNm, before] = spectrum[0]!;
  if (nm <= beforeNm) return before;
  for (const [afterNm, after] of spectrum) {
    if (nm <= afterNm) return before + ((after - before) * (nm - beforeNm)) / (afterNm - beforeNm);
    beforeNm = afterNm;
    before = after;
  }
  return before;
}
