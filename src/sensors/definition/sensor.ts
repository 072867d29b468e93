import type { PixelType } from '../../raster/index.ts';
import type { Calibration } from './calibration.ts';
import type { DatasetFacts } from './dataset-facts.ts';
import { toDatasetFacts } from './dataset-facts.ts';
import type { FieldType, HitField } from './hit-fields.ts';
import { toFilterTypes, toWordFields } from './hit-fields.ts';
import type { NaturalLook } from './natural.ts';
import type { BandPalette, CloudRule, Quality, QualityLayout } from './quality.ts';
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

/** How much the echoes of even ground vary. */
export interface Speckle {
  /** Equivalent number of looks by mode and product of the scene name: the variation is 1 / looks, squared. */
  readonly looks: Readonly<Record<string, number>>;
  /** That of scenes whose name says neither. */
  readonly usualLooks: number;
}

/** The definition of a sensor. Each sensor has one file, and no other file knows it. */
export interface Sensor {
  /** Dataset id of search. */
  readonly dataset: string;
  /** Its family, which reads the provider's metadata: `landsat`. */
  readonly family: string;
  /** Who is named where its pictures are shown; `{years}` stands for the years of the scenes. */
  readonly attribution: string;
  /** What catalogs say of its dataset: providers, licence, instruments. */
  readonly facts: DatasetFacts;
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
  /** Speckle of a radar; null for others. */
  readonly speckle: Speckle | null;
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
  speckle: null,
  quality: null,
  pansharpening: null,
  earlierScene: null,
  palettes: {},
} as const satisfies Partial<Sensor>;

type SensorFacts = Omit<
  Sensor,
  keyof typeof nothingSpecial | 'attribution' | 'facts' | 'hitFields' | 'wordFields'
> &
  Partial<Pick<Sensor, keyof typeof nothingSpecial>>;

/** Who must, or should, be named where pictures are shown, by family; `{years}` stands for the years of the scenes. */
const attributions: Readonly<Record<string, string>> = {
  // Terms of the Copernicus Sentinel data, article 2: "Contains modified Copernicus Sentinel data [Year]".
  'sentinel-1': 'Contains modified Copernicus Sentinel data {years}',
  'sentinel-2': 'Contains modified Copernicus Sentinel data {years}',
  // The USGS asks for this credit line; its data are in the public domain.
  landsat: 'Landsat images courtesy of the U.S. Geological Survey',
  modis: 'MODIS data courtesy of NASA LP DAAC',
  'cbers-4': 'CBERS-4 images: INPE, CC BY-SA 3.0',
  naip: 'NAIP images: USDA Farm Production and Conservation',
  planetscope: 'Image © {years} Planet Labs PBC',
};

/**
 * Makes a sensor of its facts and the defaults. The types of dataset and hit fields stay literal, for `FieldsOf`.
 */
export const defineSensor = <const Dataset extends string, const Hit extends readonly HitField[]>(
  facts: SensorFacts & { readonly dataset: Dataset; readonly hit: Hit },
): Sensor & { readonly dataset: Dataset; readonly hit: Hit } => ({
  ...nothingSpecial,
  ...facts,
  attribution: attributions[facts.family] ?? facts.title,
  facts: toDatasetFacts(facts),
  hitFields: toFilterTypes(facts.hit),
  wordFields: toWordFields(facts.hit),
});

/** Centre and width of a spectral range, from its ends. */
export const range = (fromNm: number, toNm: number): Pick<Band, 'centreNm' | 'widthNm'> => ({
  centreNm: (fromNm + toNm) / 2,
  widthNm: toNm - fromNm,
});

/** A band of bits or classes: no spectrum, nothing to calibrate. */
export const qualityBand = (band: {
  readonly name: string;
  readonly resolutionM: number;
  readonly type: PixelType;
  readonly nodata: number | null;
}): Band => ({
  ...band,
  spellings: [],
  role: null,
  kind: 'quality',
  centreNm: null,
  widthNm: null,
  calibration: noCalibration('It holds classes or bits and no measure.'),
});

/** Calibration of numbers without a physical scale. */
export const noCalibration = (why: string): Calibration => ({ kind: 'none', why });

/** The role of a file that holds no bands. */
export type FileRole =
  | 'metadata'
  | 'product-metadata'
  | 'tile-metadata'
  | 'cloud-polygons'
  | 'cloud-image'
  | 'annotation'
  | 'calibration'
  | 'noise'
  | 'stac-item'
  | 'thumbnail';

/** Rules that take precedence over those of the bands: higher levels have other scales. */
interface LevelCalibration {
  /** The scenes they apply to: the field `level` of their names. */
  readonly levels: readonly string[];
  readonly reflective: Calibration;
  readonly thermal: Calibration;
}

/**
 * How a provider names the files of a product. All patterns are anchored and match the path of a file relative to the
 * product, with forward slashes; the product is the folder that contains the marker. If names of files have a group `id`,
 * the folder contains one product per id, and files without an id belong to all of them.
 */
export interface ProductLayout {
  /** Unique over all sensors: `landsat8-collection-2`. */
  readonly name: string;
  /**
   * The file that every such product has; its optional group `id` is the provider's name of the product. Layouts of
   * several sensors may share a marker (`tileInfo.json`): a product has a layout if it has the marker and at least one
   * band file.
   */
  readonly marker: RegExp;
  /** A file with pixels; its group `band` is the provider's spelling of the band. */
  readonly bandFile: RegExp;
  /** Bands by the provider's spelling, if it is not a spelling of the band itself. */
  readonly bandNames?: Readonly<Record<string, string>>;
  /**
   * For files of several bands: their bands in order, by the group `band` (empty if the pattern has no such group). A file
   * that is not listed holds no band.
   */
  readonly bandsInFile?: Readonly<Record<string, readonly string[]>>;
  /** Resolutions of a band that exists more than once, best first: the group `resolution` of `bandFile`. */
  readonly resolutions?: readonly string[];
  /** Other files by role; a file with a role never holds bands. */
  readonly files: Partial<Readonly<Record<FileRole, RegExp>>>;
  /** If ids of other files are longer than that of their image: group 1 is the id of the image. */
  readonly sidecarId?: RegExp;
  readonly quality?: QualityLayout;
  readonly calibration?: LevelCalibration;
}
