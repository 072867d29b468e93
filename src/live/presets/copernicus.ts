import type { LiveCatalog } from '../live-catalog.ts';
import { sentinel1, sentinel2ByGrid } from './items-of.ts';
import { copernicusTerrain } from './terrain.ts';

/** Where the Copernicus Data Space has its files; they need keys of an account, which is free. */
export const COPERNICUS_ENDPOINT = 'https://eodata.dataspace.copernicus.eu';

/** The Copernicus Data Space Ecosystem: all Sentinels from the source, Sentinel-2 as JPEG 2000, Sentinel-1 as COGs. */
export const copernicus: LiveCatalog = {
  name: 'copernicus',
  title: 'Copernicus Data Space Ecosystem',
  url: 'https://stac.dataspace.copernicus.eu/v1',
  api: { filter: 'cql2', sort: true, fields: true, counts: false, maxItems: 200 },
  collections: [
    sentinel2ByGrid('sentinel-2-l2a', 'sentinel2l2a'),
    sentinel2ByGrid('sentinel-2-l1c', 'sentinel2'),
    // Ids of items end in the checksum, which some view ids lack: all products of the orbit are looked at.
    sentinel1('sentinel-1-grd', { 'sat:absolute_orbit': '#{orbit}' }),
  ],
  isGuessed: false,
  sources: {
    s3: [{ buckets: ['eodata'], region: 'default', endpoint: COPERNICUS_ENDPOINT, pathStyle: true }],
  },
  limits: { requestsPerMinute: 300, concurrency: 4, deadlineMs: 8_000 },
  terrain: copernicusTerrain(
    'cop-dem-glo-30-dged-cog',
    's3://eodata/auxdata/CopDEM_COG/copernicus-dem-30m/{cell}/{cell}.tif',
  ),
  attribution: 'Contains modified Copernicus Sentinel data; served by the Copernicus Data Space Ecosystem.',
  licence: 'Copernicus Sentinel data: free, full and open, with attribution',
  costs: 'free within the monthly quota of the account',
};
