/** What a search of items asks, whichever way it came. */
import { badInput } from '../errors.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import type { Query } from '../kit/parameters.ts';
import { toSearchedText } from './collection-text.ts';
import type { StacDataset } from './datasets.ts';
import type { Condition, FilterShape, ReadCondition } from './filter/filter-tree.ts';
import { listNames, resolveShapes } from './filter/filter-tree.ts';
import { toConjuncts } from './filter/push-down.ts';
import type { ItemSearch } from './find-items.ts';
import type { ItemFields } from './item-fields.ts';
import type { ItemOrder } from './item-position.ts';
import { parseToken } from './item-position.ts';
import { findProperty, propertyNames } from './item-properties.ts';
import type { ParseArea } from './item-shapes.ts';
import { isGeometry, parseShape } from './item-shapes.ts';
import { bodyFields, itemsParameters, MAX_IDS, searchOnly } from './search-parameters.ts';
import { DEFAULT_ITEMS, DEFAULT_ORDER, readFilter } from './search-values.ts';

/** A search as it came, whatever way it came. */
interface Asked {
  readonly bbox: FilterShape | null;
  readonly datetime: Condition | null;
  readonly intersects: Params | null;
  readonly ids: readonly string[] | null;
  readonly collections: readonly string[] | null;
  readonly limit: number;
  readonly token: string | null;
  readonly sortby: ItemOrder;
  readonly fields: ItemFields;
  readonly query: ReadCondition | null;
  readonly q: readonly string[] | null;
  readonly filter: ReadCondition | null;
}

/** What items are searched for, and which parts of them are wanted. */
export interface SearchRequest {
  readonly search: ItemSearch;
  readonly fields: ItemFields;
}

const ALL_FIELDS: ItemFields = { include: null, exclude: [] };

/** What a search is read with. */
interface SearchContext {
  readonly parseArea: ParseArea;
  /** The collections. */
  readonly datasets: readonly StacDataset[];
  readonly tellIgnored: ApiRequest['tellIgnored'];
}

/** Reads the query of `GET /stac/search`, or of the items of a collection. */
export async function readSearchQuery(
  query: Query,
  { collection, ...context }: SearchContext & { readonly collection: string | null },
): Promise<SearchRequest> {
  const text = itemsParameters.filter.read(query);
  itemsParameters['filter-crs'].read(query);
  const isSearch = collection === null;
  return toSearch(
    {
      bbox: itemsParameters.bbox.read(query),
      datetime: itemsParameters.datetime.read(query),
      intersects: isSearch ? searchOnly.intersects.read(query) : null,
      ids: isSearch ? searchOnly.ids.read(query) : null,
      collections: isSearch ? searchOnly.collections.read(query) : [collection],
      limit: itemsParameters.limit.read(query) ?? DEFAULT_ITEMS,
      token: itemsParameters.token.read(query),
      sortby: itemsParameters.sortby.read(query) ?? DEFAULT_ORDER,
      fields: itemsParameters.fields.read(query) ?? ALL_FIELDS,
      query: itemsParameters.query.read(query),
      q: itemsParameters.q.read(query),
      filter:
        text === null ? null : readFilter(text, itemsParameters['filter-lang'].read(query) ?? 'cql2-text'),
    },
    context,
  );
}

/** Reads the body of `POST /stac/search`. */
export async function readSearchBody(body: unknown, context: SearchContext): Promise<SearchRequest> {
  const asked = body === undefined ? {} : body;
  if (!isGeometry(asked)) throw badInput('bad-body', 'The body must be a JSON object.');
  const filter = bodyFields.filter.read(asked);
  bodyFields['filter-crs'].read(asked);
  return toSearch(
    {
      bbox: bodyFields.bbox.read(asked),
      datetime: bodyFields.datetime.read(asked),
      intersects: bodyFields.intersects.read(asked),
      ids: bodyFields.ids.read(asked),
      collections: bodyFields.collections.read(asked),
      limit: bodyFields.limit.read(asked) ?? DEFAULT_ITEMS,
      token: bodyFields.token.read(asked),
      sortby: bodyFields.sortby.read(asked) ?? DEFAULT_ORDER,
      fields: bodyFields.fields.read(asked) ?? ALL_FIELDS,
      query: bodyFields.query.read(asked),
      q: bodyFields.q.read(asked),
      filter: filter === null ? null : readFilter(filter, bodyFields['filter-lang'].read(asked)),
    },
    context,
  );
}

async function toSearch(
  asked: Asked,
  { parseArea, datasets, tellIgnored }: SearchContext,
): Promise<SearchRequest> {
  const { bbox, intersects, ids, token, sortby: order, limit, fields } = asked;
  if (bbox !== null && intersects !== null)
    throw badInput('several-areas', 'Only one of bbox and intersects may be given.');
  const toShape = (name: string) => (geometry: Params) => parseShape(geometry, { name, parseArea });
  const shape = intersects === null ? bbox : await toShape('intersects')(intersects);
  const conditions: Condition[] = asked.datetime === null ? [] : [asked.datetime];
  for (const read of [asked.query, asked.filter]) {
    if (read === null) continue;
    const condition = await resolveShapes(read, toShape('filter'));
    // Such a condition is never met, and clients should see why.
    for (const name of listNames(condition))
      if (findProperty(name) === null) tellIgnored(name, propertyNames);
    conditions.push(condition);
  }
  const wanted = asked.collections ?? [];
  const known = datasets.map(({ sensor }) => sensor.dataset);
  if (asked.q !== null && asked.q.length > 0) conditions.push(toWordsCondition(asked.q, datasets));
  return {
    search: {
      collections: wanted.length === 0 ? known : wanted.filter((name) => known.includes(name)),
      ids: (ids?.length ?? 0) === 0 ? findIds(conditions) : ids,
      shape,
      conditions,
      order,
      limit,
      after: token === null || token === '' ? null : parseToken(token, order),
    },
    fields,
  };
}

/** Items whose names have one of some words, and all items of collections whose texts have one. */
function toWordsCondition(words: readonly string[], datasets: readonly StacDataset[]): Condition {
  const isFound = (text: string): boolean => {
    const lower = text.toLowerCase();
    return words.some((word) => lower.includes(word));
  };
  const found = datasets.filter(({ sensor, text }) => isFound(toSearchedText(sensor.dataset, text)));
  const inNames = ['swath:scene_id', 'id'].map(
    (name): Condition => ({
      kind: 'like',
      value: { kind: 'property', name, ignoresCase: false },
      matches: isFound,
    }),
  );
  const list = found.map(
    ({ sensor }) => ({ kind: 'value', value: sensor.dataset, ignoresCase: false }) as const,
  );
  const collection = { kind: 'property', name: 'collection', ignoresCase: false } as const;
  const ofCollections: Condition = { kind: 'in', value: collection, list };
  // Whole collections are chosen without a test of each scene.
  return found.length === datasets.length
    ? { kind: 'always', isTrue: true }
    : { kind: 'or', parts: [ofCollections, ...inNames] };
}

/** Ids that a condition asks for: they are looked up, where a test of every scene would not end. */
function findIds(conditions: readonly Condition[]): readonly string[] | null {
  for (const condition of conditions.flatMap(toConjuncts)) {
    const [value, list] =
      condition.kind === 'compare' && condition.op === '='
        ? [condition.left, [condition.right]]
        : condition.kind === 'in'
          ? [condition.value, condition.list]
          : [null, []];
    if (value?.kind !== 'property' || value.name !== 'id' || value.ignoresCase) continue;
    const ids = list.flatMap((one) =>
      one.kind === 'value' && typeof one.value === 'string' && !one.ignoresCase ? [one.value] : [],
    );
    if (ids.length === list.length && ids.length <= MAX_IDS) return ids;
  }
  return null;
}
