/** The landing page of the STAC API, and what it conforms to. */
import type { Recipes } from '../../library/index.ts';
import { answerCachedJson } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { TileTokenDeps } from '../ogc/map-addresses.ts';
import type { StacLink } from './addresses.ts';
import {
  GEOJSON_TYPE,
  JSON_TYPE,
  makeAddresses,
  SCHEMA_TYPE,
  STAC_VERSION,
  toRootLink,
} from './addresses.ts';
import type { StacDatasets } from './datasets.ts';

const STAC = 'https://api.stacspec.org/v1.0.0';
const OGC = 'http://www.opengis.net/spec';

/** What the API conforms to: each class has tests, and nothing is claimed that has none. */
const CONFORMANCE: readonly string[] = [
  `${STAC}/core`,
  `${STAC}/collections`,
  `${STAC}/ogcapi-features`,
  `${STAC}/item-search`,
  'https://api.stacspec.org/v1.0.0-rc.1/collection-search',
  'https://api.stacspec.org/v1.0.0-rc.1/collection-search#free-text',
  `${OGC}/ogcapi-common-2/1.0/conf/simple-query`,
  'https://api.stacspec.org/v0.3.0/aggregation',
  'https://api.stacspec.org/v0.3.0/aggregation#query',
  'https://api.stacspec.org/v0.3.0/aggregation#filter',
  ...['item-search', 'ogcapi-features'].flatMap((part) =>
    ['fields', 'query', 'sort', 'filter'].map((extension) => `${STAC}/${part}#${extension}`),
  ),
  'https://api.stacspec.org/v1.0.0-rc.1/item-search#free-text',
  'https://api.stacspec.org/v1.0.0-rc.1/ogcapi-features#free-text',
  `${STAC}/ogcapi-features/extensions/transaction`,
  `${STAC}/collections/extensions/transaction`,
  `${OGC}/ogcapi-features-1/1.0/conf/core`,
  `${OGC}/ogcapi-features-1/1.0/conf/geojson`,
  `${OGC}/ogcapi-features-1/1.0/conf/oas30`,
  `${OGC}/ogcapi-features-4/1.0/conf/simpletx`,
  `${OGC}/ogcapi-features-3/1.0/conf/filter`,
  `${OGC}/ogcapi-features-3/1.0/conf/features-filter`,
  `${OGC}/cql2/1.0/conf/cql2-text`,
  `${OGC}/cql2/1.0/conf/cql2-json`,
  `${OGC}/cql2/1.0/conf/basic-cql2`,
  `${OGC}/cql2/1.0/conf/advanced-comparison-operators`,
  `${OGC}/cql2/1.0/conf/basic-spatial-functions`,
];

/** What the landing page and the lists of datasets are made of. */
export interface StacDeps {
  readonly datasets: StacDatasets;
}

/** What collections are made of. */
export interface StacCollectionDeps extends StacDeps, TileTokenDeps {
  /** Recipes of the caller become ways to draw. */
  readonly recipes: Pick<Recipes, 'list'>;
}

/** A link, for the documentation. */
export const linkSchema = json.named(
  'StacLink',
  json.object({ rel: json.string(), href: json.string() }, { isOpen: true }),
);

export const QUERYABLES = 'http://www.opengis.net/def/rel/ogc/1.0/queryables';
export const SORTABLES = 'http://www.opengis.net/def/rel/ogc/1.0/sortables';

/** How long clients may cache documents that change with the catalog. */
export const DOCUMENT_S = 60;

/** `GET /stac`: the landing page. */
export const stacLanding = ({ datasets }: StacDeps): Endpoint => ({
  summary: 'The STAC API: landing page',
  description:
    'STAC API 1.0 for pystac-client, QGIS and others: the same scenes, keys and limits as those of the search. docs/use/stac.md shows how.',
  tag: 'STAC',
  answers: {
    200: {
      description: 'A STAC catalog with links to what there is.',
      content: {
        'application/json': json.object(
          {
            type: json.literal('Catalog'),
            id: json.string(),
            stac_version: json.string(),
            description: json.string(),
            conformsTo: json.list(json.string()),
            links: json.list(linkSchema),
          },
          { isOpen: true },
        ),
      },
    },
    304: { description: 'The document you have (If-None-Match) is still current.' },
  },
  async handle(request) {
    const { publicUrl } = request;
    const addresses = makeAddresses(publicUrl);
    const { root, collections, search } = addresses;
    const children = (await datasets.list()).map(
      ({ sensor, text }): StacLink => ({
        rel: 'child',
        href: addresses.collection(sensor.dataset),
        type: JSON_TYPE,
        title: text.title,
      }),
    );
    const links: readonly StacLink[] = [
      { rel: 'self', href: root, type: JSON_TYPE },
      toRootLink(addresses),
      { rel: 'conformance', href: `${root}/conformance`, type: JSON_TYPE },
      { rel: 'data', href: collections, type: JSON_TYPE, title: 'Datasets' },
      { rel: 'search', href: search, type: GEOJSON_TYPE, method: 'GET', title: 'Search' },
      { rel: 'search', href: search, type: GEOJSON_TYPE, method: 'POST', title: 'Search' },
      { rel: 'aggregate', href: `${root}/aggregate`, type: JSON_TYPE, method: 'GET', title: 'Numbers' },
      { rel: 'aggregate', href: `${root}/aggregate`, type: JSON_TYPE, method: 'POST', title: 'Numbers' },
      { rel: 'aggregations', href: `${root}/aggregations`, type: JSON_TYPE, title: 'Names of numbers' },
      { rel: QUERYABLES, href: `${root}/queryables`, type: SCHEMA_TYPE, title: 'Queryables' },
      { rel: SORTABLES, href: `${root}/sortables`, type: SCHEMA_TYPE, title: 'Sortables' },
      { rel: 'service-desc', href: `${publicUrl}/openapi.json`, type: JSON_TYPE, title: 'OpenAPI 3.1' },
      { rel: 'service-doc', href: `${publicUrl}/docs`, type: 'text/html', title: 'Documentation' },
      ...children,
    ];
    return answerCachedJson(
      request,
      {
        type: 'Catalog',
        id: 'swath',
        title: 'Swath',
        description: 'Satellite scenes of a Swath service.',
        stac_version: STAC_VERSION,
        conformsTo: CONFORMANCE,
        links,
      },
      { maxAgeS: DOCUMENT_S },
    );
  },
});

/** `GET /stac/conformance`. */
export const stacConformance: Endpoint = {
  summary: 'The STAC API: what it conforms to',
  tag: 'STAC',
  answers: {
    200: {
      description: 'Conformance classes.',
      content: { 'application/json': json.object({ conformsTo: json.list(json.string()) }) },
    },
    304: { description: 'The list you have (If-None-Match) is still current.' },
  },
  handle: (request) => answerCachedJson(request, { conformsTo: CONFORMANCE }),
};
