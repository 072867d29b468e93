import { makePause } from '../async/index.ts';
import type { SceneHit, SceneQuery } from '../catalog/index.ts';
import { compareScenes } from '../catalog/index.ts';

interface MergeOptions {
  readonly sort: SceneQuery['sort'];
  /** How many hits are wanted. */
  readonly end: number;
}

interface Merged<Hit> {
  /** The first hits of all lists. */
  readonly hits: readonly Hit[];
  /** Hits of catalogs that the store has too. */
  readonly doubles: number;
}

/** A list on its way: its next hit, and its place among the lists. */
interface Queue<Hit> {
  readonly list: readonly Hit[];
  readonly place: number;
  next: number;
}

/**
 * Merges the hits of the store with those of catalogs, each list in its order, and each scene once: of equal ones, that of
 * the store. A hit that is left out keeps its place until then, so that a longer beginning of the same lists begins with
 * the same scenes. A dozen datasets with a thousand hits each would hold the thread for half a second if every hit was
 * compared with those of all other lists.
 */
export async function mergeHits<Hit extends SceneHit>(
  stored: readonly Hit[],
  live: readonly (readonly Hit[])[],
  { sort, end }: MergeOptions,
): Promise<Merged<Hit>> {
  const ofStore = new Set(stored.map(({ viewId }) => viewId));
  const isDouble = ({ viewId }: Hit): boolean => ofStore.has(viewId);
  const doubles = live.reduce((sum, list) => sum + list.filter(isDouble).length, 0);
  const compare = (a: Queue<Hit>, b: Queue<Hit>): number =>
    compareScenes(a.list[a.next]!, b.list[b.next]!, sort) || a.place - b.place;
  const queues = [stored, ...live]
    .map((list, place): Queue<Hit> => ({ list, place, next: 0 }))
    .filter(({ list }) => list.length > 0)
    .sort(compare);
  const hits: Hit[] = [];
  const pause = makePause();
  while (hits.length < end) {
    await pause();
    const first = queues.shift();
    if (first === undefined) break;
    const hit = first.list[first.next]!;
    if (first.place === 0 || !isDouble(hit)) hits.push(hit);
    first.next += 1;
    if (first.next < first.list.length) insert(queues, first, compare);
  }
  return { hits, doubles };
}

/** Inserts a queue into sorted ones. The next hit of a list is often the next of all. */
function insert<Item>(sorted: Item[], item: Item, compare: (a: Item, b: Item) => number): void {
  const at = sorted.findIndex((other) => compare(item, other) < 0);
  sorted.splice(at < 0 ? sorted.length : at, 0, item);
}
