import { makePause, takeTurn, workInOrder } from '../async/index.ts';
import type { FieldFilter, Scene, SceneStore } from '../catalog/index.ts';
import { isSwathError, isUnavailable } from '../errors.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';
import type { ComparedScene, CompareScene, FileWatch } from '../render/native/index.ts';
import { withCurrentFiles } from '../render/native/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import type { SceneFailure, SceneStatistics, StatisticsResult } from './describe-scene.ts';
import { describeScene, OUTSIDE, refuseIfAllBroke, toNamed } from './describe-scene.ts';
import { unavailable, unsupported } from './errors.ts';
import type { StatisticsJobs } from './measure-scene.ts';
import type { MeasuredArea, SensedScene } from './plan-scene.ts';
import { isSunMissing, planScene, toMeasuredArea } from './plan-scene.ts';
import type { Measured, SceneStatisticsStore } from './scene-statistics-store.ts';
import { toMeasurementKey } from './scene-statistics-store.ts';
import { findClassified, isSentinel2, isStandInForKnown, withLevel2A } from './sentinel2-levels.ts';
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
  readonly scenes: Pick<SceneStore, 'search' | 'findByViewId'>;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly store: SceneStatisticsStore;
  readonly pool: JobRunner<StatisticsJobs>;
  /** The max number of scenes that are measured at the same time. */
  readonly atOnce: number;
  /** Called when measurements could not be stored or found; the answer does not depend on it. */
  readonly onForgotten: (error: unknown) => void;
  /** Called for a scene that failed, unless the order caused it. */
  readonly onFailure: (viewId: string, error: unknown) => void;
}

/** The max number of scenes of one search, and the min number once the newest ones were not enough. */
const MAX_PAGE = 100;
const MIN_LATER_PAGE = 10;

/** How many scenes are searched for each one that is wanted: some are too cloudy. */
const SPARE = 2;

/** The max number of scenes whose files are checked concurrently: those that changed are read again, by the tile threads. */
const PREPARED_AT_ONCE = 8;

/** A scene that is about to be measured. */
interface Candidate {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  readonly classified: SensedScene | null;
  readonly masksClouds: boolean;
  /** One for each expression. */
  readonly keys: readonly string[];
}

interface MeasureContext {
  readonly order: StatisticsOrder;
  readonly area: MeasuredArea;
  readonly known: ReadonlyMap<string, Measured>;
  /** Collects new measurements. */
  readonly fresh: (readonly [key: string, measured: Measured])[];
  readonly ticket: Ticket;
}

/** Builds the computation of statistics. */
export function makeZonalStatistics(deps: StatisticsDeps): ZonalStatistics {
  const { scenes, store, pool, atOnce, onForgotten, onFailure } = deps;
  const parse = makeParseExpressions();

  async function prepare(
    found: Scene,
    order: StatisticsOrder,
    areaKey: string,
  ): Promise<Candidate | SceneFailure> {
    const sensor = sensorByDataset(found.dataset) as Sensor;
    try {
      const inputs = order.expressions.flatMap((text) => parse.one(text, sensor).inputs);
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

  function toFailure(scene: Scene, error: unknown): SceneFailure {
    if (isPassing(error)) throw error;
    if (!isSwathError(error) || !EXPECTED.has(error.tag)) onFailure(scene.viewId, error);
    const [code, message] = isSwathError(error)
      ? [error.code, error.message]
      : ['internal', 'Something went wrong inside Swath.'];
    return { ...toNamed(scene), code, message, notes: [] };
  }

  /** Measures what is not stored of a scene. */
  async function measure(
    candidate: Candidate,
    { order, area, known, fresh, ticket }: MeasureContext,
  ): Promise<readonly Measured[] | null> {
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

  async function outcomeOf(
    candidate: Candidate | SceneFailure,
    context: MeasureContext,
  ): Promise<SceneStatistics | SceneFailure> {
    if ('message' in candidate) return candidate;
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

  async function findKnown(
    candidates: readonly (Candidate | SceneFailure)[],
  ): Promise<ReadonlyMap<string, Measured>> {
    const keys = candidates.flatMap((one) => ('message' in one ? [] : one.keys));
    try {
      return keys.length === 0 ? new Map() : await store.findMany(keys);
    } catch (error) {
      onForgotten(error);
      return new Map();
    }
  }

  async function search(order: StatisticsOrder, { offset, limit }: { offset: number; limit: number }) {
    const filters: readonly FieldFilter[] = [
      { field: 'date', kind: 'range', from: order.from, to: order.to },
      ...(order.sceneId === undefined
        ? []
        : [{ field: 'sceneID', kind: 'one-of', values: [order.sceneId] } as const]),
    ];
    try {
      return await scenes.search({
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

  /** The scenes of a page that were ordered, without those that only stand in for others. */
  async function keepOrdered(found: readonly Scene[], order: StatisticsOrder): Promise<readonly Scene[]> {
    const isLeftOut = await Promise.all(
      found.map((scene) => isStandInForKnown(scene, order.datasets, scenes)),
    );
    return found.filter((_, i) => isLeftOut[i] === false);
  }

  return {
    async run(order, { ticket, onProgress }) {
      // An area of 10,000 positions takes milliseconds.
      await takeTurn();
      const area = toMeasuredArea(order.area);
      // Scenes that were measured before need no other thread: without pauses, all of them would be one turn.
      const pause = makePause();
      const used: SceneStatistics[] = [];
      const failures: SceneFailure[] = [];
      // Measures no more scenes at the same time than are still wanted.
      const toRoom = (): number => Math.min(atOnce, order.limit - used.length);
      for (let offset = 0; ; ) {
        const missing = order.limit - used.length;
        const limit = Math.min(MAX_PAGE, Math.max(offset === 0 ? 0 : MIN_LATER_PAGE, SPARE * missing));
        const { found, scenes: page } = await search(order, { offset, limit });
        offset += page.length;
        const total = Math.min(found, order.limit);
        const candidates: (Candidate | SceneFailure)[] = [];
        const prepared = workInOrder(
          await keepOrdered(page, order),
          { atOnce: PREPARED_AT_ONCE, signal: ticket.signal },
          (scene) => prepare(scene, order, area.key),
        );
        for await (const candidate of prepared) {
          candidates.push(candidate);
          await pause();
        }
        const fresh: (readonly [string, Measured])[] = [];
        const context: MeasureContext = { order, area, known: await findKnown(candidates), fresh, ticket };
        const outcomes = workInOrder(
          candidates,
          { atOnce: toRoom, signal: ticket.signal },
          (candidate, signal) => outcomeOf(candidate, { ...context, ticket: { ...ticket, signal } }),
        );
        try {
          for await (const outcome of outcomes) {
            if ('message' in outcome) failures.push(outcome);
            else used.push(outcome);
            onProgress({ done: Math.min(total, used.length), total });
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

/** Failures that say something about the scene and not about this server. */
const EXPECTED: ReadonlySet<string> = new Set(['unsupported', 'not-found', 'bad-input']);

const PASSING: ReadonlySet<string> = new Set(['cancelled', 'too-busy', 'unavailable']);

/** Whether a failure says nothing about the scene: the work was stopped, or there was no room for it. */
const isPassing = (error: unknown): boolean =>
  (isSwathError(error) && PASSING.has(error.tag)) || (error instanceof Error && error.name === 'AbortError');

/** Refuses expressions that look back at an earlier scene where there is none. */
function refuseLookingBack(scene: ComparedScene, inputs: readonly { readonly scene: string }[]): void {
  if (scene.earlier != null || !inputs.some((input) => input.scene === 'earlier')) return;
  throw unsupported(
    'no-earlier-scene',
    'The catalog has no earlier scene of this ground to compare this one with.',
  );
}
