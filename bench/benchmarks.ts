/** What each benchmark measures, by its folder; `run.ts` in that folder explains its options. */
export const benchmarks: Readonly<Record<string, string>> = {
  affinity:
    'what three nodes behind nginx decode and find in caches, in turn and by scene (needs nginx and PostgreSQL)',
  all: 'CPU time of tiles, points and hillshade at this commit and another one, in turns, with the noise',
  bandmath: 'CPU time of band math, compared with NumPy and numexpr (needs python3 with both)',
  bulk: 'numbers of 50,000 fields in 20 scenes, compared with exactextract and rasterstats',
  cache: 'kinds of block caches, compared with each other on two threads',
  cold: 'cold tiles from a slow server in fresh processes; --titiler-python PYTHON adds TiTiler',
  coverage: 'cloud in the area: a hundred scenes in a field, the first time and again',
  decode: 'reading one deflate block, compared with rasterio and zlib (needs python3 with rasterio)',
  earth:
    'live catalogs far away: search, first tiles, a field over two years against pystac-client and rasterio',
  exports: 'files of whole scenes, compared with GDAL in time and size (needs gdal-bin, or says so)',
  mosaic:
    'tiles of mosaics, compared with one scene and with titiler-pgstac; low zoom levels of 10,000 scenes',
  nodes:
    'what one core answers, and 1, 2 and 4 api nodes on PostgreSQL, with a simulation of more (needs PostgreSQL)',
  overload: 'a minute of more load than the service can take; fails if the service does not hold up',
  pan: 'how much prefetch helps a person who moves a map of remote files',
  scale: 'ten million scenes in PostgreSQL: load, searches, sizes and removal; --layouts compares partitions',
  search:
    'searches among a million synthetic scenes, on SQLite and PostgreSQL; STAC searches compared with stac-fastapi-pgstac',
  standards: 'what a tile costs through WMTS, OGC API and XYZ, compared with our own address; documents',
  statistics: 'statistics of areas: a year of a field, a thousand fields; --titiler URL adds TiTiler',
  tasks: 'time, statements and CPU of a task in the queue on PostgreSQL (with `npm run with-postgres`)',
  terrain: 'hillshade of a whole elevation model, compared with gdaldem (needs gdal-bin, or says so)',
  tiles: 'CPU time of a tile, compared with rasterio as a ratio (needs python3 with rasterio)',
  viewer: 'in the browser: how soon the map appears, and how soon a newly chosen scene is drawn',
  watch: 'a new scene over 50,000 subscribed fields, and a list of 1,000 fields with their last values',
  weather: 'reads of weather, and the ingest of a month of hourly data: time and memory',
  where: 'where the CPU time of a warm tile or point goes, by thread and stage',
};
