/** Bands of a picture: one as grey, or three as red, green and blue. */
export type Composition = readonly [string] | readonly [red: string, green: string, blue: string];

/** The values of a band that become black and full brightness in natural colour: the same in every scene. */
export interface NaturalRange {
  /** In the unit of the values: reflectance, kelvin, or decibels of sigma nought. */
  readonly min: number;
  readonly max: number;
  /** The fraction of the range is raised to 1 / gamma, as the eye sees brightness; 1 when left out. */
  readonly gamma?: number;
  /** The bounds are decibels, 10 log₁₀ of the values. */
  readonly isDecibel?: true;
}

/** Ranges by the name of a band, or by its role. */
type NaturalRanges = Readonly<Record<string, NaturalRange>>;

/** How pictures of a sensor look alike on all dates. A band's own name goes before its role. */
export interface NaturalLook {
  /** Of physical values, as calibration gives them. */
  readonly ranges: NaturalRanges;
  /** Of stored numbers in the sensor's own type, for scenes and bands that cannot be calibrated. */
  readonly stored: NaturalRanges;
  /** Compositions that look better with ranges of their own. */
  readonly compositions?: readonly {
    readonly bands: Composition;
    readonly ranges: readonly NaturalRange[];
  }[];
  /** Ranges of physical values for processing levels with another meaning, by the level in the scene name. */
  readonly ofLevels?: readonly { readonly levels: readonly string[]; readonly ranges: NaturalRanges }[];
}

/** Most land is dark: a square root spreads its brightness as the eye does. */
const GAMMA = 2;

/** Reflectance of the surface. */
export const surfaceRanges = {
  COASTAL: { min: 0, max: 0.3, gamma: GAMMA },
  BLUE: { min: 0.006, max: 0.3, gamma: GAMMA },
  GREEN: { min: 0.006, max: 0.3, gamma: GAMMA },
  RED: { min: 0.006, max: 0.3, gamma: GAMMA },
  PAN: { min: 0.006, max: 0.4, gamma: GAMMA },
  REDEDGE1: { min: 0.01, max: 0.45, gamma: GAMMA },
  REDEDGE2: { min: 0.01, max: 0.6, gamma: GAMMA },
  REDEDGE3: { min: 0.01, max: 0.6, gamma: GAMMA },
  NIR: { min: 0.01, max: 0.6, gamma: GAMMA },
  NIR2: { min: 0.01, max: 0.6, gamma: GAMMA },
  WATERVAPOUR: { min: 0.01, max: 0.6, gamma: GAMMA },
  CIRRUS: { min: 0, max: 0.1, gamma: GAMMA },
  SWIR1: { min: 0.01, max: 0.5, gamma: GAMMA },
  SWIR2: { min: 0.01, max: 0.4, gamma: GAMMA },
} as const satisfies NaturalRanges;

/** Temperature of the surface or at the satellite, from frost to hot ground. */
export const thermalRanges: NaturalRanges = {
  THERMAL1: { min: 265, max: 325 },
  THERMAL2: { min: 265, max: 325 },
};

/**
 * Reflectance at the top of the atmosphere. The air adds light of its own, the more the shorter the wave: ranges begin
 * near the reflectance of dark water in clear air and end where those of the surface do after two ways through it.
 */
export const topOfAtmosphereRanges: NaturalRanges = {
  ...surfaceRanges,
  COASTAL: { min: 0.11, max: 0.35, gamma: GAMMA },
  BLUE: { min: 0.08, max: 0.33, gamma: GAMMA },
  GREEN: { min: 0.05, max: 0.31, gamma: GAMMA },
  RED: { min: 0.03, max: 0.3, gamma: GAMMA },
  PAN: { min: 0.04, max: 0.38, gamma: GAMMA },
};
