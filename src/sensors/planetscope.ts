import { commonFields, flags, geometries, numbers, texts, words } from './definition/hit-fields.ts';
import { surfaceRanges } from './definition/natural.ts';
import type { NameField, NameForm, SceneGrammar } from './definition/scene-name.ts';
import { digits, isClock, matching, toDayFromDigits } from './definition/scene-name.ts';
import type { Band, BandRole } from './definition/sensor.ts';
import { defineSensor, range } from './definition/sensor.ts';

const time: NameField = {
  name: 'time',
  width: 6,
  expects: 'a time of day, HHMMSS',
  isValid: isClock,
};
const satellite = matching('satellite', /^[0-9a-z]{4}$/, {
  expects: 'four letters or digits of a satellite',
  width: 4,
});

const toForm = (form: string, more: readonly NameField[]): NameForm => ({
  form,
  separator: '_',
  fields: [digits('date', 8, [20140101, 20991231]), time, ...more, satellite],
  toDate: ({ date = '' }) => toDayFromDigits(date),
});

/** `{date}_{time}_{hundredths of a second}_{satellite}`; names of the first generation of satellites lack the hundredths. */
const sceneName: SceneGrammar = {
  segments: 1,
  example: '20230915_103045_12_24c8',
  forms: [toForm('item-id', [digits('hundredths', 2, [0, 99])]), toForm('item-id-of-seconds', [])],
};

/** Surface reflectance is stored in ten-thousandths (Planet, Surface Reflectance product guide). */
const toBand = (name: string, role: BandRole | null, nm: readonly [number, number]): Band => ({
  name,
  spellings: [],
  role,
  kind: 'reflective',
  ...range(...nm),
  resolutionM: 3,
  type: 'uint16',
  nodata: 0,
  calibration: { kind: 'scaled', quantity: 'reflectance', scale: { mult: 0.0001, add: 0 } },
});

const hit = [
  ...commonFields,
  ...texts('timestamp'),
  ...numbers('cloudCoverage', 'dataCoveragePercentage', 'sunElevation', 'sunAzimuth'),
  ...words('satelliteName', 'sensor'),
  ...texts('thumbnail'),
  ...flags('onAmazon'),
  ...geometries('dataGeometry'),
];

const ID = '(?<id>\\d{8}_\\d{6}(?:_\\d{2})?_[0-9a-z]{4})';
const metadata = new RegExp(`^${ID}_metadata\\.json$`);

/** PlanetScope scenes (PSScene): surface reflectance of four or eight bands. */
export const planetscope = defineSensor({
  dataset: 'planetscope',
  family: 'planetscope',
  abbreviation: 'PS',
  title: 'PlanetScope',
  sceneName,
  // Ranges of SuperDove (PSB.SD); the four common bands of older instruments are a little broader.
  bands: [
    toBand('COASTAL', 'COASTAL', [431, 452]),
    toBand('BLUE', 'BLUE', [465, 515]),
    toBand('GREEN1', null, [513, 549]),
    toBand('GREEN', 'GREEN', [547, 583]),
    toBand('YELLOW', null, [600, 620]),
    toBand('RED', 'RED', [650, 680]),
    toBand('REDEDGE', 'REDEDGE1', [697, 713]),
    toBand('NIR', 'NIR', [845, 885]),
  ],
  defaultCompositions: [['RED', 'GREEN', 'BLUE']],
  natural: {
    ranges: { ...surfaceRanges, GREEN1: surfaceRanges.GREEN, YELLOW: surfaceRanges.RED },
    stored: {},
  },
  // UDM2: clear, snow, shadow, light haze, heavy haze, cloud, confidence, unusable.
  cloud: {
    kind: 'mask-file',
    opaque: [{ band: 5, marks: 'non-zero' }],
    cirrus: [
      { band: 3, marks: 'non-zero' },
      { band: 4, marks: 'non-zero' },
    ],
    shadow: [{ band: 2, marks: 'non-zero' }],
    onlyOpaqueByDefault: true,
  },
  hit,
  layouts: [
    {
      name: 'planetscope-sr',
      marker: metadata,
      bandFile: new RegExp(`^${ID}_3B_(?<band>AnalyticMS_SR(?:_8b)?)(?:_harmonized)?(?:_clip)?\\.tif$`),
      bandsInFile: {
        AnalyticMS_SR: ['BLUE', 'GREEN', 'RED', 'NIR'],
        AnalyticMS_SR_8b: ['COASTAL', 'BLUE', 'GREEN1', 'GREEN', 'YELLOW', 'RED', 'REDEDGE', 'NIR'],
      },
      files: { metadata, 'cloud-image': new RegExp(`^${ID}_3B_udm2(?:_clip)?\\.tif$`) },
    },
  ],
});
