/** An expression, and the same in NumPy over arrays of reflectance named like the sensor's bands. */
export interface IndexFormula {
  readonly expression: string;
  readonly numpy: string;
}

const normalized = (a: string, b: string): string => `(${a}-${b})/(${a}+${b})`;
const savi = (nir: string, red: string): string => `1.5*(${nir}-${red})/(${nir}+${red}+0.5)`;

const ndviOf = (nir: string, red: string): readonly IndexFormula[] => [
  { expression: 'NDVI', numpy: normalized(nir, red) },
  { expression: 'SAVI', numpy: savi(nir, red) },
];

/** NDMI averages the bands of 10 m over pixels of 20 m. */
const sentinel2: readonly IndexFormula[] = [
  { expression: 'NDVI', numpy: normalized('B08', 'B04') },
  { expression: 'NDMI', numpy: normalized('B08', 'B11') },
  { expression: 'SAVI', numpy: savi('B08', 'B04') },
];

/** The panchromatic band of 15 m is averaged over pixels of 30 m, whose edges cut its own. */
const oli: readonly IndexFormula[] = [...ndviOf('B5', 'B4'), { expression: 'B8-B4', numpy: 'B8-B4' }];

const pan10m: readonly IndexFormula[] = [{ expression: 'NDVI', numpy: normalized('BAND4', 'BAND3') }];

/** By dataset. */
export const indexFormulas: Readonly<Record<string, readonly IndexFormula[]>> = {
  sentinel2,
  sentinel2l2a: sentinel2,
  landsat9: oli,
  landsat8: oli,
  landsat7: ndviOf('B4', 'B3'),
  landsat5tm: ndviOf('B4', 'B3'),
  landsat4tm: ndviOf('B4', 'B3'),
  landsat5mss: [{ expression: 'B4/B2', numpy: 'B4/B2' }],
  landsat4mss: [{ expression: 'B4/B2', numpy: 'B4/B2' }],
  modis: ndviOf('B02', 'B01'),
  cbers4mux: ndviOf('BAND8', 'BAND7'),
  cbers4awfi: ndviOf('BAND16', 'BAND15'),
  cbers4pan10m: pan10m,
  naip: [{ expression: 'NDVI', numpy: normalized('N', 'R') }],
};
