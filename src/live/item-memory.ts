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
/** How long a whole item is taken for what its catalog has; addresses in it may be signed for an hour. */
const WHOLE_MS = 600_000;

/** Builds the memory. Whole items leave it before addresses do. */
export function makeItemMemory(nowMs: () => number): ItemMemory {
  const items = makeLru<Omit<NotedItem, 'value'>>({ max: MOST_ITEMS });
  const whole = makeLru<{ readonly value: unknown; readonly atMs: number }>({ max: MOST_WHOLE });
  const toKey = ({ catalog, collection, id }: NotedItem): string => [catalog, collection, id].join(' ');
  return {
    note(viewId, { value, ...item }) {
      const known = items.get(viewId);
      if (known !== undefined && known.processed > item.processed) return;
      items.set(viewId, item);
      if (value !== undefined) whole.set(toKey(item), { value, atMs: nowMs() });
    },
    find(viewId) {
      const item = items.get(viewId);
      if (item === undefined) return undefined;
      const read = whole.get(toKey(item));
      if (read === undefined) return item;
      if (nowMs() - read.atMs < WHOLE_MS) return { ...item, value: read.value };
      whole.delete(toKey(item));
      return item;
    },
    forget: (viewId) => items.delete(viewId),
  };
}
