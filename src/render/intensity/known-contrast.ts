import type { Stretch } from '../../color/index.ts';
import type { Size } from '../../geo/index.ts';
import type { RenderLimits } from '../plan/plan-inputs.ts';
import type { PercentileCut, PlannedScene } from '../plan/render-plan.ts';
import type { ContrastStore } from './find-contrast.ts';
import { nameChannel, nameSharpChannels, planChannelSample, planSharpSample } from './find-contrast.ts';

/** Where the contrast of a channel comes from. */
export type KnownContrast =
  /** Given by the request, the colours or the sensor. */
  | ({ readonly kind: 'fixed' } & Stretch)
  /** Measured before. */
  | ({ readonly kind: 'stored'; readonly cut: PercentileCut } & Stretch)
  /** Measured by the first picture, on a sample of the whole scene. */
  | { readonly kind: 'unmeasured'; readonly cut: PercentileCut; readonly sample: Size };

/** Says for each channel of a plan whether its contrast is known; measures nothing. */
export type FindKnownContrast = (planned: PlannedScene) => Promise<readonly KnownContrast[]>;

interface KnownContrastDeps {
  readonly store: Pick<ContrastStore, 'find'>;
  readonly limits: RenderLimits;
}

/** Builds it, on the store that measured contrasts are put into. */
export const makeFindKnownContrast =
  ({ store, limits: { sample: limits } }: KnownContrastDeps): FindKnownContrast =>
  ({ plan, scene }) =>
    Promise.all(
      plan.stretches.map(async (stretch, channel): Promise<KnownContrast> => {
        if (stretch.kind === 'fixed') return stretch;
        const { cut, gamma } = stretch;
        const isAlone = stretch.kind === 'measured';
        const key = isAlone ? nameChannel(plan, channel, cut) : nameSharpChannels(plan, cut)[channel];
        const range = key === undefined ? null : await store.find(key);
        if (range !== null)
          return { kind: 'stored', cut, ...range, ...(gamma === undefined ? {} : { gamma }) };
        const planned = isAlone
          ? planChannelSample(plan, channel, { scene, limits })
          : planSharpSample(plan, { scene, limits });
        const { width, height } = planned.sample.grid;
        return { kind: 'unmeasured', cut, sample: { width, height } };
      }),
    );
