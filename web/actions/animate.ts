/** The dates of the list as a film. */
import type { Animation } from '../state/animation.ts';
import { PLAIN_ANIMATION } from '../state/animation.ts';
import type { ActionParts } from './action-parts.ts';
import type { SearchActions } from './search.ts';

/** What a user does with a film. */
export interface AnimateActions {
  startAnimation(): void;
  changeAnimation(change: Partial<Animation>): void;
  /** Goes back to the one scene that was shown before. */
  leaveAnimation(): void;
  /** Loads the rest of the list, as far as a film needs it. */
  loadFrames(): Promise<void>;
}

/** Two years of a scene every few days; a longer film is better made of a narrower search. */
const MAX_SCENES = 300;

/** Builds them. */
export const makeAnimateActions = (
  { store }: ActionParts,
  { loadMore }: Pick<SearchActions, 'loadMore'>,
): AnimateActions => ({
  startAnimation: () =>
    store.update((state) => ({
      ...state,
      animation: PLAIN_ANIMATION,
      comparison: null,
      wantedComparison: null,
      probe: null,
      notices: [],
    })),
  changeAnimation: (change) =>
    store.update((state) =>
      state.animation === null ? state : { ...state, animation: { ...state.animation, ...change } },
    ),
  leaveAnimation: () => store.update((state) => ({ ...state, animation: null, notices: [] })),
  async loadFrames() {
    for (;;) {
      const { results } = store.read();
      if (!results.hasMore || results.isLoading || results.scenes.length >= MAX_SCENES) return;
      await loadMore();
    }
  },
});
