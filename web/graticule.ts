/** The quiet grid of meridians and parallels behind the map. */

/** Web Mercator ends here: atan(sinh(π)) in degrees. */
const MERCATOR_LIMIT_DEG = 85.051129;

/** Meridians and parallels every `stepDeg` degrees as one multi-line. */
export const makeGraticule = (stepDeg: number): { type: 'MultiLineString'; coordinates: number[][][] } => {
  const coordinates: number[][][] = [];
  for (let lon = -180; lon < 180; lon += stepDeg) {
    coordinates.push([
      [lon, -MERCATOR_LIMIT_DEG],
      [lon, MERCATOR_LIMIT_DEG],
    ]);
  }
  for (let lat = -90 + stepDeg; lat < 90; lat += stepDeg) {
    // Three points, because a line from -180 to 180 alone would be read as no line at all by a wrapping reader.
    coordinates.push([
      [-180, lat],
      [0, lat],
      [180, lat],
    ]);
  }
  return { type: 'MultiLineString', coordinates };
};
