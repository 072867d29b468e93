import type { SearchAbilities } from './fake-search.ts';

/** How a kind of catalog answers. */
export interface CatalogStyle extends SearchAbilities {
  /** The path of its root: `/v1`. */
  readonly root: string;
  readonly id: string;
  readonly title: string;
  readonly conformsTo: readonly string[];
  /** Whether an answer states how many items match: as stac-server does, in the OGC's field alone, or only those returned. */
  readonly matched: 'context' | 'number' | 'returned' | 'absent';
  /** How the next page is named. */
  readonly paging: 'next' | 'token';
  /** Whether `fields` leaves out all properties that are not included. */
  readonly leanFields: boolean;
  readonly defaultLimit: number;
  readonly maxLimit: number;
  /** Whether a larger limit is refused; otherwise it is lowered. */
  readonly refusesLimit: boolean;
  /** Whether items have ETags. */
  readonly etags: boolean;
}

const CORE = [
  'https://api.stacspec.org/v1.0.0/core',
  'https://api.stacspec.org/v1.0.0/collections',
  'https://api.stacspec.org/v1.0.0/ogcapi-features',
  'https://api.stacspec.org/v1.0.0/item-search',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
];
const QUERY = 'https://api.stacspec.org/v1.0.0/item-search#query';
const SORT = 'https://api.stacspec.org/v1.0.0/item-search#sort';
const FIELDS = 'https://api.stacspec.org/v1.0.0/item-search#fields';
const FILTER = [
  'https://api.stacspec.org/v1.0.0-rc.2/item-search#filter',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-json',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter',
];

/** The catalogs of the presets, and one that can do nothing but search. */
export const STYLES = {
  'earth-search': {
    root: '/v1',
    id: 'earth-search-aws',
    title: 'Earth Search by Element 84',
    conformsTo: [...CORE, QUERY, SORT, FIELDS],
    query: true,
    // Without an error: a filter is ignored.
    filter: false,
    matched: 'context',
    paging: 'next',
    leanFields: true,
    defaultLimit: 10,
    maxLimit: 10_000,
    refusesLimit: false,
    etags: true,
  },
  'planetary-computer': {
    root: '/api/stac/v1',
    id: 'microsoft-pc',
    title: 'Microsoft Planetary Computer STAC API',
    conformsTo: [...CORE, QUERY, SORT, FIELDS, ...FILTER],
    query: true,
    filter: true,
    matched: 'absent',
    paging: 'token',
    leanFields: false,
    defaultLimit: 10,
    maxLimit: 1_000,
    refusesLimit: true,
    etags: false,
  },
  copernicus: {
    root: '/v1',
    id: 'cdse-stac',
    title: 'Copernicus Data Space Ecosystem (CDSE) asset-level STAC catalogue',
    conformsTo: [...CORE, QUERY, SORT, FIELDS, ...FILTER],
    query: true,
    filter: true,
    matched: 'returned',
    paging: 'token',
    leanFields: false,
    defaultLimit: 10,
    maxLimit: 1_000,
    refusesLimit: true,
    etags: false,
  },
  usgs: {
    root: '/stac-server',
    id: 'stac-server',
    title: 'USGS STAC Server',
    conformsTo: [...CORE, QUERY, SORT, FIELDS],
    query: true,
    filter: false,
    matched: 'context',
    paging: 'next',
    leanFields: true,
    defaultLimit: 10,
    maxLimit: 10_000,
    refusesLimit: false,
    etags: true,
  },
  plain: {
    root: '/stac',
    id: 'plain',
    title: 'A STAC API without extensions',
    conformsTo: CORE,
    query: false,
    filter: false,
    matched: 'absent',
    paging: 'token',
    leanFields: false,
    defaultLimit: 10,
    maxLimit: 250,
    refusesLimit: false,
    etags: false,
  },
} as const satisfies Readonly<Record<string, CatalogStyle>>;

/** Names of the styles. */
export type StyleName = keyof typeof STYLES;
