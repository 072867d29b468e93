import type { Locations, Survey } from '../../ground/ground.ts';
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

/** A square of north-up pixels, for tests of light. */
export function makeLocations(square: { left: number; top: number; sideM: number; size: number }): Locations {
  const { left, top, sideM, size } = square;
  const x = new Float64Array(size * size);
  const y = new Float64Array(size * size);
  for (let i = 0; i < x.length; i++) {
    x[i] = left + ((i % size) + 0.5) * sideM;
    y[i] = top + (Math.floor(i / size) + 0.5) * sideM;
  }
  return { width: size, height: size, x, y, sideM };
}

/** Level ground at a height, for tests of light. */
export function makeLevelSurvey(locations: Locations, heightM: number): Survey {
  const count = locations.x.length;
  return {
    locations,
    heightM: new Float32Array(count).fill(heightM),
    slopeX: new Float32Array(count),
    slopeY: new Float32Array(count),
    fieldId: new Int32Array(count),
  };
}
