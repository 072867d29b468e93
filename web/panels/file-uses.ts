/** What files can become, by the endings of their names: an area of the page, or fields of the key. */

/** Files that the page reads itself. */
export const AREA_ENDINGS = ['.geojson', '.json', '.kml', '.kmz', '.zip'] as const;

/** Files that the server reads. */
export const FIELD_ENDINGS = [
  '.geojson',
  '.json',
  '.geojsonl',
  '.kml',
  '.zip',
  '.gpkg',
  '.parquet',
  '.csv',
] as const;

/** What a file can become. */
export interface FileUses {
  readonly isArea: boolean;
  readonly isFields: boolean;
}

/** Reads it from the name. */
export const usesOf = (fileName: string): FileUses => {
  const has = (endings: readonly string[]): boolean =>
    endings.some((ending) => fileName.toLowerCase().endsWith(ending));
  return { isArea: has(AREA_ENDINGS), isFields: has(FIELD_ENDINGS) };
};
