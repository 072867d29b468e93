/** What items of collections have in common, whichever catalog lists them: their names, and fields that can be filtered. */
import type { LiveCollection, LiveProperty } from '../live-catalog.ts';

/** Our hits round the percentages and angles of Sentinel-2 to hundredths. */
const HUNDREDTH = { step: 0.01 };

/** A field that has the value of a property. */
const same = (name: string): LiveProperty => ({ name });
/** A field that is a property rounded to hundredths. */
const rounded = (name: string): LiveProperty => ({ name, ...HUNDREDTH });

/** An entry with what is rare left out. */
type Entry = Pick<LiveCollection, 'collection' | 'dataset' | 'since'> & Partial<LiveCollection>;

/** Fills in what an entry leaves out: no condition, no field to filter by, no asset to keep. */
export const toEntry = (entry: Entry): LiveCollection => ({
  where: {},
  properties: {},
  locate: {},
  namingAssets: [],
  heavyAssets: [],
  ...entry,
});

/** Images of Sentinel-2 by their keys in Earth Search, as COG and as JPEG 2000: nine tenths of an item. */
const SENTINEL2_IMAGES = [
  ...[
    'coastal',
    'blue',
    'green',
    'red',
    'rededge1',
    'rededge2',
    'rededge3',
    'nir',
    'nir08',
    'nir09',
    'cirrus',
  ],
  ...['swir16', 'swir22', 'aot', 'scl', 'wvp', 'visual'],
].flatMap((key) => [key, `${key}-jp2`]);

/** The first recording of Sentinel-2A. */
const SENTINEL2_SINCE = '2015-06-27';

/**
 * Sentinel-2 as stactools and Earth Search describe it. `grid:code` writes zone 5 as `05` or `5` by the age of the item, so
 * tiles are found by the MGRS extension, in which the zone is a number.
 */
export const sentinel2ByMgrs = (collection: string, dataset: string): LiveCollection =>
  toEntry({
    collection,
    dataset,
    since: SENTINEL2_SINCE,
    properties: {
      cloudCoverage: rounded('eo:cloud_cover'),
      sunElevation: rounded('view:sun_elevation'),
      azimuthAngle: rounded('view:sun_azimuth'),
      utmZone: same('mgrs:utm_zone'),
      latitudeBand: same('mgrs:latitude_band'),
      gridSquare: same('mgrs:grid_square'),
      originalSceneID: same('s2:datastrip_id'),
    },
    locate: {
      'mgrs:utm_zone': '#{utmZone}',
      'mgrs:latitude_band': '{latitudeBand}',
      'mgrs:grid_square': '{square}',
    },
    // The path of the tile in Amazon's bucket, a field of hits, is in the addresses of these files, by the age of the item.
    namingAssets: ['blue-jp2', 'product_metadata', 'thumbnail'],
    heavyAssets: SENTINEL2_IMAGES.filter((key) => key !== 'blue-jp2'),
  });

/** Sentinel-2 as the first version of Earth Search described it. */
export const sentinel2ByOldFields = (collection: string, dataset: string): LiveCollection =>
  toEntry({
    collection,
    dataset,
    since: SENTINEL2_SINCE,
    properties: {
      cloudCoverage: rounded('eo:cloud_cover'),
      utmZone: same('sentinel:utm_zone'),
      latitudeBand: same('sentinel:latitude_band'),
      gridSquare: same('sentinel:grid_square'),
    },
    locate: {
      'sentinel:utm_zone': '#{utmZone}',
      'sentinel:latitude_band': '{latitudeBand}',
      'sentinel:grid_square': '{square}',
    },
    namingAssets: ['metadata', 'thumbnail'],
  });

/** Sentinel-2 of the Planetary Computer, which states the sun's zenith instead of its elevation. */
export const sentinel2ByTile = (collection: string, dataset: string): LiveCollection =>
  toEntry({
    collection,
    dataset,
    since: SENTINEL2_SINCE,
    properties: {
      cloudCoverage: rounded('eo:cloud_cover'),
      zenithAngle: rounded('s2:mean_solar_zenith'),
      azimuthAngle: rounded('s2:mean_solar_azimuth'),
      originalSceneID: same('s2:datastrip_id'),
    },
    locate: { 's2:mgrs_tile': '{utmZone:2}{latitudeBand}{square}' },
    namingAssets: ['rendered_preview'],
  });

/** Sentinel-2 of the Copernicus Data Space. */
export const sentinel2ByGrid = (collection: string, dataset: string): LiveCollection =>
  toEntry({
    collection,
    dataset,
    since: SENTINEL2_SINCE,
    properties: {
      cloudCoverage: rounded('eo:cloud_cover'),
      sunElevation: rounded('view:sun_elevation'),
      azimuthAngle: rounded('view:sun_azimuth'),
    },
    locate: { 'grid:code': 'MGRS-{utmZone:2}{latitudeBand}{square}' },
    namingAssets: ['thumbnail'],
  });

/** Where a Sentinel-1 product is, by its name without the checksum, which is the id of an item in most catalogs. */
const SENTINEL1_ID = {
  id: '{mission}_{mode}_{product}_{polarization}_{start}_{stop}_{orbit}_{dataTake}',
};

/** Sentinel-1 GRD; the addresses of files have the checksum that ids of items lack. */
export const sentinel1 = (
  collection: string,
  locate: LiveCollection['locate'] = SENTINEL1_ID,
): LiveCollection =>
  toEntry({
    collection,
    dataset: 'sentinel1',
    since: '2014-10-03',
    properties: { absoluteOrbitNumber: same('sat:absolute_orbit') },
    locate,
    namingAssets: ['safe-manifest', 'thumbnail'],
  });

/**
 * MODIS MCD43A4. A day finds up to sixteen items of a tile: an item counts for all days that it is composed of. Ids of
 * items lack the time of production, which is in the addresses of files.
 */
export const modisByTile = (collection: string): LiveCollection =>
  toEntry({
    collection,
    dataset: 'modis',
    since: '2000-02-16',
    properties: {
      horizontalTileNumber: same('modis:horizontal-tile'),
      verticalTileNumber: same('modis:vertical-tile'),
    },
    locate: { 'modis:horizontal-tile': '#{horizontal}', 'modis:vertical-tile': '#{vertical}' },
    namingAssets: ['Nadir_Reflectance_Band1', 'hdf', 'rendered_preview'],
  });

/**
 * NAIP: its image says which bands it has and how it is named. Ids of items may end in a day of delivery that the name of
 * the image lacks; the name itself says where the image lies.
 */
export const naipByPlace = (collection: string): LiveCollection =>
  toEntry({
    collection,
    dataset: 'naip',
    since: '2010-01-01',
    locate: { 'naip:state': '{state}' },
    namingAssets: ['image', 'rendered_preview'],
  });

/** CBERS-4: items have the names of their products. */
export const cbers4ById = (collection: string, dataset: string): LiveCollection =>
  toEntry({
    collection,
    dataset,
    since: '2014-12-08',
    properties: { sunElevation: same('view:sun_elevation'), sunAzimuth: same('view:sun_azimuth') },
    locate: { id: '{family}_{satellite}_{camera}_{date}_{path}_{row}_{level}' },
    namingAssets: ['metadata', 'thumbnail'],
  });
