import type { TypedTree } from '../../bandmath/index.ts';
import { parseExpressions, splitExpressions, takeOutput } from '../../bandmath/index.ts';
import type { SceneName, SceneStore } from '../../catalog/index.ts';
import { findScene } from '../../catalog/index.ts';
import type { Stretch } from '../../color/index.ts';
import type { AreaOutline, LonLatBounds } from '../../geo/index.ts';
import type { ContrastRange, IntensityRule } from '../../numbers/index.ts';
import type { JobRunner, JobTicket, Ticket } from '../../pool/index.ts';
import { toExpressionNames } from '../../sensors/index.ts';
import { chooseCoverSource, isOpaqueByDefault } from '../clouds/plan-clouds.ts';
import { unsupported } from '../errors.ts';
import { planNaturalRanges, planNaturalScene } from '../plan/natural-color.ts';
import type { RenderLimits, SampleLimits } from '../plan/plan-inputs.ts';
import { planExpressions } from '../plan/plan-inputs.ts';
import type { ComparedScene, CoverSource, PictureArea } from '../plan/render-plan.ts';
import { PIXELS_VERSION, toDigest } from '../plan/render-plan.ts';
import { intersectBounds, outlineBounds } from '../samples/find-window.ts';
import type { ValueSamplePlan } from '../samples/plan-sample.ts';
import { outsideScene, planValueSample } from '../samples/plan-sample.ts';
import type { CompareScene, FileWatch } from '../scenes/file-watch.ts';
import { withCurrentFiles } from '../scenes/file-watch.ts';
import type { IntensityJob, IntensityJobs } from './measure-intensity.ts';
import { planCoverJob } from './measure-intensity.ts';

/** A rectangle in degrees: its edges for pixels, and its sides for windows. */
export interface BoundsArea {
  /** Across the antimeridian the east lies beyond 180. */
  readonly bounds: LonLatBounds;
  readonly outline: AreaOutline;
}

/** What ranges are asked for. */
export interface IntensityRequest extends SceneName {
  /** Bands or expressions, separated by commas. */
  readonly bands: string;
  /** How ranges are found; how cloudy it is gets known on the way. */
  readonly rule: IntensityRule;
  /** Whether clouds are counted, and the cut corrected for them. */
  readonly countsClouds: boolean;
  /** Null: the default of the sensor. */
  readonly onlyOpaque: boolean | null;
  readonly calibrated: boolean;
  /** The fixed ranges of natural colour, in place of those of the rule; not when left out. */
  readonly isNatural?: boolean;
  readonly within: BoundsArea | null;
  readonly area: PictureArea | null;
}

/** The ranges of some expressions, and how cloudy it is there. */
export interface IntensityAnswer {
  readonly ranges: readonly (Stretch & { readonly band: string })[];
  /** Null if it is unknown, or was not asked for. */
  readonly cloudPercent: number | null;
  /** The upper end of the cut was lowered for clouds. */
  readonly isCorrected: boolean;
}

/** Where answers are stored, so that each is measured once: the newest ones, up to a number that the store decides. */
export interface IntensityStore {
  find(key: string): Promise<IntensityAnswer | null>;
  put(key: string, answer: IntensityAnswer): Promise<void>;
}

/** Finds ranges of intensities. */
export type FindIntensity = (request: IntensityRequest, ticket: Ticket) => Promise<IntensityAnswer>;

interface IntensityPlanDeps {
  readonly scenes: SceneStore;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly limits: RenderLimits;
}

interface IntensityDeps extends IntensityPlanDeps {
  readonly store: IntensityStore;
  readonly pool: JobRunner<IntensityJobs>;
  /** Called when an answer could not be stored. */
  readonly onForgotten: (error: unknown) => void;
}

/** Where ranges are measured, once the scene is known. */
export interface IntensityPlan {
  /** The key of the stored answer. */
  readonly key: string;
  readonly scene: ComparedScene;
  /** Ranges that need no measurement; null if there are none. */
  readonly fixed: IntensityAnswer['ranges'] | null;
  /** One sample for each output of an expression; none if the ranges are fixed. */
  readonly expressions: readonly {
    readonly text: string;
    readonly samples: readonly Pick<ValueSamplePlan, 'sample' | 'bytes'>[];
  }[];
  readonly outlines: readonly AreaOutline[];
  /** Where the cloud cover is known from. */
  readonly cover: CoverSource;
  /** Counts clouds pixel by pixel; null if that is not needed. */
  readonly coverJob: ReturnType<typeof planCoverJob>;
}

/** Distinguishes the jobs of one request, and says the memory of each. */
interface JobName {
  readonly part: string;
  readonly bytes: number;
}

/** Builds the finding of ranges: planned here, measured on the pool, and remembered. */
export function makeFindIntensity({ store, pool, onForgotten, ...deps }: IntensityDeps): FindIntensity {
  const onPlan = makeOnIntensityPlan(deps);
  return (request, ticket) =>
    onPlan(request, async ({ key }, makePlan) => {
      const known = await store.find(key);
      if (known !== null) return known;
      const answer = await measure(request, makePlan(), ticket);
      // The answer is right whether it is remembered or not: neither a full disk nor a slow one may cost anything of it.
      void store.put(key, answer).catch(onForgotten);
      return answer;
    });

  async function measure(
    { rule }: IntensityRequest,
    { key, fixed, expressions, outlines, cover, coverJob }: IntensityPlan,
    ticket: Ticket,
  ): Promise<IntensityAnswer> {
    const toTicket = (kind: string, { part, bytes }: JobName): JobTicket => ({
      ...ticket,
      bytes,
      singleFlightKey: `${kind} ${key} ${part}`,
    });
    let cloudPercent = cover.kind === 'known' ? cover.percent : null;
    if (coverJob !== null) {
      const { job, bytes } = coverJob;
      const { output } = await pool.run('cloud-cover', job, toTicket('cloud-cover', { bytes, part: '0' }));
      cloudPercent = output;
    }
    if (fixed !== null) return { ranges: fixed, cloudPercent, isCorrected: false };
    const isCorrected =
      rule.method === 'cc' && cloudPercent !== null && (cover.kind !== 'known' || cover.isCorrection);
    const cut: IntensityRule = isCorrected ? { ...rule, cloudPercent: cloudPercent ?? 0 } : rule;

    const ranges = await Promise.all(
      expressions.map(async ({ text, samples }, i) => {
        const found = await Promise.all(
          samples.map(async ({ sample, bytes }, k) => {
            const job: IntensityJob = { sample, outlines, rule: cut };
            const name = { bytes, part: `${i} ${k}` };
            return (await pool.run('intensity', job, toTicket('intensity', name))).output;
          }),
        );
        return nameRanges(text, found.flat());
      }),
    );
    return { ranges: ranges.flat(), cloudPercent, isCorrected };
  }
}

/** Runs work on the plan of ranges; again on a new plan if files were replaced. Planning may not be needed at all. */
export type OnIntensityPlan = <Result>(
  request: IntensityRequest,
  run: (name: Pick<IntensityPlan, 'key' | 'scene'>, makePlan: () => IntensityPlan) => Promise<Result>,
) => Promise<Result>;

/** Builds the planning of ranges. */
export const makeOnIntensityPlan =
  ({ scenes, compareScene, watch, limits }: IntensityPlanDeps): OnIntensityPlan =>
  async (request, run) => {
    const expressions = readExpressions(request);
    const inputs = expressions.flatMap(({ trees }) => trees.flatMap((tree) => tree.inputs));
    return withCurrentFiles({
      watch,
      find: async () => compareScene(await findScene(scenes, request), inputs),
      run(scene) {
        const name = { key: toKey(request, scene), scene };
        return run(name, () => ({
          ...name,
          ...planIntensity(request, { scene, expressions }, limits.sample),
        }));
      },
    });
  };

/** Decides what is measured, before anything is read: what cannot be done is refused at once. Pure. */
function planIntensity(
  request: IntensityRequest,
  { scene, expressions }: { readonly scene: ComparedScene; readonly expressions: readonly Expression[] },
  limits: SampleLimits,
): Omit<IntensityPlan, 'key' | 'scene'> {
  const { sensor, calibrated, isNatural = false } = request;
  const fixed = isNatural ? findNatural(request, scene) : null;
  const { bounds, outlines } = toBoundsAndOutlines(request);
  const planned = (fixed === null ? expressions : []).map(({ text, trees }) => ({
    text,
    samples: trees.map((tree) => {
      refuseLookingBack(tree, scene);
      return planValueSample(tree, { scene, sensor, calibrated, bounds, limits });
    }),
  }));
  const onlyOpaque = request.onlyOpaque ?? isOpaqueByDefault(sensor);
  const cover: CoverSource = request.countsClouds
    ? chooseCoverSource({ scene, sensor, isWhole: bounds === null, onlyOpaque })
    : { kind: 'unknown' };
  const coverJob =
    cover.kind === 'pixels' ? planCoverJob({ scene, sensor, onlyOpaque, bounds, outlines, limits }) : null;
  return { fixed, expressions: planned, outlines, cover, coverJob };
}

/** A sample is read for each: more in one request than any picture or index has bands. */
const MAX_EXPRESSIONS = 10;

interface Expression {
  readonly text: string;
  /** One, or those that an alias stands for: each is sampled on its own grid, as if it had been asked for alone. */
  readonly trees: readonly TypedTree[];
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
  return texts.map((text) => {
    const tree = planExpressions({ bands: text, sensor, isComposite: false });
    return { text, trees: tree.outputs.map((_, output) => takeOutput(tree, output).tree) };
  });
}

/** The ranges of natural colour, of all expressions together, as a picture of them has them. */
function findNatural({ bands, sensor }: IntensityRequest, given: ComparedScene): IntensityAnswer['ranges'] {
  const tree = parseExpressions(bands, toExpressionNames(sensor));
  const { scene, calibrated } = planNaturalScene({ scene: given, sensor, tree });
  const ranges = planNaturalRanges({ scene, sensor, bands, tree }, calibrated);
  const texts = splitExpressions(bands);
  const isNamed = texts.length === ranges.length;
  return ranges.map((range, i) => ({ band: isNamed ? (texts[i] ?? bands) : `${bands} ${i + 1}`, ...range }));
}

/** An expression that needs an earlier scene has no range without one; a picture of it is transparent. */
function refuseLookingBack(tree: TypedTree, scene: ComparedScene): void {
  if (scene.earlier != null || !tree.inputs.some((input) => input.scene === 'earlier')) return;
  throw unsupported(
    'no-earlier-scene',
    'The catalog has no earlier scene of this ground to compare this one with.',
  );
}

/** A request that gives another answer has another key. */
function toKey(request: IntensityRequest, { viewId, version, earlier }: ComparedScene): string {
  const { bands, rule, countsClouds, onlyOpaque, calibrated, isNatural, within, area } = request;
  const text = JSON.stringify([
    ...[PIXELS_VERSION, viewId, version, bands, rule, countsClouds, onlyOpaque, calibrated],
    ...[within?.bounds ?? null, area?.ref ?? null, earlier?.viewId ?? null, earlier?.version ?? null],
    ...(isNatural === true ? ['natural'] : []),
  ]);
  return toDigest(text);
}

/** All that narrows what is looked at. */
function toBoundsAndOutlines({ within, area }: IntensityRequest): {
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

/** An alias of three indices has three ranges; all else has one, named as it was asked for. */
function nameRanges(text: string, found: readonly (ContrastRange | null)[]): IntensityAnswer['ranges'] {
  if (found.length === 0) throw outsideScene();
  return found.map((range, i) => {
    if (range === null)
      throw unsupported('no-data', `There is no data of ${text.slice(0, 80)} to find a range in.`);
    return { band: found.length === 1 ? text : `${text} ${i + 1}`, min: range.min, max: range.max };
  });
}
