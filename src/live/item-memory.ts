import { makeLru } from '../lru.ts';

/** Where the item of a scene is, as a search has shown it. */
export interface NotedItem {
  readonly catalog: string;
  readonly collection: string;
  readonly id: string;
  /** Of two items of one scene the one with the larger text is newer. */
  readonly processed: string;
  /** The JSON of the whole item, where a search has read it. */
  readonly value?: unknown;
}

/** Remembers items that searches have shown, because their scenes are often used next. */
export interface ItemMemory {
  note(viewId: string, item: NotedItem): void;
  find(viewId: string): NotedItem | undefined;
  forget(viewId: string): void;
}

/** Addresses are small. A whole item has some 40 kB as text, and three times as much as objects. */
const MOST_ITEMS = 20_000;
const MOST_WHOLE = 500;

/** Builds the memory. Whole items leave it before addresses do. */
export function makeItemMemory(): ItemMemory {
  const items = makeLru<Omit<NotedItem, 'value'>>({ max: MOST_ITEMS });
  const whole = makeLru<unknown>({ max: MOST_WHOLE });
  const toKey = ({ catalog, collection, id }: NotedItem): string => [catalog, collection, id].join(' ');
  return {
    note(viewId, { value, ...item }) {
      const known = items.get(viewId);
      if (known !== undefined && known.processed > item.processed) return;
      items.set(viewId, item);
      if (value !== undefined) whole.set(toKey(item), value);
    },
    find(viewId) {
      const item = items.get(viewId);
      if (item === undefined) return undefined;
      const value = whole.get(toKey(item));
      return value === undefined ? item : { ...item, value };
    },
    forget: (viewId) => items.delete(viewId),
  };
}
