import type { TypedTree } from '../../bandmath/index.ts';
import { splitExpressions } from '../../bandmath/index.ts';
import type { Scene, SceneName, SceneStore } from '../../catalog/index.ts';
import { findScene } from '../../catalog/index.ts';
import { unsupported } from '../../errors.ts';
import type { AreaOutline, LonLatBounds } from '../../geo/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import type { ContrastRange, IntensityRule } from '../../stats/index.ts';
import type { CompareScene } from '../compare-scene.ts';
import type { Asker } from '../contrast.ts';
import type { ComparedScene } from '../earlier-scene.ts';
import { intersectBounds, outlineBounds } from '../image-bounds.ts';
import { PIXELS_VERSION, toDigest } from '../plan.ts';
import { planExpressions } from '../plan-expressions.ts';
import type { PictureArea } from '../plan-picture.ts';
import type { Pool } from '../pool/index.ts';
import type { CoverSource } from './cover-source.ts';
import { chooseCoverSource } from './cover-source.ts';
import type { CloudCoverJob, IntensityJob } from './measure-intensity.ts';
import type { SampleRequest } from './plan-intensity.ts';
import { outsideScene, planIntensitySample } from './plan-intensity.ts';

/** A rectangle in degrees: its edges for pixels, and its sides for windows. */
export interface BoundsArea {
  /** Across the antimeridian the east lies beyond 180. */
  readonly bounds: LonLatBounds;
  readonly outline: AreaOutline;
}

/** What ranges are asked for. */
export interface IntensityRequest extends SceneName {
  readonly sensor: Sensor;
  /** Bands or expressions, separated by commas. */
  readonly bands: string;
  /** How ranges are found; how cloudy it is gets known on the way. */
  readonly rule: IntensityRule;
  /** Whether clouds are counted, and the cut corrected for them. */
  readonly countsClouds: boolean;
  /** Null: as is usual for the sensor. */
  readonly onlyOpaque: boolean | null;
  readonly calibrated: boolean;
  readonly within: BoundsArea | null;
  readonly area: PictureArea | null;
}

/** The ranges of some expressions, and how cloudy it is there. */
export interface IntensityAnswer {
  readonly ranges: readonly (ContrastRange & { readonly band: string })[];
  /** Null when nobody knows, or nobody asked. */
  readonly cloudPercent: number | null;
  /** The upper end of the cut was lowered for clouds. */
  readonly isCorrected: boolean;
}

/** Where answers are kept, so that each is found once: the newest ones, up to a number that the store decides. */
export interface IntensityStore {
  find(key: string): Promise<IntensityAnswer | null>;
  put(key: string, answer: IntensityAnswer): Promise<void>;
}

/** Finds ranges of intensities (interface 4.12). */
export type FindIntensity = (request: IntensityRequest, asker: Asker) => Promise<IntensityAnswer>;

interface IntensityDeps {
  readonly scenes: SceneStore;
  readonly compareScene: CompareScene;
  readonly store: IntensityStore;
  readonly pool: Pool;
  readonly timeoutMs: number;
  /** Told when an answer could not be remembered. */
  readonly onForgotten: (error: unknown) => void;
}

/** What tells a job of a request from its others, and its memory. */
interface JobName {
  readonly place: number;
  readonly bytes: number;
}

/** Builds the finding of ranges: planned here, measured on the pool, and remembered. */
export function makeFindIntensity({
  scenes,
  compareScene,
  store,
  pool,
  timeoutMs,
  onForgotten,
}: IntensityDeps): FindIntensity {
  return async (request, asker) => {
    const expressions = readExpressions(request);
    const inputs = expressions.flatMap(({ tree }) => tree.inputs);
    const scene = await compareScene(await findScene(scenes, request), inputs);
    const key = toKey(request, scene);
    const known = await store.find(key);
    if (known !== null) return known;
    const answer = await measure(request, { scene, expressions }, { asker, key });
    try {
      await store.put(key, answer);
    } catch (error) {
      // A full disk must not cost the answer: it is right, it will only be found again.
      onForgotten(error);
    }
    return answer;
  };

  async function measure(
    request: IntensityRequest,
    { scene, expressions }: { readonly scene: ComparedScene; readonly expressions: readonly Expression[] },
    { asker, key }: { readonly asker: Asker; readonly key: string },
  ): Promise<IntensityAnswer> {
    const { sensor, calibrated, rule } = request;
    const { bounds, outlines } = toPlace(request);
    const sampled: SampleRequest = { scene, sensor, calibrated, bounds };
    // Planned before anything is read: what cannot be done is refused at once.
    const plans = expressions.map(({ tree }) => planIntensitySample(tree, sampled));
    const run = async <Output>(kind: string, input: unknown, job: JobName): Promise<Output> => {
      const { output } = await pool.run<Output>({
        ...{ kind, input, timeoutMs, bytes: job.bytes, priority: 'tile', ...asker },
        singleFlightKey: `${kind} ${key} ${job.place}`,
      });
      return output;
    };

    const onlyOpaque = request.onlyOpaque ?? isOpaqueUsual(sensor);
    const cover: CoverSource = request.countsClouds
      ? chooseCoverSource({ scene, sensor, isWhole: bounds === null, onlyOpaque })
      : { kind: 'unknown' };
    let cloudPercent = cover.kind === 'known' ? cover.percent : null;
    if (cover.kind === 'pixels') {
      const tree = planReference(sensor, scene);
      const { sample, clouds, bytes } = planIntensitySample(tree, sampled, { onlyOpaque });
      const job: CloudCoverJob | null = clouds === null ? null : { sample, outlines, clouds };
      cloudPercent = job === null ? null : await run<number | null>('cloud-cover', job, { bytes, place: 0 });
    }
    const isCorrected =
      rule.method === 'cc' && cloudPercent !== null && (cover.kind !== 'known' || cover.isCorrection);
    const cut: IntensityRule = isCorrected ? { ...rule, cloudPercent: cloudPercent ?? 0 } : rule;

    const ranges = await Promise.all(
      expressions.map(async ({ text }, i) => {
        const { sample, bytes } = plans[i] as (typeof plans)[number];
        const job: IntensityJob = { sample, outlines, rule: cut };
        type Found = readonly (ContrastRange | null)[];
        return nameRanges(text, await run<Found>('intensity', job, { bytes, place: i }));
      }),
    );
    return { ranges: ranges.flat(), cloudPercent, isCorrected };
  }
}

/** Cirrus does not count by default where a mask tells it apart from clouds (interface 4.12). */
const isOpaqueUsual = ({ cloud }: Sensor): boolean =>
  'onlyOpaqueByDefault' in cloud && cloud.onlyOpaqueByDefault;

/** A sample is read for each: more in one request than any picture or index has bands. */
const MAX_EXPRESSIONS = 10;

interface Expression {
  readonly text: string;
  readonly tree: TypedTree;
}

/** What ranges are asked of; each is sampled for itself. */
function readExpressions({ bands, sensor }: IntensityRequest): readonly Expression[] {
  const texts = splitExpressions(bands);
  if (texts.length > MAX_EXPRESSIONS) {
    throw unsupported(
      'band-count',
      `Ranges of ${MAX_EXPRESSIONS} bands or expressions at most are found at once; ${texts.length} are given.`,
    );
  }
  return texts.map((text) => ({ text, tree: planExpressions({ bands: text, sensor, isComposite: false }) }));
}

/** A request that gives another answer has another key. */
function toKey(request: IntensityRequest, { viewId, version, earlier }: ComparedScene): string {
  const { bands, rule, countsClouds, onlyOpaque, calibrated, within, area } = request;
  const text = JSON.stringify([
    ...[PIXELS_VERSION, viewId, version, bands, rule, countsClouds, onlyOpaque, calibrated],
    ...[within?.bounds ?? null, area?.ref ?? null, earlier?.viewId ?? null, earlier?.version ?? null],
  ]);
  return toDigest(text);
}

/** All that narrows what is looked at. */
function toPlace({ within, area }: IntensityRequest): {
  readonly bounds: LonLatBounds | null;
  readonly outlines: readonly AreaOutline[];
} {
  const outlines = [within, area].flatMap((one) => (one === null ? [] : [one.outline]));
  if (area === null) return { bounds: within?.bounds ?? null, outlines };
  const around = outlineBounds(area.outline);
  if (within === null) return { bounds: around, outlines };
  const both = intersectBounds(within.bounds, around);
  if (both === null) throw outsideScene();
  return { bounds: both, outlines };
}

/**
 * The band that says where the scene has data, among whose pixels clouds are counted: the one that clouds are read from, or,
 * where that is no band, the finest one that measures something.
 */
function planReference(sensor: Sensor, scene: Scene): TypedTree {
  const { cloudMask } = scene;
  if (cloudMask?.kind === 'classes' || cloudMask?.kind === 'quality') {
    return planExpressions({ bands: cloudMask.band, sensor, isComposite: false });
  }
  const [finest] = sensor.bands
    .filter(({ name, kind }) => kind !== 'quality' && Object.hasOwn(scene.assets, name))
    .sort((a, b) => a.resolutionM - b.resolutionM);
  if (finest === undefined) throw unsupported('no-data', 'This scene has no band that measures anything.');
  return planExpressions({ bands: finest.name, sensor, isComposite: false });
}

/** An alias of three indices has three ranges; all else has one, named as it was asked for. */
function nameRanges(text: string, found: readonly (ContrastRange | null)[]): IntensityAnswer['ranges'] {
  if (found.length === 0) throw outsideScene();
  return found.map((range, i) => {
    if (range === null)
      throw unsupported('no-data', `There is no data of ${text.slice(0, 80)} to find a range in.`);
    return { band: found.length === 1 ? text : `${text} ${i + 1}`, min: range.min, max: range.max };
  });
}
