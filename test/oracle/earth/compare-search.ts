import { SERVICE_KEY } from '../../support/start-swath.ts';
import { SORT_PROPERTIES, toOurSearch, toTheirSearch } from './both-languages.ts';
import type { PystacClient } from './pystac-client.ts';
import type { NamedItem, Wanted } from './random-searches.ts';

/** Two sides of the same catalog. */
export interface Sides {
  readonly swathUrl: string;
  readonly pystac: PystacClient;
  /** By collection and id. */
  readonly items: ReadonlyMap<string, NamedItem>;
  readonly byViewId: ReadonlyMap<string, NamedItem>;
}

/** What a comparison gave. */
export interface Compared {
  readonly found: number;
  readonly hits: number;
  /** Whether the answer says that it cannot be whole. */
  readonly isPartial: boolean;
  /** What differs, as sentences. */
  readonly faults: readonly string[];
}

interface OurAnswer {
  readonly meta: {
    readonly found: number;
    readonly catalogs?: readonly {
      readonly found_by: 'counted' | 'stated' | 'at-least';
      readonly problem?: { readonly code: string; readonly message: string };
    }[];
  };
  readonly results: readonly { readonly view_id: string }[];
}

/** A name of an item among those of all collections. */
export const toItemKey = (collection: string | null | undefined, id: string): string =>
  `${collection ?? ''}/${id}`;

/** Asks both sides, and compares the number of hits, a page of them, and their order. */
export async function compareSearch(
  sides: Sides,
  wanted: Wanted,
  language: 'cql2' | 'query',
): Promise<Compared> {
  const expected = await askThem(sides, wanted, language);
  const pages = Math.ceil(expected.length / wanted.limit);
  const page = 1 + Math.floor(wanted.depth * pages);
  const { meta, results } = await askUs(sides.swathUrl, wanted, page);
  const faults: string[] = [];
  const notes = meta.catalogs ?? [];
  if (notes.length === 0) faults.push('no live catalog was asked');
  const problem = notes.find((note) => note.problem !== undefined)?.problem;
  // Of more scenes than are sorted here, it shows what it has: nothing can be compared.
  if (problem?.code === 'catalog-unsorted')
    return { found: expected.length, hits: 0, isPartial: true, faults };
  if (problem !== undefined) faults.push(`${problem.code}: ${problem.message}`);
  const isBound = notes.some(({ found_by }) => found_by === 'at-least');
  // A bound is one more than was read, so that clients ask for the next page, which may be empty.
  if (isBound ? meta.found > expected.length + 1 : meta.found !== expected.length) {
    faults.push(`found is ${meta.found}${isBound ? ' at least' : ''}, and ${expected.length} items match`);
  }
  const first = (page - 1) * wanted.limit;
  const slice = expected.slice(first, first + wanted.limit);
  if (results.length !== slice.length) {
    faults.push(`page ${page} has ${results.length} hits, and should have ${slice.length}`);
  }
  const matching = new Set(expected.map(({ viewId }) => viewId));
  const seen = new Set<string>();
  const { field } = wanted.sort ?? { field: 'date' };
  for (const [i, { view_id }] of results.entries()) {
    const named = sides.byViewId.get(view_id);
    if (named === undefined) faults.push(`${view_id} is a hit that no item has the name of`);
    else if (!matching.has(view_id)) faults.push(`${view_id} (${named.item.id}) is a hit and does not match`);
    if (seen.has(view_id)) faults.push(`${view_id} is twice on page ${page}`);
    seen.add(view_id);
    const theirs = slice[i];
    // Hits that are equal in the order may come in any order.
    if (named !== undefined && theirs !== undefined && toSortKey(named, field) !== toSortKey(theirs, field)) {
      faults.push(
        `hit ${first + i + 1} is ${view_id} (${toSortKey(named, field)}), not ${toSortKey(theirs, field)}`,
      );
    }
  }
  // A page that has all hits must have each of them.
  if (pages === 1 && page === 1) {
    for (const { viewId } of expected) if (!seen.has(viewId)) faults.push(`${viewId} is missing`);
  }
  return { found: expected.length, hits: results.length, isPartial: false, faults };
}

/** All items that match in the order of the search, each scene once. */
async function askThem(
  sides: Sides,
  wanted: Wanted,
  language: 'cql2' | 'query',
): Promise<readonly NamedItem[]> {
  const found = new Map<string, NamedItem>();
  const named = [...sides.items.values()];
  for (const dataset of wanted.datasets) {
    // A collection may hold the items of several datasets.
    const ours = named.filter((one) => one.dataset === dataset);
    const collections = [...new Set(ours.map(({ item }) => item.collection as string))];
    // A field that a dataset lacks is ignored where several are searched.
    const hasClouds = ours.some(({ item }) => item.properties['eo:cloud_cover'] !== undefined);
    const own = hasClouds ? wanted : { ...wanted, maxCloud: null };
    const words = toTheirSearch(own, collections, language);
    const { items, matched } = await sides.pystac.search(words);
    if (matched !== null && matched !== items.length) {
      throw new Error(`The API says ${matched} and gives ${items.length} items: ${JSON.stringify(words)}`);
    }
    for (const [collection, id] of items) {
      const one = sides.items.get(toItemKey(collection, id));
      if (one?.dataset === dataset && !found.has(one.viewId)) found.set(one.viewId, one);
    }
  }
  if (wanted.datasets.length === 1) return [...found.values()];
  const { field, direction } = wanted.sort ?? { field: 'date', direction: 'desc' };
  const sign = direction === 'asc' ? 1 : -1;
  return [...found.values()].sort((a, b) => sign * compare(toSortKey(a, field), toSortKey(b, field)));
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** What the order follows: the day, or clouds as we show them, in hundredths. */
function toSortKey({ item }: NamedItem, field: keyof typeof SORT_PROPERTIES): string | number {
  const value = item.properties[SORT_PROPERTIES[field]];
  return typeof value === 'number' ? Math.round(value * 100) / 100 : String(value).slice(0, 10);
}

async function askUs(url: string, wanted: Wanted, page: number): Promise<OurAnswer> {
  const { path, body } = toOurSearch(wanted, page);
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': SERVICE_KEY },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 300)} for ${JSON.stringify(body)}`);
  return JSON.parse(text) as OurAnswer;
}
