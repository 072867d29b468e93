/** The search: what the user looks for, and what was found. */
import type { CatalogNote, Scene } from '../scenes/scene.ts';
import type { Point } from './map-view.ts';

/** Where to search: everywhere, in what the map shows, in the chosen area, or at a point (`null` until one is clicked). */
export type Where =
  | { readonly kind: 'everywhere' }
  | { readonly kind: 'view' }
  | { readonly kind: 'area' }
  | { readonly kind: 'point'; readonly point: Point | null };

/** What the user searches for. */
export interface Query {
  /** Days `YYYY-MM-DD`; `null` for no limit. */
  readonly from: string | null;
  readonly to: string | null;
  /** Percent; `null` for any. */
  readonly maxCloudPercent: number | null;
  /** `null` for all datasets. */
  readonly datasets: readonly string[] | null;
  readonly where: Where;
  /** The one day that the calendar narrows the list to. */
  readonly day: string | null;
}

/** A query without any filter. */
export const PLAIN_QUERY: Query = {
  from: null,
  to: null,
  maxCloudPercent: null,
  datasets: null,
  where: { kind: 'everywhere' },
  day: null,
};

/** A day and how many scenes it has. */
export interface DayCount {
  readonly day: string;
  readonly count: number;
}

/** What a search has found so far. */
export interface Results {
  readonly scenes: readonly Scene[];
  readonly found: number;
  /** The page of the search that was read last; 0 before the first. */
  readonly page: number;
  readonly isLoading: boolean;
  /** How many hits the pages have brought, those that are listed for another reason not among them. */
  readonly read: number;
  /** Whether later pages hold more. */
  readonly hasMore: boolean;
  /** Why the last search failed. */
  readonly failure: string | null;
  /** Days of the scenes without the filter of one day, oldest first. */
  readonly days: readonly DayCount[];
  /** What live catalogs have added, or why they have not. */
  readonly notes: readonly CatalogNote[];
}

/** Results before any search. */
export const NO_RESULTS: Results = {
  scenes: [],
  found: 0,
  page: 0,
  read: 0,
  isLoading: false,
  hasMore: false,
  failure: null,
  days: [],
  notes: [],
};
