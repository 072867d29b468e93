import type { LiveCatalog } from '../live-catalog.ts';
import { sentinel2ByMgrs } from './items-of.ts';
import { copernicusTerrain } from './terrain.ts';

/**
 * Earth Search by Element 84. Only what anyone may read without an account: its collections of Sentinel-1, Sentinel-2 L1C,
 * Landsat and NAIP refer to buckets whose requester pays. Sentinel-2 of `sentinel-2-c1-l2a` is left out too: its items do
 * not number the recordings of a day, so one recording could get two names.
 */
export const earthSearch: LiveCatalog = {
  name: 'earth-search',
  title: 'Earth Search by Element 84',
  url: 'https://earth-search.aws.element84.com/v1',
  api: { filter: 'query', sort: true, fields: true, counts: true, maxItems: 200 },
  collections: [sentinel2ByMgrs('sentinel-2-l2a', 'sentinel2l2a')],
  isGuessed: false,
  sources: {
    hosts: ['sentinel-cogs.s3.us-west-2.amazonaws.com'],
    s3: [{ buckets: ['copernicus-dem-30m'], region: 'eu-central-1' }],
  },
  limits: { requestsPerMinute: 600, concurrency: 8, deadlineMs: 6_000 },
  terrain: copernicusTerrain('cop-dem-glo-30', 's3://copernicus-dem-30m/{cell}/{cell}.tif'),
  attribution: 'Contains modified Copernicus Sentinel data; catalog by Element 84, files by AWS Open Data.',
  licence: 'Copernicus Sentinel data: free, full and open, with attribution',
  costs: 'free',
};
