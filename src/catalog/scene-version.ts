import { hash } from 'node:crypto';
import type { NewScene, Scene } from './scene.ts';

/** The keys of one kind of object, as they come and sorted. */
interface KeyOrder {
  readonly names: readonly string[];
  readonly sorted: readonly string[];
  readonly isSorted: boolean;
}

/** Gives the keys of an object in order. */
type KeyOrders = (record: object) => KeyOrder;

/** A scene has some ten kinds of objects; the list is searched from its beginning. */
const MAX_KINDS = 32;

/**
 * Remembers sorted keys. Scenes consist of a few kinds of objects that repeat, above all bands and overviews:
 * recognising one takes a fraction of the time of sorting its keys.
 */
export function makeKeyOrders(): KeyOrders {
  const known: KeyOrder[] = [];
  return (record) => {
    const names = Object.keys(record);
    for (const order of known) if (areEqual(order.names, names)) return order;
    const sorted = names.toSorted();
    const order = { names, sorted, isSorted: areEqual(names, sorted) };
    if (known.length < MAX_KINDS) known.push(order);
    return order;
  };
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  // A loop, because this runs for each of the sixty objects of a scene.
  for (let i = 0; i < some.length; i += 1) if (some[i] !== others[i]) return false;
  return true;
}

/** A field of a record, and its text `"name":value` with the keys of all objects in it sorted. */
type CanonicalEntry = readonly [name: string, text: string];

/**
 * The fields of a record in the order of their names: joined, they are the text that versions are hashed from. Callers
 * with many scenes pass the same `orders` for all of them.
 */
export function toCanonicalEntries(scene: NewScene, orders = makeKeyOrders()): readonly CanonicalEntry[] {
  const entries: CanonicalEntry[] = [];
  for (const name of orders(scene).sorted) {
    // A scene that comes from a store already has a version, which must not change the next one.
    if (name === 'version') continue;
    // Absent and undefined are the same in JSON.
    const text = JSON.stringify(withSortedKeys(scene[name as keyof NewScene], orders)) as string | undefined;
    if (text !== undefined) entries.push([name, `${JSON.stringify(name)}:${text}`]);
  }
  return entries;
}

/**
 * A hash of a record without `indexedAt`, so that ingesting the same product again gives the same version. Loading a
 * million scenes spends most of its time here: keys are sorted by copying, because JSON.stringify is fast only without a
 * replacer.
 */
export const toVersion = (entries: readonly CanonicalEntry[]): string =>
  hash(
    'sha256',
    `{${entries.flatMap(([name, text]) => (name === 'indexedAt' ? [] : [text])).join(',')}}`,
  ).slice(0, 16);

/** Gives a record its version. */
export const toScene = (scene: NewScene): Scene => ({
  ...scene,
  version: toVersion(toCanonicalEntries(scene)),
});

/** The value itself if its keys are sorted already, otherwise a copy of the unsorted parts. */
function withSortedKeys(value: unknown, orders: KeyOrders): unknown {
  if (value === null || typeof value !== 'object') return value;
  return Array.isArray(value)
    ? withSortedItems(value, orders)
    : withSortedNames(value as Record<string, unknown>, orders);
}

function withSortedItems(items: readonly unknown[], orders: KeyOrders): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (let i = 0; i < items.length; i += 1) {
    const item = items[i];
    // Checked here, because most items are the numbers of a footprint.
    if (item === null || typeof item !== 'object') continue;
    const sorted = withSortedKeys(item, orders);
    if (sorted === item) continue;
    copy ??= items.slice();
    copy[i] = sorted;
  }
  return copy ?? items;
}

function withSortedNames(
  record: Readonly<Record<string, unknown>>,
  orders: KeyOrders,
): Readonly<Record<string, unknown>> {
  const { sorted: names, isSorted } = orders(record);
  let isChanged = !isSorted;
  const sorted: Record<string, unknown> = {};
  for (const name of names) {
    const value = record[name];
    const own = value !== null && typeof value === 'object' ? withSortedKeys(value, orders) : value;
    sorted[name] = own;
    isChanged ||= own !== value;
  }
  return isChanged ? sorted : record;
}
