/** Addresses of the STAC door, below the address that clients reach us at: a base path or a proxy is part of that. */

/** The path of the landing page. */
const STAC_ROOT = '/stac';

/** The version of STAC that documents follow. */
export const STAC_VERSION = '1.1.0';

/** Media types of links. */
export const JSON_TYPE = 'application/json';
export const GEOJSON_TYPE = 'application/geo+json';
export const SCHEMA_TYPE = 'application/schema+json';

/** A link of a STAC document. */
export interface StacLink {
  readonly rel: string;
  readonly href: string;
  readonly type?: string;
  readonly title?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly merge?: boolean;
  /** Layers of a WMTS that show what the document describes (web-map-links). */
  readonly 'wmts:layer'?: readonly string[];
}

/** The addresses of one request. */
export interface StacAddresses {
  readonly root: string;
  readonly collections: string;
  readonly search: string;
  collection(id: string): string;
  items(collection: string): string;
  item(collection: string, id: string): string;
}

/** Builds them; `publicUrl` has no slash at its end. */
export function makeAddresses(publicUrl: string): StacAddresses {
  const root = `${publicUrl}${STAC_ROOT}`;
  const collections = `${root}/collections`;
  const collection = (id: string): string => `${collections}/${encodeURIComponent(id)}`;
  return {
    root,
    collections,
    search: `${root}/search`,
    collection,
    items: (id) => `${collection(id)}/items`,
    item: (id, item) => `${collection(id)}/items/${encodeURIComponent(item)}`,
  };
}

/** The address of the extension of links to maps. */
export const WEB_MAP_LINKS = 'https://stac-extensions.github.io/web-map-links/v1.2.0/schema.json';

/** The link to a layer of the WMTS: its capabilities have that layer alone. */
export const toWmtsLink = (publicUrl: string, layer: string): StacLink => ({
  rel: 'wmts',
  href: `${publicUrl}/ogc/wmts?SERVICE=WMTS&REQUEST=GetCapabilities&LAYER=${encodeURIComponent(layer)}`,
  type: 'application/xml',
  title: 'WMTS',
  'wmts:layer': [layer],
});

/** The link to the landing page, which every document has. */
export const toRootLink = ({ root }: StacAddresses): StacLink => ({
  rel: 'root',
  href: root,
  type: JSON_TYPE,
});
