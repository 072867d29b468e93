/** Tiles of searches in a STAC database, as most people make mosaics today. */
export const PYTHON_PACKAGES: readonly string[] = [
  'psycopg[binary,pool]==3.3.9',
  'pypgstac==0.10.0',
  'titiler-pgstac==3.2.0',
  'uvicorn==0.54.0',
];
