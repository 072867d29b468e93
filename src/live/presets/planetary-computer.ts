import type { LiveCatalog } from '../live-catalog.ts';
import { modisByTile, naipByPlace, sentinel1, sentinel2ByTile } from './items-of.ts';
import { landsatLevel1Mss, landsatLevel2 } from './landsat-items.ts';
import { copernicusTerrain } from './terrain.ts';

/** Storage accounts of the collections below; a token is given to anyone for each. */
const HOSTS = [
  'sentinel2l2a01.blob.core.windows.net',
  'sentinel1euwest.blob.core.windows.net',
  'landsateuwest.blob.core.windows.net',
  'modiseuwest.blob.core.windows.net',
  'naipeuwest.blob.core.windows.net',
  'elevationeuwest.blob.core.windows.net',
];

/** The Planetary Computer by Microsoft: COGs without an account, read with tokens of an hour. It does not count matches. */
export const planetaryComputer: LiveCatalog = {
  name: 'planetary-computer',
  title: 'Microsoft Planetary Computer',
  url: 'https://planetarycomputer.microsoft.com/api/stac/v1',
  api: { filter: 'cql2', sort: true, fields: true, counts: false, maxItems: 250 },
  collections: [
    sentinel2ByTile('sentinel-2-l2a', 'sentinel2l2a'),
    ...landsatLevel2('landsat-c2-l2'),
    ...landsatLevel1Mss('landsat-c2-l1'),
    sentinel1('sentinel-1-grd'),
    modisByTile('modis-43A4-061'),
    naipByPlace('naip'),
  ],
  isGuessed: false,
  sources: {
    hosts: HOSTS,
    tokens: [{ hosts: HOSTS, endpoint: 'https://planetarycomputer.microsoft.com/api/sas/v1/token' }],
  },
  limits: { requestsPerMinute: 600, concurrency: 8, deadlineMs: 8_000 },
  terrain: copernicusTerrain(
    'cop-dem-glo-30',
    'https://elevationeuwest.blob.core.windows.net/copernicus-dem/COP30_hh/{cell}.tif',
  ),
  attribution:
    'Contains modified Copernicus Sentinel data; Landsat by USGS and NASA; MODIS by NASA LP DAAC; NAIP by USDA; served by the Microsoft Planetary Computer.',
  licence:
    'Copernicus Sentinel data: free, full and open, with attribution; Landsat, MODIS and NAIP: public domain',
  costs: 'free',
};
