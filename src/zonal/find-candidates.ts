import { makeBatch } from '../async/index.ts';
import type { FieldFilter, PendingScene, Scene, SceneStore } from '../catalog/index.ts';
import { L1C_DATASET as L1C, L2A_DATASET as L2A, searchPending, toOtherLevel } from '../catalog/index.ts';
import { isInterruption, isSwathError, isUnavailable } from '../errors.ts';
import type { ComparedScene, CompareScene } from '../render/native/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import { unavailable, unsupported } from './errors.ts';
import type { SensedScene } from './plan-scene.ts';
import type { Measured, SceneFailure, SceneStatisticsStore } from './scene-statistics.ts';
import { toMeasurementKey, toNamed } from './scene-statistics.ts';
import type { ParseExpressions, StatisticsOrder } from './statistics-order.ts';

/** What the scenes of an order are found with. */
export interface CandidateDeps {
  readonly scenes: Pick<SceneStore, 'search' | 'searchPending' | 'findByViewId'>;
  readonly compareScene: CompareScene;
  readonly store: Pick<SceneStatisticsStore, 'findMany'>;
  readonly parse: ParseExpressions;
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

/** Finds the scenes of an order, newest first, and what is known of them. */
interface FindCandidates {
  /** A page of the scenes that intersect the area. */
  search(
    order: StatisticsOrder,
    page: { readonly offset: number; readonly limit: number },
  ): ReturnType<typeof searchPending>;
  /** The record of a scene of a page; null for one that was not ordered and only stands in for another. */
  readOrdered(found: PendingScene, order: StatisticsOrder): Promise<Scene | null>;
  /** A scene with its files as they are now, or the reason why it cannot be measured. */
  prepare(found: Scene, order: StatisticsOrder, areaKey: string): Promise<Candidate | SceneFailure>;
  /** Measurements that are stored, by their keys. Calls that come while one is under way share the next. */
  findKnown(keys: readonly string[]): Promise<ReadonlyMap<string, Measured>>;
  /** The outcome of a scene that failed; throws what says nothing about the scene. */
  toFailure(scene: Scene, error: unknown): SceneFailure;
}

/** Scenes whose measurements are looked up together. */
const MAX_LOOK_UPS = 100;

/** Builds it. */
export function makeFindCandidates(deps: CandidateDeps): FindCandidates {
  const { scenes, store, parse, onForgotten, onFailure } = deps;

  const lookUps = makeBatch({ run: findTogether, max: MAX_LOOK_UPS, maxRuns: 1 });

  return { search, readOrdered, prepare, findKnown: (keys) => lookUps.add(keys), toFailure };

  async function readOrdered(pending: PendingScene, order: StatisticsOrder): Promise<Scene | null> {
    const found = await pending.read();
    return (await isStandInForKnown(found, order.datasets, scenes)) ? null : found;
  }

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

  async function search(order: StatisticsOrder, { offset, limit }: { offset: number; limit: number }) {
    const filters: readonly FieldFilter[] = [
      { field: 'date', kind: 'range', from: order.from, to: order.to },
      ...(order.sceneId === undefined
        ? []
        : [{ field: 'sceneID', kind: 'one-of', values: [order.sceneId] } as const]),
    ];
    try {
      return await searchPending(scenes, {
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
