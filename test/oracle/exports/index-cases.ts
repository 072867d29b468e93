/** A file of indices, and the same in NumPy. */
export interface IndexCase {
  /** Keys of small products begin with it. */
  readonly products: string;
  readonly expressions: string;
  /** One for each band of the file, over arrays named like the sensor's bands. */
  readonly numpy: readonly string[];
  /** Bands are reflectance. */
  readonly isPhysical?: boolean;
  /** A rectangle or a star with a hole around the middle of the scene; the whole scene when left out. */
  readonly crop?: 'bounds' | 'outline';
}

const index = (a: string, b: string): string => `(${a}-${b})/(${a}+${b})`;

/** The same index by its alias and as band math, whole and cropped. */
function ndviCases(products: string, nir: string, red: string): readonly IndexCase[] {
  const numpy = [index(nir, red)];
  return [
    { products, expressions: 'NDVI', numpy },
    { products, expressions: index(nir, red), numpy, crop: 'bounds' },
    { products, expressions: 'ndvi', numpy, crop: 'outline' },
  ];
}

const evi = (nir: string, red: string, blue: string): string =>
  `F(2.5)*(${nir}-${red})/(${nir}+F(6)*${red}-F(7.5)*${blue}+F(1))`;

/** Every sensor of the demo world; aliases that need reflectance; bands of several resolutions; several expressions. */
export const indexCases: readonly IndexCase[] = [
  ...ndviCases('sentinel2-l1c', 'B08', 'B04'),
  ...ndviCases('sentinel2-l2a', 'B08', 'B04'),
  { products: 'sentinel2-l2a', expressions: 'EVI', numpy: [evi('B08', 'B04', 'B02')], isPhysical: true },
  { products: 'sentinel2-l1c', expressions: 'NDMI', numpy: [index('B08', 'B11')] },
  {
    products: 'sentinel2-l2a',
    expressions: '(B01+B04)*B12/2.0',
    numpy: ['(B01+B04)*B12/F(2)'],
    crop: 'outline',
  },
  {
    products: 'sentinel2-l2a',
    expressions: 'B04, NDVI, B8A/B09',
    numpy: ['B04', index('B08', 'B04'), 'B8A/B09'],
    crop: 'bounds',
  },
  {
    products: 'sentinel2-l1c',
    expressions: 'ISTACK',
    numpy: [index('B08', 'B04'), index('B03', 'B08'), index('B03', 'B11')],
  },
  { products: 'sentinel2-l2a', expressions: 'SCL', numpy: ['SCL'] },
  ...ndviCases('landsat8', 'B5', 'B4'),
  ...ndviCases('landsat9', 'B5', 'B4'),
  { products: 'landsat8', expressions: 'B8/B4', numpy: ['B8/B4'] },
  { products: 'landsat8', expressions: 'SAVI', numpy: ['F(1.5)*(B5-B4)/(B5+B4+F(0.5))'], isPhysical: true },
  ...ndviCases('landsat7', 'B4', 'B3'),
  ...ndviCases('landsat5tm', 'B4', 'B3'),
  ...ndviCases('landsat4tm', 'B4', 'B3'),
  { products: 'landsat5mss', expressions: 'B4/B2', numpy: ['B4/B2'] },
  { products: 'landsat4mss', expressions: 'B4/B2', numpy: ['B4/B2'], crop: 'outline' },
  ...ndviCases('modis', 'B02', 'B01'),
  ...ndviCases('cbers4mux', 'BAND8', 'BAND7'),
  ...ndviCases('cbers4awfi', 'BAND16', 'BAND15'),
  ...ndviCases('cbers4pan10m', 'BAND4', 'BAND3'),
  { products: 'cbers4pan5m', expressions: 'sqrt(BAND1)', numpy: ['np.sqrt(BAND1)'] },
  ...ndviCases('naip-rgbir', 'N', 'R'),
  { products: 'naip-rgb', expressions: 'G-R', numpy: ['G-R'] },
  { products: 'sentinel1', expressions: 'VV', numpy: ['VV'] },
  { products: 'sentinel1', expressions: 'VH/VV', numpy: ['VH/VV'], crop: 'outline' },
];
