/** A request for pictures, and the scenes it is made of. */
export interface PictureCase {
  /** How the view ids of its scenes begin. */
  readonly scenes: string;
  readonly bands: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Zooms above the first whose pixels are smaller than those of the band; -1 shrinks once. */
  readonly zooms?: readonly number[];
  /** Where in the scene, in parts of its size. */
  readonly position?: readonly [x: number, y: number];
  /** Cropped to a star with a hole around the position. */
  readonly isCropped?: boolean;
  /** A part of the tile as a picture of its own, in this reference system. */
  readonly epsg?: number;
  /** The small product it is of, when what GDAL makes of it is stored in test/golden/pictures. */
  readonly golden?: string;
}

const DEMO = 'S2L2A/10/U/EU/2026/6/21/1';
const LEVELS = [0, -1, -2, -3];
const METHODS = ['near', 'bilinear', 'cubic', 'cubicspline', 'lanczos', 'average', 'mode'];
const MORE_METHODS = ['max', 'min', 'med', 'q1', 'q3'];
const NDVI = '(B08-B04)/(B08+B04)';

/** Pictures of the small demo's scene: every method of resampling, all kinds of colours, expressions and positions. */
const demoCases: readonly PictureCase[] = [
  { scenes: DEMO, bands: 'B04,B03,B02', zooms: LEVELS },
  { scenes: DEMO, bands: 'B12,B8A,B02', zooms: LEVELS },
  { scenes: DEMO, bands: 'B04,B03,B02', zooms: [0, -2], position: [0, 0] },
  { scenes: DEMO, bands: 'B04,B03,B02', zooms: [0, -2], position: [1, 1] },
  ...[...METHODS, ...MORE_METHODS].map(
    (RESAMPLE): PictureCase => ({
      scenes: DEMO,
      bands: 'B08',
      query: { RESAMPLE, MIN_MAX: '500,6000' },
      zooms: [0, -1, -2],
    }),
  ),
  { scenes: DEMO, bands: 'B08', query: { COLORMAP: 'viridis' }, zooms: LEVELS },
  { scenes: DEMO, bands: 'NDVI', zooms: LEVELS },
  { scenes: DEMO, bands: NDVI, query: { COLORMAP: 'RdYlGn', MIN_MAX: '-0.2,0.9' }, zooms: LEVELS },
  { scenes: DEMO, bands: NDVI, query: { COLORMAP: 'terrain', MIN_MAX: '-1,1', COLORS_LIMIT: '9' } },
  { scenes: DEMO, bands: NDVI, query: { COLORMAP: 'Accent', MIN_MAX: '-0.2,0.9' } },
  { scenes: DEMO, bands: NDVI, query: { COLORS: 'ad0028,fdfec2,007e47', THRESHOLDS: '0.3,0.6' } },
  { scenes: DEMO, bands: 'EVI', query: { COLORMAP: 'plasma_r', MIN_MAX: '-0.2,1' }, zooms: [0, -1] },
  ...['SAVI', 'MSAVI', 'NDMI', 'NBR', 'MSI', 'NDRE', 'GCI', 'ARVI'].map(
    (bands): PictureCase => ({ scenes: DEMO, bands, query: { MIN_MAX: '-0.5,1.5', CALIBRATE: '1' } }),
  ),
  { scenes: DEMO, bands: 'B04^(1.0/2)', query: { MIN_MAX: '10,70' } },
  { scenes: DEMO, bands: 'B04^(1/2)*B08', query: { MIN_MAX: '500,6000' } },
  {
    scenes: DEMO,
    bands: 'where(greater(B08,B04),B08-B04,B04)',
    query: { RESAMPLE: 'near', MIN_MAX: '0,5000' },
  },
  {
    scenes: DEMO,
    bands: `${NDVI},(B03-B08)/(B03+B08),(B08-B11)/(B08+B11)`,
    query: { COMPOSITE: '1' },
    zooms: [0, -1],
  },
  { scenes: DEMO, bands: 'SCL', query: { PALETTE: '{"4":"#00a000","5":"#ffe65a","6":"#0000ff"}' } },
  { scenes: DEMO, bands: 'B04,B03,B02', isCropped: true, zooms: [0, -1] },
  { scenes: DEMO, bands: 'NDVI', isCropped: true },
  { scenes: DEMO, bands: 'B08', epsg: 4326, query: { TILE_SIZE: '300,200' } },
  { scenes: DEMO, bands: 'B04,B03,B02', epsg: 32610, query: { TILE_SIZE: '200,300', RESAMPLE: 'cubic' } },
];

interface SensorBands {
  readonly rgb: string;
  readonly ndvi: string;
  readonly nir: string;
  readonly thermal?: string;
}

const sentinel2 = { rgb: 'B04,B03,B02', ndvi: NDVI, nir: 'B08' };
const oli = { rgb: 'B4,B3,B2', ndvi: '(B5-B4)/(B5+B4)', nir: 'B5', thermal: 'B10' };
const withoutThermal = { rgb: oli.rgb, ndvi: oli.ndvi, nir: oli.nir };
const tm = { rgb: 'B3,B2,B1', ndvi: '(B4-B3)/(B4+B3)', nir: 'B4', thermal: 'B6' };
const mss = { rgb: 'B4,B2,B1', ndvi: '(B4-B2)/(B4+B2)', nir: 'B4' };
const mux = { rgb: 'BAND7,BAND6,BAND5', ndvi: '(BAND8-BAND7)/(BAND8+BAND7)', nir: 'BAND8' };
const awfi = { rgb: 'BAND15,BAND14,BAND13', ndvi: '(BAND16-BAND15)/(BAND16+BAND15)', nir: 'BAND16' };
const pan10 = { rgb: 'BAND4,BAND3,BAND2', ndvi: '(BAND4-BAND3)/(BAND4+BAND3)', nir: 'BAND4' };
const modis = { rgb: 'B01,B04,B03', ndvi: '(B02-B01)/(B02+B01)', nir: 'B02' };
const naip = { rgb: 'R,G,B', ndvi: '(N-R)/(N+R)', nir: 'N' };

/** What every sensor can show: true colours, a band, an index; and the same of physical values where it has them. */
function sensorCases(
  scenes: string,
  { rgb, ndvi, nir, thermal }: SensorBands,
  isCalibrated = true,
): readonly PictureCase[] {
  const index = { COLORMAP: 'RdYlGn', MIN_MAX: '-0.3,0.8' };
  const physical: readonly PictureCase[] = [
    { scenes, bands: rgb, query: { CALIBRATE: '1', MIN_MAX: '0,0.35' } },
    { scenes, bands: nir, query: { CALIBRATE: '1', MIN_MAX: '0,0.6', RESAMPLE: 'cubic' } },
    { scenes, bands: ndvi, query: { ...index, CALIBRATE: '1' } },
    ...(thermal === undefined
      ? []
      : [{ scenes, bands: thermal, query: { CALIBRATE: '1', MIN_MAX: '270,320' } }]),
  ];
  return [
    { scenes, bands: rgb, zooms: [0, -1] },
    { scenes, bands: nir, query: { RESAMPLE: 'near' } },
    { scenes, bands: ndvi, query: index },
    ...(isCalibrated ? physical : []),
  ];
}

const radarCases = (scenes: string, band: string, isCalibrated: boolean): readonly PictureCase[] => [
  { scenes, bands: band, query: { RESAMPLE: 'near' } },
  ...(isCalibrated
    ? [{ scenes, bands: band, query: { RESAMPLE: 'near', CALIBRATE: '1', MIN_MAX: '0,0.4' } }]
    : []),
];

const covered = (scenes: string, bands: string, range = '0,8000'): PictureCase => ({
  scenes,
  bands,
  query: { MASKING: 'CLOUD', MASK_COLOR: 'ff00ff', MIN_MAX: range },
});
const OLI_RANGE = '5000,30000';
const BITS = '{"(15,14)":"#ffffff","(13,12)":"#00ffff","(11,10)":"#8080ff","(5,4)":"#0000ff","4":"#204020"}';
const quality = (scenes: string): PictureCase => ({ scenes, bands: 'BQA', query: { PALETTE: BITS } });

const OLI = 'L8/LC80460262025195LGN00';
const SHIFTED = { scenes: 'S2L2A/10/U/EU/2026/7/1/0', zooms: [-1], golden: 'sentinel2-l2a-offset' };
const WARM = { CALIBRATE: '1', MIN_MAX: '270,320' };
const INDEX = { COLORMAP: 'RdYlGn', MIN_MAX: '-0.3,0.8', CALIBRATE: '1' };

/** A handful that is also compared where there is no GDAL: small, and each with something of its own. */
const goldenCases: readonly PictureCase[] = [
  { ...SHIFTED, bands: 'B04,B03,B02' },
  { ...SHIFTED, bands: 'NDVI' },
  { ...SHIFTED, bands: 'EVI', query: { COLORMAP: 'viridis', MIN_MAX: '-0.2,1' } },
  { ...SHIFTED, bands: 'B11', query: { CALIBRATE: '1', MIN_MAX: '0,0.5', RESAMPLE: 'lanczos' } },
  { ...covered('S2/10/U/EU/2021', 'B04'), zooms: [-1], golden: 'sentinel2-l1c-polygons' },
  { scenes: OLI, golden: 'landsat8-c2', bands: oli.rgb, query: { CALIBRATE: '1', MIN_MAX: '0,0.35' } },
  { scenes: OLI, golden: 'landsat8-c2', bands: 'B10', query: WARM },
  { ...covered(OLI, 'B4', OLI_RANGE), golden: 'landsat8-c2' },
  { ...quality(OLI), golden: 'landsat8-c2' },
  { scenes: 'L5TM', golden: 'landsat5tm-c2', bands: tm.ndvi, query: INDEX },
  { scenes: 'MODIS', golden: 'modis', bands: modis.rgb },
  {
    scenes: 'CBERS4AWFI',
    golden: 'cbers4awfi',
    bands: 'BAND16',
    query: { CALIBRATE: '1', MIN_MAX: '0,0.6', RESAMPLE: 'cubic' },
  },
  {
    scenes: 'NAIP/wa/2015',
    golden: 'naip-rgb',
    bands: 'R,G,B',
    query: { RESAMPLE: 'cubicspline' },
    zooms: [-1],
  },
];

/** Pictures of the demo world. */
export const worldCases: readonly PictureCase[] = [
  ...goldenCases,
  ...demoCases,
  ...sensorCases('S2/10/U/EU/2021', sentinel2),
  ...sensorCases('S2/10/U/EU/2026', sentinel2),
  ...sensorCases('S2L2A/10/U/EU/2026/6/21/0', sentinel2),
  ...sensorCases('S2L2A/10/U/EU/2026/7/1/0', sentinel2),
  { scenes: 'S2L2A/10/U/EU/2026/7/1/0', bands: 'EVI', query: { COLORMAP: 'RdYlGn', MIN_MAX: '-0.2,1' } },
  ...['L9', 'L8'].flatMap((abbreviation) => sensorCases(abbreviation, oli)),
  ...['L7', 'L5TM', 'L4TM'].flatMap((abbreviation) => sensorCases(abbreviation, tm)),
  ...['L5MSS', 'L4MSS'].flatMap((abbreviation) => sensorCases(abbreviation, mss)),
  ...sensorCases('MODIS', modis),
  ...sensorCases('CBERS4MUX', mux),
  ...sensorCases('CBERS4AWFI', awfi),
  ...sensorCases('CBERS4PAN10M', pan10, false),
  { scenes: 'CBERS4PAN5M', bands: 'BAND1', zooms: [0, -1] },
  ...sensorCases('NAIP/wa/2023', naip, false),
  { scenes: 'NAIP/wa/2015', bands: 'R,G,B', zooms: [0, -1] },
  ...radarCases('S1', 'VV', true),
  ...radarCases('S1', 'VH', true),
  ...['S2/10/U/EU/2021', 'S2/10/U/EU/2026', 'S2L2A/10/U/EU/2026/6/21/0'].map((scenes) =>
    covered(scenes, 'B04'),
  ),
  ...['L8', 'L9'].flatMap((scenes) => [covered(scenes, 'B4', OLI_RANGE), quality(scenes)]),
];

/** Pictures of real products (the folder that SWATH_SAMPLES names). */
export const sampleCases: readonly PictureCase[] = [
  ...['S2/55/J/GF', 'S2/19/U/DP', 'S2/55/H/FA'].flatMap((scenes) => sensorCases(scenes, sentinel2)),
  ...['S2L2A/29/R/KH', 'S2L2A/19/U/DP'].flatMap((scenes) => sensorCases(scenes, sentinel2)),
  { scenes: 'S2L2A/29/R/KH', bands: 'B04,B03,B02', zooms: LEVELS },
  // GDAL sees no smaller copies in these files
  { scenes: 'S2/55/J/GF', bands: 'B04,B03,B02', zooms: [1, 0, -1] },
  { scenes: 'S2/55/J/GF', bands: 'B04,B03,B02', isCropped: true },
  ...['L8/LC8016', 'L8/LC8017', 'L8/LC8089', 'L8/LC8090', 'L9'].flatMap((scenes) =>
    sensorCases(scenes, scenes.includes('LC8017') ? withoutThermal : oli),
  ),
  { scenes: 'L8/LC8016', bands: 'B4,B3,B2', zooms: LEVELS },
  { scenes: 'L8/LC8016', bands: 'NDVI', isCropped: true },
  ...sensorCases('L8/LC08_L2SP', oli),
  ...sensorCases('L8/LC08_L1TP_013032_20180710', oli, false),
  ...['L7/LE71040782013119', 'L7/LE71070682022069', 'L7/LE07_L2SP', 'L5TM/LT05_L2SP', 'L5TM/LT5'].flatMap(
    (scenes) => sensorCases(scenes, tm),
  ),
  ...sensorCases('MODIS', modis),
  ...sensorCases('CBERS4MUX', mux, false),
  ...sensorCases('CBERS4AWFI', awfi, false),
  ...sensorCases('CBERS4PAN10M', pan10, false),
  { scenes: 'CBERS4PAN5M', bands: 'BAND1', zooms: LEVELS },
  ...sensorCases('NAIP', naip, false),
  ...radarCases('S1/S1A_IW', 'VV', false),
  ...radarCases('S1/', 'VH', false),
  ...['S2/55/J/GF', 'S2L2A/29/R/KH'].map((scenes) => covered(scenes, 'B04')),
  ...['L8/LC8016', 'L8/LC8089', 'L8/LC8090'].flatMap((scenes) => [
    covered(scenes, 'B4', OLI_RANGE),
    quality(scenes),
  ]),
];
