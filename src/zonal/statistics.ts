import { makePause, takeTurn, workInOrder } from '../async/index.ts';
import type { Scene, SceneStore } from '../catalog/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';
import type { CompareScene, FileWatch } from '../render/native/index.ts';
import { withCurrentFiles } from '../render/native/index.ts';
import type { Candidate } from './find-candidates.ts';
import { isSentinel2, makeFindCandidates } from './find-candidates.ts';
import type { StatisticsJobs } from './measure-scene.ts';
import type { MeasuredArea, SensedScene } from './plan-scene.ts';
import { isSunMissing, planScene, toMeasuredArea } from './plan-scene.ts';
import type {
  Measured,
  SceneFailure,
  SceneStatistics,
  SceneStatisticsStore,
  StatisticsResult,
} from './scene-statistics.ts';
import { describeScene, OUTSIDE, refuseIfAllBroke, toNamed } from './scene-statistics.ts';
import type { StatisticsOrder } from './statistics-order.ts';
import { makeParseExpressions } from './statistics-order.ts';

/** How an order is carried out. */
interface StatisticsRun {
  /** Owner, lane, time limit and signal of the jobs. */
  readonly ticket: Ticket;
  /** Called after each scene: the number of scenes used, and its upper bound. */
  onProgress(progress: { readonly done: number; readonly total: number }): void;
}

/** Computes statistics of areas over time. */
export interface ZonalStatistics {
  run(order: StatisticsOrder, run: StatisticsRun): Promise<StatisticsResult>;
}

interface StatisticsDeps {
  readonly scenes: Pick<SceneStore, 'search' | 'searchPending' | 'findByViewId'>;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly store: SceneStatisticsStore;
  readonly pool: JobRunner<StatisticsJobs>;
  /** The max number of scenes that are measured at the same time. */
  readonly atOnce: number;
  /** Called when measurements could not be stored or found; the answer does not depend on it. */
  readonly onForgotten: (error: unknown) => void;
  /** Called when an order begins: threads can load their code while scenes are searched for. */
  readonly onStart?: () => void;
  /** Called while scenes are measured when there are so many that the document will be long; perhaps repeatedly. */
  readonly onLong?: () => void;
  /** Called for a scene that failed, unless the order caused it. */
  readonly onFailure: (viewId: string, error: unknown) => void;
}

/** The max number of scenes of one search, and the min number once the newest ones were not enough. */
const MAX_PAGE = 100;
const MIN_LATER_PAGE = 10;

/** How many scenes are searched for each one that is wanted: some are too cloudy. */
const SPARE = 2;

/**
 * Scenes after those that are measured whose records are read and whose files are checked: records of a live catalog take
 * a request or two, and files that changed are read again, by the tile threads.
 */
const PREPARED_AHEAD = 8;

/** The max number of scenes that are measured and wait for earlier ones, so that a slow one does not hold up the rest. */
const MAX_WAITING = 24;

/** Statistics of so many scenes are a long document, which is announced when half of them are measured. */
const LONG_SCENES = 120;

interface MeasureContext {
  readonly order: StatisticsOrder;
  readonly area: MeasuredArea;
  /** Collects new measurements. */
  readonly fresh: (readonly [key: string, measured: Measured])[];
  readonly ticket: Ticket;
}

/** Builds the computation of statistics. */
export function makeZonalStatistics(deps: StatisticsDeps): ZonalStatistics {
  const { scenes, store, pool, atOnce, onForgotten } = deps;
  const parse = makeParseExpressions();
  const { search, readOrdered, prepare, findKnown, toFailure } = makeFindCandidates({ ...deps, parse });

  /** The classification after records were brought up to date. */
  async function findRenewedClasses(
    classified: SensedScene | null,
    scene: Scene,
  ): Promise<SensedScene | null> {
    if (classified === null) return null;
    if (classified.scene.viewId === scene.viewId) return { ...classified, scene };
    const renewed = await scenes.findByViewId(classified.scene.viewId);
    return renewed === null ? classified : { ...classified, scene: renewed };
  }

  /** Measures what is not stored of a scene. */
  async function measure(
    candidate: Candidate,
    { order, area, fresh, ticket }: MeasureContext,
  ): Promise<readonly Measured[] | null> {
    const known = await findKnown(candidate.keys);
    const missing = candidate.keys.flatMap((key, i) => (known.has(key) ? [] : [i]));
    const values = candidate.keys.map((key) => known.get(key));
    if (missing.length > 0) {
      const { sensor, masksClouds } = candidate;
      let { classified } = candidate;
      let isFirst = true;
      const found = await withCurrentFiles({
        watch: {
          renew: async (scene) => {
            await deps.watch.renew(scene);
            if (classified !== null && classified.scene.viewId !== scene.viewId)
              await deps.watch.renew(classified.scene);
          },
        },
        find: async () => {
          if (isFirst) return candidate.scene;
          const renewed = await scenes.findByViewId(candidate.scene.viewId);
          return { ...(renewed ?? candidate.scene), earlier: candidate.scene.earlier ?? null };
        },
        run: async (scene) => {
          if (!isFirst) classified = await findRenewedClasses(classified, scene);
          isFirst = false;
          const planned = planScene(
            {
              scene,
              sensor,
              classified,
              masksClouds,
              area,
              expressions: missing.map((i) => order.expressions[i] as string),
              level: order.clouds.level,
              histogram: order.histogram,
            },
            parse,
          );
          if (planned === null) return null;
          const { job, bytes, order: positions } = planned;
          const output = await runPatiently(pool, 'scene-statistics', job, { ...ticket, bytes });
          const isSame =
            scene.version === candidate.scene.version &&
            classified?.scene.version === candidate.classified?.scene.version;
          return { output, positions, isSame };
        },
      });
      if (found === null) return null;
      for (const [n, one] of found.output.entries()) {
        const position = missing[found.positions[n] as number] as number;
        values[position] = one;
        if (found.isSame) fresh.push([candidate.keys[position] as string, one]);
      }
    }
    return values as readonly Measured[];
  }

  /** Null for a scene that was not ordered. */
  async function outcomeOf(
    candidate: Candidate | SceneFailure | null,
    context: MeasureContext,
  ): Promise<SceneStatistics | SceneFailure | null> {
    if (candidate === null || 'message' in candidate) return candidate;
    const { scene, sensor, classified } = candidate;
    try {
      const measured = await measure(candidate, context);
      if (measured === null) return { ...toNamed(scene), ...OUTSIDE };
      const lacksClasses = context.order.clouds.level !== null && isSentinel2(scene) && classified === null;
      const trees = context.order.expressions.map((text) => parse.one(text, sensor));
      const lacksSun = isSunMissing(scene, sensor, trees);
      return describeScene({ scene, sensor, measured, lacksClasses, lacksSun }, context.order);
    } catch (error) {
      return toFailure(scene, error);
    }
  }

  return {
    async run(order, { ticket, onProgress }) {
      deps.onStart?.();
      // An area of 10,000 positions takes milliseconds.
      await takeTurn();
      const area = toMeasuredArea(order.area);
      // Scenes that were measured before need no other thread: without pauses, all of them would be one turn.
      const pause = makePause();
      const used: SceneStatistics[] = [];
      const failures: SceneFailure[] = [];
      // No more scenes than are still wanted.
      const toBegun = (): number => Math.min(atOnce + MAX_WAITING, order.limit - used.length);
      for (let offset = 0; ; ) {
        const missing = order.limit - used.length;
        const limit = Math.min(MAX_PAGE, Math.max(offset === 0 ? 0 : MIN_LATER_PAGE, SPARE * missing));
        const { found, scenes: page } = await search(order, { offset, limit });
        offset += page.length;
        const total = Math.min(found, order.limit);
        const prepared = startAhead(page, PREPARED_AHEAD, async (scene) => {
          await pause();
          const ordered = await readOrdered(scene, order);
          return ordered === null ? null : prepare(ordered, order, area.key);
        });
        const fresh: (readonly [string, Measured])[] = [];
        const context: MeasureContext = { order, area, fresh, ticket };
        const outcomes = workInOrder(
          page.keys(),
          { atOnce, begun: toBegun, signal: ticket.signal },
          async (place, signal) =>
            outcomeOf(await prepared(place), { ...context, ticket: { ...ticket, signal } }),
        );
        try {
          for await (const outcome of outcomes) {
            if (outcome === null) continue;
            if ('message' in outcome) failures.push(outcome);
            else used.push(outcome);
            onProgress({ done: Math.min(total, used.length), total });
            if (total >= LONG_SCENES && used.length >= LONG_SCENES / 2) deps.onLong?.();
            if (used.length === order.limit) break;
            await pause();
          }
        } finally {
          // One write for many scenes; also of a task that was cancelled.
          if (fresh.length > 0) void store.putMany(fresh).catch(onForgotten);
        }
        ticket.signal?.throwIfAborted();
        if (used.length === order.limit || offset >= found || page.length === 0) break;
      }
      refuseIfAllBroke(used, failures);
      return { scenes: used, failures };
    },
  };
}

/** Work on items in their order, of which some begin before they are asked for: the result of one by its place. */
function startAhead<Item, Result>(
  items: readonly Item[],
  ahead: number,
  work: (item: Item) => Promise<Result>,
): (place: number) => Promise<Result> {
  const started: Promise<Result>[] = [];
  return (place) => {
    for (const item of items.slice(started.length, place + 1 + ahead)) {
      const one = work(item);
      // Nobody asks for those that are left when the caller stops.
      one.catch(() => {});
      started.push(one);
    }
    return started[place] as Promise<Result>;
  };
}
