/** The names of a kind of object: as they come, and in order. */
interface KeyOrder {
  readonly names: readonly string[];
  readonly sorted: readonly string[];
  readonly isSorted: boolean;
}

/** Gives the names of an object in order. */
export type KeyOrders = (record: object) => KeyOrder;

/** Kinds that are remembered: a scene has some ten, and each is compared with the next until one fits. */
const MAX_KINDS = 32;

/**
 * Remembers how names are sorted. The objects of scenes are of a few kinds that come again and again, bands and
 * overviews most of all: to recognise one takes a fraction of the time it takes to sort its names.
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
