import type { StacItem } from '../ingest/index.ts';
import { makeLru } from '../lru.ts';

/** Where the item of a scene is, as a search has shown it. */
export interface NotedItem {
  readonly catalog: string;
  readonly collection: string;
  readonly id: string;
  /** Of two items of one scene the one with the larger text is newer. */
  readonly processed: string;
  /** The whole item, where a search has read it. */
  readonly item?: StacItem;
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
  const items = makeLru<Omit<NotedItem, 'item'>>({ max: MOST_ITEMS });
  const whole = makeLru<{ readonly item: StacItem; readonly atMs: number }>({ max: MOST_WHOLE });
  const toKey = ({ catalog, collection, id }: NotedItem): string => [catalog, collection, id].join(' ');
  return {
    note(viewId, { item, ...place }) {
      const known = items.get(viewId);
      if (known !== undefined && known.processed > place.processed) return;
      items.set(viewId, place);
      if (item !== undefined) whole.set(toKey(place), { item, atMs: nowMs() });
    },
    find(viewId) {
      const place = items.get(viewId);
      if (place === undefined) return undefined;
      const read = whole.get(toKey(place));
      if (read === undefined) return place;
      if (nowMs() - read.atMs < WHOLE_MS) return { ...place, item: read.item };
      whole.delete(toKey(place));
      return place;
    },
    forget: (viewId) => items.delete(viewId),
  };
}
