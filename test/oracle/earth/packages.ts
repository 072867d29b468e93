/** A STAC API that is not ours, its database's schema and loader, and the client that most people search with. */
export const PYTHON_PACKAGES: readonly string[] = [
  'pypgstac[psycopg]==0.10.0',
  'pystac-client==0.9.1',
  'stac-fastapi.pgstac==7.2.0',
  'uvicorn==0.54.0',
];
