import type { Spectrum } from './spectra.ts';

/**
 * The air of a clear summer day at this sun elevation, one line a band. Chosen by hand, so that dark water and forest
 * get the usual values of Sentinel-2 Level-1C. B09 and B10 lie in water vapour bands and hardly reach the ground.
 */
const table: readonly (readonly number[])[] = [
  // path, passing, skylight, backscatter, hazePath, passingAboveClouds
  [0.112, 0.8, 0.38, 0.2, 0.008, 0.86], // B01
  [0.078, 0.85, 0.31, 0.16, 0.0075, 0.9], // B02
  [0.044, 0.88, 0.225, 0.115, 0.0068, 0.92], // B03
  [0.0225, 0.925, 0.155, 0.075, 0.0058, 0.955], // B04
  [0.0185, 0.93, 0.135, 0.065, 0.0054, 0.96], // B05
  [0.0155, 0.935, 0.115, 0.058, 0.005, 0.965], // B06
  [0.0125, 0.955, 0.095, 0.052, 0.0047, 0.975], // B07
  [0.0105, 0.945, 0.085, 0.047, 0.0044, 0.97], // B08
  [0.0095, 0.965, 0.08, 0.044, 0.0042, 0.98], // B8A
  [0.004, 0.32, 0.075, 0.04, 0.0015, 0.55], // B09
  [0.0012, 0.008, 0.04, 0.02, 0.0002, 0.03], // B10
  [0.0025, 0.96, 0.035, 0.015, 0.0016, 0.975], // B11
  [0.001, 0.93, 0.02, 0.01, 0.0009, 0.95], // B12
];

const column = (index: number): Spectrum => Float64Array.from(table, (row) => row[index]!);

/** What the air does to light, by band. */
export const air = {
  /** Light scattered into the sensor by the air alone. */
  path: column(0),
  /** Share of light that passes the air down and up. */
  passing: column(1),
  /** Share of the light on the ground that comes from the sky and not from the sun. */
  skylight: column(2),
  /** Part of the light from the ground that the air sends back down; one such bounce is counted. */
  backscatter: column(3),
  /** How much sea haze adds to `path`. */
  hazePath: column(4),
  /** Share of light that passes the thinner air above the clouds. */
  passingAboveClouds: column(5),
} as const;

/** Share of `path` that arises above the clouds. */
export const pathAboveClouds = 0.72;
