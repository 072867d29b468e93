import { commonFields, flags, geometries, numbers, texts, words } from './definition/hit-fields.ts';
import type { SceneGrammar } from './definition/scene-name.ts';
import { digits, matching, oneOf, toDayFromDigits } from './definition/scene-name.ts';
import type { Band, BandRole } from './definition/sensor.ts';
import { defineSensor, noCalibration, range } from './definition/sensor.ts';

/** The states, and the territories that were flown. */
const STATES =
  'ak al ar az ca co ct dc de fl ga gu hi ia id il in ks ky la ma md me mi mn mo ms mt nc nd ne nh nj nm nv ny oh ok or pa pr ri sc sd tn tx ut va vi vt wa wi wv wy';

/** `m_{degrees and quadrangle}_{quarter}_{UTM zone}_{resolution}_{flown}`, sometimes followed by a day of delivery. */
const SCENE = /^m_([0-9]{5})([0-9]{2})_(?:ne|nw|se|sw)_[0-9]{2}_(?:h|[0-9]{1,3})_([0-9]{8})(?:_([0-9]{8}))?$/;

const flownOn = (scene: string): string | null => toDayFromDigits(SCENE.exec(scene)?.[3] ?? '');

/**
 * The centre of a quarter quadrangle. A square of one degree is named by its south-eastern corner and has eight by eight
 * quadrangles, counted from the north-west. Guam, the only state in the east, is left out.
 */
function toCentre(scene: string, state: string): readonly [lon: number, lat: number] | null {
  const [, south, east, quadrangle, northSouth, eastWest] =
    /^m_(\d{2})(\d{3})(\d{2})_([ns])([ew])_/.exec(scene) ?? [];
  if (quadrangle === undefined || state === 'gu') return null;
  const [row, column] = [Math.floor((Number(quadrangle) - 1) / 8), (Number(quadrangle) - 1) % 8];
  return [
    -Number(east) - 1 + column / 8 + (eastWest === 'e' ? 3 : 1) / 32,
    Number(south) + 1 - row / 8 - (northSouth === 'n' ? 1 : 3) / 32,
  ];
}

/** `{state}/{year}/{resolution}/{samples}/{quad}/{scene}`. */
const sceneName: SceneGrammar = {
  segments: 6,
  example: 'al/2015/1m/rgbir/30085/m_3008501_ne_16_1_20151014',
  forms: [
    {
      form: 'path',
      separator: '/',
      fields: [
        {
          name: 'state',
          width: 2,
          expects: 'two small letters of a state',
          isValid: (text) => text.length === 2 && STATES.split(' ').includes(text),
        },
        digits('year', 4, [2002, 2099]),
        // newer deliveries pad centimetres to three digits, in their folders too
        matching('resolution', /^(?:[1-9][0-9]{0,2}cm|0[1-9][0-9]cm|[0-9](?:\.[0-9]{1,2})?m)$/, {
          expects: 'a length such as 1m or 60cm',
        }),
        oneOf('samples', 'rgb', 'rgbir'),
        digits('quad', 5, [10_064, 72_180]),
        matching('scene', SCENE, { expects: 'a name such as m_3008501_ne_16_1_20151014' }),
      ],
      toDate: ({ scene = '' }) => flownOn(scene),
      toPoint: ({ scene = '', state = '' }) => toCentre(scene, state),
      findConflict({ year = '', quad = '', scene = '' }) {
        const [, square, quadrangle = '', flown = '', delivered] = SCENE.exec(scene) ?? [];
        if (square !== quad) return 'scene and quad name different squares';
        // a square of one degree has eight by eight quadrangles
        if (Number(quadrangle) < 1 || Number(quadrangle) > 64) return 'its quadrangle must be 01 to 64';
        // the year of the project; some flights took place in the next winter
        if (Math.abs(Number(flown.slice(0, 4)) - Number(year)) > 1) return 'it was not flown in that year';
        if (delivered === undefined) return null;
        return toDayFromDigits(delivered) === null || delivered < flown ? 'its second day is wrong' : null;
      },
    },
  ],
};

/** Nominal ranges of the Leica ADS100; other cameras were flown too. */
const toBand = (name: string, role: BandRole, nm: readonly [number, number]): Band => ({
  name,
  spellings: [],
  role,
  kind: 'reflective',
  ...range(...nm),
  resolutionM: 1,
  type: 'uint8',
  nodata: null,
  calibration: noCalibration('NAIP is balanced for the eye and has no radiometric scale.'),
});

const hit = [
  ...commonFields,
  ...words('satelliteName'),
  ...numbers('dataCoveragePercentage'),
  ...flags('onAmazon'),
  ...texts('awsPath', 'thumbnail'),
  ...geometries('dataGeometry'),
];

const bandFile = /^(?<id>m_\d{7}_(?:ne|nw|se|sw)_\d{2}_(?:h|\d{1,3})_\d{8}(?:_\d{8})?)\.tif$/;

/** NAIP: aerial photographs of the United States. */
export const naip = defineSensor({
  dataset: 'naip',
  family: 'naip',
  abbreviation: 'NAIP',
  title: 'NAIP',
  sceneName,
  bands: [
    toBand('R', 'RED', [619, 651]),
    toBand('G', 'GREEN', [525, 585]),
    toBand('B', 'BLUE', [435, 495]),
    toBand('N', 'NIR', [808, 882]),
  ],
  defaultCompositions: [['R', 'G', 'B']],
  // The product is a finished picture.
  defaultStretch: 'none',
  natural: {
    ranges: {},
    stored: {
      RED: { min: 0, max: 255 },
      GREEN: { min: 0, max: 255 },
      BLUE: { min: 0, max: 255 },
      NIR: { min: 0, max: 255 },
    },
  },
  cloud: { kind: 'none', why: 'NAIP is flown under clear skies and comes without any cloud mask.' },
  hit,
  layouts: [
    {
      name: 'naip',
      marker: bandFile,
      bandFile,
      bandsInFile: { '': ['R', 'G', 'B', 'N'] },
      files: {
        metadata: /^(?<id>m_\d{7}_(?:ne|nw|se|sw)_\d{2}_(?:h|\d{1,3})_\d{8}(?:_\d{8})?)\.(?:txt|xml)$/,
      },
      // The name may end with a day of delivery that the image's name lacks: `…_20200415_20200730.xml`.
      sidecarId: /^(m_.*_\d{8})_\d{8}$/,
    },
  ],
});
