/** Who must, or should, be named where pictures are shown, by family; `{years}` stands for the years of the scenes. */
export const attributions: Readonly<Record<string, string>> = {
  // Terms of the Copernicus Sentinel data, article 2: "Contains modified Copernicus Sentinel data [Year]".
  'sentinel-1': 'Contains modified Copernicus Sentinel data {years}',
  'sentinel-2': 'Contains modified Copernicus Sentinel data {years}',
  // The USGS asks for this credit line; its data are in the public domain.
  landsat: 'Landsat images courtesy of the U.S. Geological Survey',
  modis: 'MODIS data courtesy of NASA LP DAAC',
  'cbers-4': 'CBERS-4 images: INPE, CC BY-SA 3.0',
  naip: 'NAIP images: USDA Farm Production and Conservation',
  planetscope: 'Image © {years} Planet Labs PBC',
};
