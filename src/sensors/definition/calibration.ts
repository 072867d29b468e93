/** value = stored * mult + add. */
export interface Rescale {
  readonly mult: number;
  readonly add: number;
}

/** Radiance at the ends of the range of stored values, for products without calibration in their metadata. */
export interface RadianceRange {
  /** In W/(m² sr µm), at the stored values `storedMin` and `storedMax`. */
  readonly radianceMin: number;
  readonly radianceMax: number;
  readonly storedMin: number;
  readonly storedMax: number;
  /** The scenes it applies to; the first match of a list counts. */
  readonly when?: { readonly acquiredBefore?: string; readonly gain?: 'H' | 'L' } | undefined;
}

/**
 * How stored numbers of a band become physical values, for CALIBRATE. The product's own metadata take precedence; the
 * constants here are for products without them.
 */
export type Calibration =
  /** No physical scale: calibration does not change the numbers. */
  | { readonly kind: 'none'; readonly why: string }
  /** Reflectance = stored * mult + add, the same for all products. */
  | { readonly kind: 'scaled'; readonly quantity: 'reflectance' | 'kelvin'; readonly scale: Rescale }
  /**
   * Sentinel-2: reflectance = (stored + offset) / quantification. The offset depends on the processing baseline: entries
   * are in order, and the last one that is not newer than the product applies.
   */
  | {
      readonly kind: 'quantified';
      readonly quantification: number;
      readonly offsets: readonly { readonly fromBaseline: string; readonly offset: number }[];
      /** Finds the baseline in a product's name, as groups `major` and `minor`; a name without one has the oldest. */
      readonly baselineInName: RegExp;
      /** Elements of the product's metadata that take precedence over these constants. */
      readonly metadata: { readonly quantification: string; readonly offset: string };
    }
  /**
   * Landsat: reflectance = (stored * mult + add) / sin(sun elevation). Without mult and add in the metadata, `fallback`
   * gives them, or radiance does: reflectance = π L d² / (ESUN sin(sun elevation)).
   */
  | {
      readonly kind: 'reflectance';
      readonly metadata: LandsatKeys;
      readonly fallback:
        | { readonly reflectance: Rescale }
        | { readonly radiance: readonly RadianceRange[]; readonly esun: number };
    }
  /** Landsat: T = k2 / ln(k1 / L + 1) in kelvin, with L = stored * mult + add. */
  | {
      readonly kind: 'brightness-temperature';
      readonly metadata: LandsatKeys;
      readonly fallback: {
        readonly k1: number;
        readonly k2: number;
        readonly radiance: Rescale | readonly RadianceRange[];
      };
    }
  /** Radiance L = stored * mult + add, reflectance = π L d² / (ESUN sin(sun elevation)). */
  | {
      readonly kind: 'radiance';
      /** What takes precedence over `radiance` in the product's metadata; null if it is not reliable. */
      readonly metadata: string | null;
      /** In W/(m² sr µm); null if none is published, and only the metadata have it. */
      readonly radiance: Rescale | null;
      readonly esun: number;
    }
  /** Sentinel-1: sigma nought = stored² / A², with A from this table of the calibration annotation. */
  | { readonly kind: 'sigma-nought'; readonly table: string };

/** Names of the constants of one band in an MTL file. */
export interface LandsatKeys {
  readonly reflectanceMult: string;
  readonly reflectanceAdd: string;
  readonly radianceMult: string;
  readonly radianceAdd: string;
  readonly k1: string;
  readonly k2: string;
  readonly gain: string;
  readonly sunElevation: string;
  readonly earthSunDistance: string;
}

/** The MTL names for a band, by its number there: `4`, `10`, `6_VCID_1`. */
export const toLandsatKeys = (band: string): LandsatKeys => ({
  reflectanceMult: `REFLECTANCE_MULT_BAND_${band}`,
  reflectanceAdd: `REFLECTANCE_ADD_BAND_${band}`,
  radianceMult: `RADIANCE_MULT_BAND_${band}`,
  radianceAdd: `RADIANCE_ADD_BAND_${band}`,
  k1: `K1_CONSTANT_BAND_${band}`,
  k2: `K2_CONSTANT_BAND_${band}`,
  gain: `GAIN_BAND_${band}`,
  sunElevation: 'SUN_ELEVATION',
  earthSunDistance: 'EARTH_SUN_DISTANCE',
});
