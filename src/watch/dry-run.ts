import type { CheckDeps, CheckRun } from './check-subscription.ts';
import { makeCheckSubscription } from './check-subscription.ts';
import type { Days } from './judge.ts';
import type { Subscription, WatchEvent } from './subscription.ts';
import type { WatchedScene } from './watch-store.ts';

/** What a subscription would have told. */
export interface DryRun {
  readonly days: Days;
  /** Scenes, or periods of mosaics. */
  readonly scenes: number;
  readonly isOfMosaics: boolean;
  /** Those that could not be measured. */
  readonly failed: number;
  /** Oldest first. */
  readonly events: readonly WatchEvent[];
  /** True if there were more events than are listed. */
  readonly isCut: boolean;
}

/** Events that a dry run lists: a condition that fires more often is not what anyone wants to be told. */
const MAX_EVENTS = 20_000;

/** Builds dry runs: the check of a subscription over days that have passed, with a store that forgets everything. */
export const makeDryRun =
  (deps: Omit<CheckDeps, 'store'>) =>
  async (subscription: Subscription, days: Days, run: CheckRun): Promise<DryRun> => {
    const measured = new Map<string, WatchedScene>();
    const events = new Map<string, WatchEvent>();
    let isCut = false;
    const check = makeCheckSubscription({
      ...deps,
      store: {
        findMeasured: async (_, viewIds) =>
          new Map(
            viewIds.flatMap((viewId) => {
              const found = measured.get(viewId);
              return found === undefined ? [] : [[viewId, found.sources]];
            }),
          ),
        listMeasured: async (_, { from, to }) =>
          [...measured.values()].filter(({ day }) => from <= day && day <= to),
        async commit(_, scene, made) {
          measured.set(scene.viewId, scene);
          for (const event of made.events) {
            if (events.has(event.id)) continue;
            if (events.size < MAX_EVENTS) events.set(event.id, event);
            else isCut = true;
          }
          return true;
        },
      },
    });
    const { scenes, failed } = await check(subscription, days, run);
    const isOfMosaics = subscription.value.mosaic !== undefined;
    return { days, scenes, isOfMosaics, failed, events: [...events.values()], isCut };
  };
