import type { Calibration } from './definition/calibration.ts';
import { commonFields, flags, geometries, numbers, texts, words } from './definition/hit-fields.ts';
import { surfaceRanges } from './definition/natural.ts';
import type { SceneGrammar } from './definition/scene-name.ts';
import { digits, isClock, matching, toDayFromOrdinal } from './definition/scene-name.ts';
import type { Band, BandRole } from './definition/sensor.ts';
import { defineSensor, qualityBand, range } from './definition/sensor.ts';

/** `{horizontal}/{vertical}/{acquired, YYYYDDD}/{produced, YYYYDDDHHMMSS}`. */
const sceneName: SceneGrammar = {
  segments: 4,
  example: '12/04/2017204/2017213034223',
  forms: [
    {
      form: 'tile-and-days',
      separator: '/',
      fields: [
        // the sinusoidal grid has 36 by 18 tiles
        digits('horizontal', 2, [0, 35]),
        digits('vertical', 2, [0, 17]),
        digits('yearDay', 7, [2000001, 2099366]),
        matching('produced', /^[0-9]{13}$/, { expects: '13 digits, YYYYDDDHHMMSS', width: 13 }),
      ],
      toDate: ({ yearDay = '' }) => toDayFromOrdinal(yearDay),
      findConflict({ yearDay = '', produced = '' }) {
        const day = produced.slice(0, 7);
        if (toDayFromOrdinal(day) === null || !isClock(produced.slice(7)))
          return 'produced is not a valid time';
        return day < yearDay ? 'it was produced before it was acquired' : null;
      },
    },
  ],
};

/** MCD43 user guide: scale 0.0001, fill 32767. */
const calibration: Calibration = {
  kind: 'scaled',
  quantity: 'reflectance',
  scale: { mult: 0.0001, add: 0 },
};

const toBand = (number: number, role: BandRole | null, nm: readonly [number, number]): Band => ({
  name: `B0${number}`,
  spellings: [`B${number}`],
  role,
  kind: 'reflective',
  ...range(...nm),
  resolutionM: 500,
  type: 'int16',
  nodata: 32_767,
  calibration,
});

const hit = [
  ...commonFields,
  ...words('satelliteName'),
  ...numbers('cloudCoverage', 'dataCoveragePercentage'),
  ...texts('BeginningDateTime', 'EndingDateTime'),
  ...numbers('horizontalTileNumber', 'verticalTileNumber'),
  ...flags('onAmazon'),
  ...texts('thumbnail'),
  ...geometries('dataGeometry'),
];

const bandFile = /^(?<id>MCD43A4\.A\d{7}\.h\d{2}v\d{2}\.\d{3}\.\d{13})_(?<band>B0[1-7](?:qa)?)\.(?:TIF|tif)$/;

/** MODIS MCD43A4: nadir surface reflectance, composed of sixteen days of both satellites. */
export const modis = defineSensor({
  dataset: 'modis',
  family: 'modis',
  abbreviation: 'MODIS',
  title: 'MODIS MCD43A4',
  sceneName,
  bands: [
    toBand(1, 'RED', [620, 670]),
    toBand(2, 'NIR', [841, 876]),
    toBand(3, 'BLUE', [459, 479]),
    toBand(4, 'GREEN', [545, 565]),
    // 1.24 µm: no sensor shares it, so it has no generic name
    toBand(5, null, [1230, 1250]),
    toBand(6, 'SWIR1', [1628, 1652]),
    toBand(7, 'SWIR2', [2105, 2155]),
    // how each band was inverted: 0 and 1 are good, 255 is fill
    ...[1, 2, 3, 4, 5, 6, 7].map((number) =>
      qualityBand({ name: `B0${number}qa`, resolutionM: 500, type: 'uint8', nodata: 255 }),
    ),
  ],
  defaultCompositions: [['B01', 'B04', 'B03']],
  natural: {
    ranges: { ...surfaceRanges, B05: surfaceRanges.NIR },
    // qualities from 0, the best, to 3
    stored: Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((number) => [`B0${number}qa`, { min: 0, max: 3 }])),
  },
  cloud: { kind: 'masked' },
  hit,
  layouts: [
    // One image per band and no metadata: the name holds all facts.
    { name: 'modis-mcd43a4', marker: bandFile, bandFile, files: {} },
  ],
});
