import type { Palette } from '../ground/ground.ts';
import type { Material } from '../ground/materials.ts';
import { materials } from '../ground/materials.ts';
import type { SpectralBand } from './exposure.ts';

/**
 * Reflectance of everything the ground is made of, 400 to 2400 nm. The shapes are textbook spectroscopy, the kind of
 * curve that the spectral libraries of the USGS and ECOSTRESS show; the numbers are our own and copied from none.
 */
/** Wavelength in nanometres and reflectance, rising by wavelength; straight lines between, level beyond the ends. */
export type Spectrum = readonly (readonly [nm: number, reflectance: number])[];

/** The numbers of a text with spaces between: rows of figures read best as rows. */
const numbers = (text: string): readonly number[] => text.trim().split(/\s+/).map(Number);

/** Spectra that share their wavelengths; reflectances are in thousandths. */
const along =
  (wavelengths: string) =>
  (thousandths: string): Spectrum => {
    const reflectances = numbers(thousandths);
    return numbers(wavelengths).map((nm, i) => [nm, reflectances[i]! / 1000] as const);
  };

// Leaves: chlorophyll takes blue (to 500 nm) and red (680 nm) and leaves the green peak at 550; the red edge rises
// from 690 to 750 nm; cell walls scatter the near infrared; leaf water dips at 970, 1200, 1450 and 1940 nm.
const leaves =
  along(`400 450 495 520 550 580 620 665 682 695 705 720 740 755 785 870 925 970 1080 1200 1280 1370 1450
  1560 1660 1800 1940 2100 2210 2300 2400`);

// Soils, rocks and dry plants rise without a break: iron absorbs below 600 nm and at 900 nm; bound water dips at 1420
// and 1930 nm, clay and cellulose near 2100 to 2210 nm and beyond.
const dry = along(
  '400 450 490 560 610 665 705 740 785 865 940 1050 1250 1380 1420 1610 1800 1930 2100 2200 2300 2400',
);

// Water: what swims in it scatters blue to green light; from 700 nm on the water itself swallows nearly all.
const water = along('400 445 490 530 560 600 640 665 690 705 740 785 835 865 945 1100 1400 1610 2200 2400');

// Snow: near white to 800 nm; ice absorbs at 1030 and 1250, and almost all from 1450 nm on, save a peak at 1800 nm.
// Larger grains of old snow make all the dips deeper.
const snow =
  along(`400 490 560 665 740 800 865 945 1030 1100 1250 1330 1400 1480 1550 1610 1700 1800 1860 1950 2050
  2200 2250 2400`);

/** Spectra by material. */
export const spectra: Readonly<Record<Material, Spectrum>> = {
  'deep-water': water('34 36 33 25 18.5 9.5 6.5 5.5 5 4.2 3.5 3.4 3 3 2.8 2.5 2 2 1.6 1.5'),
  'shallow-water': water('40 52 68 80 77 52 36 29 23 16 8 7 6 5.5 4 3 2 2 1.6 1.5'),
  'turbid-water': water('42 52 66 85 98 92 82 73 66 54 29 27 22 19 12 8 3 3 2 2'),
  'lake-water': water('20 23 27 33 35 23 15.5 12.5 11 10.5 6.2 5.5 5 4.5 3.5 3 2 2 1.6 1.5'),
  'flood-water': water('56 68 84 106 125 135 137 134 128 114 75 71 62 55 36 24 7 7 5 4'),

  'beach-sand': dry(
    '130 165 195 250 285 310 325 335 350 370 380 400 420 420 400 440 440 360 420 410 400 360',
  ),
  mudflat: dry('55 67 80 105 120 130 137 140 146 152 140 148 130 90 60 98 85 35 65 68 55 40'),
  'pale-soil': dry('75 95 115 155 180 202 217 228 243 266 283 305 342 352 340 378 378 300 350 335 330 300'),
  'dark-soil': dry('36 43 51 68 81 94 103 110 120 136 149 166 197 210 205 236 243 190 222 212 205 185'),
  'red-soil': dry('42 50 62 98 132 155 170 180 190 198 212 240 283 293 283 318 315 250 290 265 270 245'),
  'wet-soil': dry('25 30 36 49 60 70 77 82 89 98 100 112 118 95 72 108 98 50 85 82 70 55'),

  'green-crop':
    leaves(`22 25 31 52 75 55 40 30 28 44 86 205 355 425 462 485 482 450 475 370 375 230 100 200 235 165 45 110
    115 85 50`),
  'blue-green-crop':
    leaves(`26 30 37 52 70 56 42 33 31 45 80 175 300 358 388 405 403 380 400 320 325 210 100 180 210 150 45 105
    110 85 55`),
  // Rape in bloom: the petals reflect green and red alike, which is yellow.
  'flowering-crop':
    leaves(`26 34 52 122 175 168 145 108 98 128 175 285 410 465 495 515 510 478 500 400 405 260 125 225 260 190
    60 130 135 100 65`),
  'dry-crop': dry('50 66 84 136 168 192 225 250 280 318 340 360 390 375 345 365 350 250 262 272 245 200'),
  stubble: dry('70 88 108 158 188 212 238 257 282 318 338 360 392 390 370 402 395 300 308 315 290 250'),
  meadow:
    leaves(`26 31 38 60 82 68 53 42 40 56 96 195 305 352 378 398 398 378 400 332 342 245 130 215 248 185 65 135
    140 108 75`),
  'dry-grass': dry('42 53 66 102 120 134 162 185 210 244 262 283 315 310 285 318 305 205 222 232 208 168'),
  shrub:
    leaves(`20 24 29 42 54 48 42 37 36 46 70 128 192 222 242 262 264 256 272 238 246 190 120 180 198 155 70 115
    120 95 70`),
  broadleaf:
    leaves(`16 19 23 40 55 42 31 24 23 35 68 165 290 345 375 398 396 372 395 318 325 205 90 165 195 138 40 85 90
    68 45`),
  // Chlorophyll fades first: carotenes still take the blue, so leaves turn yellow and red; the red edge moves to 690 nm.
  'autumn-broadleaf':
    leaves(`22 26 33 55 88 112 125 118 122 150 175 212 248 268 288 310 312 302 325 288 300 230 135 215 240 185
    75 132 138 108 78`),
  'bare-broadleaf': dry('34 40 46 60 72 83 95 106 120 142 153 168 192 185 165 195 185 115 138 140 125 100'),
  conifer:
    leaves(`12 14 17 26 34 28 22 18 17.5 25 45 100 165 192 210 228 226 208 225 168 174 105 45 85 100 70 20 43 46
    35 24`),
  'marsh-plants':
    leaves(`24 29 36 52 66 63 58 53 52 63 88 142 195 220 240 258 256 236 250 195 200 130 60 125 145 100 30 78 82
    62 42`),

  rock: dry('95 110 122 143 156 167 173 178 184 190 193 200 215 220 217 232 235 220 230 222 215 205'),
  scree: dry('120 140 157 187 203 216 224 229 236 244 249 258 275 280 275 292 293 272 285 275 267 252'),
  'fresh-snow': snow(
    '950 960 960 950 930 910 880 830 700 740 500 500 300 80 100 140 200 220 160 20 50 100 110 40',
  ),
  'old-snow': snow('740 790 790 760 710 670 620 540 360 420 180 180 90 20 26 40 62 70 50 8 15 32 36 12'),

  asphalt: dry('70 78 86 100 107 113 117 120 125 132 136 142 152 157 158 168 172 168 172 168 160 155'),
  concrete: dry('140 165 187 223 240 250 255 259 265 271 274 280 292 290 282 302 302 270 290 285 265 250'),
  'tile-roof': dry('55 64 75 118 175 210 226 238 252 262 272 290 310 318 316 338 338 325 332 320 310 295'),
  'metal-roof': dry(
    '260 310 340 365 370 372 370 368 365 362 365 375 390 395 397 405 410 408 410 400 395 385',
  ),
  'dark-roof': dry('62 66 70 76 80 84 87 90 94 99 103 108 116 120 121 129 132 130 132 130 126 122'),
  // Charcoal is black and slowly rises; ash is the pale mineral rest where all has burned.
  char: dry('26 28 30 34 37 41 45 48 53 61 68 77 96 105 106 130 145 142 162 166 166 164'),
  ash: dry('110 130 146 172 186 197 205 211 219 231 240 253 277 286 283 308 318 300 318 312 300 285'),
};

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
