import { commonFields, flags, geometries, numbers, texts, words } from '../definition/hit-fields.ts';
import { INFRARED_GAMMA, topOfAtmosphereRanges } from '../definition/natural.ts';
import type { SceneGrammar } from '../definition/scene-name.ts';
import { digits, oneOf, toDayFromDigits } from '../definition/scene-name.ts';
import type { Band, BandRole, ProductLayout } from '../definition/sensor.ts';
import { range } from '../definition/sensor.ts';

/** `CBERS_4_{camera}_{date}_{path}_{row}_{level}`, as INPE names its products. */
export const toCbers4Grammar = (camera: string, example: string): SceneGrammar => ({
  segments: 1,
  example,
  forms: [
    {
      form: 'scene-id',
      separator: '_',
      fields: [
        oneOf('family', 'CBERS'),
        oneOf('satellite', '4'),
        oneOf('camera', camera),
        digits('date', 8, [20140101, 20991231]),
        digits('path', 3, [1, 373]),
        digits('row', 3, [1, 373]),
        oneOf('level', 'L2', 'L3', 'L4'),
      ],
      toDate: ({ date = '' }) => toDayFromDigits(date),
    },
  ],
});

/** Fields of a CBERS-4 hit: those that clients read, with path and row. */
const hit = [
  ...commonFields,
  ...words('satelliteName', 'sensor'),
  ...numbers('processingLevel', 'dataCoveragePercentage', 'path', 'row', 'sunElevation', 'sunAzimuth'),
  ...flags('onAmazon'),
  ...texts('downloadUrl', 'thumbnail'),
  ...geometries('dataGeometry'),
];

/** Numbers of 8 bits of the PAN cameras, for products that do not say their gain. */
const stored = { min: 10, max: 200, gamma: INFRARED_GAMMA };

/** What all cameras have in common. */
export const cbers4 = {
  natural: {
    ranges: topOfAtmosphereRanges,
    stored: { GREEN: stored, RED: stored, NIR: stored, PAN: stored },
  },
  family: 'cbers-4',
  datasetGroups: ['cbers4'],
  sharedAbbreviations: ['CBERS4'],
  cloud: { kind: 'none', why: 'CBERS-4 products come without any cloud mask.' },
  hit,
} as const;

/** An image and an XML file per band; `bands` is a pattern of band numbers. */
export function toCbers4Layouts(camera: string, bands: string): readonly ProductLayout[] {
  const id = `CBERS_4_${camera}_\\d{8}_\\d{3}_\\d{3}_L[234]`;
  const bandFile = new RegExp(`^(?<id>${id})_(?<band>BAND(?:${bands}))\\.tif$`);
  return [
    {
      name: `cbers4-${camera.toLowerCase()}`,
      // Some copies lack the XML files, so the marker is an image.
      marker: bandFile,
      bandFile,
      files: {
        metadata: new RegExp(`^(?<id>${id})_BAND(?:${bands})\\.xml$`),
        thumbnail: new RegExp(`^(?<id>${id})(?:_small)?\\.(?:jpg|jpeg|png)$`),
      },
    },
  ];
}

/** Solar irradiance [W/(m² µm)] by role: Thuillier 2003 over the bands of CBERS-4. */
const ESUN = { BLUE: 1984.65, GREEN: 1823.4, RED: 1536.38, NIR: 981.91, PAN: 1259.85 } as const;

/** Spectral ranges, the same on all cameras: INPE, CBERS-4 camera specifications. */
const RANGES: Readonly<Record<keyof typeof ESUN, readonly [from: number, to: number]>> = {
  BLUE: [450, 520],
  GREEN: [520, 590],
  RED: [630, 690],
  NIR: [770, 890],
  PAN: [510, 850],
};

interface Cbers4Band {
  readonly number: number;
  readonly role: BandRole & keyof typeof ESUN;
  readonly resolutionM: number;
  readonly type: 'uint8' | 'uint16';
  /** In W/(m² sr µm) per stored unit; null if none is published. */
  readonly gain: number | null;
  /** Whether the coefficient in the product's XML agrees with measurements in flight. */
  readonly trustsMetadata: boolean;
}

/** One band of a camera. */
export const toCbers4Band = ({
  number,
  role,
  resolutionM,
  type,
  gain,
  trustsMetadata,
}: Cbers4Band): Band => ({
  name: `BAND${number}`,
  spellings: [`B${number}`],
  role,
  kind: 'reflective',
  ...range(...RANGES[role]),
  resolutionM,
  type,
  nodata: 0,
  calibration: {
    kind: 'radiance',
    metadata: trustsMetadata ? 'absoluteCalibrationCoefficient' : null,
    radiance: gain === null ? null : { mult: gain, add: 0 },
    esun: ESUN[role],
  },
});
