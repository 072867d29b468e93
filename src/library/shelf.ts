import type { Changes } from '../async/index.ts';
import { makeTtlCache, unheard } from '../async/index.ts';

/**
 * A store of things that never change. Owners are ids of API keys: they are charged for what they store, and may delete
 * it. A thing exists until its last owner has deleted it.
 */
export interface OwnedStore<Stored, Usage> {
  find(id: string): Promise<Stored | null>;
  /** False when the owner has no such thing, whether or not it exists. */
  remove(id: string, owner: string): Promise<boolean>;
  /** Removes all things of an owner; resolves to their number. */
  removeAll(owner: string): Promise<number>;
  /** Usage by owner. Things from before owners were recorded belong to no one. */
  usage(): Promise<ReadonlyMap<string, Usage>>;
}

/** Things of a store by id, cached. */
export interface Shelf<Item> {
  /** Null for an invalid id and for an unknown one. */
  find(id: string): Promise<Item | null>;
  /** False for an unknown id and for one of another owner. */
  remove(id: string, owner: string): Promise<boolean>;
}

/** The clock of a shelf, and how it survives an outage. */
export interface ShelfTimes {
  /** Monotonic. */
  readonly nowMs: () => number;
  /** How long cached things stay in use while the store does not answer. */
  readonly outageMs: number;
  /** Reports of deleted things; by default there are none. */
  readonly changes?: Changes | undefined;
}

interface ShelfDeps<Stored, Item> extends ShelfTimes {
  readonly store: Pick<OwnedStore<Stored, unknown>, 'find' | 'remove'>;
  /** Makes what is cached; called once for as long as the thing stays in the cache. */
  readonly toItem: (stored: Stored) => Item | Promise<Item>;
  /** The name under which the metrics count hits of its cache. */
  readonly name: string;
  /** The max sum of the sizes of all cached items. */
  readonly max: number;
  /** The size of an item; null stands for an unknown id. */
  readonly sizeOf: (item: Item | null) => number;
}

/** The max number of cached things: a map shows one or two, and requests them tile by tile. */
export const MAX_RECENT = 64;

/** After this the store is asked again: another process may have deleted the thing, without a report. */
const FRESH_MS = 10_000;

/** The same while deleted things are reported. */
const REPORTED_MS = 60_000;

/** Builds a shelf over a store. */
export function makeShelf<Stored, Item>(deps: ShelfDeps<Stored, Item>): Shelf<Item> {
  const { store, toItem, nowMs, outageMs, max, sizeOf, changes = unheard } = deps;
  const recent = makeTtlCache<Item | null>({
    name: deps.name,
    nowMs,
    freshMs: FRESH_MS,
    reported: { heard: changes.heard, maxMs: REPORTED_MS },
    outageMs,
    max,
    sizeOf,
  });
  changes.watch((ids) => {
    if (ids === null) recent.forgetAll();
    else for (const id of ids) recent.forget(id);
  });
  return {
    async find(id) {
      if (!isId(id)) return null;
      return recent.find(id, async ({ known }) => {
        const stored = await store.find(id);
        // Things never change: as long as the store has it, the cached item is right.
        return stored === null ? null : (known ?? toItem(stored));
      });
    },
    async remove(id, owner) {
      if (!isId(id)) return false;
      const isRemoved = await store.remove(id, owner);
      // Others may own it too: only the store knows whether it still exists.
      if (isRemoved) recent.forget(id);
      return isRemoved;
    },
  };
}

/** Whether a text is an id, as this room gives them out. */
export const isId = (id: string): boolean => /^[0-9a-f]{32}$/.test(id);
