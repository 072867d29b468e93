/** The values of a band that become black and full brightness in natural colour: the same in every scene. */
export interface NaturalRange {
  /** In the unit of the values: reflectance, kelvin, or decibels of sigma nought. */
  readonly min: number;
  readonly max: number;
  /** The fraction of the range is raised to 1 / gamma; 1 when left out. */
  readonly gamma?: number;
  /** The bounds are decibels, 10 log₁₀ of the values. */
  readonly isDecibel?: true;
}

/** Ranges by the name of a band, or by its role. */
type NaturalRanges = Readonly<Record<string, NaturalRange>>;

/** How pictures of a sensor look alike on all dates. A band's own name goes before its role. */
export interface NaturalLook {
  /** Ranges of physical values, as calibration gives them. */
  readonly ranges: NaturalRanges;
  /** Ranges of stored numbers in the sensor's own type, for scenes and bands that cannot be calibrated. */
  readonly stored: NaturalRanges;
  /** Ranges of physical values for processing levels with another meaning, by the level in the scene name. */
  readonly ofLevels?: readonly { readonly levels: readonly string[]; readonly ranges: NaturalRanges }[];
}

/** Most land is dark: a square root spreads its brightness as the eye sees it. */
const VISIBLE_GAMMA = 2;

/**
 * Gamma of infrared bands, and of all reflective bands of a composition that has one: plants are bright there, and a
 * larger one would leave little of their colour.
 */
export const INFRARED_GAMMA = 1.5;

const visible = (min: number, max: number): NaturalRange => ({ min, max, gamma: VISIBLE_GAMMA });
const infrared = (min: number, max: number): NaturalRange => ({ min, max, gamma: INFRARED_GAMMA });

/**
 * Reflectance of the surface. Deep water and shadow are below 0.01, forest is 0.03, soil 0.1 to 0.2, dry sand 0.3;
 * clouds are white from there on. Plants reflect up to 0.5 in the near infrared.
 */
export const surfaceRanges = {
  COASTAL: visible(0.005, 0.32),
  BLUE: visible(0.005, 0.32),
  GREEN: visible(0.005, 0.32),
  RED: visible(0.005, 0.32),
  PAN: infrared(0.01, 0.35),
  REDEDGE1: infrared(0.01, 0.4),
  REDEDGE2: infrared(0.02, 0.5),
  REDEDGE3: infrared(0.02, 0.55),
  NIR: infrared(0.02, 0.55),
  NIR2: infrared(0.02, 0.55),
  WATERVAPOUR: infrared(0.02, 0.55),
  CIRRUS: infrared(0, 0.1),
  SWIR1: infrared(0.01, 0.45),
  SWIR2: infrared(0.01, 0.38),
} as const satisfies NaturalRanges;

/**
 * Reflectance at the top of the atmosphere. The air adds light of its own, the more the shorter the wave: ranges of
 * visible bands begin near what dark forest and water have in clear air, so that forest is green and towns are grey
 * (docs/decisions/2026-11-17-natural-colour.md).
 */
export const topOfAtmosphereRanges = {
  ...surfaceRanges,
  COASTAL: visible(0.095, 0.37),
  BLUE: visible(0.071, 0.34),
  GREEN: visible(0.045, 0.32),
  RED: visible(0.028, 0.31),
  PAN: infrared(0.03, 0.35),
  CIRRUS: infrared(0, 0.05),
} as const satisfies NaturalRanges;

/** Temperature at the satellite or of the surface, from frost to hot ground. */
export const thermalRanges = {
  THERMAL1: { min: 265, max: 325 },
  THERMAL2: { min: 265, max: 325 },
} as const satisfies NaturalRanges;
