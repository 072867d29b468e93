import { exp, power } from '../numbers/steady-math.ts';
import type { SpectralBand } from './exposure.ts';
import type { Spectrum } from './spectra.ts';
import { bandMean } from './spectra.ts';

/** What the air does to one band's light, as an instrument looking straight down sees it. */
export interface Air {
  /** Reflectance of the air alone, above ground of a height: see `heightStepM`. */
  readonly path: Float32Array;
  /** Share of light that passes the air down to the ground and up again, by height as well. */
  readonly passing: Float32Array;
  /** Share of the light on level ground that comes from the sky and not straight from the sun. */
  readonly skylight: number;
  /** Part of the light from the ground that the air sends back down. */
  readonly backscatter: number;
  /** The same above the tops of opaque clouds, and above cirrus. */
  readonly cloudPath: number;
  readonly cloudPassing: number;
  readonly cloudBackscatter: number;
  readonly cirrusPassing: number;
}

/** Heights the air is reckoned at, from the sea up. */
export const heightStepM = 64;
export const heightSteps = 64;

/** The air of a moment. */
export interface AirState {
  readonly cosZenith: number;
  /** 0 (clear mountain air) .. 1, of the sky's plan. */
  readonly haze: number;
  /** Water vapour above the sea, 1 for 15 mm of water. */
  readonly vapour: number;
  readonly cloudTopM: number;
}

const cirrusM = 9500;

/**
 * How water vapour takes light, as optical depth of a column of 15 mm: weak bands at 720 and 820 nm, strong ones at
 * 940 and 1130 nm, and near 1380 and 1870 nm so strong that the ground cannot be seen. Smoothed over the lines.
 */
const vapourDepth: Spectrum = [
  [690, 0],
  [718, 0.04],
  [732, 0.03],
  [750, 0.002],
  [800, 0.003],
  [820, 0.035],
  [842, 0.004],
  [885, 0.004],
  [910, 0.14],
  [938, 0.62],
  [955, 0.42],
  [975, 0.12],
  [1000, 0.005],
  [1080, 0.02],
  [1130, 0.5],
  [1170, 0.1],
  [1230, 0.012],
  [1290, 0.05],
  [1330, 0.8],
  [1355, 6],
  [1375, 10],
  [1395, 9],
  [1420, 4],
  [1460, 0.9],
  [1500, 0.12],
  [1540, 0.015],
  [1680, 0.006],
  [1740, 0.08],
  [1790, 1],
  [1830, 6],
  [1900, 7],
  [1950, 1.4],
  [2000, 0.2],
  [2080, 0.03],
  [2200, 0.02],
  [2300, 0.05],
  [2400, 0.25],
];

/** Ozone's broad band around 600 nm, oxygen at 688 and 762 nm, carbon dioxide and methane beyond 1570 nm. */
const dryDepth: Spectrum = [
  [420, 0],
  [480, 0.006],
  [540, 0.024],
  [600, 0.036],
  [650, 0.018],
  [680, 0.012],
  [688, 0.04],
  [700, 0.007],
  [750, 0.003],
  [762, 0.22],
  [775, 0.002],
  [1250, 0.002],
  [1268, 0.05],
  [1290, 0.002],
  [1570, 0.015],
  [1610, 0.018],
  [1650, 0.008],
  [1980, 0.1],
  [2010, 0.6],
  [2060, 0.25],
  [2090, 0.02],
  [2200, 0.03],
  [2300, 0.09],
  [2400, 0.12],
];

/** How the optical depth of each part of the air shrinks with height: e-folding heights in metres. */
const rayleighM = 8000;
const aerosolM = 1700;
const vapourM = 2000;

/** Reckons the air of a band. */
export function makeAir(band: SpectralBand, state: AirState): Air {
  const at = (heightM: number) => airAbove(band, state, heightM);
  const path = new Float32Array(heightSteps);
  const passing = new Float32Array(heightSteps);
  const reckoned = Array.from({ length: heightSteps / 8 + 1 }, (_, eighth) => at(eighth * 8 * heightStepM));
  for (let step = 0; step < heightSteps; step++) {
    const below = reckoned[Math.floor(step / 8)]!;
    const above = reckoned[Math.floor(step / 8) + 1]!;
    const share = ((step % 8) + 0.5) / 8;
    path[step] = below.path + (above.path - below.path) * share;
    passing[step] = below.passing + (above.passing - below.passing) * share;
  }
  const sea = reckoned[0]!;
  const cloud = at(state.cloudTopM);
  return {
    path,
    passing,
    skylight: sea.skylight,
    backscatter: sea.backscatter,
    cloudPath: cloud.path,
    cloudPassing: cloud.passing,
    cloudBackscatter: cloud.backscatter,
    cirrusPassing: at(cirrusM).passing,
  };
}

/** As Level-2 products have it: the air is taken out, but skylight still softens shadows. */
export function withoutAir(air: Air): Air {
  return {
    path: new Float32Array(heightSteps),
    passing: new Float32Array(heightSteps).fill(1),
    skylight: air.skylight,
    backscatter: 0,
    cloudPath: 0,
    cloudPassing: 1,
    cloudBackscatter: 0,
    cirrusPassing: 1,
  };
}

function airAbove(band: SpectralBand, { cosZenith, haze, vapour }: AirState, heightM: number) {
  const um = band.centreNm / 1000;
  // Hansen & Travis 1974 for the molecules; aerosols by Ångström's law with exponent 1.3.
  const molecules =
    ((0.008569 * (1 + 0.0113 / (um * um) + 0.00013 / (um * um * um * um))) / (um * um * um * um)) *
    exp(-heightM / rayleighM);
  const aerosols = (0.05 + 0.4 * haze) * power(um / 0.55, -1.3) * exp(-heightM / aerosolM);
  const depth = molecules + aerosols;

  // Light scattered once, towards a nadir view: molecules by Rayleigh's phase function, aerosols by that of Henyey and
  // Greenstein with asymmetry 0.65. Light scattered more often grows with depth; 1.5 fits tables for dark ground.
  const cosine = -cosZenith;
  const byMolecules = 0.75 * (1 + cosine * cosine);
  const byAerosols = 0.95 * henyeyGreenstein(cosine, 0.65);
  const slant = 1 / cosZenith + 1;
  const once =
    (((molecules * byMolecules + aerosols * byAerosols) / depth) * (1 - exp(-depth * slant))) /
    (4 * (cosZenith + 1));
  const scattered = once * (1 + 1.5 * depth);

  const gases = gasPassing(band, slant, vapour * exp(-heightM / vapourM));
  // Half of what molecules scatter and a sixth of what aerosols do is lost to space.
  const lost = 0.52 * molecules + 0.16 * aerosols;
  const downward = exp(-lost / cosZenith);
  return {
    // Scattering happens at all heights, above and below the gases.
    path: scattered * (0.4 + 0.6 * gases) * Math.sqrt(gases),
    passing: downward * exp(-lost) * gases,
    skylight: 1 - exp(-(molecules + 0.7 * aerosols) / cosZenith) / downward + 0.02,
    backscatter: 0.7 * molecules + 0.25 * aerosols,
  };
}

function henyeyGreenstein(cosine: number, asymmetry: number): number {
  const base = 1 + asymmetry * asymmetry - 2 * asymmetry * cosine;
  return (1 - asymmetry * asymmetry) / (base * Math.sqrt(base));
}

/** Mean over the band, since its gaps let light through where its middle does not. */
function gasPassing(band: SpectralBand, slant: number, vapour: number): number {
  const through = (depth: Spectrum, amount: number): number =>
    bandMean(
      depth.map(([nm, tau]) => [nm, exp(-tau * amount * slant)] as const),
      band,
    );
  return through(vapourDepth, vapour) * through(dryDepth, 1);
}
