/** The keys of one kind of object, as they come and sorted. */
interface KeyOrder {
  readonly names: readonly string[];
  readonly sorted: readonly string[];
  readonly isSorted: boolean;
}

/** Gives the keys of an object in order. */
export type KeyOrders = (record: object) => KeyOrder;

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
