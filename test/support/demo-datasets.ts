/** The datasets that the demo world has scenes of. A sensor may be known without a demo product. */
export const DEMO_DATASETS: readonly string[] = [
  'sentinel2',
  'sentinel2l2a',
  'landsat9',
  'landsat8',
  'landsat7',
  'landsat5tm',
  'landsat5mss',
  'landsat4tm',
  'landsat4mss',
  'cbers4mux',
  'cbers4awfi',
  'cbers4pan10m',
  'cbers4pan5m',
  'modis',
  'naip',
  'sentinel1',
];
