import type { Repeat } from '../async/index.ts';
import { repeatByTimer } from '../async/index.ts';

/** Where the processes of one database store the results of tasks. */
export interface ResultPlace {
  /** The process: its machine and its number. */
  readonly node: string;
  /** The same for all processes that read each other's results. */
  readonly storeId: string;
  /** A folder or a bucket, as its settings name it. */
  readonly place: string;
}

/** Places of processes that run now. Times are those of the database. */
export interface ResultPlaceStore {
  /** Records a place, or that its process is still alive; resolves when others can read it. */
  put(place: ResultPlace): Promise<void>;
  /** Places of processes that gave a sign of life within the time, in the order of their nodes; forgets all others. */
  list(withinMs: number): Promise<readonly ResultPlace[]>;
  remove(node: string): Promise<void>;
}

/** How often a process says that it is alive, and after which silence it counts as gone. */
const RENEW_MS = 300_000;
export const PLACE_EXPIRES_MS = 2.5 * RENEW_MS;

interface WatchDeps {
  readonly store: ResultPlaceStore;
  readonly node: string;
  readonly place: string;
  readonly readStoreId: () => Promise<string>;
  /** Called once for each place that others use and this process cannot read. */
  readonly onApart: (own: ResultPlace, other: ResultPlace) => void;
  readonly onFailure: (error: unknown) => void;
  readonly repeat?: Repeat;
}

/** A watch on where other processes store results. */
export interface ResultPlaceWatch {
  /** Resolves when the first look is over. */
  readonly started: Promise<void>;
  stop(): Promise<void>;
}

/** Records where this process stores results, and looks now and then whether others store theirs elsewhere. */
export function watchResultPlaces(deps: WatchDeps): ResultPlaceWatch {
  const { store, node, place, readStoreId, onApart, onFailure, repeat = repeatByTimer } = deps;
  const told = new Set<string>();

  async function look(): Promise<void> {
    try {
      const own = { node, place, storeId: await readStoreId() };
      await store.put(own);
      for (const other of await store.list(PLACE_EXPIRES_MS)) {
        if (other.storeId === own.storeId || told.has(other.storeId)) continue;
        told.add(other.storeId);
        onApart(own, other);
      }
    } catch (error) {
      onFailure(error);
    }
  }

  let looking = look();
  const stopLooking = repeat(() => {
    looking = looking.then(look);
  }, RENEW_MS);
  return {
    started: looking,
    async stop() {
      stopLooking();
      await looking;
      // What cannot be removed now is forgotten after a while.
      await store.remove(node).catch(() => {});
    },
  };
}
