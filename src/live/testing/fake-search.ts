import type { LonLatBounds } from '../../geo/index.ts';
import { geometryBounds } from '../../geo/index.ts';
import { isObject } from '../../json.ts';
import type { Interval } from './cql2.ts';
import {
  BadFilter,
  compare,
  intervalOf,
  meets,
  overlaps,
  parseInterval,
  passes,
  readProperty,
} from './cql2.ts';
import type { FakeItem, ItemHead, MadeItem } from './made-item.ts';

/** A search as its body or its address states it. */
export interface SearchBody {
  readonly collections?: readonly string[];
  readonly ids?: readonly string[];
  readonly bbox?: readonly number[];
  readonly intersects?: unknown;
  readonly datetime?: string;
  readonly limit?: number;
  readonly query?: unknown;
  readonly filter?: unknown;
  readonly sortby?: readonly { readonly field: string; readonly direction?: string }[];
  readonly fields?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
  /** Of the next page: Earth Search and the others call it differently. */
  readonly next?: string;
  readonly token?: string;
}

/** What a source of items needs to know to list those that may match. */
export interface Wanted {
  readonly collections: readonly string[] | null;
  readonly ids: readonly string[] | null;
  /** All that may match meet one of these. */
  readonly bounds: readonly LonLatBounds[] | null;
  readonly during: Interval;
  /** Values that properties of all that match have. */
  readonly stated: ReadonlyMap<string, unknown>;
}

/** Where the fake has its items from: a list, or a made-up Earth. */
export interface ItemSource {
  readonly collections: readonly string[];
  /** At least all items that match. */
  list(wanted: Wanted): Iterable<MadeItem>;
  find(collection: string, id: string): MadeItem | null;
}

/** Which of the optional parts of a search a catalog obeys; those that it does not obey it ignores. */
export interface SearchAbilities {
  readonly query: boolean;
  readonly filter: boolean;
}

/** All items that match, in order. */
export function searchItems(
  source: ItemSource,
  body: SearchBody,
  abilities: SearchAbilities,
): readonly MadeItem[] {
  const during = body.datetime === undefined ? EVER : parseInterval(body.datetime);
  const areas = toAreas(body);
  const found = [
    ...source.list({
      collections: body.collections ?? null,
      ids: body.ids ?? null,
      bounds: areas?.map((area) => geometryBounds(area as never)) ?? null,
      during,
      stated: toStated(body, abilities),
    }),
  ].filter(({ head }) => {
    if (body.collections !== undefined && !body.collections.includes(head.collection)) return false;
    if (body.ids !== undefined && !body.ids.includes(head.id)) return false;
    if (!overlaps(intervalOf(head), during)) return false;
    if (areas !== null && !areas.some((area) => meets(head.geometry, area))) return false;
    if (abilities.query && body.query !== undefined && !passesQuery(head, body.query)) return false;
    return !abilities.filter || body.filter === undefined || passes(head, body.filter);
  });
  return found.sort((a, b) => order(a.head, b.head, body.sortby ?? []));
}

const EVER: Interval = [-Infinity, Infinity];

/** Equalities of a query, or of a filter that is one or joins several. */
function toStated({ query, filter }: SearchBody, abilities: SearchAbilities): ReadonlyMap<string, unknown> {
  const stated = new Map<string, unknown>();
  if (abilities.query && isObject(query)) {
    for (const [name, one] of Object.entries(query))
      if (isObject(one) && 'eq' in one) stated.set(name, one.eq);
  }
  const parts =
    isObject(filter) && filter.op === 'and' && Array.isArray(filter.args) ? filter.args : [filter];
  for (const part of abilities.filter ? parts : []) {
    if (!isObject(part) || part.op !== '=' || !Array.isArray(part.args)) continue;
    const [property, value] = part.args;
    if (isObject(property)) stated.set(String(property.property), value);
  }
  return stated;
}

/** The area of a search, in two parts if a box crosses 180°; null if there is none. */
function toAreas({ bbox, intersects }: SearchBody): readonly unknown[] | null {
  if (bbox !== undefined && intersects !== undefined)
    throw new BadFilter('bbox and intersects exclude each other');
  if (intersects !== undefined) return [intersects];
  if (bbox === undefined) return null;
  const [west, south, east, north] = bbox.length === 6 ? [bbox[0], bbox[1], bbox[3], bbox[4]] : bbox;
  if (
    west === undefined ||
    south === undefined ||
    east === undefined ||
    north === undefined ||
    south > north
  ) {
    throw new BadFilter('not a bbox');
  }
  return west <= east
    ? [toBox(west, south, east, north)]
    : [toBox(west, south, 180, north), toBox(-180, south, east, north)];
}

const toBox = (west: number, south: number, east: number, north: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});

/** The query extension: `{ "eo:cloud_cover": { "lt": 20 } }`. */
function passesQuery(item: ItemHead, query: unknown): boolean {
  if (!isObject(query)) throw new BadFilter('query is not an object');
  return Object.entries(query).every(([name, conditions]) => {
    if (!isObject(conditions)) throw new BadFilter(`the condition of ${name} is not an object`);
    const value = readProperty(item, name);
    return Object.entries(conditions).every(([op, wanted]) => {
      switch (op) {
        case 'in':
          return Array.isArray(wanted) && wanted.includes(value);
        case 'startsWith':
          return typeof value === 'string' && value.startsWith(String(wanted));
        case 'endsWith':
          return typeof value === 'string' && value.endsWith(String(wanted));
        case 'contains':
          return typeof value === 'string' && value.includes(String(wanted));
        default:
          return compare(op, value as string, wanted as string);
      }
    });
  });
}

/** By the fields that were asked for, then the newest first, then by id. */
function order(a: ItemHead, b: ItemHead, sortby: NonNullable<SearchBody['sortby']>): number {
  for (const { field, direction } of sortby) {
    const [one, other] = [readProperty(a, field), readProperty(b, field)] as [string, string];
    if (one === other) continue;
    // Items without the property come last.
    if (one == null) return 1;
    if (other == null) return -1;
    return (one < other ? -1 : 1) * (direction === 'desc' ? -1 : 1);
  }
  const difference = intervalOf(b)[0] - intervalOf(a)[0];
  if (difference !== 0) return difference;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Fields of an item if `fields` is given without more, as Earth Search has them: of the properties only the time. */
const DEFAULT_FIELDS = [
  ...['id', 'type', 'stac_version', 'geometry', 'bbox', 'links', 'assets', 'collection'],
  'properties.datetime',
];

/**
 * The parts of an item that were asked for. `lean` is how Earth Search understands `fields`: the default fields and those
 * included, without those excluded. Otherwise an item has all fields unless some are included.
 */
export function chooseFields(
  item: FakeItem,
  fields: SearchBody['fields'],
  lean: boolean,
): Record<string, unknown> {
  if (fields === undefined) return { ...item };
  const include = fields.include ?? [];
  const exclude = fields.exclude ?? [];
  const isWhole = !lean && include.length === 0;
  const kept = isWhole ? null : [...include, ...(lean ? DEFAULT_FIELDS : ['id', 'type', 'collection'])];
  const isKept = (path: string): boolean =>
    !exclude.includes(path) &&
    (kept === null || kept.some((one) => one === path || one.startsWith(`${path}.`)));
  const isInside = (path: string, parent: string): boolean =>
    !exclude.includes(path) && (kept === null || kept.includes(parent) || kept.includes(path));
  const pick = (name: 'properties' | 'assets') =>
    Object.fromEntries(Object.entries(item[name]).filter(([key]) => isInside(`${name}.${key}`, name)));
  return Object.fromEntries(
    Object.entries(item).flatMap(([key, value]) => {
      if (!isKept(key)) return [];
      return [[key, key === 'properties' || key === 'assets' ? pick(key) : value]];
    }),
  );
}

/** A list of items. */
export function makeItemList(items: readonly MadeItem[]): ItemSource & { readonly items: MadeItem[] } {
  const list = [...items];
  return {
    items: list,
    get collections() {
      return [...new Set(list.map(({ head }) => head.collection))];
    },
    list: () => list,
    find: (collection, id) =>
      list.find(({ head }) => head.collection === collection && head.id === id) ?? null,
  };
}
