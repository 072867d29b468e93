/** The limits of an area (docs/operate/limits.md): enough for a coastline, small enough to be validated at once. */
export const areaLimits = {
  vertices: 10_000,
  rings: 100,
  polygons: 20,
  /** Longitudes may exceed ±180 by a turn, as in maps that scroll round the globe. */
  maxLonDeg: 540,
  /**
   * Of the properties as JSON text. They are stored for the caller and never interpreted. With them a feature takes
   * less than a MiB: a position has up to four numbers, and a number up to 24 characters.
   */
  propertiesBytes: 16_384,
} as const;
