import type { PixelType } from '../../raster/index.ts';
import type { Calibration } from './calibration.ts';
import type { FieldType, HitField } from './hit-fields.ts';
import { toFilterTypes, toWordFields } from './hit-fields.ts';
import type { NaturalLook } from './natural.ts';
import type { ProductLayout } from './product-layout.ts';
import type { BandPalette, CloudRule, Quality } from './quality.ts';
import type { SceneGrammar } from './scene-name.ts';

/** The generic name of a band, for formulas that work on every sensor. */
export type BandRole =
  | 'COASTAL'
  | 'BLUE'
  | 'GREEN'
  | 'RED'
  | 'REDEDGE1'
  | 'REDEDGE2'
  | 'REDEDGE3'
  | 'NIR'
  | 'NIR2'
  | 'WATERVAPOUR'
  | 'CIRRUS'
  | 'SWIR1'
  | 'SWIR2'
  | 'PAN'
  | 'THERMAL1'
  | 'THERMAL2';

/** One band of a sensor. */
export interface Band {
  readonly name: string;
  /** Other spellings of the name. */
  readonly spellings: readonly string[];
  /** Null if no generic name should find the band. */
  readonly role: BandRole | null;
  readonly kind: 'reflective' | 'thermal' | 'radar' | 'quality';
  /** Centre and width of the spectral range; null if the band has none. */
  readonly centreNm: number | null;
  readonly widthNm: number | null;
  readonly resolutionM: number;
  /** The type of level-1 products; that of a file takes precedence. */
  readonly type: PixelType;
  /** The nodata value, or null; that of a file takes precedence. */
  readonly nodata: number | null;
  readonly calibration: Calibration;
}

/** Bands of a picture: one as grey, or three as red, green and blue. */
export type Composition = readonly [string] | readonly [red: string, green: string, blue: string];

/** The earlier scene that aliases of change compare with. */
export interface EarlierScene {
  /** Fields of hits that identify the location: tile, or path and row. */
  readonly groundFields: readonly string[];
  /** Its age relative to the scene, in calendar days. */
  readonly minDays: number;
  readonly maxDays: number;
  readonly maxCloudPercent: number;
  readonly minCoveragePercent: number;
}

/** How pictures of a sensor are sharpened with its panchromatic band. */
export interface Pansharpening {
  readonly panBand: string;
  readonly bands: readonly string[];
  /** Weights of a Brovey transform of three bands, in the order of the request; null for the pixelwise method. */
  readonly compositeWeights: readonly [number, number, number] | null;
}

/** The definition of a sensor. Each sensor has one file, and no other file knows it. */
export interface Sensor {
  /** Dataset id of search. */
  readonly dataset: string;
  /** Its family, which reads the provider's metadata: `landsat`. */
  readonly family: string;
  /** Dataset ids of several sensors that include this one: `cbers4`. */
  readonly datasetGroups: readonly string[];
  /** First segment of view ids, case-sensitive. */
  readonly abbreviation: string;
  /** Abbreviations shared with other sensors; the scene name decides between them. */
  readonly sharedAbbreviations: readonly string[];
  readonly title: string;
  readonly sceneName: SceneGrammar;
  readonly bands: readonly Band[];
  /** Compositions in order of preference: the default is the first of which the scene has all bands. */
  readonly defaultCompositions: readonly Composition[];
  /** How a picture is stretched by default: by percentiles, not at all, or as radar amplitude. */
  readonly defaultStretch: 'percentiles' | 'none' | 'amplitude';
  /** The look that is the same on all dates. */
  readonly natural: NaturalLook;
  /**
   * Whether the radiometric offset of a product is subtracted when reading, so that digital numbers of all processing
   * baselines are comparable.
   */
  readonly removesOffset: boolean;
  readonly cloud: CloudRule;
  /** The band of quality bits and its layouts, if there is one. */
  readonly quality: Quality | null;
  readonly pansharpening: Pansharpening | null;
  /** Null if no alias of the sensor shows change. */
  readonly earlierScene: EarlierScene | null;
  /** Default colours of bands of classes or bits, by band name. */
  readonly palettes: Readonly<Record<string, BandPalette>>;
  /** Fields of a search hit by their names on the wire, in the order of the documentation. */
  readonly hit: readonly HitField[];
  /** Those of `hit` that search can filter and sort by, with their types. */
  readonly hitFields: Readonly<Record<string, FieldType>>;
  /** Those of `hitFields` that hold words, which search compares without case. */
  readonly wordFields: ReadonlySet<string>;
  readonly layouts: readonly ProductLayout[];
}

/** Defaults for properties that few sensors have. */
const nothingSpecial = {
  datasetGroups: [],
  sharedAbbreviations: [],
  defaultStretch: 'percentiles',
  removesOffset: false,
  quality: null,
  pansharpening: null,
  earlierScene: null,
  palettes: {},
} as const satisfies Partial<Sensor>;

type SensorFacts = Omit<Sensor, keyof typeof nothingSpecial | 'hitFields' | 'wordFields'> &
  Partial<Pick<Sensor, keyof typeof nothingSpecial>>;

/**
 * Makes a sensor of its facts and the defaults. The types of dataset and hit fields stay literal, for `FieldsOf`.
 */
export const defineSensor = <const Dataset extends string, const Hit extends readonly HitField[]>(
  facts: SensorFacts & { readonly dataset: Dataset; readonly hit: Hit },
): Sensor & { readonly dataset: Dataset; readonly hit: Hit } => ({
  ...nothingSpecial,
  ...facts,
  hitFields: toFilterTypes(facts.hit),
  wordFields: toWordFields(facts.hit),
});
