import type { SpectralBand } from '../exposure.ts';

const reflective = (name: string, centreNm: number, widthNm: number): SpectralBand => ({
  name,
  kind: 'reflective',
  centreNm,
  widthNm,
});

/** Bands of Sentinel-2 for tests of light: centre and width of each as its operator publishes them, rounded. */
export const sentinel2Bands: readonly SpectralBand[] = [
  reflective('B01', 443, 20),
  reflective('B02', 492, 66),
  reflective('B03', 560, 36),
  reflective('B04', 665, 31),
  reflective('B05', 704, 15),
  reflective('B06', 741, 15),
  reflective('B07', 783, 20),
  reflective('B08', 833, 106),
  reflective('B8A', 865, 21),
  reflective('B09', 945, 20),
  reflective('B10', 1374, 31),
  reflective('B11', 1614, 91),
  reflective('B12', 2202, 175),
];
