import { makeBatch, makePause, startAhead, takeTurn, workInOrder } from '../async/index.ts';
import type { FieldFilter, PendingScene, Scene, SceneStore } from '../catalog/index.ts';
import { L1C_DATASET as L1C, L2A_DATASET as L2A, toOtherLevel } from '../catalog/index.ts';
import { isInterruption, isSwathError, isUnavailable } from '../errors.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';
import type { ComparedScene, CompareScene, FileWatch } from '../render/native/index.ts';
import { withCurrentFiles } from '../render/native/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import { unavailable, unsupported } from './errors.ts';
import type { StatisticsJobs } from './measure-scene.ts';
import type { MeasuredArea, SensedScene } from './plan-scene.ts';
import { isSunMissing, planScene, toMeasuredArea } from './plan-scene.ts';
import type {
  Measured,
  SceneFailure,
  SceneStatistics,
  SceneStatisticsStore,
  StatisticsOrder,
  StatisticsResult,
} from './statistics-order.ts';
import {
  describeScene,
  OUTSIDE,
  parseMeasured,
  refuseIfAllBroke,
  toMeasurementKey,
  toNamed,
} from './statistics-order.ts';

/** What the scenes of an order are found with. */
export interface CandidateDeps {
  readonly scenes: Pick<SceneStore, 'search' | 'searchPending' | 'findByViewId'>;
  readonly compareScene: CompareScene;
  readonly store: Pick<SceneStatisticsStore, 'findMany'>;
  /** Called when measurements could not be stored or found; the answer does not depend on it. */
  readonly onForgotten: (error: unknown) => void;
  /** Called for a scene that failed, unless the order caused it. */
  readonly onFailure: (viewId: string, error: unknown) => void;
}

/** A scene that is about to be measured. */
export interface Candidate {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  readonly classified: SensedScene | null;
  readonly masksClouds: boolean;
  /** One for each expression. */
  readonly keys: readonly string[];
}

/** Scenes whose measurements are looked up together. */
const MAX_LOOK_UPS = 100;

/** Finds the scenes of an order, newest first, and what is known of them. */
export function makeFindCandidates(deps: CandidateDeps) {
  const { scenes, store, onForgotten, onFailure } = deps;

  const lookUps = makeBatch({ run: findTogether, max: MAX_LOOK_UPS, maxRuns: 1 });

  return { search, readOrdered, prepare, findKnown, toFailure };

  /** Measurements that are stored, by their keys. Calls that come while one is under way share the next. */
  function findKnown(keys: readonly string[]): Promise<ReadonlyMap<string, Measured>> {
    return lookUps.add(keys);
  }

  /** The record of a scene of a page; null for one that was not ordered and only stands in for another. */
  async function readOrdered(pending: Scene | PendingScene, order: StatisticsOrder): Promise<Scene | null> {
    const found = 'read' in pending ? await pending.read() : pending;
    return (await isStandInForKnown(found, order.datasets, scenes)) ? null : found;
  }

  /** A scene with its files as they are now, or the reason why it cannot be measured. */
  async function prepare(
    found: Scene,
    order: StatisticsOrder,
    areaKey: string,
  ): Promise<Candidate | SceneFailure> {
    const sensor = sensorByDataset(found.dataset) as Sensor;
    try {
      const inputs = order.expressions.flatMap((text) => parseMeasured(text, sensor).inputs);
      const scene = await deps.compareScene(found, inputs);
      refuseLookingBack(scene, inputs);
      const { masked, level } = order.clouds;
      const classified = level === null ? null : await findCurrentClasses(scene);
      const masksClouds = masked === 'all' || (masked === 'sentinel-2' && isSentinel2(scene));
      const keys = order.expressions.map((text) =>
        toMeasurementKey({ text, scene, classified, areaKey, masksClouds, order }),
      );
      return { scene, sensor, classified, masksClouds, keys };
    } catch (error) {
      return toFailure(found, error);
    }
  }

  /** The classification, as its files are now: those of another scene may have been replaced too. */
  async function findCurrentClasses(scene: Scene): Promise<SensedScene | null> {
    const found = await findClassified(scene, scenes);
    if (found === null || found.scene.viewId === scene.viewId) return found;
    return { ...found, scene: await deps.compareScene(found.scene, []) };
  }

  /** The outcome of a scene that failed; throws what says nothing about the scene. */
  function toFailure(scene: Scene, error: unknown): SceneFailure {
    if (isInterruption(error)) throw error;
    if (!isSwathError(error) || !EXPECTED.has(error.tag)) onFailure(scene.viewId, error);
    const [code, message] = isSwathError(error)
      ? [error.code, error.message]
      : ['internal', 'Something went wrong inside Swath.'];
    return { ...toNamed(scene), code, message, notes: [] };
  }

  /** What is known of several scenes; each may take its own from it. */
  async function findTogether(
    lists: readonly (readonly string[])[],
  ): Promise<readonly ReadonlyMap<string, Measured>[]> {
    try {
      const known = await store.findMany(lists.flat());
      return lists.map(() => known);
    } catch (error) {
      onForgotten(error);
      return lists.map(() => new Map());
    }
  }

  /** A page of the scenes that intersect the area. */
  async function search(order: StatisticsOrder, { offset, limit }: { offset: number; limit: number }) {
    const filters: readonly FieldFilter[] = [
      { field: 'date', kind: 'range', from: order.from, to: order.to },
      ...(order.sceneId === undefined
        ? []
        : [{ field: 'sceneID', kind: 'one-of', values: [order.sceneId] } as const]),
    ];
    try {
      return await (scenes.searchPending ?? scenes.search)({
        datasets: withLevel2A(order.datasets).map((id) => ({ id, filters })),
        shape: { geometry: order.area, relation: 'intersects' },
        sort: { field: 'date', descending: true },
        offset,
        limit,
      });
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      throw unavailable('statistics-search', 'The search for scenes failed.', { cause: error });
    }
  }
}

/** Failures that say something about the scene and not about this server. */
const EXPECTED: ReadonlySet<string> = new Set(['unsupported', 'not-found', 'bad-input']);

/** Refuses expressions that look back at an earlier scene where there is none. */
function refuseLookingBack(scene: ComparedScene, inputs: readonly { readonly scene: string }[]): void {
  if (scene.earlier != null || !inputs.some((input) => input.scene === 'earlier')) return;
  throw unsupported(
    'no-earlier-scene',
    'The catalog has no earlier scene of this ground to compare this one with.',
  );
}

/** The datasets that are searched: where only Level-2A is in the catalog, it answers for Level-1C. */
export const withLevel2A = (datasets: readonly string[]): readonly string[] =>
  datasets.includes(L1C) && !datasets.includes(L2A) ? [...datasets, L2A] : datasets;

/** Whether a scene was found only because Level-1C was ordered, and the catalog has that one too. */
export async function isStandInForKnown(
  scene: Scene,
  ordered: readonly string[],
  scenes: Pick<SceneStore, 'findByViewId'>,
): Promise<boolean> {
  if (scene.dataset !== L2A || ordered.includes(L2A)) return false;
  const other = toOtherLevel(scene);
  return other !== null && (await scenes.findByViewId(other)) !== null;
}

/** The scene that has the classification of a Sentinel-2 scene; null for other sensors, or if the catalog does not have it. */
export async function findClassified(
  scene: Scene,
  scenes: Pick<SceneStore, 'findByViewId'>,
): Promise<SensedScene | null> {
  if (scene.dataset !== L1C && scene.dataset !== L2A) return null;
  const viewId = scene.dataset === L2A ? scene.viewId : toOtherLevel(scene);
  const found = scene.dataset === L2A ? scene : viewId === null ? null : await scenes.findByViewId(viewId);
  const sensor = sensorByDataset(L2A);
  return found === null || sensor === null ? null : { scene: found, sensor };
}

/** Whether a scene is of Sentinel-2, at any level. */
export const isSentinel2 = ({ dataset }: Scene): boolean => dataset === L1C || dataset === L2A;

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

interface StatisticsDeps extends CandidateDeps {
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly store: SceneStatisticsStore;
  readonly pool: JobRunner<StatisticsJobs>;
  /** The max number of scenes that are measured at the same time. */
  readonly atOnce: number;
  /** Started when an order begins: they can load their code while scenes are searched for. */
  readonly threads?: { start(): void };
  /** Called while scenes are measured when there are so many that the document will be long; perhaps repeatedly. */
  readonly onLong?: () => void;
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
  const { search, readOrdered, prepare, findKnown, toFailure } = makeFindCandidates(deps);

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
          const planned = planScene({
            scene,
            sensor,
            classified,
            masksClouds,
            area,
            expressions: missing.map((i) => order.expressions[i] as string),
            level: order.clouds.level,
            histogram: order.histogram,
          });
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
      const trees = context.order.expressions.map((text) => parseMeasured(text, sensor));
      const lacksSun = isSunMissing(scene, sensor, trees);
      return describeScene({ scene, sensor, measured, lacksClasses, lacksSun }, context.order);
    } catch (error) {
      return toFailure(scene, error);
    }
  }

  return {
    async run(order, { ticket, onProgress }) {
      deps.threads?.start();
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
