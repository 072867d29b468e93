import type { PixelType } from '../../raster/index.ts';
import type { Calibration } from './calibration.ts';
import type { FieldType, HitField } from './hit-fields.ts';
import { toFilterTypes } from './hit-fields.ts';
import type { ProductLayout } from './product-layout.ts';
import type { BandPalette, CloudRule, Quality } from './quality.ts';
import type { SceneGrammar } from './scene-name.ts';

/** What a band measures, for names and formulas that work on every sensor. */
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
  /** Other ways to write the name. */
  readonly spellings: readonly string[];
  /** Null when no generic name should find the band. */
  readonly role: BandRole | null;
  readonly kind: 'reflective' | 'thermal' | 'radar' | 'quality';
  /** Middle and width of the spectral range; null when the band has none. */
  readonly centreNm: number | null;
  readonly widthNm: number | null;
  readonly resolutionM: number;
  /** As providers ship it at level 1; a file itself may say otherwise, and is then right. */
  readonly type: PixelType;
  /** Value that means "no measurement here"; null when there is none. A file itself may say otherwise. */
  readonly nodata: number | null;
  readonly calibration: Calibration;
}

/** Bands of a picture: one as grey, or three as red, green and blue. */
export type Composition = readonly [string] | readonly [red: string, green: string, blue: string];

/** Which earlier scene a scene is compared with, for aliases that show change. */
export interface EarlierScene {
  /** Fields of hits that name the ground a scene shows: its tile, its path and row. */
  readonly groundFields: readonly string[];
  /** How much older it is, in days of the calendar. */
  readonly minDays: number;
  readonly maxDays: number;
  readonly maxCloudPercent: number;
  readonly minCoveragePercent: number;
}

/** How pictures of a sensor are sharpened with its panchromatic band. */
export interface Pansharpening {
  readonly panBand: string;
  readonly bands: readonly string[];
  /** Weights of a Brovey transform of three bands, in the order they are asked for; null: pixelwise as all else. */
  readonly compositeWeights: readonly [number, number, number] | null;
}

/** All that Swath knows about a sensor. One file a sensor; nothing about it anywhere else. */
export interface Sensor {
  /** Dataset id of search. */
  readonly dataset: string;
  /** The family of products it belongs to, which says how a provider's metadata are read: `landsat`. */
  readonly family: string;
  /** Dataset ids that mean several sensors, this one among them: `cbers4`. */
  readonly datasetGroups: readonly string[];
  /** First segment of view ids, case-sensitive. */
  readonly abbreviation: string;
  /** Abbreviations shared with other sensors; the scene name tells which one is meant. */
  readonly sharedAbbreviations: readonly string[];
  readonly title: string;
  readonly sceneName: SceneGrammar;
  readonly bands: readonly Band[];
  /** The natural picture and what to show instead when a scene lacks a band of it: the first that is whole. */
  readonly defaultCompositions: readonly Composition[];
  /** How a picture is stretched by default: by percentiles, not at all, or as radar amplitude. */
  readonly defaultStretch: 'percentiles' | 'none' | 'amplitude';
  /**
   * Whether a product's radiometric offset is taken off when reading, so that digital numbers of all processing
   * baselines mean the same.
   */
  readonly removesOffset: boolean;
  readonly cloud: CloudRule;
  /** The band of quality bits and its layouts, if there is one. */
  readonly quality: Quality | null;
  readonly pansharpening: Pansharpening | null;
  /** Null where no alias looks back. */
  readonly earlierScene: EarlierScene | null;
  /** Colours of bands that hold no measure, by band name, used when a request brings none. */
  readonly palettes: Readonly<Record<string, BandPalette>>;
  /** Fields of a search hit by their names on the wire, in the order they are documented. */
  readonly hit: readonly HitField[];
  /** Those of `hit` that search can filter and sort by, with their types. */
  readonly hitFields: Readonly<Record<string, FieldType>>;
  readonly layouts: readonly ProductLayout[];
}

/** What most sensors have none of. */
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

type SensorFacts = Omit<Sensor, keyof typeof nothingSpecial | 'hitFields'> &
  Partial<Pick<Sensor, keyof typeof nothingSpecial>>;

/**
 * A sensor from its facts: what is special about it is said, the rest is filled in. The dataset and the fields of hits
 * stay known to the compiler (`FieldsOf`).
 */
export const defineSensor = <const Dataset extends string, const Hit extends readonly HitField[]>(
  facts: SensorFacts & { readonly dataset: Dataset; readonly hit: Hit },
): Sensor & { readonly dataset: Dataset; readonly hit: Hit } => ({
  ...nothingSpecial,
  ...facts,
  hitFields: toFilterTypes(facts.hit),
});
