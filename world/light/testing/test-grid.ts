import type { Locations, Survey } from '../../ground/ground.ts';

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
