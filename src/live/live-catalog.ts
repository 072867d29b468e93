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
  /** What the API can do; null if its landing page must be asked, which costs the first search a round trip. */
  readonly api: CatalogApi | null;
  readonly collections: readonly LiveCollection[];
  /** Whether `collections` are all that are known, of which the catalog has those that its API lists. */
  readonly isGuessed: boolean;
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

/** What a STAC API can do beyond the core. */
export interface CatalogApi {
  /** The language of its filters: CQL2 as JSON (filter extension), the older query extension, or none. */
  readonly filter: 'cql2' | 'query' | 'none';
  /** Whether it sorts by properties (sort extension). */
  readonly sort: boolean;
  /** Whether it leaves out parts of items on request (fields extension). */
  readonly fields: boolean;
  /** Whether its answers state how many items match. */
  readonly counts: boolean;
  /** The most items of one page. */
  readonly maxItems: number;
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
  /**
   * Item properties with the values of fields of our hits, for filters and sorting at the source. A field whose property
   * is spelt in another way is left out, and filtered here.
   */
  readonly properties: Readonly<Record<string, LiveProperty>>;
  /**
   * Finds the item of a view id, in addition to its day: properties and their values. `{utmZone}` is a part of the view
   * id by the sensor's grammar, `{path:3}` the same with zeros before it up to three digits, and a value that begins with
   * `#` is a number: `{ 'mgrs:utm_zone': '#{utmZone}', 'landsat:wrs_path': '{path:3}' }`.
   */
  readonly locate: Readonly<Record<string, string>>;
  /** Assets of an item that its name depends on, which lists must not leave out. */
  readonly namingAssets: readonly string[];
  /** Assets that lists exclude by name: some APIs send all assets of an item, whichever are asked for. */
  readonly heavyAssets: readonly string[];
  /** The first day of the archive. */
  readonly since: string;
}

/** An item property that has the value of one of our fields. */
export interface LiveProperty {
  readonly name: string;
  /** Our value is the property rounded to a multiple of this, halves up: 0.01. Absent if it is not rounded. */
  readonly step?: number;
  /** How far our value may be from the property for another reason. Absent if they are equal. */
  readonly slack?: number;
}

/** Tiles of an elevation model in a catalog. */
export interface LiveTerrain {
  /** The name of the model: `copernicus-glo-30`. */
  readonly name: string;
  readonly collection: string;
  /**
   * Where the tile of a cell lies, with `{cell}` for its name: `s3://copernicus-dem-30m/{cell}/{cell}.tif`. Null if the item
   * of the cell must be asked, which costs a round trip more.
   */
  readonly files: string | null;
  readonly attribution: string;
}
