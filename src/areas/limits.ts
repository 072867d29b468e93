/** What an area may hold (docs/operate.md, "Limits"): enough for a coastline, little enough to be checked at once. */
export const areaLimits = {
  vertices: 10_000,
  rings: 100,
  polygons: 20,
  /** Longitudes may run on a turn beyond ±180, as maps that scroll round the globe write them. */
  maxLonDeg: 540,
  /**
   * Of the properties as JSON text. They are kept for the caller and never looked into. With them a feature takes less
   * than a MiB: a position has up to four numbers, and a number up to 24 characters.
   */
  propertiesBytes: 16_384,
} as const;
