/** What a Python program that measures a field in many scenes uses. */
export const PYTHON_PACKAGES: readonly string[] = [
  'pystac-client==0.9.1',
  'rasterio==1.4.4',
  'rio-tiler==9.4.12',
];
