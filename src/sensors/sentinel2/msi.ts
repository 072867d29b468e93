import { commonFields, flags, geometries, numbers, texts, words } from '../definition/hit-fields.ts';
import type { SceneGrammar } from '../definition/scene-name.ts';
import { digits, matching, toDay, wholeNumber } from '../definition/scene-name.ts';
import type { Band, BandRole, EarlierScene } from '../definition/sensor.ts';

/** Columns of 100 km squares repeat every three zones (MGRS, without I and O). */
const COLUMNS = ['STUVWXYZ', 'ABCDEFGH', 'JKLMNPQR'] as const;

/** `{utm zone}/{latitude band}/{100 km square}/{year}/{month}/{day}/{sequence}`. */
export const sentinel2Grammar: SceneGrammar = {
  segments: 7,
  // The day of the start of the recording, which may differ from the tile's.
  maxDaysApart: 1,
  example: '36/U/XU/2016/5/2/0',
  forms: [
    {
      form: 'tile-and-day',
      separator: '/',
      fields: [
        wholeNumber('utmZone', [1, 60]),
        matching('latitudeBand', /^[C-HJ-NP-X]$/, { expects: 'a letter from C to X, without I and O' }),
        // the second letter, for rows, ends at V
        matching('square', /^[A-HJ-NP-Z][A-HJ-NP-V]$/, { expects: 'two letters of a 100 km square' }),
        digits('year', 4, [2015, 2099]),
        wholeNumber('month', [1, 12]),
        wholeNumber('day', [1, 31]),
        wholeNumber('sequence', [0, 99]),
      ],
      toDate: ({ year = '', month = '', day = '' }) => toDay(year, month, day),
      findConflict({ utmZone: zone = '', square = '' }) {
        const columns = COLUMNS[Number(zone) % 3] ?? '';
        if (columns.includes(square.charAt(0))) return null;
        return `the first letter of square must be one of ${columns} in zone ${zone}`;
      },
    },
  ],
};

interface MsiBand {
  readonly name: string;
  readonly role: BandRole;
  readonly centreNm: number;
  readonly widthNm: number;
  readonly resolutionM: number;
}

/** Bands of the instrument, with the numbers of Sentinel-2A: ESA, MSI spectral responses. */
const MSI_BANDS: readonly MsiBand[] = [
  { name: 'B01', role: 'COASTAL', centreNm: 442.7, widthNm: 20, resolutionM: 60 },
  { name: 'B02', role: 'BLUE', centreNm: 492.7, widthNm: 65, resolutionM: 10 },
  { name: 'B03', role: 'GREEN', centreNm: 559.8, widthNm: 35, resolutionM: 10 },
  { name: 'B04', role: 'RED', centreNm: 664.6, widthNm: 30, resolutionM: 10 },
  { name: 'B05', role: 'REDEDGE1', centreNm: 704.1, widthNm: 14, resolutionM: 20 },
  { name: 'B06', role: 'REDEDGE2', centreNm: 740.5, widthNm: 14, resolutionM: 20 },
  { name: 'B07', role: 'REDEDGE3', centreNm: 782.8, widthNm: 19, resolutionM: 20 },
  { name: 'B08', role: 'NIR', centreNm: 832.8, widthNm: 105, resolutionM: 10 },
  { name: 'B8A', role: 'NIR2', centreNm: 864.7, widthNm: 21, resolutionM: 20 },
  { name: 'B09', role: 'WATERVAPOUR', centreNm: 945.1, widthNm: 19, resolutionM: 60 },
  { name: 'B10', role: 'CIRRUS', centreNm: 1373.5, widthNm: 29, resolutionM: 60 },
  { name: 'B11', role: 'SWIR1', centreNm: 1613.7, widthNm: 90, resolutionM: 20 },
  { name: 'B12', role: 'SWIR2', centreNm: 2202.4, widthNm: 174, resolutionM: 20 },
];

/** Other files in the public buckets, which are the same for both levels of a tile. */
export const bucketFiles = {
  'tile-metadata': /^tileInfo\.json$/,
  'product-metadata': /^productInfo\.json$/,
  metadata: /^metadata\.xml$/,
  'cloud-polygons': /^qi\/MSK_CLOUDS_B00\.gml$/,
  'cloud-image': /^qi\/(?:MSK_)?CLASSI_B00\.jp2$/,
};

/** Other files of products with one granule, since December 2016, in both levels. */
export const granuleFiles = {
  metadata: /^GRANULE\/[A-Z0-9_]{10,60}\/MTD_TL\.xml$/,
  'cloud-polygons': /^GRANULE\/[A-Z0-9_]{10,60}\/QI_DATA\/MSK_CLOUDS_B00\.gml$/,
  'cloud-image': /^GRANULE\/[A-Z0-9_]{10,60}\/QI_DATA\/MSK_CLASSI_B00\.jp2$/,
};

/** Names of calibration constants in the product's metadata. */
export interface MsiMetadata {
  readonly quantification: string;
  readonly offset: string;
}

/** The bands of a level. From baseline 04.00 on (25 January 2022) stored numbers include an offset of 1000. */
export const toMsiBands = (metadata: MsiMetadata): readonly Band[] =>
  MSI_BANDS.map((band) => ({
    ...band,
    spellings: band.name.startsWith('B0') ? [band.name.replace('B0', 'B')] : [],
    kind: 'reflective',
    type: 'uint16',
    nodata: 0,
    calibration: {
      kind: 'quantified',
      quantification: 10_000,
      offsets: [
        { fromBaseline: '00.00', offset: 0 },
        { fromBaseline: '04.00', offset: -1000 },
      ],
      baselineInName: /_N(?<major>\d{2})(?<minor>\d{2})_/,
      metadata,
    },
  }));

/** A scene of either level is compared with an earlier one of the same tile. */
export const sentinel2Earlier: EarlierScene = {
  groundFields: ['utmZone', 'latitudeBand', 'gridSquare'],
  // The next pass of the same orbit comes after five days.
  minDays: 5,
  // After two months the season and the height of the sun change the scene as much as a fire.
  maxDays: 60,
  // Clouds of the earlier scene would look like ground.
  maxCloudPercent: 20,
  // At the edge of a swath little of a tile may be covered.
  minCoveragePercent: 80,
};

/** Fields of a Sentinel-2 hit, as clients expect them. */
export const sentinel2Hit = [
  ...commonFields,
  ...texts('timestamp'),
  ...numbers(
    'cloudCoverage',
    'dataCoveragePercentage',
    'sunElevation',
    'zenithAngle',
    'azimuthAngle',
    'utmZone',
  ),
  ...words('latitudeBand', 'gridSquare', 'satelliteName'),
  ...texts(
    'productName',
    'productPath',
    'productMetaLink',
    'originalSceneID',
    'originalTileMeta',
    'awsPath',
    'awsPathL2A',
  ),
  ...flags('processedL2A'),
  ...texts('thumbnail', 'offsetXmlKey', 'archivingTime', 'IndexingTime'),
  ...flags('onAmazon'),
  ...geometries('dataGeometry', 'tileGeometry', 'tileOrigin'),
];
