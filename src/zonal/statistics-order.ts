import { hash } from 'node:crypto';
import { makeBatch } from '../async/index.ts';
import type { ExpressionLimits, TypedTree } from '../bandmath/index.ts';
import { parseExpressions, tileLimits } from '../bandmath/index.ts';
import type { Scene } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import type { MultiPolygonGeometry } from '../geo/index.ts';
import type { Lru } from '../lru.ts';
import { makeLru } from '../lru.ts';
import type { HistogramBins, Summary } from '../numbers/index.ts';
import type { ComparedScene } from '../render/native/index.ts';
import { PIXELS_VERSION } from '../render/native/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { toExpressionNames } from '../sensors/index.ts';
import { sourceBroken, unsupported } from './errors.ts';

/** A level of masking by the scene classification of Sentinel-2. */
export type ClassLevel = 1 | 2 | 3 | 4;

/** What is done about clouds. */
export interface CloudOptions {
  /** Scenes with more clouds in the area are left out; null for no limit. */
  readonly maxPercent: number | null;
  /** The sensors whose scenes have their clouds masked, by their own mask. */
  readonly masked: 'none' | 'sentinel-2' | 'all';
  /** Masks classes of Sentinel-2 scenes as well; null for none. */
  readonly level: ClassLevel | null;
}

/** An order of statistics of an area over time; plain JSON. */
export interface StatisticsOrder {
  /** Dates, both included. */
  readonly from: string;
  readonly to: string;
  /** Ids of datasets. */
  readonly datasets: readonly string[];
  /** Only the scene of this id; all of the dates when left out. */
  readonly sceneId?: string;
  /** Bands, aliases or band math, each with one value a pixel, as the caller wrote them. */
  readonly expressions: readonly string[];
  /** The area in its normal form. */
  readonly area: MultiPolygonGeometry;
  /** The max number of scenes, newest first. */
  readonly limit: number;
  readonly clouds: CloudOptions;
  /** Null for none. */
  readonly histogram: HistogramBins | null;
}

/** The max number of cached trees of a sensor: a task needs the same one for each of its scenes, and others ask for it again. */
const MAX_CACHED = 256;

/** The max number of expressions of one order. */
export const MAX_EXPRESSIONS = 10;

/** The limits of a picture, for as many expressions as an order may have. */
const limits: ExpressionLimits = {
  ...tileLimits,
  maxExpressions: MAX_EXPRESSIONS,
  maxNodes: tileLimits.maxNodes * 4,
  maxBands: 24,
  maxCostPerPixel: tileLimits.maxCostPerPixel * 4,
};

/** Trees of a sensor by their text; refusals are not cached. */
const caches = new WeakMap<Sensor, Lru<TypedTree>>();

function cached(text: string, sensor: Sensor, parse: () => TypedTree): TypedTree {
  const known = caches.get(sensor);
  if (known !== undefined) return known.remember(text, parse);
  const trees = makeLru<TypedTree>({ max: MAX_CACHED });
  caches.set(sensor, trees);
  return trees.remember(text, parse);
}

/** Parses one expression; refuses what has no value, or several, a pixel. */
export const parseMeasured = (text: string, sensor: Sensor): TypedTree =>
  cached(text, sensor, () => parseOne(text, sensor));

/** Parses several expressions, which were parsed one by one before, as the outputs of one tree. */
export function parseTogether(texts: readonly string[], sensor: Sensor): TypedTree {
  const [first, ...others] = texts;
  if (first !== undefined && others.length === 0) return parseMeasured(first, sensor);
  const text = texts.join(',');
  return cached(text, sensor, () => parseExpressions(text, toExpressionNames(sensor), limits));
}

function parseOne(text: string, sensor: Sensor): TypedTree {
  const tree = parseExpressions(text, toExpressionNames(sensor), limits);
  if (tree.outputs.length !== 1) {
    throw unsupported(
      'one-value',
      `Statistics are of one value a pixel; ${text.slice(0, 80)} has ${tree.outputs.length}.`,
    );
  }
  if (tree.outputs[0]?.uses.length === 0) {
    throw unsupported('no-band', 'An expression names no band, so there are no statistics of it.');
  }
  if (tree.needsWindow) {
    throw unsupported(
      'needs-window',
      'An expression depends on the pixels around it, so that only pictures can show it.',
    );
  }
  return tree;
}

/** Whether a string is the name of an index that sensors share, in upper or lower case. */
export const isAlias = (text: string, sensor: Sensor): boolean => {
  const kind = toExpressionNames(sensor).find(text.trim())?.kind;
  return kind !== undefined && kind !== 'band';
};

/** The reason why an expression has no statistics on a sensor; null if it has some. */
export function refuseExpression(text: string, sensor: Sensor): string | null {
  try {
    parseMeasured(text, sensor);
    return null;
  } catch (error) {
    if (isSwathError(error)) return error.message;
    throw error;
  }
}

/** What was measured of one expression in one scene; plain JSON. */
export interface Measured {
  /** Null where no pixel counts. */
  readonly statistics: Summary | null;
  /** Pixels of the whole area, also of its part beyond the image. */
  readonly areaPx: number;
  /** Pixels of the area with data, clouds included. */
  readonly validPx: number;
  /** Pixels with data that are clouds; null where the scene has no mask of clouds. */
  readonly cloudPx: number | null;
  /** The area holds no pixel centre, so that the pixels that it touches count. */
  readonly isTouched: boolean;
  /** Pixels in each bin; null if none were ordered. */
  readonly histogram: readonly number[] | null;
}

/** Where measurements are stored, so that each is made once: the newest ones, up to a number that the store decides. */
export interface SceneStatisticsStore {
  /** The stored measurements, by key. */
  findMany(keys: readonly string[]): Promise<ReadonlyMap<string, Measured>>;
  /** Stores measurements, or replaces those of the same keys; all of them or, on failure, none. */
  putMany(entries: readonly (readonly [key: string, measured: Measured])[]): Promise<void>;
}

/** Bump when results change for the same order. */
const STATISTICS_VERSION = 2;

interface KeyParts {
  readonly text: string;
  readonly scene: ComparedScene;
  readonly classified: { readonly scene: Scene } | null;
  readonly areaKey: string;
  readonly masksClouds: boolean;
  readonly order: StatisticsOrder;
}

/** The key of a measurement: it covers all that its numbers depend on. */
export function toMeasurementKey({ text, scene, classified, areaKey, masksClouds, order }: KeyParts): string {
  const { viewId, version, earlier } = scene;
  const parts = [
    ...[STATISTICS_VERSION, PIXELS_VERSION, viewId, version, text, areaKey, masksClouds],
    ...[earlier?.viewId ?? null, earlier?.version ?? null, order.clouds.level, order.histogram],
    ...[classified?.scene.viewId ?? null, classified?.scene.version ?? null],
  ];
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

interface GatherOptions {
  /** How long measurements wait for others. */
  readonly delayMs: number;
  /** The max number of measurements in one write. */
  readonly max: number;
  /** Called when measurements could not be stored. */
  readonly onForgotten: (error: unknown) => void;
}

/** A store whose writes are gathered; reads see measurements that are not written yet. */
interface GatheredStore extends SceneStatisticsStore {
  /** Writes all waiting measurements. */
  flush(): Promise<void>;
}

/**
 * Gathers the measurements of many orders into one write, instead of a commit for each. They are only a cache: what a
 * killed process has not written is measured again.
 */
export function gatherWrites(
  store: SceneStatisticsStore,
  { delayMs, max, onForgotten }: GatherOptions,
): GatheredStore {
  /** Measurements that are not written yet. */
  const waiting = new Map<string, Measured>();

  async function write(entries: readonly (readonly [string, Measured])[]): Promise<readonly undefined[]> {
    // Of two measurements with one key the last one is written.
    await store.putMany([...new Map(entries)]).catch(onForgotten);
    for (const [key, measured] of entries) if (waiting.get(key) === measured) waiting.delete(key);
    return entries.map(() => undefined);
  }
  const batch = makeBatch({ run: write, max, maxRuns: 1, delayMs });

  return {
    flush: () => batch.flush(),
    async findMany(keys) {
      const known = new Map<string, Measured>();
      const others: string[] = [];
      for (const key of keys) {
        const found = waiting.get(key);
        if (found === undefined) others.push(key);
        else known.set(key, found);
      }
      if (others.length > 0) for (const [key, found] of await store.findMany(others)) known.set(key, found);
      return known;
    },
    async putMany(entries) {
      for (const [key, measured] of entries) {
        waiting.set(key, measured);
        void batch.add([key, measured]);
      }
      if (waiting.size >= max) await batch.flush();
    },
  };
}

/** The names of a scene in a result. */
export interface NamedScene {
  readonly viewId: string;
  readonly sceneId: string;
  readonly date: string;
}

/** The statistics of a scene. */
export interface SceneStatistics extends NamedScene {
  /** The share of the area's data that is clouds; null if it is unknown. */
  readonly cloudPercent: number | null;
  /** What a reader should know about the numbers, in short sentences. */
  readonly notes: readonly string[];
  /** One for each expression. */
  readonly values: readonly (Summary | null)[];
  /** One for each expression; null if none were ordered. */
  readonly histograms: readonly (readonly number[])[] | null;
}

/** A scene without statistics, and the reason. */
export interface SceneFailure extends NamedScene {
  readonly code: string;
  readonly message: string;
  readonly notes: readonly string[];
}

/** The statistics of an order, newest scenes first. */
export interface StatisticsResult {
  readonly scenes: readonly SceneStatistics[];
  readonly failures: readonly SceneFailure[];
}

/** A measured scene, with all that its result depends on. */
interface MeasuredScene {
  readonly scene: Pick<Scene, 'viewId' | 'sceneId' | 'acquiredAt' | 'cloudPercent'>;
  readonly sensor: Sensor;
  /** One for each expression. */
  readonly measured: readonly Measured[];
  /** The classification that was ordered is not in the catalog. */
  readonly lacksClasses: boolean;
  /** The scene does not say how high the sun stood, and values depend on it. */
  readonly lacksSun: boolean;
}

/** A smaller share of data is reported in a note. */
const PARTIAL = 0.9;

export const toNamed = ({
  viewId,
  sceneId,
  acquiredAt,
}: Pick<Scene, 'viewId' | 'sceneId' | 'acquiredAt'>): NamedScene => ({
  viewId,
  sceneId,
  date: acquiredAt.slice(0, 10),
});

export const OUTSIDE = { code: 'no-data', message: 'There is no data of this scene in the AOI.', notes: [] };

/** The outcome of a measured scene: its statistics, or why it has none. */
export function describeScene(
  one: MeasuredScene,
  { histogram, clouds }: Pick<StatisticsOrder, 'histogram' | 'clouds'>,
): SceneStatistics | SceneFailure {
  const { measured, scene } = one;
  const cloudPercent = toCloudPercent(one);
  if (measured.every(({ validPx }) => validPx === 0))
    return toFailure(one, 'no-data', 'There is no data of this scene in the AOI.', []);
  const notes = toNotes(one);
  const tooCloudy = judgeClouds(one, cloudPercent, clouds);
  if (tooCloudy !== null) return toFailure(one, 'clouds', tooCloudy, notes);
  return {
    ...toNamed(scene),
    cloudPercent,
    notes,
    values: measured.map(({ statistics }) => statistics),
    histograms: histogram === null ? null : measured.map((value) => value.histogram ?? []),
  };
}

/** How cloudy the area is, as the first expression sees it; null if that is unknown. */
function toCloudPercent({ scene, sensor, measured }: MeasuredScene): number | null {
  const [first] = measured;
  if (first === undefined) return null;
  if (first.cloudPx !== null) return first.validPx === 0 ? null : (100 * first.cloudPx) / first.validPx;
  // Radar sees through clouds, and composites mark them as no data.
  if (sensor.cloud.kind === 'none' || sensor.cloud.kind === 'masked') return 0;
  // Below 0 means "not computed".
  return scene.cloudPercent === null ? null : Math.max(0, scene.cloudPercent);
}

function toNotes({ sensor, measured, lacksClasses, lacksSun }: MeasuredScene): string[] {
  const notes: string[] = [];
  const [first] = measured;
  if (first === undefined) return notes;
  if (first.isTouched) notes.push('no pixel centre in the area: pixels that it touches count');
  if (first.validPx < PARTIAL * first.areaPx) notes.push('partial coverage');
  if (first.cloudPx === null && sensor.cloud.kind !== 'none' && sensor.cloud.kind !== 'masked')
    notes.push('cloud is that of the whole scene');
  if (lacksClasses) notes.push('cloud_masking_level is not applied: no Level-2A scene in the catalog');
  if (lacksSun)
    notes.push('reflectance is not corrected for the height of the sun: the scene does not state it');
  if (measured.every(({ statistics }) => statistics === null)) notes.push('all pixels are masked as clouds');
  return notes;
}

/** Why a scene is left out; null if it is not. */
function judgeClouds(
  { measured }: MeasuredScene,
  cloudPercent: number | null,
  { maxPercent }: CloudOptions,
): string | null {
  if (maxPercent === null || cloudPercent === null || cloudPercent <= maxPercent) return null;
  const isAll = cloudPercent >= 100 || measured.every(({ statistics }) => statistics === null);
  if (isAll) return 'AOI contains clouds only';
  return `AOI is covered by clouds to ${cloudPercent.toFixed(1)} %, which exceeds max_cloud_cover_in_aoi ${maxPercent}`;
}

const toFailure = (
  { scene }: MeasuredScene,
  code: string,
  message: string,
  notes: readonly string[],
): SceneFailure => ({ ...toNamed(scene), code, message, notes });

/** Failures that are answers: the scene could be read, but has no numbers for this area. */
const EMPTY: ReadonlySet<string> = new Set(['no-data', 'clouds', 'no-such-band-file', 'no-earlier-scene']);

/** Whether a failure is an answer. */
export const isEmptyScene = ({ code }: Pick<SceneFailure, 'code'>): boolean => EMPTY.has(code);

/** Fails an order whose scenes are all broken, so that its task is retried. */
export function refuseIfAllBroke(used: readonly SceneStatistics[], failures: readonly SceneFailure[]): void {
  const broken = failures.filter((failure) => !isEmptyScene(failure));
  const [first] = broken;
  if (used.length > 0 || first === undefined || broken.length < failures.length) return;
  throw sourceBroken(
    'statistics-computation',
    `The statistics of all ${failures.length} scenes failed. The first of them: ${first.message}`,
  );
}
