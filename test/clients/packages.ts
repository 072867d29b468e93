/** The programs of others that `npm run clients` asks, in the versions it was written with. */
export const PYTHON_PACKAGES: readonly string[] = [
  'eodag==4.10.1',
  'openapi-python-client==0.29.1',
  'pystac[validation]==1.15.2',
  'requests==2.34.2',
  'schemathesis==4.32.5',
];

/** openapi-typescript needs the compiler of TypeScript 5. */
export const NPM_PACKAGES: readonly string[] = [
  '@redocly/cli@2.73.0',
  'leaflet@1.9.4',
  'maplibre-gl@6.17.0',
  'ol@10.10.0',
  'openapi-fetch@0.17.0',
  'openapi-typescript@7.13.0',
  'typescript@5.9.3',
];
