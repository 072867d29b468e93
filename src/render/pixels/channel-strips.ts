/** Channels of a plan strip by strip: what lies between files and values then stays in the cache of a core. */

import type { BandPlane, ResultPlane } from '../../raster/index.ts';
import { widenWords } from '../../raster/index.ts';
import type { InputPlan, PixelPlan } from '../plan/render-plan.ts';
import type { PixelWork, SourceInput } from './read-channels.ts';
import { isPlainInput, readChannels, readSources } from './read-channels.ts';

/** Pixels in a row of the plan's grid, across the ends of its rows. */
export interface ChannelStrip {
  /** The first of them, and how many there are. */
  readonly first: number;
  readonly count: number;
  /** One for each expression; valid until the next strip. */
  readonly channels: readonly ResultPlane[];
}

/**
 * Pixels of a strip: two bands, their index and its mask take some 400 kB of a cache of 512 kB or more. A multiple of
 * what band math takes at once.
 */
const STRIP_PX = 32_768;

/**
 * Reads the inputs of a plan, and computes its expressions strip by strip, from the first pixel to the last. Bands of
 * 16-bit words without an empty pixel stay words until then. One strip where the grid is not that of the inputs. Null
 * if one of them has no pixel there.
 */
export async function readChannelStrips(
  plan: PixelPlan,
  work: PixelWork,
): Promise<Iterable<ChannelStrip> | null> {
  const { tree, inputs, grid } = plan;
  if (tree.needsWindow || !inputs.every(isCopied)) {
    const channels = await readChannels(plan, work);
    return channels === null ? null : [{ first: 0, count: grid.width * grid.height, channels }];
  }
  const groups = await readSources(plan, { ...work, keptWords: 'copied' });
  if (groups === null) return null;
  const members = new Map(groups.flatMap((group) => group.members.map((member) => [member.input, member])));
  return listStrips(plan, members, work);
}

/** Whether the numbers of an input are the pixels of a file, one by one. */
const isCopied = (input: InputPlan): boolean => input.warp?.isCopy === true && isPlainInput(input);

function* listStrips(
  { tree, inputs, grid }: PixelPlan,
  members: ReadonlyMap<InputPlan, SourceInput>,
  { kernels, compute, allocate }: PixelWork,
): Generator<ChannelStrip> {
  const pixels = grid.width * grid.height;
  // Each strip takes the memory of the one before.
  const freeAt = allocate(0);
  for (let first = 0; first < pixels; first += STRIP_PX) {
    const count = Math.min(STRIP_PX, pixels - first);
    const own = kernels.begin(freeAt);
    const planes = inputs.map((input): BandPlane => {
      const { rule, parameters } = input;
      const { valuesAt, maskAt, wordsAt } = members.get(input) as SourceInput;
      const stripAt = wordsAt === 0 ? valuesAt + 4 * first : own(4 * count);
      if (wordsAt !== 0) widenWords(kernels, { wordsAt: wordsAt + 2 * first, valuesAt: stripAt, count });
      return { rule, parameters, valuesAt: stripAt, maskAt: maskAt === 0 ? 0 : maskAt + first, secondAt: 0 };
    });
    yield { first, count, channels: compute(own, { tree, inputs: planes, count }) };
  }
}
