/** One window of a sync: what is new or has changed becomes scenes, and what is gone is found. */
import type { ProductReport } from '../../ingest/index.ts';
import { makeBatch } from '../../ingest/index.ts';
import type { SyncWindow } from './sync-plan.ts';
import type { SyncedItem, WindowState } from './sync-state.ts';
import type { Absence, ListedItem, WindowItems } from './window-items.ts';

/** The store of a sync. */
export type SyncStore = BatchDeps['store'] & { remove(viewId: string): Promise<boolean> };

type BatchDeps = Parameters<typeof makeBatch>[0];

/** A scene of the sync whose item is gone. */
export interface GoneScene {
  readonly product: string;
  readonly viewId: string;
  readonly why: Absence;
  /** Whether the scene was removed from the store. */
  readonly removed: boolean;
}

/** What became of a window. */
export interface WindowResult {
  /** Items that the light list showed to be as they were: scenes, and others that cannot be scenes of ours. */
  readonly unchanged: number;
  readonly skipped: number;
  readonly gone: readonly GoneScene[];
  /** What the next run compares with; null if the window was not read to its end because of the limit. */
  readonly items: readonly SyncedItem[] | null;
}

interface WindowDeps extends Omit<BatchDeps, 'store' | 'onLine'> {
  readonly items: WindowItems;
  readonly store: SyncStore;
  /** The window as it was last read; null if it never was. */
  readonly earlier: WindowState | null;
  /** The rules by which items become scenes now. */
  readonly rules: string;
  readonly isDry: boolean;
  /** Whether scenes that are gone are removed. */
  readonly prune: boolean;
  /** Asked before each item; true when so many scenes were taken as the limit allows. */
  readonly isEnough: () => boolean;
  /** Called for each item that becomes a scene, before its files are read. */
  readonly onTaken: () => void;
  readonly onLine: (line: ProductReport) => void;
}

const keyOf = ({ collection, id }: Pick<SyncedItem, 'collection' | 'id'>): string => `${collection}/${id}`;

/** Brings the store up to date with a window. */
export async function syncWindow(window: SyncWindow, deps: WindowDeps): Promise<WindowResult> {
  const { items, store, earlier, rules, isEnough, onTaken, onLine } = deps;
  const known = new Map((earlier?.items ?? []).map((item) => [keyOf(item), item]));
  /** What the window has now, for the next run. */
  const present = new Map<string, SyncedItem>();
  const listed = new Map<string, SyncedItem>();
  const lines = new Map<string, ProductReport>();
  let [unchanged, skipped] = [0, 0];

  const batch = makeBatch({
    ...deps,
    onLine(line) {
      const { product, outcome, viewId = null } = line;
      const item = listed.get(product);
      // A broken item is tried again by the next run; one that is not a scene of ours is not.
      if (item !== undefined && outcome !== 'broken') present.set(product, { ...item, viewId });
      lines.set(product, line);
      onLine(line);
    },
  });

  const note = ({ collection, item: { id }, updated }: ListedItem): SyncedItem => {
    const item = { collection, id, updated, viewId: null };
    listed.set(keyOf(item), item);
    return item;
  };

  /** Has items ingested; false if the limit was reached before the last. */
  async function take(found: AsyncIterable<ListedItem>): Promise<boolean> {
    const taken = new Set<string>();
    for await (const one of found) {
      const key = keyOf(note(one));
      // A catalog may repeat an item on the next page, because others were added meanwhile.
      if (taken.has(key)) continue;
      if (isEnough()) return false;
      taken.add(key);
      lines.delete(key);
      await batch.add({ item: one.item, value: one.value, location: { kind: 'url', url: one.url } });
      const line = lines.get(key);
      if (line === undefined || line.outcome === 'ingested') onTaken();
    }
    return true;
  }

  const mayBeLight =
    earlier !== null && earlier.rules === rules && earlier.items.every(({ updated }) => updated !== null);
  const light = mayBeLight ? await items.readLight(window) : null;
  let isWhole: boolean;
  if (light === null) isWhole = await take(items.readWhole(window));
  else {
    const changed: SyncedItem[] = [];
    for await (const one of light) {
      const item = note(one);
      const before = known.get(keyOf(item));
      if (before !== undefined && before.updated === item.updated && (await isStored(before, store))) {
        if (present.has(keyOf(item))) continue;
        present.set(keyOf(item), before);
        if (before.viewId === null) skipped++;
        else unchanged++;
      } else changed.push(item);
    }
    isWhole = await take(items.readByIds(window, changed));
  }
  await batch.flush();
  if (!isWhole) return { unchanged, skipped, gone: [], items: null };
  for (const [key, item] of known) {
    // Listed, but not answered by its id, or broken: the next run sees it again.
    if (listed.has(key) && !present.has(key)) present.set(key, item);
  }
  const gone = await findGone([...known.values()].filter((item) => !listed.has(keyOf(item))));
  return { unchanged, skipped, gone, items: [...present.values()] };

  async function findGone(missing: readonly SyncedItem[]): Promise<readonly GoneScene[]> {
    const found: GoneScene[] = [];
    for (const item of missing) {
      const { viewId } = item;
      // A scene that somebody has removed from the store is nobody's business.
      if (viewId === null || (await store.findByViewId(viewId)) === null) continue;
      const why = await items.explainAbsence(window, item);
      const others = [...present].filter(([, other]) => other.viewId === viewId);
      const isReplaced = others.some(([key]) => lines.get(key)?.outcome === 'ingested');
      if (why !== null && isReplaced) continue;
      const removed = why !== null && deps.prune && !deps.isDry && (await store.remove(viewId));
      if (why !== null) found.push({ product: keyOf(item), viewId, why, removed });
      // A list that lacks an item is not believed: the next run reads whole items.
      if (!removed) present.set(keyOf(item), why === null ? { ...item, updated: null } : item);
      else if (others.length > 0) {
        // Another item of the same scene is left: it takes the place of the one that is gone.
        await take(
          items.readByIds(
            window,
            others.map(([, other]) => other),
          ),
        );
        await batch.flush();
      }
    }
    return found;
  }
}

/** Whether the scene of an item is in the store, which may be another one than in the last run. */
const isStored = async ({ viewId }: SyncedItem, store: SyncStore): Promise<boolean> =>
  viewId === null || (await store.findByViewId(viewId)) !== null;
