import type { ContrastRange } from '../stats/index.ts';
import type { BandPlan, ChannelPlan, LevelWindow, PercentileCut, RenderPlan } from './plan.ts';
import { PIXELS_VERSION } from './plan.ts';
import type { Pool } from './pool/index.ts';

/** Where computed contrast ranges are kept, so that a scene's is computed once. */
export interface ContrastStore {
  find(key: string): Promise<ContrastRange | null>;
  put(key: string, range: ContrastRange): Promise<void>;
}

/** The work of finding a band's contrast, as a thread gets it. */
export interface ContrastJob {
  readonly viewId: string;
  readonly sceneVersion: string;
  readonly channel: BandPlan & { readonly read: LevelWindow };
  readonly cut: PercentileCut;
}

/** Who asks, for how long, until when. */
export interface Asker {
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** Finds the contrast ranges of a plan's channels. */
export type FindContrast = (plan: RenderPlan, asker: Asker) => Promise<readonly ContrastRange[]>;

interface ContrastDeps {
  readonly store: ContrastStore;
  readonly pool: Pool;
  readonly timeoutMs: number;
  /** Told when a range could not be remembered. */
  readonly onForgotten: (error: unknown) => void;
}

/** The default stretch is computed once per scene and band and then remembered, never per tile. */
export function makeFindContrast({ store, pool, timeoutMs, onForgotten }: ContrastDeps): FindContrast {
  return (plan, asker) => Promise.all(plan.channels.map((channel) => findOne(plan, channel, asker)));

  async function findOne(
    plan: RenderPlan,
    channel: ChannelPlan,
    { owner, signal }: Asker,
  ): Promise<ContrastRange> {
    const { stretch } = channel;
    if (stretch.kind === 'fixed') return { min: stretch.min, max: stretch.max };
    const { lowPercent, highPercent, cloudPercent } = stretch;
    const name = [
      PIXELS_VERSION,
      plan.viewId,
      plan.sceneVersion,
      channel.band,
      lowPercent,
      highPercent,
      cloudPercent,
    ];
    const key = name.join(' ');
    const known = await store.find(key);
    if (known !== null) return known;
    const { stretch: _, warp: __, contrastRead, ...band } = channel;
    const input: ContrastJob = {
      viewId: plan.viewId,
      sceneVersion: plan.sceneVersion,
      channel: { ...band, read: contrastRead },
      cut: { lowPercent, highPercent, cloudPercent },
    };
    const { width, height } = contrastRead.window;
    const { output } = await pool.run<ContrastRange>({
      kind: 'contrast',
      input,
      priority: 'tile',
      owner,
      // Values as stored (eight bytes at most) and as floats, a sorted copy of those, and the mask.
      bytes: width * height * (8 + 4 + 4 + 1),
      timeoutMs,
      signal,
      singleFlightKey: `contrast ${key}`,
    });
    try {
      await store.put(key, output);
    } catch (error) {
      // A full disk must not cost the tile: the range is right, it will only be computed again.
      onForgotten(error);
    }
    return output;
  }
}
