/**
 * Reflectance of ground materials at the thirteen Sentinel-2 band centres: typical values for early summer, of the
 * size that spectral libraries and Sentinel-2 surface products show, and copied from none.
 */

/** The bands in the instrument's order; every spectrum below has this order. */
export const bands = [
  { name: 'B01', resolutionM: 60 },
  { name: 'B02', resolutionM: 10 },
  { name: 'B03', resolutionM: 10 },
  { name: 'B04', resolutionM: 10 },
  { name: 'B05', resolutionM: 20 },
  { name: 'B06', resolutionM: 20 },
  { name: 'B07', resolutionM: 20 },
  { name: 'B08', resolutionM: 10 },
  { name: 'B8A', resolutionM: 20 },
  { name: 'B09', resolutionM: 60 },
  { name: 'B10', resolutionM: 60 },
  { name: 'B11', resolutionM: 20 },
  { name: 'B12', resolutionM: 20 },
] as const;

/** How many bands there are. */
export const bandCount = bands.length;

/** A reflectance, or another quantity, per band. */
export type Spectrum = Float64Array;

const spectrum = (...values: readonly number[]): Spectrum => Float64Array.from(values);

/** Materials by name. Bands: 443 492 560 665 704 741 783 833 865 945 1374 1614 2202 nm. */
export const spectra = {
  paleSoil: spectrum(0.088, 0.11, 0.152, 0.198, 0.218, 0.245, 0.26, 0.275, 0.285, 0.295, 0.33, 0.365, 0.33),
  redSoil: spectrum(0.056, 0.069, 0.103, 0.148, 0.168, 0.19, 0.203, 0.215, 0.225, 0.23, 0.27, 0.31, 0.275),
  greenCrop: spectrum(0.024, 0.028, 0.062, 0.03, 0.09, 0.31, 0.4, 0.435, 0.455, 0.455, 0.28, 0.2, 0.09),
  vine: spectrum(0.024, 0.029, 0.058, 0.036, 0.09, 0.25, 0.31, 0.34, 0.355, 0.355, 0.25, 0.19, 0.095),
  orchard: spectrum(0.022, 0.026, 0.048, 0.033, 0.078, 0.23, 0.285, 0.315, 0.33, 0.33, 0.23, 0.17, 0.085),
  dryGrass: spectrum(0.052, 0.064, 0.102, 0.129, 0.165, 0.2, 0.222, 0.245, 0.258, 0.268, 0.3, 0.32, 0.225),
  ripeCereal: spectrum(0.064, 0.082, 0.134, 0.186, 0.23, 0.258, 0.28, 0.3, 0.315, 0.325, 0.34, 0.36, 0.25),
  stubble: spectrum(0.085, 0.106, 0.158, 0.21, 0.25, 0.275, 0.295, 0.315, 0.33, 0.34, 0.37, 0.405, 0.3),
  oak: spectrum(0.017, 0.021, 0.041, 0.025, 0.062, 0.185, 0.23, 0.26, 0.265, 0.268, 0.17, 0.125, 0.055),
  pine: spectrum(0.016, 0.02, 0.035, 0.024, 0.052, 0.15, 0.185, 0.21, 0.22, 0.223, 0.14, 0.105, 0.048),
  riparian: spectrum(0.02, 0.024, 0.05, 0.027, 0.08, 0.29, 0.365, 0.4, 0.415, 0.415, 0.26, 0.175, 0.075),
  shrub: spectrum(0.023, 0.028, 0.05, 0.043, 0.082, 0.165, 0.195, 0.22, 0.232, 0.238, 0.19, 0.175, 0.1),
  limestone: spectrum(0.135, 0.16, 0.205, 0.25, 0.26, 0.27, 0.28, 0.29, 0.295, 0.3, 0.32, 0.335, 0.3),
  saltMarsh: spectrum(0.045, 0.052, 0.075, 0.082, 0.108, 0.155, 0.172, 0.188, 0.197, 0.2, 0.18, 0.18, 0.125),
  reed: spectrum(0.022, 0.027, 0.055, 0.043, 0.088, 0.22, 0.265, 0.295, 0.31, 0.31, 0.2, 0.155, 0.08),
  drySand: spectrum(0.15, 0.185, 0.25, 0.31, 0.33, 0.345, 0.36, 0.375, 0.385, 0.39, 0.41, 0.43, 0.4),
  wetSand: spectrum(0.085, 0.105, 0.145, 0.175, 0.185, 0.19, 0.195, 0.2, 0.2, 0.19, 0.12, 0.15, 0.11),
  gravel: spectrum(0.11, 0.13, 0.165, 0.195, 0.205, 0.215, 0.225, 0.235, 0.24, 0.245, 0.265, 0.28, 0.25),
  foam: spectrum(0.36, 0.38, 0.38, 0.36, 0.33, 0.3, 0.28, 0.26, 0.25, 0.22, 0.05, 0.06, 0.03),
  deepSea: spectrum(
    0.036,
    0.033,
    0.0185,
    0.0055,
    0.004,
    0.0035,
    0.0035,
    0.003,
    0.003,
    0.003,
    0.002,
    0.002,
    0.0015,
  ),
  plume: spectrum(0.045, 0.06, 0.086, 0.062, 0.033, 0.02, 0.019, 0.015, 0.013, 0.009, 0.003, 0.003, 0.002),
  lagoonWater: spectrum(
    0.04,
    0.051,
    0.078,
    0.052,
    0.043,
    0.023,
    0.019,
    0.015,
    0.013,
    0.009,
    0.003,
    0.003,
    0.002,
  ),
  riverWater: spectrum(
    0.035,
    0.043,
    0.063,
    0.05,
    0.042,
    0.029,
    0.027,
    0.023,
    0.021,
    0.016,
    0.006,
    0.007,
    0.004,
  ),
  poolWater: spectrum(0.13, 0.17, 0.18, 0.07, 0.04, 0.03, 0.025, 0.02, 0.02, 0.015, 0.006, 0.006, 0.004),
  tile: spectrum(0.07, 0.085, 0.125, 0.205, 0.225, 0.24, 0.255, 0.27, 0.28, 0.285, 0.31, 0.34, 0.32),
  paleRoof: spectrum(0.24, 0.275, 0.31, 0.335, 0.34, 0.345, 0.35, 0.355, 0.355, 0.355, 0.36, 0.355, 0.33),
  whiteRoof: spectrum(0.46, 0.52, 0.55, 0.56, 0.56, 0.555, 0.55, 0.55, 0.545, 0.54, 0.48, 0.45, 0.4),
  greyRoof: spectrum(0.12, 0.135, 0.15, 0.16, 0.163, 0.167, 0.17, 0.175, 0.177, 0.18, 0.19, 0.2, 0.195),
  asphalt: spectrum(0.078, 0.088, 0.102, 0.113, 0.117, 0.121, 0.125, 0.13, 0.133, 0.136, 0.15, 0.165, 0.165),
  road: spectrum(0.11, 0.125, 0.147, 0.163, 0.168, 0.173, 0.178, 0.183, 0.186, 0.19, 0.2, 0.215, 0.21),
  concrete: spectrum(0.165, 0.19, 0.225, 0.25, 0.255, 0.26, 0.265, 0.27, 0.272, 0.275, 0.29, 0.3, 0.285),
  greenhouse: spectrum(0.2, 0.225, 0.255, 0.25, 0.265, 0.32, 0.34, 0.35, 0.355, 0.355, 0.3, 0.27, 0.2),
  cloud: spectrum(0.74, 0.755, 0.765, 0.78, 0.785, 0.79, 0.79, 0.79, 0.785, 0.76, 0.6, 0.56, 0.43),
} as const satisfies Readonly<Record<string, Spectrum>>;

/** How fast light fades in clear coastal water, per metre of depth; red is gone in a few metres, infrared in none. */
export const waterFading = spectrum(0.085, 0.068, 0.092, 0.39, 0.7, 2.5, 2.4, 3.2, 4.6, 20, 60, 60, 60);

/** Covers `share` of what is in `target` by `material`, in place. */
export function mixInto(target: Spectrum, material: Spectrum, share: number): void {
  if (share <= 0) return;
  // Weighed this way round, a full share leaves no trace of what was there, not even in the last bit.
  const part = share < 1 ? share : 1;
  const rest = 1 - part;
  for (let band = 0; band < bandCount; band++) {
    target[band] = target[band]! * rest + material[band]! * part;
  }
}

/** Multiplies every band, in place. */
export function scaleBy(target: Spectrum, factor: number): void {
  for (let band = 0; band < bandCount; band++) target[band] = target[band]! * factor;
}
