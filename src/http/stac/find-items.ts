/**
 * Finds the scenes of a page of items, over the same search as the first door. What search cannot decide is tested here:
 * a page then reads on until it is full, within a bound, and its next link goes on where it has stopped.
 */
import { makePause } from '../../async/index.ts';
import type {
  CatalogNote,
  FieldFilter,
  FiledHit,
  HitPage,
  Scene,
  SceneHit,
  SceneQuery,
  SceneStore,
} from '../../catalog/index.ts';
import { compareScenes } from '../../catalog/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { unsupported } from '../errors.ts';
import { isMet } from './filter/evaluate.ts';
import type { Condition, FilterShape } from './filter/filter-tree.ts';
import { toTestCostMs } from './filter/filter-tree.ts';
import { pushDown, toConjuncts } from './filter/push-down.ts';
import type { ItemOrder, ItemPosition } from './item-position.ts';
import { compareTimes, isBehind, toPosition } from './item-position.ts';
import { toViewId } from './item-properties.ts';

/** What is looked for. */
export interface ItemSearch {
  /** Datasets to look in; unknown ones have no items. */
  readonly collections: readonly string[];
  /** Ids of items; null for all. */
  readonly ids: readonly string[] | null;
  readonly shape: FilterShape | null;
  /** All of these must be met. */
  readonly conditions: readonly Condition[];
  readonly order: ItemOrder;
  readonly limit: number;
  /** Where the page before ended; null for the first. */
  readonly after: ItemPosition | null;
  /** Whether the files of the scenes are wanted as well. */
  readonly withFiles?: boolean;
}

/** A page of scenes. */
export interface FoundItems {
  readonly hits: HitPage['hits'];
  /** Where the next page begins; null when there is none. */
  readonly next: ItemPosition | null;
  /** How many match in all; null where that is not known. */
  readonly matched: number | null;
  /** What live catalogs have added. */
  readonly catalogs: readonly CatalogNote[];
}

type Scenes = Pick<SceneStore, 'searchHits' | 'findByViewId' | 'findHit'>;

/** Scenes that one page reads at most, where each has to be tested here. */
const MAX_TESTED = 4_000;
/** Scenes that are read at a time. */
const WINDOW = 500;
/** Scenes of one day that can be sorted by their times. */
const MAX_OF_DAY = 5_000;

/** Finds a page; `pay` is called before scenes are tested, with what that costs the main thread. */
export function findItems(
  search: ItemSearch,
  scenes: Scenes,
  pay: (ms: number) => void = () => {},
): Promise<FoundItems> {
  if (search.ids !== null) return findById(search, search.ids, scenes);
  const plan = { ...planSearch(search), pay };
  if (plan.datasets.length === 0) return Promise.resolve({ hits: [], next: null, matched: 0, catalogs: [] });
  return search.order.isByTime ? readDays(search, plan, scenes) : readOn(search, plan, scenes);
}

/** Counts the items of a search in the store; null where the store cannot decide which they are. */
export async function countItems(
  search: ItemSearch,
  scenes: Pick<Scenes, 'searchHits'>,
): Promise<{ readonly found: number; readonly catalogs: readonly CatalogNote[] } | null> {
  const plan = planSearch(search);
  if (search.ids !== null || !plan.isCounted) return null;
  if (plan.datasets.length === 0) return { found: 0, catalogs: [] };
  const first = { order: search.order, after: null };
  const { found, catalogs = [] } = await scenes.searchHits(toQuery(plan, first, { offset: 0, limit: 1 }));
  return { found, catalogs };
}

/** A search as the store is asked, and what is left to test. */
interface Plan {
  readonly datasets: SceneQuery['datasets'];
  readonly shape: SceneQuery['shape'];
  /** Whether a scene that was found matches. */
  readonly isWanted: (hit: SceneHit) => boolean;
  /** Whether every scene that is found does. */
  readonly isExact: boolean;
  /** Whether the count of what is found is that of what matches. */
  readonly isCounted: boolean;
  /** What testing one scene costs, in milliseconds. */
  readonly testCostMs: number;
}

/** A plan, and who pays for it. */
type PaidPlan = Plan & { readonly pay: (ms: number) => void };

function planSearch({ collections, shape: given, conditions }: ItemSearch): Plan {
  const conjuncts = conditions.flatMap(toConjuncts);
  // One shape can be asked of the store; all others are tested.
  const spatial =
    given === null ? conjuncts.find((one) => one.kind === 'spatial' && one.op === 's_intersects') : undefined;
  const shape = given ?? (spatial?.kind === 'spatial' ? spatial.shape : null);
  const others = spatial === undefined ? conjuncts : conjuncts.filter((one) => one !== spatial);
  const rests = new Map<string, readonly Condition[]>();
  const datasets: { id: string; filters: readonly FieldFilter[] }[] = [];
  let isCounted = shape?.isExact ?? true;
  for (const id of new Set(collections)) {
    const sensor = sensorByDataset(id);
    const pushed = sensor === null ? null : pushDown(others, sensor);
    if (pushed === null) continue;
    datasets.push({ id, filters: pushed.filters });
    rests.set(id, pushed.rest);
    isCounted &&= pushed.isCounted;
  }
  const isShapeTested = shape !== null && !shape.isExact;
  return {
    datasets,
    shape: shape === null ? undefined : { geometry: shape.around, relation: 'intersects' },
    isWanted: (hit) =>
      (rests.get(hit.dataset) ?? []).every((condition) => isMet(condition, hit)) &&
      (!isShapeTested || shape.meets(hit.footprint)),
    isExact: !isShapeTested && [...rests.values()].every(({ length }) => length === 0),
    isCounted,
    testCostMs:
      (isShapeTested ? 0.05 : 0) +
      Math.max(
        0,
        ...[...rests.values()].map((rest) => rest.reduce((sum, one) => sum + toTestCostMs(one), 0)),
      ),
  };
}

/** The query of a window. A page that goes on in an order of days begins with the day of its position. */
function toQuery(
  { datasets, shape }: Plan,
  { order, after }: Pick<ItemSearch, 'order' | 'after'>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): SceneQuery {
  const day = after?.acquiredAt.slice(0, 10);
  const bound: readonly FieldFilter[] =
    day === undefined || order.field !== 'date'
      ? []
      : [{ field: 'date', kind: 'range', ...(order.descending ? { to: day } : { from: day }) }];
  return {
    datasets: datasets.map(({ id, filters }) => ({ id, filters: [...filters, ...bound] })),
    ...(shape === undefined ? {} : { shape }),
    sort: { field: order.field, descending: order.descending },
    offset,
    limit,
  };
}

/** Reads on in the order of search. */
async function readOn(search: ItemSearch, plan: PaidPlan, scenes: Scenes): Promise<FoundItems> {
  const { order, limit, after } = search;
  const pause = makePause();
  const kept: SceneHit[] = [];
  let [offset, tested] = [Math.max(0, (after?.skip ?? 0) - 1), 0];
  let first: HitPage | null = null;
  /** The last scene that was read, and how many of its search were up to it. */
  let last: { readonly hit: SceneHit; readonly skip: number } | null = null;
  const toLast = (): ItemPosition | null => (last === null ? after : toPosition(last.hit, order, last.skip));
  let isChecked = offset === 0;
  const count = makeSkipCount(order, after, offset);
  // One more than is wanted says whether there is a next page; another is that of the position.
  // A span of days that ends with a last second may lose a scene to the test, and most pages lose none.
  const isNear = plan.isExact || plan.isCounted;
  const window = isNear ? Math.min(WINDOW * 2, limit + 2) : WINDOW;
  // Where every scene is shown, its record comes with it.
  const more = isNear && search.withFiles === true ? ({ withFiles: true } as const) : {};
  for (;;) {
    const query = toQuery(plan, search, { offset, limit: window });
    const page = await scenes.searchHits({ ...query, ...more });
    first ??= page;
    if (plan.testCostMs > 0) plan.pay(plan.testCostMs * page.hits.length);
    const [begin] = page.hits;
    // Scenes were removed: the place has moved to the front.
    if (!isChecked && after !== null && (begin === undefined || isBehind(begin, after, order))) {
      offset = Math.floor(offset / 2);
      count.restart(offset);
      isChecked = offset === 0;
      continue;
    }
    isChecked = true;
    for (const hit of page.hits) {
      await pause();
      const skip = count.add(hit);
      if (after !== null && !isBehind(hit, after, order)) continue;
      tested += 1;
      if (plan.isWanted(hit)) {
        if (kept.length === limit) return toFound(kept, toLast(), { first, plan, after });
        kept.push(hit);
      } else if (tested > MAX_TESTED)
        return toFound(kept, toPosition(hit, order, skip), { first, plan, after });
      last = { hit, skip };
    }
    offset += page.hits.length;
    if (page.hits.length < window) return toFound(kept, null, { first, plan, after });
  }
}

/** Counts scenes up to each that is read: of its day where pages begin with days, else from the beginning. */
function makeSkipCount({ field }: ItemOrder, after: ItemPosition | null, offset: number) {
  let [skip, day] = [offset, after?.acquiredAt.slice(0, 10)];
  return {
    restart(from: number): void {
      [skip, day] = [from, after?.acquiredAt.slice(0, 10)];
    },
    add({ acquiredAt }: SceneHit): number {
      const own = acquiredAt.slice(0, 10);
      if (field === 'date' && own !== day) skip = 0;
      day = own;
      skip += 1;
      return skip;
    },
  };
}

/** Reads day by day, and sorts the scenes of each by their times. */
async function readDays(search: ItemSearch, plan: PaidPlan, scenes: Scenes): Promise<FoundItems> {
  const { order, limit, after } = search;
  const pause = makePause();
  const kept: SceneHit[] = [];
  const window = Math.min(WINDOW * 2, Math.max(100, 2 * limit));
  let day: SceneHit[] = [];
  let [offset, tested] = [0, 0];
  let first: HitPage | null = null;
  const isFull = (): boolean => kept.length > limit;
  const closeDay = (): void => {
    day.sort((a, b) => compareTimes(a, b, order.descending));
    for (const hit of day)
      if ((after === null || isBehind(hit, after, order)) && plan.isWanted(hit)) kept.push(hit);
    tested += day.length;
    day = [];
  };
  for (;;) {
    const page = await scenes.searchHits(toQuery(plan, search, { offset, limit: window }));
    first ??= page;
    if (plan.testCostMs > 0) plan.pay(plan.testCostMs * page.hits.length);
    for (const hit of page.hits) {
      await pause();
      const [before] = day;
      if (before !== undefined && before.acquiredAt.slice(0, 10) !== hit.acquiredAt.slice(0, 10)) {
        closeDay();
        if (isFull() || tested > MAX_TESTED) {
          const shown = kept.slice(0, limit);
          const end = isFull() ? (shown.at(-1) as SceneHit) : toDayEnd(before, order);
          return toFound(shown, toPosition(end, order, 0), { first, plan, after });
        }
      }
      day.push(hit);
      if (day.length > MAX_OF_DAY)
        throw unsupported(
          'too-many-of-a-day',
          `More than ${MAX_OF_DAY} scenes of one day match, which is too many to sort by their times; narrow the search, or leave sortby out.`,
        );
    }
    offset += page.hits.length;
    if (page.hits.length < window) break;
  }
  closeDay();
  const shown = kept.slice(0, limit);
  const end = isFull() ? toPosition(shown.at(-1) as SceneHit, order, 0) : null;
  return toFound(shown, end, { first, plan, after });
}

/** A place behind all scenes of a day. */
const toDayEnd = (hit: SceneHit, { descending }: ItemOrder): SceneHit => ({
  ...hit,
  acquiredAt: `${hit.acquiredAt.slice(0, 10)}${descending ? 'T00:00:00.000Z' : 'T23:59:59.999Z'}`,
  sceneId: '\u{10ffff}',
});

interface Reading {
  readonly first: HitPage;
  readonly plan: Plan;
  readonly after: ItemPosition | null;
}

function toFound(
  hits: readonly SceneHit[],
  next: ItemPosition | null,
  { first, plan, after }: Reading,
): FoundItems {
  const catalogs = first.catalogs ?? [];
  const isKnown = catalogs.every(({ foundBy, problem }) => foundBy !== 'at-least' && problem === null);
  const matched =
    after === null && next === null && hits.length === 0
      ? 0
      : after === null && plan.isCounted && isKnown
        ? first.found
        : null;
  return { hits, next, matched, catalogs };
}

/** A scene with its files, as the store finds it fastest. */
export const findHit = (
  viewId: string,
  scenes: Pick<SceneStore, 'findByViewId' | 'findHit'>,
): Promise<FiledHit | Scene | null> => scenes.findHit?.(viewId) ?? scenes.findByViewId(viewId);

/** Looks up items by their ids, and tests each. */
async function findById(
  { collections, shape, conditions, order, limit, after }: ItemSearch,
  ids: readonly string[],
  scenes: Scenes,
): Promise<FoundItems> {
  const found: SceneHit[] = [];
  const pause = makePause();
  for (const id of new Set(ids)) {
    await pause();
    const viewId = toViewId(id);
    const scene = viewId === null ? null : await findHit(viewId, scenes);
    if (scene === null || !collections.includes(scene.dataset)) continue;
    const isWanted =
      conditions.every((condition) => isMet(condition, scene)) && (shape?.meets(scene.footprint) ?? true);
    if (isWanted) found.push(scene);
  }
  found.sort((a, b) => (order.isByTime ? compareTimes(a, b, order.descending) : compareScenes(a, b, order)));
  const behind = after === null ? found : found.filter((hit) => isBehind(hit, after, order));
  const hits = behind.slice(0, limit);
  const last = hits.at(-1);
  const next = last === undefined || behind.length <= limit ? null : toPosition(last, order, 0);
  return { hits, next, matched: found.length, catalogs: [] };
}
