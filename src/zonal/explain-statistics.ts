import { makePause, takeTurn } from '../async/index.ts';
import { isSwathError } from '../errors.ts';
import type { Ticket } from '../pool/index.ts';
import type { ExplainedPixels, ExplainPixels } from '../render/native/index.ts';
import type { MeasuredGroup, PlannedMask } from './measure-scene.ts';
import type { MeasuredArea, PlannedScene } from './plan-scene.ts';
import { planScene, toMeasuredArea } from './plan-scene.ts';
import type { Candidate, CandidateDeps } from './statistics.ts';
import { makeFindCandidates } from './statistics.ts';
import type { NamedScene, SceneFailure, StatisticsOrder } from './statistics-order.ts';
import { OUTSIDE, toNamed } from './statistics-order.ts';

/** Expressions that are read together. */
interface ExplainedGroup {
  /** Parts of the window around the area that are read one after the other. */
  readonly pieces: number;
  /** The first of them. */
  readonly first: ExplainedPixels;
}

/** What is measured in a scene. */
interface ExplainedMeasurement extends NamedScene {
  /** Expressions that were measured before. */
  readonly stored: number;
  readonly groups: readonly ExplainedGroup[];
  /** Estimated pixel memory. */
  readonly bytes: number;
}

/** What an order of statistics would do. */
export interface ExplainedStatistics {
  /** Scenes of the search; a scene that only stands in for another is not measured. */
  readonly found: number;
  /** The newest ones; a failure says why a scene has no statistics. */
  readonly scenes: readonly (ExplainedMeasurement | SceneFailure)[];
}

/** Explains an order without measuring it. */
export type ExplainStatistics = (order: StatisticsOrder, ticket: Ticket) => Promise<ExplainedStatistics>;

/** The max number of scenes that are explained: each is planned, and its headers are read. */
const MAX_SCENES = 20;

interface ExplainDeps extends CandidateDeps {
  readonly explainPixels: ExplainPixels;
}

/** Builds it, on the services that measure. */
export function makeExplainStatistics({ explainPixels, ...deps }: ExplainDeps): ExplainStatistics {
  const { search, readOrdered, prepare, findKnown, toFailure } = makeFindCandidates(deps);

  return async (order, ticket) => {
    // An area of 10,000 positions takes milliseconds; so does the plan of a scene.
    await takeTurn();
    const area = toMeasuredArea(order.area);
    const pause = makePause();
    const { found, scenes: page } = await search(order, {
      offset: 0,
      limit: Math.min(MAX_SCENES, order.limit),
    });
    const candidates: (Candidate | SceneFailure)[] = [];
    const ordered = await Promise.all(page.map((scene) => readOrdered(scene, order)));
    for (const scene of ordered) {
      if (scene !== null) candidates.push(await prepare(scene, order, area.key));
      await pause();
    }
    const known = await findKnown(candidates.flatMap((one) => ('message' in one ? [] : one.keys)));
    const scenes: (ExplainedMeasurement | SceneFailure)[] = [];
    for (const candidate of candidates) {
      scenes.push(
        'message' in candidate
          ? candidate
          : await explainScene(candidate, { order, area, isKnown: (key) => known.has(key), ticket }),
      );
      await pause();
    }
    return { found, scenes };
  };

  async function explainScene(
    candidate: Candidate,
    { order, area, isKnown, ticket }: SceneContext,
  ): Promise<ExplainedMeasurement | SceneFailure> {
    const { scene, keys, sensor, classified, masksClouds } = candidate;
    const missing = order.expressions.filter((_, i) => !isKnown(keys[i] as string));
    const stored = keys.length - missing.length;
    if (missing.length === 0) return { ...toNamed(scene), stored, groups: [], bytes: 0 };
    try {
      const planned = planScene({
        scene,
        sensor,
        classified,
        masksClouds,
        area,
        expressions: missing,
        level: order.clouds.level,
        histogram: order.histogram,
      });
      if (planned === null) return { ...toNamed(scene), ...OUTSIDE };
      const groups: ExplainedGroup[] = [];
      for (const { group, bands } of listGroups(planned, missing)) {
        const first = group.pieces[0];
        if (first === undefined) continue;
        const pixels = await explainPixels({ bands, plan: first.pixels, masks: first.masks }, ticket);
        const steps = [...pixels.steps, ...listMeasureSteps(first.masks, order)];
        groups.push({ pieces: group.pieces.length, first: { ...pixels, steps } });
      }
      return { ...toNamed(scene), stored, groups, bytes: planned.bytes };
    } catch (error) {
      // The measurement brings the record up to date and plans again.
      if (isSwathError(error) && error.code === 'source-changed')
        return { ...toNamed(scene), code: error.code, message: error.message, notes: [] };
      return toFailure(scene, error);
    }
  }
}

interface SceneContext {
  readonly order: StatisticsOrder;
  readonly area: MeasuredArea;
  readonly isKnown: (key: string) => boolean;
  readonly ticket: Ticket;
}

/** What is done with the values of a piece. */
const listMeasureSteps = (
  masks: readonly PlannedMask[],
  { histogram }: StatisticsOrder,
): ExplainedPixels['steps'] => [
  ...masks.map(({ means, plan: { source } }) => ({
    step: 'mask',
    stage: 'math' as const,
    detail: `${MASKS[means]}, by ${source.kind === 'pixels' ? source.inputs.map(({ band }) => band).join(', ') : 'outlines'}`,
  })),
  {
    step: 'measure',
    stage: 'math',
    detail: histogram === null ? 'pixels in the area' : `pixels in the area, with ${histogram.bins} bins`,
  },
];

const MASKS: Readonly<Record<PlannedMask['means'], string>> = {
  counted: 'clouds are counted',
  masked: 'clouds are left out',
  'no-data': 'pixels without data are left out',
};

/** The groups of a plan, and the expressions of each. */
function* listGroups(
  { job, order }: PlannedScene,
  expressions: readonly string[],
): Generator<{ readonly group: MeasuredGroup; readonly bands: string }> {
  let at = 0;
  for (const group of job.groups) {
    const own = order.slice(at, at + group.expressions);
    at += group.expressions;
    yield { group, bands: own.map((i) => expressions[i]).join() };
  }
}
