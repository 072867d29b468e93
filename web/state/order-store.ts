/** Orders of this browser, so that they can be repeated; the server only tells what became of them. */
import { asRecord, asText } from '../scenes/read-json.ts';
import type { DownloadOrder } from './downloads.ts';

/** An order and what it was called. */
interface RememberedOrder {
  readonly order: DownloadOrder;
  readonly title: string;
}

/** Remembers and finds orders by the id of their task. */
export interface OrderStore {
  remember(id: string, order: DownloadOrder, title: string): void;
  find(id: string): RememberedOrder | null;
}

/** The part of a storage that is used. */
interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
}

const STORAGE_NAME = 'swath.orders';
/** As many as a key may have open, twice; an order with a large area takes some kilobytes. */
const MAX_ORDERS = 100;
const TYPES = ['lbe', 'bandmath', 'jpeg'] as const;

type Entry = readonly [id: string, remembered: RememberedOrder];

/** Reads what was stored; entries that cannot be read are left out. */
export const parseOrders = (text: string | null): readonly Entry[] => {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(list)) return [];
    return list.flatMap((value: unknown): readonly Entry[] => {
      if (!Array.isArray(value)) return [];
      const [id, { order, title }] = [asText(value[0]), asRecord(value[1])];
      const { type, params } = asRecord(order);
      const known = TYPES.find((name) => name === type);
      if (id === null || known === undefined) return [];
      return [[id, { order: { type: known, params: asRecord(params) }, title: asText(title) ?? '' }]];
    });
  } catch {
    // Not JSON: an older version or another program wrote it.
    return [];
  }
};

/** Builds it; a storage that is switched off in the browser remembers as long as the page lives. */
export const makeOrderStore = (ofBrowser: () => TextStorage): OrderStore => {
  let entries: readonly Entry[] = [];
  const read = (): void => {
    try {
      entries = parseOrders(ofBrowser().getItem(STORAGE_NAME));
    } catch {
      // Switched off: what this page has ordered is still known.
    }
  };
  read();
  return {
    remember(id, order, title) {
      // Another tab may have ordered meanwhile.
      read();
      const entry: Entry = [id, { order, title }];
      entries = [entry, ...entries.filter(([other]) => other !== id)].slice(0, MAX_ORDERS);
      try {
        ofBrowser().setItem(STORAGE_NAME, JSON.stringify(entries));
      } catch {
        // Full or switched off: the order itself is made, it only cannot be repeated after a reload.
      }
    },
    find: (id) => entries.find(([other]) => other === id)?.[1] ?? null,
  };
};
