/** The dates of the list as a film. */
import type { Animation } from '../state/animation.ts';
import { PLAIN_ANIMATION } from '../state/animation.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import type { ActionParts } from './action-parts.ts';
import type { SearchActions } from './search.ts';

/** What a user does with a film. */
export interface AnimateActions {
  startAnimation(): void;
  changeAnimation(change: Partial<Animation>): void;
  /** Goes back to the one scene that was shown before. */
  leaveAnimation(): void;
}

/** Two years of a scene every few days; a longer film is better made of a narrower search. */
const MAX_SCENES = 300;

/** The page of the search that a film, or the lists of dates of a comparison, still lack; `null` for none. */
export const planPage = ({ animation, comparison, results }: ViewerState): number | null => {
  const { hasMore, isLoading, failure, scenes, page } = results;
  if (animation === null && comparison === null) return null;
  return hasMore && !isLoading && failure === null && scenes.length < MAX_SCENES ? page + 1 : null;
};

/** Builds them; from then on, films and comparisons load the rest of their list. */
export const makeAnimateActions = (
  { store }: ActionParts,
  { loadMore }: Pick<SearchActions, 'loadMore'>,
): AnimateActions => {
  store.watch(planPage, (page) => {
    if (page !== null) void loadMore();
  });
  return {
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
  };
};
