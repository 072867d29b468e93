import { DEMO_SCENE } from '../support/demo-data.ts';
import { LAST_SCENE_DAY } from './crowded-data.ts';
import type { Ask } from './largest-bodies.ts';
import { bodyOf, LONG, largestPolygon, lat, lon } from './largest-bodies.ts';

const COLLECTION = `/stac/collections/${DEMO_SCENE.dataset}`;
const ITEM = `${COLLECTION}/items/${DEMO_SCENE.viewId.replaceAll('/', '_')}`;

/** As many conditions as a filter may have, none of which search can decide. */
const FILTER = Array.from({ length: 330 }, (_, i) => `swath:scene_id LIKE '%${i}%z'`).join(' OR ');

/** As many outlines as a filter may have, and as long as it may be: every scene is compared with all of them. */
const tested = (seed: number): string =>
  Array.from({ length: 8 }, (_, k) => {
    const ring = Array.from({ length: 250 }, (_, i) => {
      const turn = (2 * Math.PI * i) / 250;
      const radius = 0.008 * (1 + 0.3 * Math.sin(40 * turn) + 1e-4 * (seed * 8 + k));
      return `${(lon + radius * Math.cos(turn)).toFixed(9)} ${(lat + radius * Math.sin(turn)).toFixed(9)}`;
    });
    return `(S_INTERSECTS(geometry, POLYGON((${[...ring, ring[0]].join()}))) AND platform LIKE 'n%')`;
  }).join(' OR ');

const LINE = {
  type: 'LineString',
  coordinates: Array.from({ length: 500 }, (_, i) => [lon + 1e-5 * i, lat + 0.001 * Math.sin(i)]),
};

const AGGREGATIONS = [
  ...['total_count', 'datetime_min', 'datetime_max', 'datetime_frequency', 'collection_frequency'],
  ...['cloud_cover_frequency', 'sun_elevation_frequency'],
];

/** The largest requests of the STAC door. */
export const LARGEST_STAC: Readonly<Record<string, readonly Ask[]>> = {
  'GET /stac': [() => ({ path: '/stac' })],
  'GET /stac/conformance': [() => ({ path: '/stac/conformance' })],
  'GET /stac/queryables': [() => ({ path: '/stac/queryables' })],
  'GET /stac/sortables': [() => ({ path: '/stac/sortables' })],
  'GET /stac/collections': [() => ({ path: '/stac/collections' })],
  'GET /stac/collections/:collection_id': [() => ({ path: COLLECTION })],
  // Refused for the key of these tests, before the body is read; items are parsed by another thread.
  'POST /stac/collections': [() => ({ path: '/stac/collections', body: LONG, status: 403 })],
  'PUT /stac/collections/:collection_id': [() => ({ path: COLLECTION, body: LONG, status: 403 })],
  'PATCH /stac/collections/:collection_id': [() => ({ path: COLLECTION, body: LONG, status: 403 })],
  'DELETE /stac/collections/:collection_id': [() => ({ path: COLLECTION, status: 403 })],
  'GET /stac/collections/:collection_id/queryables': [() => ({ path: `${COLLECTION}/queryables` })],
  'GET /stac/collections/:collection_id/sortables': [() => ({ path: `${COLLECTION}/sortables` })],
  'GET /stac/collections/:collection_id/items': [
    () => ({ path: `${COLLECTION}/items?limit=250` }),
    () => ({ path: `${COLLECTION}/items?limit=250&sortby=datetime` }),
  ],
  'GET /stac/collections/:collection_id/items/:item_id': [() => ({ path: ITEM })],
  'POST /stac/collections/:collection_id/items': [
    () => ({ path: `${COLLECTION}/items`, body: LONG, status: 403 }),
  ],
  'PUT /stac/collections/:collection_id/items/:item_id': [() => ({ path: ITEM, body: LONG, status: 403 })],
  'PATCH /stac/collections/:collection_id/items/:item_id': [() => ({ path: ITEM, body: LONG, status: 403 })],
  'DELETE /stac/collections/:collection_id/items/:item_id': [() => ({ path: ITEM, status: 403 })],
  'GET /stac/collections/:collection_id/items/:item_id/tiled.json': [() => ({ path: `${ITEM}/tiled.json` })],
  'GET /stac/collections/:collection_id/items/:item_id/tilejson.json': [
    () => ({ path: `${ITEM}/tilejson.json` }),
  ],
  'GET /stac/search': [
    () => ({
      path: `/stac/search?limit=250&datetime=../${LAST_SCENE_DAY}T12:00:00Z&filter=${encodeURIComponent(
        "platform LIKE '%sentinel%' OR eo:cloud_cover IS NULL",
      )}`,
    }),
  ],
  'POST /stac/search': [
    (i) => ({ path: '/stac/search', body: bodyOf({ limit: 250, intersects: largestPolygon(i) }) }),
    () => ({ path: '/stac/search', body: bodyOf({ limit: 250, intersects: LINE }) }),
    () => ({ path: '/stac/search', body: bodyOf({ filter: FILTER, 'filter-lang': 'cql2-text' }) }),
    (i) => ({ path: '/stac/search', body: bodyOf({ filter: tested(i), 'filter-lang': 'cql2-text' }) }),
  ],
  'GET /stac/aggregations': [() => ({ path: '/stac/aggregations' })],
  'GET /stac/collections/:collection_id/aggregations': [() => ({ path: `${COLLECTION}/aggregations` })],
  'GET /stac/aggregate': [() => ({ path: `/stac/aggregate?aggregations=${AGGREGATIONS.join()}` })],
  'GET /stac/collections/:collection_id/aggregate': [
    () => ({ path: `${COLLECTION}/aggregate?aggregations=${AGGREGATIONS.join()}` }),
  ],
  'POST /stac/aggregate': [
    (i) => ({
      path: '/stac/aggregate',
      body: bodyOf({ intersects: largestPolygon(i), aggregations: AGGREGATIONS }),
    }),
  ],
  'GET /stac/files/{permission}/{view_id}/{asset}': [(_, { filePath }) => ({ path: filePath })],
};
