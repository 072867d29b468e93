import type { PaintedPlanes, Stretch } from '../../color/index.ts';
import { isCurved, paintNearest } from '../../color/index.ts';
import { writePositions } from '../../raster/index.ts';
import type { InputPlan, RenderPlan } from '../plan/render-plan.ts';
import type { PixelWork, SourceGroup } from './read-channels.ts';
import { showAsRead } from './shown-planes.ts';

/** A picture, and the stretches of its channels. */
interface WordsJob {
  readonly plan: RenderPlan;
  readonly contrast: readonly Stretch[];
}

/** Whether the nearest pixels can be painted as they lie in the files: null if anything else becomes of them. */
function planWords({ plan, contrast }: WordsJob): ReturnType<typeof showAsRead> {
  const { color, clouds, clusters, sharpen } = plan;
  const isPlain =
    color === null &&
    [clouds, clusters, sharpen].every((what) => what === undefined) &&
    !contrast.some(isCurved);
  return isPlain ? showAsRead(plan, contrast) : null;
}

/**
 * Paints bands that were read as words, without floats or planes on the picture's grid: two fifths of what a warm tile
 * of natural colours took of a pixel thread. Null if they were not read as words.
 */
export function paintWords(
  job: WordsJob,
  sources: readonly SourceGroup[],
  { kernels, allocate }: Pick<PixelWork, 'kernels' | 'allocate'>,
): PaintedPlanes | null {
  const [group, ...others] = sources;
  if (group === undefined || others.length > 0) return null;
  if (group.members.some(({ wordsAt }) => wordsAt === 0)) return null;
  const shown = planWords(job);
  if (shown === null) return null;
  const { grid, inputs } = job.plan;
  const wordsOf = new Map(group.members.map(({ input, wordsAt }) => [input, wordsAt]));
  const wordsAt = shown.inputs.map((input) => wordsOf.get(inputs[input] as InputPlan) as number);
  const positionsAt = writePositions(kernels, allocate, { target: grid, plan: group.warp });
  const count = grid.width * grid.height;
  return paintNearest(kernels, allocate, { positionsAt, wordsAt, stretches: shown.stretches, count });
}
