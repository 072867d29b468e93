import type { NetworkSources } from '../sources/index.ts';

/**
 * A public STAC API that answers searches itself, without an ingest: plain data, so that it can be given to a thread. A
 * preset is one of these in a file of `presets/`; the JSON form of SWATH_CATALOGS overrides its fields.
 */
export interface LiveCatalog {
  /** As settings, answers and metrics name it: `earth-search`. */
  readonly name: string;
  /** For people: `Earth Search by Element 84`. */
  readonly title: string;
  /** The root of the API, without a slash at the end. */
  readonly url: string;
  readonly collections: readonly LiveCollection[];
  /** Hosts, buckets and token services of the files; the host of `url` is added for requests to the API. */
  readonly sources: NetworkSources;
  readonly limits: CatalogLimits;
  /** A model of the Earth's heights whose tiles the catalog has; null if it has none. */
  readonly terrain: LiveTerrain | null;
  /** For the documentation and the first page: who must be named, under which licence, and what it costs. */
  readonly attribution: string;
  readonly licence: string;
  readonly costs: string;
}

/** How politely a catalog is asked. */
export interface CatalogLimits {
  readonly requestsPerMinute: number;
  readonly concurrency: number;
  /** A search that takes longer is answered without the catalog. */
  readonly deadlineMs: number;
}

/** A collection whose items are scenes of one of our datasets. */
export interface LiveCollection {
  /** Its id in the API: `sentinel-2-l2a`. */
  readonly collection: string;
  /** Our dataset: `sentinel2l2a`. Several entries may name one collection (Landsat) or one dataset (`sentinel-2-c1-l2a`). */
  readonly dataset: string;
  /** Items of the collection that belong to the dataset: values of properties, any of the list. */
  readonly where: Readonly<Record<string, readonly (string | number)[]>>;
  /** Item properties that mean the same as fields of our hits, for filters and sorting at the source. */
  readonly properties: Readonly<Record<string, LiveProperty>>;
  /**
   * Finds the item of a view id: properties and their values, with the parts of the view id in braces:
   * `{ 'grid:code': 'MGRS-{utmZone}{latitudeBand}{square}' }`. The day of the view id is always asked for.
   */
  readonly locate: Readonly<Record<string, string>>;
  /** The first day of the archive. */
  readonly since: string;
}

/** An item property that has the value of one of our fields. */
export interface LiveProperty {
  readonly name: string;
  /**
   * Whether the catalog's value is exactly ours. If not (ours is rounded, or of another spelling), the filter at the source
   * is left out and applied here.
   */
  readonly isExact: boolean;
}

/** Tiles of an elevation model in a catalog. */
export interface LiveTerrain {
  /** The name of the model: `copernicus-glo-30`. */
  readonly name: string;
  readonly collection: string;
  readonly attribution: string;
}
