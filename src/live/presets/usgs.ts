import type { LiveCatalog } from '../live-catalog.ts';
import { landsatOfUsgs } from './landsat-items.ts';

/**
 * The USGS: Landsat 4 to 9 at both levels, as COGs. Its https addresses ask for a login, so files are read from its bucket,
 * whose requester pays. Surface temperature is a collection of its own there and is left out.
 */
export const usgs: LiveCatalog = {
  name: 'usgs',
  title: 'USGS LandsatLook',
  url: 'https://landsatlook.usgs.gov/stac-server',
  api: { filter: 'query', sort: true, fields: true, counts: true, maxItems: 100 },
  collections: [...landsatOfUsgs('landsat-c2l2-sr', 2), ...landsatOfUsgs('landsat-c2l1', 1)],
  isGuessed: false,
  sources: { s3: [{ buckets: ['usgs-landsat'], region: 'us-west-2', requesterPays: true }] },
  limits: { requestsPerMinute: 120, concurrency: 4, deadlineMs: 8_000 },
  terrain: null,
  attribution: 'Landsat images courtesy of the U.S. Geological Survey.',
  licence: 'public domain',
  costs: 'traffic and requests are charged to your AWS account (requester pays)',
};
