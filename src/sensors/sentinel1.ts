import { commonFields, flags, geometries, numbers, texts, words } from './definition/hit-fields.ts';
import type { NaturalLook, NaturalRange } from './definition/natural.ts';
import type { NameField, SceneGrammar } from './definition/scene-name.ts';
import { digits, isClock, matching, oneOf, toDayFromDigits, wholeNumber } from './definition/scene-name.ts';
import type { Band } from './definition/sensor.ts';
import { defineSensor } from './definition/sensor.ts';

const isTime = (text: string): boolean =>
  text.length === 15 &&
  text[8] === 'T' &&
  toDayFromDigits(text.slice(0, 8)) !== null &&
  isClock(text.slice(9));

const time = (name: string): NameField => ({
  name,
  width: 15,
  expects: 'a time such as 20161201T141548',
  isValid: isTime,
});

/** The product name of a GRD product; clients may send the relative orbit before it (`115/S1A_…`). */
const sceneName: SceneGrammar = {
  segments: 1,
  example: 'S1A_IW_GRDH_1SDV_20180716T004042_20180716T004107_022812_02792A_FD5B',
  prefix: wholeNumber('relative orbit', [1, 175]),
  forms: [
    {
      form: 'product-name',
      separator: '_',
      fields: [
        oneOf('mission', 'S1A', 'S1B', 'S1C', 'S1D'),
        oneOf('mode', 'IW', 'EW', 'S1', 'S2', 'S3', 'S4', 'S5', 'S6'),
        oneOf('product', 'GRDF', 'GRDH', 'GRDM'),
        oneOf('polarization', '1SDV', '1SDH', '1SSV', '1SSH'),
        time('start'),
        time('stop'),
        digits('orbit', 6, [1, 999_999]),
        matching('dataTake', /^[0-9A-F]{6}$/, { expects: 'six hexadecimal digits', width: 6 }),
        // Catalogs that list many copies of a product omit its checksum.
        {
          ...matching('checksum', /^[0-9A-F]{4}$/, { expects: 'four hexadecimal digits', width: 4 }),
          optional: true,
        },
      ],
      toDate: ({ start = '' }) => toDayFromDigits(start.slice(0, 8)),
      findConflict: ({ start = '', stop = '' }) => (stop < start ? 'it stops before it starts' : null),
    },
  ],
};

const toBand = (name: string): Band => ({
  name,
  spellings: [],
  role: null,
  kind: 'radar',
  centreNm: null,
  widthNm: null,
  // of high resolution in the default mode, IW
  resolutionM: 10,
  type: 'uint16',
  nodata: 0,
  calibration: { kind: 'sigma-nought', table: 'sigmaNought' },
});

const hit = [
  ...commonFields,
  ...words('missionId', 'satelliteName'),
  ...numbers('dataCoveragePercentage', 'absoluteOrbitNumber'),
  ...words('passDirection', 'mode', 'polarization'),
  ...flags('onAmazon'),
  ...texts('awsPath', 'thumbnail'),
  ...geometries('dataGeometry'),
];

const like = (min: number, max: number): NaturalRange => ({ min, max, isDecibel: true });

/**
 * Sigma nought from calm water to towns; crossed polarisations return some 7 dB less. Scenes without a calibration table
 * are shown by their amplitudes: the table is about 27 dB for all of them, and an amplitude is a square root.
 */
const natural: NaturalLook = {
  ranges: { VV: like(-22, 0), HH: like(-22, 0), VH: like(-28, -7), HV: like(-28, -7) },
  stored: {
    VV: like(16, 28),
    HH: like(16, 28),
    VH: like(13, 24.5),
    HV: like(13, 24.5),
  },
};

/** Equivalent number of looks, as the product definition has them; strip maps by the worst of their beams. */
const looks = {
  'IW GRDH': 4.4,
  'IW GRDM': 81.8,
  'EW GRDH': 2.7,
  'EW GRDM': 10.7,
  ...Object.fromEntries(
    ['S1', 'S2', 'S3', 'S4', 'S5', 'S6'].flatMap((mode) => [
      [`${mode} GRDF`, 3.7],
      [`${mode} GRDH`, 26.8],
      [`${mode} GRDM`, 310],
    ]),
  ),
} as const;

const bandNames = { vv: 'VV', vh: 'VH', hh: 'HH', hv: 'HV' };
/** Names of the files of a measurement in a SAFE folder, from the satellite to the number of the image. */
const IMAGE =
  's1[a-d]-(?:iw|ew|s[1-6])-grd-(?<band>vv|vh|hh|hv)-\\d{8}t\\d{6}-\\d{8}t\\d{6}-\\d{6}-[0-9a-f]{6}-\\d{3}(?:-cog)?';

/** Sentinel-1, ground range detected: radar amplitudes. */
export const sentinel1 = defineSensor({
  dataset: 'sentinel1',
  family: 'sentinel-1',
  abbreviation: 'S1',
  title: 'Sentinel-1 GRD',
  sceneName,
  bands: ['VV', 'VH', 'HH', 'HV'].map(toBand),
  // A product has VV and VH, HH and HV, or a single polarisation.
  defaultCompositions: [['VV'], ['HH'], ['VH'], ['HV']],
  defaultStretch: 'amplitude',
  natural,
  cloud: { kind: 'none', why: 'Radar sees through clouds.' },
  speckle: { looks, usualLooks: looks['IW GRDH'] },
  hit,
  layouts: [
    {
      name: 'sentinel1-bucket',
      marker: /^productInfo\.json$/,
      bandFile: /^measurement\/(?:iw|ew|s[1-6])-(?<band>vv|vh|hh|hv)\.tiff$/,
      bandNames,
      files: {
        'product-metadata': /^productInfo\.json$/,
        annotation: /^annotation\/(?:iw|ew|s[1-6])-(?<band>vv|vh|hh|hv)\.xml$/,
        calibration: /^annotation\/calibration\/calibration-(?:iw|ew|s[1-6])-(?<band>vv|vh|hh|hv)\.xml$/,
        noise: /^annotation\/calibration\/noise-(?:iw|ew|s[1-6])-(?<band>vv|vh|hh|hv)\.xml$/,
        thumbnail: /^preview\/quick-look\.png$/,
      },
    },
    {
      name: 'sentinel1-safe',
      marker: /^manifest\.safe$/,
      bandFile: new RegExp(`^measurement\\/${IMAGE}\\.tiff$`),
      bandNames,
      files: {
        'product-metadata': /^manifest\.safe$/,
        annotation: new RegExp(`^annotation\\/${IMAGE}\\.xml$`),
        calibration: new RegExp(`^annotation\\/calibration\\/calibration-${IMAGE}\\.xml$`),
        noise: new RegExp(`^annotation\\/calibration\\/noise-${IMAGE}\\.xml$`),
        thumbnail: /^preview\/quick-look\.png$/,
      },
    },
  ],
});
