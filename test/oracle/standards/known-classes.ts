/** Conformance classes of the standards that the doors follow: what of them is not claimed is listed. */

const STAC = 'https://api.stacspec.org/v1.0.0';
const OGC = 'http://www.opengis.net/spec';

const listOf = (root: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `${root}/${name}`);

/** Standards without classes of their own. */
export const PLAIN_STANDARDS = ['WMTS 1.0.0', 'WMS 1.3.0', 'WMS 1.1.1'] as const;

/** Classes that a service of these standards may have. */
export const KNOWN_CLASSES: readonly string[] = [
  ...listOf(STAC, 'core collections ogcapi-features item-search browseable children'),
  ...listOf(`${OGC}/ogcapi-features-1/1.0/conf`, 'core geojson oas30 html gmlsf0 gmlsf2'),
  ...listOf(`${OGC}/ogcapi-features-2/1.0/conf`, 'crs'),
  ...listOf(
    `${OGC}/ogcapi-features-4/1.0/conf`,
    'create-replace-delete update optimistic-locking-etags simpletx',
  ),
  ...listOf(
    `${OGC}/cql2/1.0/conf`,
    'cql2-text cql2-json basic-cql2 advanced-comparison-operators case-insensitive-comparison accent-insensitive-comparison basic-spatial-functions basic-spatial-functions-plus spatial-functions temporal-functions array-functions property-property functions arithmetic',
  ),
  ...listOf(`${OGC}/ogcapi-common-1/1.0/conf`, 'core landing-page json html oas30'),
  ...listOf(`${OGC}/ogcapi-common-2/1.0/conf`, 'collections simple-query'),
  ...listOf(
    `${OGC}/ogcapi-tiles-1/1.0/conf`,
    'core tileset tilesets-list dataset-tilesets geodata-tilesets geodata-selection datetime collections-selection oas30 xml png jpeg tiff netcdf geojson mvt',
  ),
  ...listOf(
    `${OGC}/ogcapi-maps-1/1.0/conf`,
    'core dataset-map collection-map collections-selection scaling spatial-subsetting general-subsetting datetime crs projection background display-resolution orientation custom-projection-crs styled-map tilesets api-operations cors html png jpeg jpegxl tiff svg',
  ),
  ...listOf(
    `${OGC}/ogcapi-coverages-1/1.0/conf`,
    'core scaling subsetting fieldselection crs tiles html geotiff netcdf cisjson coveragejson las zarr openapi',
  ),
  ...listOf(
    `${OGC}/tms/2.0/conf`,
    'tilematrixset tilematrixsetlimits tilesetmetadata json-tilematrixset json-tilematrixsetlimits json-tilesetmetadata xml-tilematrixset variable-width',
  ),
];
