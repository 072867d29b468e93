/**
 * A search of our datasets as one of a STAC API: what the API can filter and sort is asked there, in the language that it
 * has. Every hit is filtered here again, so a condition that is left out costs time, and never a wrong hit.
 */
import type { FieldFilter, FieldValue, SceneQuery } from '../catalog/index.ts';
import type { AreaGeometry, PointGeometry } from '../geo/index.ts';
import { geometryBounds } from '../geo/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import type { CatalogApi, LiveCollection } from './live-catalog.ts';
import type { Condition, Days, ItemPlace } from './locate.ts';
import { readName, toItemPlace } from './locate.ts';

/** What is looked for in one collection. */
export interface CollectionQuery {
  readonly filters: readonly FieldFilter[];
  readonly shape: SceneQuery['shape'] | undefined;
  readonly sort: SceneQuery['sort'];
}

/** A search of a STAC API. */
export interface ItemSearch {
  /** The body of `POST /search`, without the number of items. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the items that match there are just those that match here, so that the API's count is ours. */
  readonly isExact: boolean;
  /** Whether they come in the order of the query. */
  readonly isSorted: boolean;
}

/** Above this an outline is sent as its box: some APIs refuse long bodies, and all take long over them. */
const MOST_POSITIONS = 500;

/** Plans the search of a collection; null if no item can match. */
export function toItemSearch(
  { filters, shape, sort }: CollectionQuery,
  collection: LiveCollection,
  api: CatalogApi,
): ItemSearch | null {
  const named = filters.flatMap((filter) => toNamedPlace(filter, collection) ?? []);
  const days = toDays(filters, named, collection.since);
  if (days === null) return null;
  const conditions: Condition[] = [...toOwnConditions(collection)];
  // Without filters at the source, items of other datasets are among those that it counts.
  let isExact = api.filter !== 'none' || conditions.length === 0;
  conditions.push(...named.flatMap((place) => place.conditions));
  for (const filter of filters) {
    if (filter.field === 'date' && filter.kind === 'range') continue;
    const pushed = api.filter === 'none' ? null : toConditions(filter, collection);
    conditions.push(...(pushed?.conditions ?? []));
    isExact &&= pushed?.isExact === true;
  }
  const point = named.find((place) => place.point !== null)?.point ?? null;
  const place = shape !== undefined ? toPlace(shape.geometry) : point === null ? null : toPlace(point);
  isExact &&= shape === undefined || (shape.relation === 'intersects' && place?.isExact === true);
  const sorted = toSort(sort, collection, api);
  return {
    body: toBody({
      collection: collection.collection,
      days,
      conditions: api.filter === 'none' ? [] : conditions,
      api,
      rest: { ...place?.body, ...(sorted === null ? {} : { sortby: sorted }) },
    }),
    isExact,
    isSorted: sorted !== null,
  };
}

/** What a body is made of. */
interface BodyParts {
  readonly collection: string;
  readonly days: Days;
  readonly conditions: readonly Condition[];
  readonly api: CatalogApi;
  readonly rest: Readonly<Record<string, unknown>>;
}

/** Writes the body of a search. */
export function toBody({ collection, days, conditions, api, rest }: BodyParts): ItemSearch['body'] {
  const { from, to } = days;
  const datetime =
    from === null && to === null
      ? {}
      : {
          datetime: `${from === null ? '..' : `${from}T00:00:00Z`}/${to === null ? '..' : `${to}T23:59:59.999Z`}`,
        };
  // Ids are asked for in every API, and some do not filter by them as by properties.
  const isId = ({ property, op }: Condition): boolean => property === 'id' && (op === '=' || op === 'in');
  const ids = conditions.filter(isId).flatMap((one) => (one.op === 'in' ? one.values : [one.value]));
  const others = conditions.filter((one) => !isId(one));
  return {
    collections: [collection],
    ...datetime,
    ...(ids.length === 0 ? {} : { ids }),
    ...toFilter(others, api.filter),
    ...rest,
  };
}

/** Fields whose values are names of scenes, which say where their items are. */
const NAMES: ReadonlySet<string> = new Set(['sceneID', 'productID', 'productName']);

/** Where items of the names of a filter lie, all together; null for other filters, and for names that do not say it. */
function toNamedPlace(filter: FieldFilter, collection: LiveCollection): ItemPlace | null {
  if (!NAMES.has(filter.field) || filter.kind !== 'one-of') return null;
  const sensor = sensorByDataset(collection.dataset);
  const names = filter.values.map((value) =>
    sensor === null || typeof value !== 'string' ? null : readName(sensor, value),
  );
  const places = names.flatMap((name) => (name === null ? [] : [toItemPlace(name, collection)]));
  const [first] = places;
  if (first === undefined || places.length < names.length) return null;
  if (places.length === 1) return first;
  const [from] = toEnds(places.map(({ days }) => days.from));
  const to = toEnds(places.map(({ days }) => days.to)).at(-1);
  const conditions = places.flatMap((place) => place.conditions);
  return {
    days: { from: (from as string | undefined) ?? null, to: (to as string | undefined) ?? null },
    // Of several names each property is one of those that they state, and every hit is compared here.
    conditions: [...Map.groupBy(conditions, ({ property }) => property)].map(([property, all]) => ({
      property,
      op: 'in',
      values: [...new Set(all.flatMap((one) => (one.op === 'in' ? one.values : [one.value])))],
    })),
    point: null,
  };
}

/** The days of all filters by date and by name together, from the first day of the archive; null if there is none. */
function toDays(filters: readonly FieldFilter[], named: readonly ItemPlace[], since: string): Days | null {
  let [from, to]: [string | null, string | null] = [null, null];
  const dates = filters
    .filter(({ field }) => field === 'date')
    .map((filter) => (filter.kind === 'range' ? [filter.from, filter.to] : toEnds(filter.values)));
  for (const ends of [...dates, ...named.map(({ days }) => [days.from, days.to])]) {
    const [first, last] = ends.map((day) => (typeof day === 'string' ? day : null));
    if (first != null && (from === null || first > from)) from = first;
    if (last != null && (to === null || last < to)) to = last;
  }
  if (to !== null && (to < since || (from !== null && from > to))) return null;
  return { from, to };
}

function toEnds(values: readonly FieldValue[]): readonly (FieldValue | undefined)[] {
  const sorted = values.filter((value) => typeof value === 'string').toSorted();
  return [sorted[0], sorted.at(-1)];
}

/** The conditions that make an item one of the dataset. */
export const toOwnConditions = ({ where }: LiveCollection): readonly Condition[] =>
  Object.entries(where).map(([property, values]) =>
    values.length === 1
      ? { property, op: '=', value: values[0]! }
      : { property, op: 'in', values: [...values] },
  );

/** A filter as conditions that let through at least what it lets through; null if it must be applied here. */
function toConditions(
  filter: FieldFilter,
  { properties }: LiveCollection,
): { readonly conditions: readonly Condition[]; readonly isExact: boolean } | null {
  const known = Object.hasOwn(properties, filter.field) ? properties[filter.field] : undefined;
  if (known === undefined) return null;
  const { name: property, slack = 0, step } = known;
  if (filter.kind === 'range') {
    // Rounded values pass from half a step below the least one to half a step above the largest. A value that lies just
    // there may be rounded either way: it is asked for, and filtered here.
    const [low, high] =
      step === undefined
        ? [(from: number) => from, (to: number) => to]
        : [
            (from: number) => toHalf(Math.ceil(toSteps(from, step)) - 0.5, step),
            (to: number) => toHalf(Math.floor(toSteps(to, step)) + 0.5, step),
          ];
    const bounds = [
      ['>=', filter.from, (from: number) => low(from) - slack],
      ['<=', filter.to, (to: number) => high(to) + slack],
    ] as const;
    const conditions = bounds.flatMap(([op, bound, shift]): Condition[] =>
      typeof bound === 'number'
        ? [{ property, op, value: shift(bound) }]
        : typeof bound === 'string'
          ? [{ property, op, value: bound }]
          : [],
    );
    return { conditions, isExact: slack === 0 };
  }
  const values = filter.values.filter((value) => value !== null);
  // Rounded values would have to be ranges, and words may be spelt with other letters there.
  if (
    slack > 0 ||
    step !== undefined ||
    (filter.ignoresCase === true && values.some((value) => typeof value === 'string'))
  )
    return null;
  const [only] = values;
  if (only === undefined) return null;
  return {
    conditions: [
      values.length === 1 ? { property, op: '=', value: only } : { property, op: 'in', values: [...values] },
    ],
    isExact: true,
  };
}

/** A bound in steps; 0.29 is 29 hundredths, although 0.29 / 0.01 is a little less. */
const toSteps = (bound: number, step: number): number => {
  const steps = bound / step;
  return Math.abs(steps - Math.round(steps)) < 1e-6 ? Math.round(steps) : steps;
};

/** A number of steps and a half, without the last digits that a product leaves: 20.005. */
const toHalf = (steps: number, step: number): number => Number((steps * step).toPrecision(12));

const toPlace = (
  geometry: PointGeometry | AreaGeometry,
): { readonly body: Readonly<Record<string, unknown>>; readonly isExact: boolean } => {
  if (geometry.type === 'Point' || countPositions(geometry) <= MOST_POSITIONS) {
    return { body: { intersects: geometry }, isExact: true };
  }
  const { west, south, east, north } = geometryBounds(geometry);
  return { body: { bbox: [west, south, east, north] }, isExact: false };
};

function countPositions(area: AreaGeometry): number {
  const rings = area.type === 'Polygon' ? area.coordinates : area.coordinates.flat();
  return rings.reduce((sum, ring) => sum + ring.length, 0);
}

/** The order of the query in the API's words; null if the API cannot sort so. */
function toSort(
  { field, descending }: SceneQuery['sort'],
  { properties }: LiveCollection,
  { sort }: CatalogApi,
): readonly object[] | null {
  const property =
    field === 'date' ? 'datetime' : Object.hasOwn(properties, field) ? properties[field]!.name : null;
  if (property === null || !sort) return null;
  return [{ field: `properties.${property}`, direction: descending ? 'desc' : 'asc' }];
}

/** Conditions in the language of the API. */
function toFilter(
  conditions: readonly Condition[],
  language: CatalogApi['filter'],
): Readonly<Record<string, unknown>> {
  if (conditions.length === 0 || language === 'none') return {};
  if (language === 'query') {
    const byProperty = Map.groupBy(conditions, ({ property }) => property);
    const entries = [...byProperty].map(([property, all]) => [property, toOperators(all)] as const);
    return { query: Object.fromEntries(entries) };
  }
  const args = conditions.map((condition) => ({
    op: condition.op,
    args: [{ property: condition.property }, condition.op === 'in' ? condition.values : condition.value],
  }));
  return { 'filter-lang': 'cql2-json', filter: args.length === 1 ? args[0] : { op: 'and', args } };
}

/** All conditions on one property: each operator of the query extension is there once, so they are joined. */
function toOperators(conditions: readonly Condition[]): Readonly<Record<string, unknown>> {
  const bounds = (op: '>=' | '<=') => conditions.flatMap((one) => (one.op === op ? [one.value] : []));
  const lists = conditions.flatMap((one) =>
    one.op === 'in' ? [one.values] : one.op === '=' ? [[one.value]] : [],
  );
  const [first, ...others] = lists;
  const values = first?.filter((value) => others.every((list) => list.includes(value)));
  const [lowest, highest] = [
    bounds('>=').toSorted(compareValues).at(-1),
    bounds('<=').toSorted(compareValues)[0],
  ];
  return {
    ...(lowest === undefined ? {} : { gte: lowest }),
    ...(highest === undefined ? {} : { lte: highest }),
    ...(values === undefined ? {} : values.length === 1 ? { eq: values[0] } : { in: values }),
  };
}

const compareValues = (a: string | number | boolean, b: string | number | boolean): number =>
  a < b ? -1 : a > b ? 1 : 0;
